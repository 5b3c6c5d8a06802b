/** What SkytopiaView shows: made by `python -m tools.wire_types`; change the structs, not this file. */
import type { Ask, Text } from "../wire";

/** The table. */
export interface SkytopiaView {
  players: City[];
  turn: number;
  round: number;
  rounds_left: number | null;
  build: number;
  phase: string;
  step: string;
  first: number;
  final: boolean;
  dial: Dial;
  market: Market;
  guilds: Guild[];
  effects: Record<string, Effect>;
  crests: Record<string, string>;
  unconfirmed: string[];
  chart: number[][];
  ask: Ask | null;
}

/** A player and what they have built. */
export interface City {
  points: number;
  coins: number;
  home: number;
  dice: number;
  city: number;
  ability: string;
  guilds: number[];
  bases: Record<string, string>;
  towers: Record<string, Card[]>;
  seat: number;
  name: string;
}

/** A card as it is drawn: `""` nothing there, `None` not yet identified. */
export interface Card {
  card: string | null;
  effect: string;
  crest: string;
}

/** The chronometer, clockwise from the build symbol. */
export interface Dial {
  position: number;
  faces: number[];
  prices: (number | null)[];
  rounds: number[];
  positions: number;
}

/** The cards on offer. */
export interface Market {
  rows: number;
  columns: string[];
  decks: Record<string, number>;
  slots: Slot[];
}

/** A place of the market. */
export interface Slot {
  card: string | null;
  effect: string;
  crest: string;
  slot: string;
  dice: Golem[];
}

/** A golem on a card. */
export interface Golem {
  owner: number;
  face: number;
  finishes: boolean;
}

/** A guild master of this game. */
export interface Guild {
  id: string;
  group: number;
  does: Text;
}

/** What a card does: its mark, its main figure and its sentence. */
export interface Effect {
  mark: string;
  value: number;
  text: Text;
}
