/** Coming and going: the door, the seat taken up again, two windows of one phone, standing up. */
import { Link, TOO_OFTEN, type Heard } from "./link";
import { connect } from "./mqtt";
import * as seat from "./seat";
import { chosen, Words } from "./words";
import type * as Later_ from "./later/main";
import type { Session, TableInfo } from "./server";
import type { Past } from "./wire";
import type { Private, Refusal, State, Text } from "./wire";

type Later = typeof Later_;
export type Sheet = "menu" | "chart" | "share" | "log" | "rules" | "correct" | "past" | "clocks" | "then" | null;
/** Not a word esbuild could follow: this part stays a file of its own. */
const LATER = ["/later", "page.js"].join("/");
const IN_USE = "join/held";
/** What the windows of one browser say to each other: this one takes the seat up; that one has let it go. */
type Said = { claim: string } | { yielded: string };
/** Shorter is no code yet: it is being typed. */
const CODE = 6;

/** The code in the address; what cannot be read there is no code, and no reason for an empty page. */
function scannedCode(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return location.hash.slice(1);
  }
}

export abstract class Visit {
  words = new Words("en", {});
  table: TableInfo | null = null;
  session: Session | null = null;
  state: State | null = null;
  secret: Private | null = null;
  online = false;
  joining = false;
  sheet: Sheet = null;
  /** Why the page stands at the door: a refusal of the join, a freed seat, another window. */
  door: { say: Text; do?: Text } | null = null;
  elsewhere = false;
  wish = { code: "", seat: null as number | null, touched: false, name: "", language: "en" };
  /** Finished games, once they were asked for; "none" when they could not be had. */
  past: Past | "asked" | "none" | null = null;
  /** How the table stood after a move of the log, once that was asked for; "none" when it could not be had. */
  then: State | "asked" | "none" | null = null;
  /** Sheets that are fetched when one is first wanted. */
  later: Later | null = null;
  /** The finished game that is open. */
  pastOpen: string | null = null;
  protected link: Link | null = null;
  private lookedUp: Words | null = null;
  /** The code the table was last asked with. */
  private shownCode = "";
  private windows: BroadcastChannel | null = null;
  /** Keys this window has had: whoever read one before it changed claims the same seat. */
  private readonly keys = new Set<string>();
  /** The key with which this window was refused because another one sat there, and the key another one has let go of. */
  private refused: string | null = null;
  private yielded: string | null = null;

  constructor(readonly draw: () => void) {}

  /** What becomes of everything the table says. */
  protected abstract heard(): Heard;

