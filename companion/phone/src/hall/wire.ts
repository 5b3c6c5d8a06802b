/** What the hall's page hears: made by `python -m tools.wire_types`; change the structs, not this file. */
import type { Text } from "../wire";

/** What has changed; the first of a line has everything. */
export interface News {
  now: number;
  whole?: boolean;
  hall?: string | null;
  tables?: Record<string, Shown | null>;
  events?: EventShown[] | null;
  message?: string | null;
}

/** One table, as everybody in the hall sees it. */
export interface Shown {
  title?: string;
  here?: boolean;
  phase?: string;
  game?: Text | null;
  round?: number | null;
  turn?: number | null;
  seats?: SeatScore[];
  lead?: number[];
  help?: Text[];
  call?: string;
}

/** One chair on the big screen. */
export interface SeatScore {
  name: string;
  colour?: string;
  points?: number | null;
  robot?: boolean;
}

/** An event with its standings. */
export interface EventShown {
  id: string;
  name: string;
  game: string;
  planned: number;
  system: string;
  size: number;
  standings?: Line[];
  round?: RoundShown | null;
}

/** A line of the standings; points in twelfths of a table won. */
export interface Line {
  place: number;
  name: string;
  points: number;
  tables?: number;
  won?: number;
  away?: boolean;
}

/** The round that is on, or is next. */
export interface RoundShown {
  number: number;
  pairs: Pair[];
  byes?: string[];
  began?: number;
  minutes?: number;
  ended?: number;
  title?: string;
}

/** A table of the round: who sits there, and whether it is played. */
export interface Pair {
  table: string;
  players: string[];
  points?: number[];
  game_id?: string;
  corrected?: boolean;
  entered?: boolean;
}

/** What the organiser's page needs besides what everybody sees. */
export interface Told {
  trail: Act[];
  games: string[];
  undone: number[];
}

/** Something the organiser did. */
export interface Act {
  id: number;
  at: string;
  who: string;
  what: string;
  kind: "event" | "result" | "saying" | "table";
  key: string[];
  undoes?: number | null;
}
