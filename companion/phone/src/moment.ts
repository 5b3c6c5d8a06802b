/** A moment of the table: its public state and, at a seat, the private part of the same row. Only a whole one is shown. */
import type { MoveRequest, Private, State } from "./wire";

export interface Moment {
  state: State;
  secret: Private | null;
}

/** Puts the parts together as they arrive, in whichever order. */
export class Moments {
  private state: State | null = null;
  private secret: Private | null = null;

  /** `whole` is told every moment that is complete. */
  constructor(
    private readonly seat: number | null,
    private readonly whole: (moment: Moment) => void,
  ) {}

  heardState(state: State): void {
    this.state = state;
    this.settle();
  }

  heardSecret(secret: Private): void {
    this.secret = secret;
    this.settle();
  }

  /** A state has come whose private part has not. */
  get waiting(): boolean {
    return this.state !== null && !this.complete(this.state);
  }

  private complete(state: State): boolean {
    if (this.seat === null || state.phase !== "playing") return true;
    // Who sits at none of this game's seats is told nothing in private.
    if (!(state.seats ?? []).some((one) => one.seat === this.seat)) return true;
    return this.secret?.game === state.game_id && this.secret?.seq === state.seq;
  }

  private settle(): void {
    if (this.state === null || !this.complete(this.state)) return;
    // Only of a game in play: the private part of the next one may be here before its state.
    this.whole({ state: this.state, secret: this.state.phase === "playing" ? this.secret : null });
  }
}

/** The prompt a touch answers is the one that was on the page when the finger came down, whatever has come since. */
export class Gaze {
  private shown: State | null = null;
  private under: State | null = null;

  /** The page shows this now. */
  drew(state: State | null): void {
    this.shown = state;
  }

  /** A finger comes down on what is shown. */
  press(): void {
    this.under = this.shown;
  }

  /** It went up again, and what it meant has been sent; or it only wanted to scroll. */
  release(): void {
    this.under = null;
  }

  /** How a request names what its person was looking at. */
  get names(): Pick<MoveRequest, "game" | "seq"> {
    const seen = this.under ?? this.shown;
    return { game: seen?.game_id ?? "", seq: seen?.seq ?? null };
  }

  /** The row that was looked at. */
  get seq(): number | null {
    return this.names.seq ?? null;
  }
}
