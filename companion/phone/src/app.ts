/** What the phone knows, and what its owner may do with it. Pages draw this and nothing else. */
import { Draft } from "./draft";
import type { Heard } from "./link";
import * as seat from "./seat";
import { colour, type Colour } from "./draw/shapes";
import { scores } from "./scoring";
import { Visit } from "./visit";
import type { Answer, Ask, Choice, Form, Happened, MoveRequest, Private, Prompt, Refusal, State, Text, View } from "./wire";

export type { Sheet } from "./visit";
const LOG_LENGTH = 40;
const TOAST_MS = 5000;
const GAP_MS = 2500;

export class App extends Visit {
  coreAway = false;
  refusal: Refusal | null = null;
  toast: Happened | null = null;
  log: Happened[] = [];
  /** The market card, or other group of choices, that was touched first. */
  group: string | null = null;
  /** Skyrise: the piece and the site touched for this row, and the island looked at in this auction. */
  bid: { seq: number | undefined; piece: string | null; site: string | null } | null = null;
  island: { id: string; auction: number | undefined } | null = null;
  /** Whose city or lines are shown; null is my own. */
  look: number | null = null;
  /** The choice each request stands for. */
  pressed = new Map<string, string>();
  readonly draft: Draft;
  gains = new Map<number, { by: number; seq: number }>();
  private toastTimer = 0;
  private gapTimer = 0;
  private turn = "";
  /** The row whose undo this phone has asked for or agreed to. */
  private agreed: number | null = null;

  constructor(draw: () => void) {
    super(draw);
    this.draft = new Draft(draw);
  }

  // -- what is heard -----------------------------------------------------------------------------------------------

  protected heard(): Heard {
    return {
      state: (state) => this.heardState(state),
      prompt: (prompt) => this.heardPrompt(prompt),
      private: (secret) => this.heardSecret(secret),
      event: (event) => this.heardEvent(event),
      health: (health) => {
        this.coreAway = health.status !== "online";
        this.draw();
      },
      answer: (answer, request) => this.heardAnswer(answer, request),
      online: (online) => {
        this.online = online;
        this.draw();
      },
      gone: (why, refusal) => this.gone(why, refusal),
    };
  }

  private heardState(state: State): void {
    const before = this.state;
    const fresh = before?.game_id !== state.game_id;
    if (fresh) {
      this.log = [];
      this.draft.clear();
      this.secret = this.secret?.game === state.game_id ? this.secret : null;
      this.gains.clear();
    } else this.noteGains(before, state);
    this.state = state;
    this.words.names = Object.fromEntries((state.seats ?? []).map((one) => [one.seat, one.name]));
    if (state.phase === "over") {
      this.secret = null;
      this.link?.forget();
      seat.memory.leave();
      seat.memory.keepLast(state);
    } else if (this.session !== null && before?.phase === "over") {
      seat.memory.keepToken(this.session.token);
      seat.memory.keepLast(null);
    }
    this.signal();
    this.draw();
  }

  private noteGains(before: State | null, after: State): void {
    for (const [one, points] of this.scores(after)) {
      const by = points - (this.scores(before).get(one) ?? points);
      if (by !== 0) this.gains.set(one, { by, seq: after.seq ?? 0 });
      else if ((this.gains.get(one)?.seq ?? 0) < (after.seq ?? 0)) this.gains.delete(one);
    }
  }

  private heardPrompt(prompt: Prompt): void {
    if (prompt.seq !== this.prompt?.seq) this.group = null;
    this.prompt = prompt;
    this.signal();
    this.draw();
  }

  private heardSecret(secret: Private): void {
    this.secret = secret;
    this.signal();
    this.draw();
  }

  private heardEvent(event: Happened): void {
    if (event.text) {
      this.log = [event, ...this.log].slice(0, LOG_LENGTH);
      this.toast = event;
      clearTimeout(this.toastTimer);
      this.toastTimer = window.setTimeout(() => {
        this.toast = null;
        this.draw();
      }, TOAST_MS);
    }
    // The state of this event should follow at once; when it does not, something was lost on the way.
    clearTimeout(this.gapTimer);
    this.gapTimer = window.setTimeout(() => {
      if ((this.state?.seq ?? 0) < event.seq) this.link?.reread();
    }, GAP_MS);
    this.draw();
  }

