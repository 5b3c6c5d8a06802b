/** What the page server answers. */
/** What the page server says about the table before anybody has joined. */
export interface TableInfo {
  table: string;
  game: string;
  seats: { seat: number; name: string; colour?: string; taken: boolean }[];
  ws_port?: number;
  languages: string[];
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
