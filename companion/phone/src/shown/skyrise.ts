/** What SkyriseView shows: made by `python -m tools.wire_types`; change the structs, not this file. */
import type { Ask, Text } from "../wire";

/** The table of Skyrise; a game that is only counted has no more than its players. */
export interface SkyriseView {
  players: Board[];
  turn: number | null;
  round: number | null;
  chart: number[][];
  ask: Ask | null;
  era: number;
  phase: string;
  auction: AuctionShown;
  islands: IslandShown[];
  sites: SiteShown[];
  bridges: [string, string][];
  borders: [string, string][];
  features: FeatureShown[];
  panorama: PanoramaShown[];
  patrons: Record<string, number>;
  values: number[];
  finished: number[];
  waiting: number[];
  unconfirmed: number;
  secret: Secret | null;
}

/** A player's board, picture and pieces. */
export interface Board {
  seat: number;
  name: string;
  points: number | null;
  colour: string;
  rows: Record<string, number>;
  surplus: number;
  patrons: string[];
  commissions: number;
  keys: string[];
  objective: string;
  wonders: CardShown[];
  figures: string[];
  initiative: number | null;
  place: number | null;
  available: PieceShown[];
  locked: PieceShown[];
  built: BuiltShown;
  gone: boolean;
}

/** A wonder card as one can read it. */
export interface CardShown {
  card: string;
  initiative: number;
  effect: Text;
  colour: string;
  built: boolean;
}

/** A building with its number, or a wonder figure with its card once that is shown. */
export interface PieceShown {
  piece: string;
  seat: number;
  colour: string;
  number: number;
  height: string;
  card: string;
  where: "available" | "bid" | "built" | "locked";
}

/** What stands on the islands, by height. */
export interface BuiltShown {
  tall: number;
  medium: number;
  small: number;
  wonders: number;
  all: number;
}

/** The running auction. */
export interface AuctionShown {
  number: number;
  opener: number;
  quick: boolean;
  bids: BidShown[];
  passed: PassedShown[];
  legal: Record<string, string[]>;
}

/** A piece on an island in the running auction. */
export interface BidShown {
  piece: string;
  seat: number;
  colour: string;
  number: number;
  height: string;
  card: string;
  where: "available" | "bid" | "built" | "locked";
  site: string;
}

/** Who is out of this auction, and why. */
export interface PassedShown {
  seat: number;
  why: string;
}

/** An island and where it lies. */
export interface IslandShown {
  id: string;
  place: string;
}

/** A neighbourhood. */
export interface SiteShown {
  id: string;
  island: string;
  faction: string;
  x: number;
  y: number;
  token: string;
  piece: PieceShown | null;
}

/** A lake, an airship or a windmill, and the neighbourhoods it borders. */
export interface FeatureShown {
  id: string;
  kind: string;
  sites: string[];
}

/** A panorama card and what it gives each time. */
export interface PanoramaShown {
  card: string;
  reward: number;
}

/** What one player alone may see. */
export interface Secret {
  seat: number;
  objective: string;
  hand: CardShown[];
  chosen: string[];
  patrons: Record<string, number>;
  values: number[];
}