  private heardAnswer(answer: Answer, request: MoveRequest | undefined): void {
    this.pressed.delete(answer.id);
    if (request === undefined) return;
    if (answer.ok) {
      // A card touched for the next question stays touched: its prompt may have come before this answer.
      this.refusal = null;
      this.draft.clear();
    } else if (request.consent === true && answer.refusal?.code === "table/consent") this.refusal = null; // agreed; others have still to
    else this.refusal = answer.refusal ?? null;
    this.draw();
  }

  /** "Your turn": a short buzz where the phone allows it, and a mark in the title. */
  private signal(): void {
    const ask = this.ask();
    const mine = this.state?.phase === "playing" && ask !== null && this.session !== null && this.named(ask);
    const turn = mine ? `${this.state?.game_id}/${this.prompt?.seq}` : "";
    if (mine && this.turn === "" && "vibrate" in navigator) navigator.vibrate([90, 60, 90]);
    this.turn = turn;
  }

  // -- what the pages ask --------------------------------------------------------------------------------------------

  say(text: Text | string | null | undefined, params?: Record<string, number | string | Text>): string {
    return this.words.say(text, params);
  }

  get seat(): number | null {
    return this.session?.seat ?? null;
  }

  get watching(): boolean {
    return this.session !== null && this.session.seat === null;
  }

  colourOf(one: number): Colour {
    return colour(this.state?.seats?.find((info) => info.seat === one)?.colour, one);
  }

  nameOf(one: number): string {
    return this.say({ key: "seat", params: { n: one } });
  }

  /** My view: the private one laid over the public one; of an older row only what nobody else sees. */
  get view(): View {
    const open = this.state?.view ?? {};
    const own = this.secret?.view ?? {};
    return this.secret?.seq === this.state?.seq ? { ...open, ...own } : { ...own, ...open };
  }

  /** What is asked of me: a secret question comes before the public one. */
  ask(): Ask | null {
    const open = this.prompt?.ask ?? null;
    const secret = this.secret?.view.ask as Ask | undefined | null;
    // A secret question belongs to one row of one public question that names me.
    if (secret && open !== null && this.named(open) && this.secret?.seq === this.prompt?.seq) return secret;
    return open;
  }

  /** The question names me, so it is my turn. */
  named(ask: Ask): boolean {
    const me = this.seat;
    return me !== null && (ask.seat === me || (ask.waiting ?? []).includes(me));
  }

  /** I may answer: it is mine, or the whole table's. */
  mayAnswer(ask: Ask): boolean {
    if (this.session?.role !== "seat") return false;
    return this.named(ask) || (ask.seat === null && (ask.waiting ?? []).length === 0);
  }

  scores(state: State | null = this.state): Map<number, number> {
    return scores(state);
  }

  get busy(): boolean {
    return (this.link?.pending.size ?? 0) > 0;
  }

  // -- what the owner does ------------------------------------------------------------------------------------------

  private send(part: Pick<MoveRequest, "move"> & Partial<MoveRequest>, mark: string): void {
    if (this.link === null || this.busy) return;
    this.refusal = null;
    const request = this.link.send(part);
    this.pressed.set(request.id, mark);
    this.draw();
  }

  /** Only the row that was on the screen may be answered, unless several seats answer at the same time. */
  private row(): number | null {
    return (this.prompt?.ask?.waiting ?? []).length > 0 ? null : (this.state?.seq ?? null);
  }

  choose(choice: Choice): void {
    if (!choice.off) this.send({ move: choice.move, seq: this.row() }, choice.id);
  }

  move(move: Record<string, unknown>, mark: string): void {
    this.send({ move, seq: this.row() }, mark);
  }

  /** Somebody wants a move back that showed something, and this seat has not said yes yet. */
  get askedToAgree(): boolean {
    const back = this.state?.undo ?? null;
    return this.session?.role === "seat" && back?.consent === true && back.asked === true && this.agreed !== this.state?.seq;
  }

  undo(): void {
    this.agreed = this.state?.seq ?? null;
    this.send({ move: {}, undo: true, seq: this.state?.seq ?? null }, "undo");
  }

  consent(): void {
    this.agreed = this.state?.seq ?? null;
    this.send({ move: {}, consent: true, undo: true, seq: this.state?.seq ?? null }, "consent");
  }

  isPressed(mark: string): boolean {
    return [...this.pressed.values()].includes(mark);
  }

  // -- forms -----------------------------------------------------------------------------------------------------------

  submit(form: Form): void {
    const values = Object.fromEntries(form.fields.map((field) => [field.id, this.draft.value(field)]));
    this.send({ move: { ...form.move, values }, seq: this.row() }, "form");
  }
}
