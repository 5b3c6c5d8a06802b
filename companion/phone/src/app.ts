/** What the phone knows, and what its owner may do with it. Pages draw this and nothing else. */
import { Draft } from "./draft";
import { Tone } from "./tone";
import type { Heard } from "./link";
import { Log } from "./log";
import { Gaze, Moments, type Moment } from "./moment";
import * as seat from "./seat";
import { colour, type Colour } from "./draw/shapes";
import { at, fetched, type Card } from "./rules";
import { scores } from "./scoring";
import { Visit } from "./visit";
import { Voice } from "./voice";
import type { Param } from "./words";
import type {
  Answer,
  Ask,
  Choice,
  Field,
  Form,
  Happened,
  MoveRequest,
  Prompt,
  Refusal,
  State,
  Text,
  View,
} from "./wire";

export type { Sheet } from "./visit";
const TOAST_MS = 5000;
const GAP_MS = 2500;

export class App extends Visit {
  coreAway = false;
  /** When the table last said how it stands, by this phone's clock. */
  heardAt = 0;
  refusal: Refusal | null = null;
  /** What the field said that was refused. */
  private was: unknown;
  toast: Happened | null = null;
  readonly log = new Log();
  /** The rule cards of this game, once somebody has asked for them; what is looked for, and the one that is open. */
  rules: { game: string; language: string; cards: Card[]; words: string; open: string | null } | null = null;
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
  readonly tone = new Tone();
  readonly voice = new Voice(seat.memory.voice());
  /** What the owner looks at, which may be older than what was heard. */
  readonly gaze = new Gaze();
  gains = new Map<number, { by: number; seq: number }>();
  private unsure = "";
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
    const moments = new Moments(this.seat, (moment) => this.stands(moment));
    const watched = (): void => {
      if (moments.waiting) this.watchGap(() => moments.waiting);
    };
    return {
      state: (state) => (moments.heardState(state), watched()),
      private: (secret) => (moments.heardSecret(secret), watched()),
      event: (event) => this.heardEvent(event),
      log: (page) => {
        this.log.heard(page);
        if (this.sheet === "log") this.draw();
      },
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

  /** The table stands like this now: a whole moment. */
  private stands({ state, secret }: Moment): void {
    const before = this.state;
    if (before?.game_id !== state.game_id) {
      this.draft.clear();
      this.gains.clear();
      if (this.sheet === "chart" || this.sheet === "share") this.sheet = null; // they were the last game's
    } else this.noteGains(before, state);
    if (before?.view?.round !== state.view?.round) this.draft.clear(); // what was typed was meant for the round before
    if (before?.game_id !== state.game_id || before?.seq !== state.seq) this.group = null;
    this.state = state;
    this.heardAt = Date.now();
    this.secret = secret;
    this.words.names = Object.fromEntries(this.sitters().map((one) => [one.seat, one.name]));
    if (state.phase === "over") {
      this.link?.forget();
      seat.memory.leave();
      seat.memory.keepLast(state);
    } else if (this.session !== null && before?.phase === "over") {
      seat.memory.keepToken(this.session.token);
      seat.memory.keepLast(null);
    }
    this.signal();
    this.sayPrompt();
    this.draw();
  }

  /** In the ear: what is asked, of me or of whom; a secret question is asked of this phone alone, so it is said here. */
  sayPrompt(): void {
    const ask = this.ask();
    const question = this.prompt?.question ?? null;
    if (ask === null || this.state?.phase !== "playing") return;
    const mine = this.session !== null && this.named(ask);
    const lines = question ? [question.text] : mine ? [ask.text, ask.help] : [ask.text];
    const said = lines
      .map((one) => this.say(one))
      .filter(Boolean)
      .join(". ");
    const whose = !mine && typeof ask.seat === "number" ? `${this.nameOf(ask.seat)}: ` : "";
    this.voice.prompt(
      `${this.state.game_id}/${this.state.seq}/${question?.id ?? ""}`,
      whose + said,
      this.words.language,
    );
  }

  switchVoice(): void {
    this.voice.switch(!this.voice.on);
    seat.memory.keepVoice(this.voice.on);
    this.sayPrompt();
    this.draw();
  }

  private noteGains(before: State | null, after: State): void {
    for (const [one, points] of this.scores(after)) {
      const by = points - (this.scores(before).get(one) ?? points);
      if (by !== 0) this.gains.set(one, { by, seq: after.seq ?? 0 });
      else if ((this.gains.get(one)?.seq ?? 0) < (after.seq ?? 0)) this.gains.delete(one);
    }
  }

  private heardEvent(event: Happened): void {
    if (event.text) {
      this.toast = event;
      this.voice.event(this.say(event.text), this.words.language);
      clearTimeout(this.toastTimer);
      this.toastTimer = window.setTimeout(() => {
        this.toast = null;
        this.draw();
      }, TOAST_MS);
    }
    this.watchGap(() => (this.state?.seq ?? 0) < event.seq);
    this.draw();
  }

  /** What belongs to this should follow at once; when it does not, something was lost on the way. */
  private watchGap(missing: () => boolean): void {
    clearTimeout(this.gapTimer);
    this.gapTimer = window.setTimeout(() => {
      if (missing()) this.link?.reread();
    }, GAP_MS);
  }

  private heardAnswer(answer: Answer, request: MoveRequest | undefined): void {
    this.pressed.delete(answer.id);
    if (request === undefined) return;
    if (answer.ok) {
      // A card touched for the next question stays touched: its prompt may have come before this answer.
      this.refusal = null;
      this.draft.clear();
    } else if (request.consent === true && answer.refusal?.code === "table/consent")
      this.refusal = null; // agreed; others have still to
    else this.refusal = answer.refusal ?? null;
    const at = this.refusal?.field;
    if (at) this.was = (request.move?.values as Record<string, unknown> | undefined)?.[at];
    if (this.refusal !== null) {
      const why = `${this.say(this.refusal.say)}. ${this.say(this.refusal.do)}`;
      this.voice.prompt(answer.id, why, this.words.language);
    }
    this.draw();
  }

  /** "Your turn": a short buzz where the phone allows it, and a mark in the title. */
  private signal(): void {
    const ask = this.ask();
    const mine = this.state?.phase === "playing" && ask !== null && this.session !== null && this.named(ask);
    const turn = mine ? `${this.state?.game_id}/${this.state?.seq}` : "";
    if (mine && this.turn === "") {
      if ("vibrate" in navigator) navigator.vibrate([90, 60, 90]);
      if (this.tone.wanted) this.tone.play();
      window.scrollTo({ top: 0 }); // whoever has scrolled away sees what is asked
    }
    this.turn = turn;
  }

  /** Open the rules at what was refused, or at what is asked now. */
  async openRules(): Promise<void> {
    const game = this.state?.game ?? "";
    const language = this.words.language;
    const cards =
      this.rules?.game === game && this.rules.language === language ? this.rules.cards : await fetched(game, language);
    const open = at(cards, this.refusal?.code, this.ask()?.text.key)?.id ?? null;
    this.rules = { game, language, cards, words: "", open };
    this.sheet = "rules";
    this.draw();
  }

  // -- what the pages ask --------------------------------------------------------------------------------------------

  say(text: Text | string | null | undefined, params?: Record<string, Param>): string {
    return this.words.say(text, params);
  }

  get seat(): number | null {
    return this.session?.seat ?? null;
  }

  get watching(): boolean {
    return this.session !== null && this.session.seat === null;
  }

  /** Who sits where; between two games those of the last one. */
  private sitters(): { seat: number; name: string; colour?: string }[] {
    const here = this.state?.seats ?? [];
    return here.length > 0 ? here : (this.state?.lobby?.last ?? []).map((one, seat) => ({ ...one, seat }));
  }

  colourOf(one: number): Colour {
    return colour(this.sitters().find((info) => info.seat === one)?.colour, one);
  }

  nameOf(one: number): string {
    return this.say({ key: "seat", params: { n: one } });
  }

  /** My view: the private one laid over the public one of the same row. */
  get view(): View {
    return { ...this.state?.view, ...this.secret?.view };
  }

  /** The same as the struct its game writes: whoever draws a game knows which. */
  shown<V>(): V {
    return this.view as unknown as V;
  }

  get prompt(): Prompt | null {
    return this.state?.prompt ?? null;
  }

  /** How the points went can be drawn: one moment is no curve. */
  get curved(): boolean {
    return (this.state?.view?.chart ?? []).some((points) => points.length > 1);
  }

  /** What is asked of me: a secret question comes before the public one that names me. */
  ask(): Ask | null {
    const open = this.prompt?.ask ?? null;
    const secret = this.secret?.view?.ask;
    return secret && open !== null && this.named(open) ? secret : open;
  }

  /** The question names me, so it is my turn. */
  named(ask: Ask): boolean {
    const me = this.seat;
    return me !== null && (ask.seat === me || (ask.waiting ?? []).includes(me));
  }

  /** I may answer: it is mine, or the whole table's, or a robot asks for hands. */
  mayAnswer(ask: Ask): boolean {
    if (this.session?.role !== "seat") return false;
    return this.named(ask) || ask.phase === "robot" || (ask.seat === null && (ask.waiting ?? []).length === 0);
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
    const request = this.link.send({ ...part, ...this.gaze.names });
    this.pressed.set(request.id, mark);
    this.draw();
  }

  /** What ends something for everybody is touched twice. */
  choose(choice: Choice): void {
    if (choice.off) return;
    const sure = choice.confirm !== true || this.unsure === `${choice.id}/${this.state?.seq}`;
    this.unsure = sure ? "" : `${choice.id}/${this.state?.seq}`;
    if (sure) this.send({ move: choice.move }, choice.id);
    else this.draw();
  }

  /** This choice was touched once and waits for the second touch. */
  isUnsure(choice: Choice): boolean {
    return this.unsure === `${choice.id}/${this.state?.seq}`;
  }

  move(move: Record<string, unknown>, mark: string): void {
    this.send({ move }, mark);
  }

  /** Somebody wants a move back that showed something, and this seat has not said yes yet. */
  get askedToAgree(): boolean {
    const back = this.state?.undo ?? null;
    return (
      this.session?.role === "seat" && back?.consent === true && back.asked === true && this.agreed !== this.state?.seq
    );
  }

  undo(): void {
    this.agreed = this.gaze.seq;
    this.send({ move: {}, undo: true }, "undo");
  }

  consent(): void {
    this.agreed = this.gaze.seq;
    this.send({ move: {}, consent: true, undo: true }, "consent");
  }

  isPressed(mark: string): boolean {
    return [...this.pressed.values()].includes(mark);
  }

  // -- forms -----------------------------------------------------------------------------------------------------------

  submit(form: Form): void {
    const sent = form.fields.filter(
      (field) => !this.draft.unsaid(field) && (this.ownField(form, field) || this.draft.touched(field)),
    );
    const values = Object.fromEntries(sent.map((field) => [field.id, this.draft.value(field)]));
    const apart = form.fields.some((field) => !this.ownField(form, field) && !this.draft.touched(field))
      ? { apart: true }
      : {};
    this.send({ move: { ...form.move, ...apart, values } }, "form");
  }

  /** This field was refused, and it still says what it said then. */
  isWrong(field: Field): boolean {
    const now = this.draft.unsaid(field) ? undefined : this.draft.value(field);
    return this.refusal?.field === field.id && JSON.stringify(now) === JSON.stringify(this.was);
  }

  /** Mine to fill in; where everybody sends for themselves, the others' fields are not. */
  ownField(form: Form, field: Field): boolean {
    return form.apart !== true || typeof field.seat !== "number" || field.seat === this.seat;
  }
}
