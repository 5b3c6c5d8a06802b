/** What the page server answers. */
import type { Text } from "./wire";

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
  players: Record<
    string,
    { plays: number; wins: number; games: Record<string, { plays: number; mean: number; best: number }> }
  >;
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
