/** What the phone knows, and what its owner may do with it. Pages draw this and nothing else. */
import { Draft } from "./draft";
import { Link } from "./link";
import { connect } from "./mqtt";
import * as seat from "./seat";
import { colour, type Colour } from "./draw/shapes";
import { scores } from "./scoring";
import { chosen, Words } from "./words";
import type {
  Answer, Ask, Choice, Form, Happened, Health, MoveRequest, Private, Prompt, Refusal, Session, State,
  Past, TableInfo, Text, View,
} from "./wire";

export type Sheet = "menu" | "chart" | "share" | "log" | "correct" | "past" | null;
const LOG_LENGTH = 40;
const TOAST_MS = 5000;
const GAP_MS = 2500;
const IN_USE = "join/held";

export class App {
  words = new Words("en", {});
  table: TableInfo | null = null;
  session: Session | null = null;
  state: State | null = null;
  prompt: Prompt | null = null;
  secret: Private | null = null;
  online = false;
  coreAway = false;
  joining = false;
  /** Why the page stands at the door: a refusal of the join, a freed seat, another window. */
  door: { say: Text; do?: Text } | null = null;
  elsewhere = false;
  refusal: Refusal | null = null;
  toast: Happened | null = null;
  log: Happened[] = [];
  sheet: Sheet = null;
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
  wish = { code: "", seat: null as number | null, touched: false, name: "", language: "en" };
  /** Finished games, once they were asked for; "none" when they could not be had. */
  past: Past | "asked" | "none" | null = null;
  /** The finished game that is open, and the game whose sources are shown. */
  pastOpen: string | null = null;
  private link: Link | null = null;
  private toastTimer = 0;
  private gapTimer = 0;
  private turn = "";
  private lookedUp: Words | null = null;
  /** The row whose undo this phone has asked for or agreed to. */
  private agreed: number | null = null;
  private windows: BroadcastChannel | null = null;

  constructor(readonly draw: () => void) {
    this.draft = new Draft(draw);
  }

  // -- coming and going ------------------------------------------------------------------------------------------

  async begin(): Promise<void> {
    this.wish.language = seat.memory.language() ?? chosen(navigator.languages ?? [navigator.language]);
    this.wish.name = seat.memory.name();
    this.wish.code = decodeURIComponent(location.hash.slice(1));
    const [table] = await Promise.all([seat.table(), this.speak(this.wish.language)]);
    this.table = table;
    const token = seat.memory.token();
    if (token !== null) await this.rejoin(token);
    else if (this.wish.code === "") this.state = seat.memory.last();
    this.draw();
    this.watchDoor();
  }

  async speak(language: string): Promise<void> {
    // The page server lays every language over English, so nothing is missing.
    this.words = new Words(language, await seat.words(language), {}, this.words.names);
    this.wish.language = language;
    document.documentElement.lang = language;
    this.draw();
  }

  /** A word that is not in the small catalogue is looked up in the large one, once a language. */
  async lookUp(): Promise<void> {
    const words = this.words;
    if (words.missing.size === 0 || this.lookedUp === words || !words.knows("phone/menu")) return;
    this.lookedUp = words;
    words.learn(await seat.words(`${words.language}-rest`));
    this.draw();
  }

  async language(language: string): Promise<void> {
    seat.memory.keepLanguage(language);
    await this.speak(language);
  }

  /** Another code was scanned while the page was open. */
  scanned(): void {
    const code = decodeURIComponent(location.hash.slice(1));
    if (code === "") return;
    if (this.session !== null) {
      history.replaceState(null, "", location.pathname);
      return;
    }
    this.wish.code = code;
    this.door = this.state = null;
    this.draw();
    void seat.table().then((table) => {
      this.table = table ?? this.table;
      this.draw();
    });
  }

  /** At the door the list of free seats stays fresh. */
  private watchDoor(): void {
    setInterval(() => {
      if (this.session !== null || document.hidden) return;
      void seat.table().then((table) => {
        if (table !== null && JSON.stringify(table) !== JSON.stringify(this.table)) {
          this.table = table;
          this.draw();
        }
      });
    }, 3000);
  }

  async join(): Promise<void> {
    if (this.joining) return;
    this.joining = true;
    this.draw();
    const name = this.wish.name.trim();
    const wanted = { code: this.wish.code.trim(), seat: this.wish.seat, name, language: this.words.language };
    const reply = await seat.join(wanted);
    this.joining = false;
    if (reply === null) this.door = { say: { key: "phone/door/unreachable" }, do: { key: "phone/door/unreachable-do" } };
    else if ("refusal" in reply) {
      this.door = { say: reply.refusal.say, do: reply.refusal.do };
      this.table = (await seat.table()) ?? this.table;
    } else {
      if (name !== "") seat.memory.keepName(name);
      this.sit(reply.session);
    }
    this.draw();
  }

