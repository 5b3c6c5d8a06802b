/** What PragaView shows: made by `python -m tools.wire_types`; change the structs, not this file. */
import type { Ask, Option, Text } from "../wire";

/** The whole table; nothing in Praga is secret. */
export interface PragaView {
  players: Owner[];
  turn: number | null;
  round: number | null;
  chart: number[][];
  ask: Ask | null;
  game: string;
  depth: string;
  active: number | null;
  dummy: boolean;
  held: boolean;
  station: number;
  era: number;
  crane: Wheel;
  clock: Eras;
  plazas: Square[];
  grids: Grid[];
  planks: number;
  chosen: number;
  limits: Record<string, [number, number]>;
  tiles: Record<string, string[]>;
  entered: boolean[];
}

/** A player's board; in light depth nothing but the points is followed. */
export interface Owner {
  seat: number;
  name: string;
  points: number | null;
  gold: number | null;
  stone: number | null;
  eggs: number | null;
  silver_windows: number | null;
  gold_windows: number | null;
  mines: number | null;
  quarries: number | null;
  technology: number | null;
  university: number | null;
  red: number | null;
  blue: number | null;
  walls: number | null;
  upgrades: number | null;
  road: number | null;
  cubes: number | null;
  wall_row: number | null;
  wall_column: number | null;
  wall_level: number | null;
  cathedral_row: number | null;
  cathedral_column: number | null;
  cathedral_level: number | null;
  seals: string[];
  v_tiles: string[];
  unlogged: number;
  technologies: Skill[];
  tiles: Record<string, string>;
  upgraded: Record<string, Record<string, number>>;
}

/** A technology tile before its owner. */
export interface Skill {
  level: number;
  effect: string;
  turn: number;
  used: boolean;
}

/** The action crane. */
export interface Wheel {
  box: number;
  next: number;
  notches: number;
  stations: Station[];
  cube: boolean;
  asked: number;
}

/** One of the twelve places around the wheel, with what hangs there. */
export interface Station {
  station: number;
  zone: string;
  price: number;
  points: number;
  tile: number;
  actions: string[];
  flag: boolean;
  bonus: string;
  star: boolean;
  hole: boolean;
}

/** The clock of the game. */
export interface Eras {
  turn: number;
  length: number;
  round: number;
  era: number;
  era_in: number;
  era_seat: number;
  era_round: number;
  platform: number;
  drops: number[];
  era_turn: number;
  left: number[];
}

/** A plaza: buildings, cubes, and the rewards of its tile where they are known. */
export interface Square {
  buildings: number;
  cubes: number[];
  done: boolean;
  empty: boolean;
  rewards: Record<string, Record<string, number>>;
  at: number;
}

/** A part of the board in rows and columns, as far as it was told: drawn, touched, and told by a `tell` move. */
export interface Grid {
  id: string;
  text: Text;
  rows: number;
  columns: number;
  spaces: Space[];
  signs: Option[];
  ends: [number, number] | null;
  feet: [number, number] | null;
  borders: number[];
  levels: Text[];
  leftward: boolean;
  shifted: boolean;
  grows: boolean;
  pieces: Space[];
  keys: string[];
}

/** A place of a grid and what is printed there. Row 0 is below the columns, column 0 at the rows' ends. */
export interface Space {
  row: number;
  column: number;
  shows: number | string | null;
  seat: number | null;
}
