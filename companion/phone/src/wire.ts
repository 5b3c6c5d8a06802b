/** The messages of the corridor, as the phone reads and writes them. */

export interface Text {
  key: string;
  params?: Record<string, Param>;
}
export type Param = number | string | Text | Text[];

export interface Picture {
  die?: { owner: number; face: number };
  coins?: number;
  points?: number;
  rounds?: number;
  slot?: string;
  card?: string;
  tower?: string;
  crest?: string;
  ability?: string;
  guild?: string;
  [more: string]: unknown;
}

export interface Choice {
  id: string;
  text: Text;
  move: Record<string, unknown>;
  note?: Text | null;
  off?: Text | null;
  group?: string;
  picture?: Picture;
  primary?: boolean;
}

export type FieldValue = number | string | boolean | (string | number)[] | null;

export interface Field {
  id: string;
  text: Text;
  kind: "number" | "pick" | "many" | "flag" | "words";
  value?: FieldValue;
  low?: number | null;
  high?: number | null;
  options?: { value: string | number | boolean; text: Text }[];
  help?: Text | null;
  seat?: number | null;
}

export interface Form {
  fields: Field[];
  move: Record<string, unknown>;
  send: Text;
}

export interface Ask {
  seat: number | null;
  text: Text;
  choices?: Choice[];
  help?: Text | null;
  form?: Form | null;
  change?: Text[];
  reminders?: Text[];
  phase?: string;
  waiting?: number[];
}

export interface TallyLine {
  id: string;
  text: Text;
  points: number;
  reason?: Text | null;
  unconfirmed?: string[];
}

export interface PlayerTally {
  seat: number;
  name: string;
  total: number;
  lines: TallyLine[];
  extra?: Record<string, number | string>;
}

export interface Tally {
  players: PlayerTally[];
  winners: number[];
  tie_break?: Text | null;
  unconfirmed?: string[];
  notes?: Text[];
}

export interface SeatInfo {
  seat: number;
  name: string;
  colour?: string;
  language?: string;
  phone?: boolean;
  bot?: string;
}

export interface Notice {
  id: string;
  text: Text;
  do?: Text | null;
  kind?: "info" | "warn" | "bad" | "todo";
  slot?: string;
  done?: boolean;
}

export interface Undo {
  text: Text;
  seat?: number | null;
  consent?: boolean;
  asked?: boolean;
}

export type View = Record<string, unknown>;

/** What a game shows beside its prompt: declared by the pack, drawn by `parts/panels`. */
export type Said = number | string | Text;
export interface Cell { value?: Said | null; look?: "plain" | "hint" | "best" }
export interface Row { text: Said; cells: Cell[]; choice?: string; strong?: boolean }
export interface ShownDie { face: number; seat?: number | null; kept?: boolean; choice?: string }
export interface Card { text?: Text | null; note?: Text | null; seat?: number | null; choice?: string }
export interface Spot { x: number; y: number; text?: Said; seat?: number | null; choice?: string }
export type Panel =
  | { panel: "figures"; figures: { text: Text; value: Said; seat?: number | null }[]; title?: Text | null }
  | { panel: "track"; first: number; last: number; markers: { at: number; seat?: number | null }[]; title?: Text | null; goal?: number | null }
  | { panel: "table"; columns: { text?: Text | null; seat?: number | null }[]; rows: Row[]; title?: Text | null }
  | { panel: "cards"; cards: Card[]; title?: Text | null }
  | { panel: "dice"; dice: ShownDie[]; title?: Text | null; note?: Text | null }
  | { panel: "clock"; done: number; of: number; text: Text; note?: Text | null }
  | { panel: "map"; spots: Spot[]; roads?: [number, number][]; ratio?: number; title?: Text | null };

export interface State {
  table: string;
  phase: "lobby" | "playing" | "over" | "safe";
  game?: string;
  game_id?: string;
  seq?: number;
  seats?: SeatInfo[];
  view?: View;
  prompt?: Prompt | null;
  panels?: Panel[];
  tally?: Tally | null;
  depth?: "full" | "light" | "tally";
  undo?: Undo | null;
  notices?: Notice[];
  games?: string[];
  ts?: number;
}

export interface Answerable {
  id: string;
  text: Text;
  share: number;
  move?: Record<string, unknown> | null;
  picture?: Picture;
}

export interface Question {
  id: string;
  text: Text;
  answers: Answerable[];
  slot?: string;
}

export interface Prompt {
  ask: Ask;
  question?: Question | null;
}

export interface Private {
  seat: number;
  game: string;
  seq: number;
  view?: View;
  panels?: Panel[] | null;
}

export interface Happened {
  kind: string;
  seq: number;
  seat?: number | null;
  text?: Text | null;
  params?: Record<string, unknown>;
}

export interface LogLine {
  seq: number;
  seat?: number | null;
  said?: Text[];
  cause?: string;
  ts?: number;
}

export interface LogPage {
  game: string;
  page: number;
  lines?: LogLine[];
}

export interface Health {
  room: string;
  status: "online" | "stopped" | "offline";
}

export interface MoveRequest {
  v: 1;
  id: string;
  seat: number | null;
  move: Record<string, unknown>;
  undo?: boolean;
  consent?: boolean;
  game?: string;
  seq?: number | null;
  cause: "phone";
}

export interface Refusal {
  code: string;
  say: Text;
  do: Text;
  page?: string;
  box?: string;
}

export interface Answer {
  id: string;
  ok: boolean;
  seq?: number;
  refusal?: Refusal | null;
}

/** What the page server says about the table before anybody has joined. */
export interface TableInfo {
  table: string;
  game: string;
  seats: { seat: number; name: string; colour?: string; taken: boolean }[];
  ws_port?: number;
  languages: string[];
}

/** Finished games: what everybody at the table saw. */
export interface Past {
  games: {
    id: string;
    game: string;
    began: number;
    minutes: number;
    chart: number[][];
    players: { seat: number; name: string; total: number; won: boolean }[];
  }[];
  count: number;
  players: Record<string, { plays: number; wins: number; games: Record<string, { plays: number; mean: number; best: number }> }>;
  sources: Record<string, { text: Text; points: number }[]>;
  beat: Record<string, Record<string, number>>;
}

/** What a phone holds once it sits: its own user on the broker, for one seat or for watching. */
export interface Session {
  client: string;
  user: string;
  password: string;
  ws: string;
  base: string;
  seat: number | null;
  role: "seat" | "spectator" | "table";
  token: string;
}
