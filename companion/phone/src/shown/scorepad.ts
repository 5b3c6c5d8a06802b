/** What PadView shows: made by `python -m tools.wire_types`; change the structs, not this file. */
import type { Ask } from "../wire";

/** The pad. */
export interface PadView {
  players: PadPlayer[];
  round: number;
  rounds: number | null;
  title: string;
  target: number;
  entries: Entry[];
  turn: number | null;
  chart: number[][];
  ask: Ask | null;
}

/** A column of the pad. */
export interface PadPlayer {
  points: number;
  rounds: number[];
  seat: number;
  name: string;
}

/** One line on the pad. */
export interface Entry {
  seat: number;
  points: number;
  round: number;
  category: string;
  reason: string;
}
