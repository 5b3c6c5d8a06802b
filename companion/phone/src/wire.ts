/** The messages of the corridor, as the phone hears and says them: made by `python -m tools.wire_types`; change the structs, not this file. */
/** One moment of the table, complete, as everybody may see it: how it stands and what is asked. */
export interface State {
  table: string;
  phase: "lobby" | "over" | "playing" | "safe";
  game?: string;
  game_id?: string;
  seq?: number;
  seats?: SeatInfo[];
  view?: View;
  lobby?: Lobby | null;
  prompt?: Prompt | null;
  panels?: (Figures | Track | Table | Cards | Dice | Clock | Spots)[];
  mat?: Mat | null;
  standing?: Record<string, string> | null;
  dial?: Dial | null;
  tally?: Tally | null;
  play_link?: string;
  depth?: "full" | "light" | "tally";
  clock?: Clocks | null;
  hints?: number[];
  undo?: Undo | null;
  notices?: Notice[];
  games?: string[];
  ts?: number;
  v?: number;
}

/** One chair at the table, as everybody sees it. */
export interface SeatInfo {
  seat: number;
  name: string;
  colour?: string;
  language?: string;
  phone?: boolean;
  bot?: string;
  v?: number;
}

/** What the set-up screen needs. */
export interface Lobby {
  setup?: Record<string, Offer>;
  last?: Sitter[];
  groups?: Sitter[][];
  people?: Sitter[];
  pads?: Pad[];
  paused?: Paused[];
  again?: Again | null;
  box?: Record<string, number>;
}

/** A game that can be started. */
export interface Offer {
  title: Text;
  players?: [number, number];
  options?: Field[];
  robots?: boolean;
  colours?: string[];
  starts?: boolean;
}

/** A sentence as key and parameters; a parameter may itself be a sentence. */
export interface Text {
  key: string;
  params?: Record<string, number | string | Text | Text[]>;
}

/** One value a person may enter with a stepper, a picker or a key pad. */
export interface Field {
  id: string;
  text: Text;
  kind: "flag" | "list" | "many" | "number" | "pick" | "words";
  value?: number | string | boolean | (string | number)[] | null;
  low?: number | null;
  high?: number | null;
  options?: Option[];
  help?: Text | null;
  seat?: number | null;
  row?: Text | null;
  short?: Text | null;
}

/** One of the values a field may take. */
export interface Option {
  value: string | number | boolean;
  text: Text;
}

/** Somebody who played here. */
export interface Sitter {
  name: string;
  colour?: string;
  language?: string;
  bot?: string;
}

/** A game with a name of its own, and the rules it was begun with. */
export interface Pad {
  game: string;
  title: string;
  options?: Record<string, number | string | boolean | string[]>;
}

/** A game that was put away before its end. */
export interface Paused {
  id: string;
  game: string;
  title: Text;
  seats: Sitter[];
  ts: number;
  moves: number;
}

/** The next game as it would be after the last one. */
export interface Again {
  game: string;
  options?: Record<string, number | string | boolean | string[]>;
  first?: number;
}

/** What the table is asked: the game's own question, and perhaps one about a reading. */
export interface Prompt {
  ask: Ask;
  question?: Question | null;
  v?: number;
}

/** What the table must do now. */
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

/** One answer to a prompt. What is impossible stays in its place and says why (`off`). */
export interface Choice {
  id: string;
  text: Text;
  move: Record<string, unknown>;
  note?: Text | null;
  off?: Text | null;
  group?: string;
  picture?: Picture;
  primary?: boolean;
  confirm?: boolean;
}

/** Drawn beside an answer, for example `{"die": {"owner": 0, "face": 5}, "coins": 6}`. */
export interface Picture {
  ability?: string;
  action?: string;
  actions?: string[];
  arrow?: string;
  bases?: Record<string, string>;
  bonus?: string;
  branch?: string;
  card?: string | null;
  coins?: number;
  cost?: number;
  die?: PictureDie;
  flag?: boolean;
  gain?: string;
  guild?: string;
  hex?: PictureHex;
  icon?: string;
  initiative?: number;
  landing?: string;
  level?: number;
  n?: number;
  piece?: PicturePiece;
  plaza?: number;
  points?: number;
  rounds?: number;
  site?: number[];
  slot?: string;
  station?: number;
  tile?: number;
  to?: string;
  token?: string;
  tower?: string;
  was?: number;
  wonder?: string;
  worth?: number;
  zone?: string;
}

/** A die: whose, and the face on top. */
export interface PictureDie {
  face: number;
  owner: number;
}