  async begin(): Promise<void> {
    this.wish.language = seat.memory.language() ?? chosen(navigator.languages ?? [navigator.language]);
    this.wish.name = seat.memory.name();
    this.wish.code = scannedCode();
    await Promise.all([this.lookIn(), this.speak(this.wish.language)]);
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

  /** A word that is not in the small catalogue is looked up in the large one, once a language; who sits down has it fetched. */
  async lookUp(wanted = this.words.missing.size > 0): Promise<void> {
    const words = this.words;
    if (!wanted || this.lookedUp === words || !words.knows("phone/menu")) return;
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
    const code = scannedCode();
    if (code === "") return;
    if (this.session !== null) {
      history.replaceState(null, "", location.pathname);
      return;
    }
    this.wish.code = code;
    this.door = this.state = null;
    this.draw();
    void this.lookIn().then(() => this.draw());
  }

  /** The table as it is now. A code is shown once, for the names: were it a wrong one, asking again would be guessing. */
  private async lookIn(): Promise<boolean> {
    const code = this.wish.code.trim();
    const shows = code.length >= CODE && code !== this.shownCode;
    if (shows) this.shownCode = code;
    const [known, found] = [this.table, await seat.table(shows ? code : "")];
    if (found === null) return false;
    const same = known?.game === found.game && known.seats.length === found.seats.length;
    const seats = found.seats.map((one, at) => ({
      ...one,
      name: one.name || (same ? (known.seats[at]?.name ?? "") : ""),
    }));
    this.table = { ...found, seats };
    return JSON.stringify(known) !== JSON.stringify(this.table);
  }

  /** At the door the list of free seats stays fresh. */
  private watchDoor(): void {
    setInterval(() => {
      if (this.session !== null || document.hidden) return;
      void this.lookIn().then((changed) => {
        if (changed) this.draw();
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
    if (reply === null)
      this.door = { say: { key: "phone/door/unreachable" }, do: { key: "phone/door/unreachable-do" } };
    else if ("refusal" in reply) {
      this.door = { say: reply.refusal.say, do: reply.refusal.do };
      await this.lookIn();
    } else {
      if (name !== "") seat.memory.keepName(name);
      this.sit(reply.session);
    }
    this.draw();
  }

  private async rejoin(token: string): Promise<void> {
    this.refused = this.yielded = null;
    this.claim(token);
    const reply = await this.takeUp(token);
    if (reply !== null && "session" in reply) this.sit(reply.session);
    else if (reply?.refusal.code === IN_USE && this.yielded === token) await this.rejoin(token);
    else if (reply !== null && reply.refusal.code !== TOO_OFTEN) {
      // A seat that is in use elsewhere may still be this phone's, in another window: then nothing is forgotten.
      if (reply.refusal.code === IN_USE) this.refused = token;
      else seat.memory.leave();
      this.session = null;
      this.elsewhere = false;
      this.state = seat.memory.last();
      if (this.state === null) this.door = { say: reply.refusal.say, do: reply.refusal.do };
    } else {
      // Nobody answers, or only for patience: the seat is still ours.
      this.door = reply?.refusal ?? {
        say: { key: "phone/door/unreachable" },
        do: { key: "phone/door/unreachable-do" },
      };
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
      // a window that has let the seat go meanwhile does not write over the key of the one that sits there now
      if (reply !== null && "session" in reply && !this.elsewhere) this.keep(reply.session);
      return reply;
    };
    this.link?.stop();
    this.onlyWindow();
    this.link = new Link(session, this.heard(), connect, renew, seat.memory.pending);
    this.link.start();
    void this.lookUp(true);
  }

  /** Every return brings a new key; a finished game leaves none behind. */
  private keep(session: Session): void {
    this.session = session;
    this.keys.add(session.token);
    if (this.state?.phase !== "over") seat.memory.keepToken(session.token);
  }

  /**
   * Two windows of one phone: the one that has the seat yields to the one that claims it. On a busy phone the table may knock
   * there before it has heard of the claim; it says when it has yielded, and the other knocks once more.
   */
  private onlyWindow(): void {
    if (typeof BroadcastChannel === "undefined" || this.windows !== null) return;
    const windows = new BroadcastChannel("tableside");
    windows.onmessage = ({ data }: MessageEvent<Said>) => {
      if ("yielded" in data) this.freed(data.yielded);
      else if (this.keys.has(data.claim) && !this.elsewhere) {
        this.link?.stop();
        this.gone("elsewhere");
        windows.postMessage({ yielded: data.claim } satisfies Said);
      }
    };
    this.windows = windows;
  }

  /** Another window has let go of the seat this one may have been refused. */
  private freed(token: string): void {
    if (this.refused === token) void this.rejoin(token).then(() => this.draw());
    else this.yielded = token;
  }

  /** Says to this browser's other windows that this one takes the seat up. */
  private claim(token: string): void {
    this.onlyWindow();
    this.windows?.postMessage({ claim: token } satisfies Said);
  }

  protected gone(why: "freed" | "elsewhere", refusal?: Refusal): void {
    this.secret = null;
    this.elsewhere = why === "elsewhere";
    if (why === "freed") {
      const over = this.state?.phase === "over" ? this.state : null;
      this.leave();
      this.state = over;
      if (over === null)
        this.door = {
          say: refusal?.say ?? { key: "phone/door/freed" },
          do: refusal?.do ?? { key: "phone/door/freed-do" },
        };
      void this.lookIn().then(() => this.draw());
    }
    this.draw();
  }

  /** Stand up: the seat is free for others. */
  async standUp(): Promise<void> {
    const token = this.session?.token ?? null;
    this.leave();
    if (token !== null && !(await seat.leave(token)))
      this.door = { say: { key: "phone/door/not-told" }, do: { key: "phone/door/not-told-do" } };
    await this.lookIn();
    this.draw();
  }

  /** Nothing that opens the seat stays on the phone. */
  private leave(): void {
    this.wish.touched = false;
    this.link?.forget();
    this.link?.stop();
    this.link = null;
    seat.memory.leave();
    this.keys.clear();
    this.session = this.secret = this.state = null;
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
    const [past] = await Promise.all([seat.past(token), this.fetchLater()]);
    this.past = past ?? "none";
    this.draw();
  }

  /** How the table stood after that move, as everybody could see it. */
  async lookThen(seq: number): Promise<void> {
    this.sheet = "then";
    this.then = "asked";
    this.draw();
    this.then = (await seat.then(this.session?.token ?? "", seq)) ?? "none";
    this.draw();
  }

  async fetchLater(): Promise<void> {
    this.later ??= await (import(LATER) as Promise<Later>).catch(() => null);
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
}