  private async rejoin(token: string): Promise<void> {
    this.claim(token);
    const reply = await this.takeUp(token);
    if (reply !== null && "session" in reply) this.sit(reply.session);
    else if (reply !== null) {
      // A seat that is in use elsewhere may still be this phone's, in another window: then nothing is forgotten.
      if (reply.refusal.code !== IN_USE) seat.memory.leave();
      this.session = null;
      this.elsewhere = false;
      this.state = seat.memory.last();
      if (this.state === null) this.door = { say: reply.refusal.say, do: reply.refusal.do };
    } else {
      this.door = { say: { key: "phone/door/unreachable" }, do: { key: "phone/door/unreachable-do" } };
      setTimeout(() => void this.rejoin(token).then(() => this.draw()), 3000);
    }
  }

  /** The seat again, with this page's half of the key; the browser adds the other. */
  private takeUp(token: string): ReturnType<typeof seat.join> {
    return seat.join({ code: "", seat: null, name: "", language: this.words.language, token });
  }

  private sit(session: Session): void {
    this.keep(session);
    this.door = null;
    this.elsewhere = false;
    this.state = null;
    seat.memory.keepLast(null);
    // The code has done its work; it should not stay in the address or the history.
    history.replaceState(null, "", location.pathname);
    if (session.seat !== null) this.wish.code = "";
    const renew = async (): ReturnType<typeof seat.join> => {
      const reply = await this.takeUp(seat.memory.token() ?? this.session?.token ?? session.token);
      if (reply !== null && "session" in reply) this.keep(reply.session);
      return reply;
    };
    const heard = {
      state: (state: State) => this.heardState(state),
      prompt: (prompt: Prompt) => this.heardPrompt(prompt),
      private: (secret: Private) => this.heardSecret(secret),
      event: (event: Happened) => this.heardEvent(event),
      health: (health: Health) => {
        this.coreAway = health.status !== "online";
        this.draw();
      },
      answer: (answer: Answer, request?: MoveRequest) => this.heardAnswer(answer, request),
      online: (online: boolean) => {
        this.online = online;
        this.draw();
      },
      gone: (why: "freed" | "elsewhere", refusal?: Refusal) => this.gone(why, refusal),
    };
    this.link?.stop();
    this.onlyWindow();
    this.link = new Link(session, heard, connect, renew, seat.memory.pending);
    this.link.start();
  }

  /** Every return brings a new key; a finished game leaves none behind. */
  private keep(session: Session): void {
    this.session = session;
    if (this.state?.phase !== "over") seat.memory.keepToken(session.token);
  }

  /** Two windows of one phone: the one that has the seat yields to the one that claims it, before that one knocks. */
  private onlyWindow(): void {
    if (typeof BroadcastChannel === "undefined" || this.windows !== null) return;
    this.windows = new BroadcastChannel("tableside");
    this.windows.onmessage = (event: MessageEvent) => {
      if (event.data !== this.session?.token || this.elsewhere) return;
      this.link?.stop();
      this.gone("elsewhere");
    };
  }

  /** Says to this browser's other windows that this one takes the seat up. */
  private claim(token: string): void {
    this.onlyWindow();
    this.windows?.postMessage(token);
  }

  private gone(why: "freed" | "elsewhere", refusal?: Refusal): void {
    this.secret = null;
    this.elsewhere = why === "elsewhere";
    if (why === "freed") {
      const over = this.state?.phase === "over" ? this.state : null;
      this.leave();
      this.state = over;
      if (over === null) this.door = { say: refusal?.say ?? { key: "phone/door/freed" }, do: { key: "phone/door/freed-do" } };
    }
    this.draw();
  }

  /** Stand up: the seat is free for others. */
  async standUp(): Promise<void> {
    const token = this.session?.token ?? null;
    this.leave();
    if (token !== null && !(await seat.leave(token)))
      this.door = { say: { key: "phone/door/not-told" }, do: { key: "phone/door/not-told-do" } };
    this.table = (await seat.table()) ?? this.table;
    this.draw();
  }

  /** Nothing that opens the seat stays on the phone. */
  private leave(): void {
    this.wish.touched = false;
    this.link?.forget();
    this.link?.stop();
    this.link = null;
    seat.memory.leave();
    this.session = this.secret = this.prompt = this.state = null;
    this.sheet = null;
    this.online = false;
    this.draw();
  }

  /** The seat comes back to this window; the other one holds the newer key and yields to it. */
  async takeOver(): Promise<void> {
    const token = seat.memory.token() ?? this.session?.token ?? null;
    if (token !== null) await this.rejoin(token);
    this.draw();
  }

  /** Looks up the finished games; only who is at the table may. */
  async lookBack(): Promise<void> {
    const token = this.session?.token ?? null;
    if (token === null) return;
    this.sheet = "past";
    this.past = "asked";
    this.draw();
    this.past = (await seat.past(token)) ?? "none";
    this.draw();
  }

  /** The page is hidden for good or for later: hang up, so that the seat is not thought to be in use. */
  away(): void {
    this.link?.leave();
  }

  wake(): void {
    this.link?.wake();
  }

  lost(): void {
    this.link?.lost();
  }

  // -- what is heard -----------------------------------------------------------------------------------------------

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
      this.refusal = null;
      this.group = null;
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