/** A hex tile of Praga, as its copy has it. */
export interface PictureHex {
  claim: boolean;
  gives: Record<string, number>;
  gold: number;
  on: string;
  special: boolean;
  stone: number;
  taken: boolean;
}

/** A building of Skyrise. */
export interface PicturePiece {
  height: string;
  number: number | null;
  seat: number;
}

/** Several values entered together; they are sent as `move | {"values": {field id: value}}`. */
export interface Form {
  fields: Field[];
  move: Record<string, unknown>;
  send: Text;
  aside?: boolean;
  apart?: boolean;
}

/** A reading the rules cannot settle: ranked answers, best first. */
export interface Question {
  id: string;
  text: Text;
  answers: Answerable[];
  picture?: string;
  slot?: string;
  v?: number;
}

/** One possible reading and what it would mean. */
export interface Answerable {
  id: string;
  text: Text;
  share: number;
  move?: Record<string, unknown> | null;
  picture?: Picture;
  v?: number;
}

/** A few numbers side by side. */
export interface Figures {
  panel: "figures";
  figures: Figure[];
  title?: Text | null;
}

/** One number with its name. */
export interface Figure {
  text: Text;
  value: number | string | Text;
  seat?: number | null;
}

/** A way from one number to another, with everybody's marker on it. */
export interface Track {
  panel: "track";
  first: number;
  last: number;
  markers: Marker[];
  title?: Text | null;
  goal?: number | null;
}

/** Where somebody stands on a track. */
export interface Marker {
  at: number;
  seat?: number | null;
}

/** A sheet of rows and columns. */
export interface Table {
  panel: "table";
  columns: Column[];
  rows: Row[];
  title?: Text | null;
}

/** A column of a table; one that is a player's shows the player's sign. */
export interface Column {
  text?: Text | null;
  seat?: number | null;
}

/** A line of a table; `choice` is what touching it answers. */
export interface Row {
  text: number | string | Text;
  cells: Cell[];
  choice?: string;
  strong?: boolean;
}

/** One place in a table. A `hint` is not written yet, `best` is the hint that is worth most. */
export interface Cell {
  value?: number | string | Text | null;
  look?: "best" | "hint" | "plain";
}

/** Cards in a row. */
export interface Cards {
  panel: "cards";
  cards: Card[];
  title?: Text | null;
}

/** A card by its name; face down it shows none. */
export interface Card {
  text?: Text | null;
  note?: Text | null;
  seat?: number | null;
  choice?: string;
}

/** Dice as they lie, and what they are worth. */
export interface Dice {
  panel: "dice";
  dice: ShownDie[];
  title?: Text | null;
  note?: Text | null;
}

/** A die; face 0 is not known yet, a kept one lies aside. */
export interface ShownDie {
  face: number;
  seat?: number | null;
  kept?: boolean;
  choice?: string;
}

/** How far the game has come: how many of how many, and what is left in words. */
export interface Clock {
  panel: "clock";
  done: number;
  of: number;
  text: Text;
  note?: Text | null;
  stops?: number[];
  mark?: number | null;
  mark_text?: Text | null;
  end_text?: Text | null;
}

/** A map of spots, and the roads between them by their numbers. */
export interface Spots {
  panel: "map";
  spots: Spot[];
  roads?: [number, number][];
  ratio?: number;
  title?: Text | null;
}

/** A place on the map, in shares of its width and height; `seat` is whose it is. */
export interface Spot {
  x: number;
  y: number;
  text?: number | string | Text;
  seat?: number | null;
  choice?: string;
}

/** The field of a game with its areas and spots. */
export interface Mat {
  width: number;
  height: number;
  areas?: Area[];
  die_mm?: number;
  spots?: BoardSpot[];
  colours?: string[];
}

/** One place the camera looks at: a slot for a card, or a free area dice are thrown into. */
export interface Area {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
  holds: ("cards" | "loose dice" | "player dice" | "tiles")[];
  label?: string;
  ink?: string;
}

/** A place of a board that holds one piece (cube, disc, house, tower) in one of the taught colours, or none. */
export interface BoardSpot {
  id: string;
  x: number;
  y: number;
  radius: number;
}

/** A dial with notches. Its positions are counted from the zero in the direction the game turns it. */
export interface Dial {
  notches: number;
  zero?: number;
  direction?: "clockwise" | "counter-clockwise";
}

/** The whole score with its winners. */
export interface Tally {
  players: PlayerTally[];
  winners: number[];
  tie_break?: Text | null;
  unconfirmed?: string[];
  notes?: Text[];
}

/** Every point of one player. */
export interface PlayerTally {
  seat: number;
  name: string;
  total: number;
  lines: TallyLine[];
  extra?: Record<string, number | string>;
}

/** One source of points of one player. */
export interface TallyLine {
  id: string;
  text: Text;
  points: number;
  reason?: Text | null;
  unconfirmed?: string[];
}

/** How long everybody has taken so far, in seconds; shown to who wants to see it, never enforced. */
export interface Clocks {
  spent?: number[];
  table?: number;
  since?: number;
  stopped?: boolean;
  v?: number;
}

/** What an undo would take back, and who must agree. */
export interface Undo {
  text: Text;
  seat?: number | null;
  consent?: boolean;
  asked?: boolean;
  otherwise?: Question | null;
  v?: number;
}

/** Something the table should know until it is dealt with: a difference, a repair, a damaged journal. */
export interface Notice {
  id: string;
  text: Text;
  do?: Text | null;
  kind?: "bad" | "info" | "todo" | "warn";
  slot?: string;
  done?: boolean;
  seat?: number | null;
  v?: number;
}

/** The part of one moment that only this seat may see. Never retained. */
export interface Private {
  seat: number;
  game: string;
  seq: number;
  view?: View;
  panels?: (Figures | Track | Table | Cards | Dice | Clock | Spots)[] | null;
  v?: number;
}

/** Something that just happened, for animation, speech and lights. */
export interface Happened {
  kind: string;
  seq: number;
  seat?: number | null;
  text?: Text | null;
  params?: Record<string, unknown>;
  ts?: number;
  v?: number;
}

/** Some of a game's moves, in order. Pages of another game are old; a page that is not full is the last. */
export interface LogPage {
  game: string;
  page: number;
  lines?: LogLine[];
  v?: number;
}

/** One move that stands: what it did, sentence by sentence, and when. */
export interface LogLine {
  seq: number;
  seat?: number | null;
  said?: Text[];
  cause?: string;
  ts?: number;
  v?: number;
}

/** A room says that it is there, and its figures. */
export interface Health {
  room: "broker" | "companion" | "display" | "firmware_bridge" | "speech" | "virtual" | "vision";
  status: "offline" | "online" | "stopped";
  ts?: number;
  say?: Text | null;
  do?: Text | null;
  figures?: Record<string, number | string | boolean>;
  v?: number;
}

/** The table's word on a request. */
export interface Answer {
  id: string;
  ok: boolean;
  seq?: number;
  refusal?: Refusal | null;
  result?: Record<string, unknown>;
  v?: number;
}

/** Why not, and what to do. */
export interface Refusal {
  code: string;
  say: Text;
  do: Text;
  page?: string;
  box?: string;
  field?: string;
  v?: number;
}

/** Somebody wants to take a seat up that is alive: is its phone there? */
export interface Knock {
  knock: string;
  v?: number;
}

/** A client asks for a move. The same id twice does nothing twice. */
export interface MoveRequest {
  id: string;
  move?: Record<string, unknown>;
  undo?: boolean;
  consent?: boolean;
  game?: string;
  seq?: number | null;
  cause?: "bot" | "camera" | "dial" | "phone" | "table" | "touch";
  v?: number;
}

/** A seat's phone listens now, answers a knock, or (as its last will) is gone. */
export interface Here {
  line: string;
  here?: boolean;
  knock?: string;
  v?: number;
}

/** What a game shows: the part that every client reads. A game with a table of its own adds its fields in a subclass. */
export interface View {
  players?: Player[];
  turn?: number | null;
  round?: number | null;
  chart?: number[][];
  ask?: Ask | null;
}

/** What every client reads of a player. */
export interface Player {
  seat: number;
  name?: string;
  points?: number | null;
}

/** The newest games, and what all of them say. */
export interface Past {
  games: PastGame[];
  count: number;
  players: Record<string, PastRecord>;
  beat: Record<string, Record<string, number>>;
  sources: Record<string, PastLine[]>;
}

/** A game that was played to its end. */
export interface PastGame {
  id: string;
  game: string;
  title: Text;
  ts: number;
  minutes: number;
  players: PastPlayer[];
  chart: number[][];
  spent: number[];
}

/** How a game ended for somebody. */
export interface PastPlayer {
  seat: number;
  name: string;
  colour: string;
  total: number;
  won: boolean;
  lines?: PastLine[];
}

/** One line of a tally, or of all tallies of a game together. */
export interface PastLine {
  id: string;
  text: Text;
  points: number;
}

/** What somebody has played and won. */
export interface PastRecord {
  plays: number;
  wins: number;
  games: Record<string, PastScores>;
}

/** What somebody has scored in one game. */
export interface PastScores {
  plays: number;
  mean: number;
  best: number;
}

export type Panel = Figures | Track | Table | Cards | Dice | Clock | Spots;
