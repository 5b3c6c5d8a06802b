/** The phone's line to the table: it reconnects by itself, and no tap is lost or counted twice. */
import type { Connect, Connection } from "./mqtt";
import type { Session } from "./server";
import type { Answer, Happened, Health, LogPage, MoveRequest, Private, Refusal, State } from "./wire";

export interface Heard {
  state(state: State): void;
  private(secret: Private): void;
  event(event: Happened): void;
  log(page: LogPage): void;
  health(health: Health): void;
  answer(answer: Answer, request: MoveRequest | undefined): void;
  online(online: boolean): void;
  /** The seat is no longer ours: freed at the table, or open in another window. */
  gone(why: "freed" | "elsewhere", refusal?: Refusal): void;
}

/** Where taps wait that the table has not answered, so that a reload does not lose them. */
export interface Keep {
  load(): MoveRequest[];
  save(pending: MoveRequest[]): void;
}

/** Ask the page server for the seat again: a session, a refusal, or null when it cannot be reached. */
export type Renew = () => Promise<{ session: Session } | { refusal: Refusal } | null>;

export interface Clock {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

export const wall: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const id = setTimeout(run, ms);
    return () => clearTimeout(id);
  },
};

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const ASK_AGAIN = 4000;
const SILENCE = 20000;
const REFUSED = new Set([4, 5, 134, 135]);
const TAKEN_OVER = 142;
export const TOO_OFTEN = "join/slow";

export class Link {
  online = false;
  readonly pending = new Map<string, MoveRequest>();
  private line: Connection | null = null;
  private lineName = "";
  private coreAway = false;
  private stopped = false;
  private tries = 0;
  private heardAt = 0;
  private wait: (() => void) | null = null;
  private nag: (() => void) | null = null;

  constructor(
    private session: Session,
    private readonly heard: Heard,
    private readonly connect: Connect,
    private readonly renew: Renew,
    private readonly keep: Keep,
    private readonly clock: Clock = wall,
  ) {
    for (const request of keep.load()) this.pending.set(request.id, request);
  }

  start(): void {
    this.stopped = false;
    this.open();
  }

  stop(): void {
    this.stopped = true;
    this.wait?.();
    this.nag?.();
    this.hangUp();
  }

  /** Ask the table for a move. It stays pending until the table has answered. */
  send(part: Pick<MoveRequest, "move"> & Partial<MoveRequest>): MoveRequest {
    const request: MoveRequest = { v: 1, id: fresh(), cause: "phone", ...part };
    this.pending.set(request.id, request);
    this.keep.save([...this.pending.values()]);
    this.publish(request);
    return request;
  }

  /** Nothing is waiting any more: the game is over or the seat is gone. */
  forget(): void {
    this.pending.clear();
    this.keep.save([]);
  }

  /** The phone woke up or the network changed: do not wait for a timeout to find out. */
  wake(): void {
    if (this.stopped) return;
    if (this.online && this.clock.now() - this.heardAt < SILENCE) return;
    this.tries = 0;
    this.open();
  }

  /** The page goes away, perhaps for good: hang up, so that it can come back at once. */
  leave(): void {
    if (!this.stopped) this.hangUp();
  }

  /** The network is known to be gone. */
  lost(): void {
    if (this.stopped) return;
    this.hangUp();
    this.again();
  }

  /** After a gap in what was heard: read the retained state again, and have the private part of it told again. */
  reread(): void {
    this.line?.subscribe([`${this.session.base}state`], { qos: 1 }, () => this.sayHere());
  }

  private open(): void {
    this.wait?.();
    this.hangUp();
    this.lineName = fresh();
    const line = this.connect(this.session, this.lineName);
    this.line = line;
    const mine =
      (run: (...args: never[]) => void) =>
      (...args: never[]) => {
        if (this.line === line) run(...args);
      };
    line.on(
      "connect",
      mine(() => this.ready(line)),
    );
    line.on(
      "packetreceive",
      mine(() => (this.heardAt = this.clock.now())),
    );
    line.on(
      "message",
      mine((topic: string, payload: Uint8Array) => this.hear(topic, payload)),
    );
    line.on(
      "close",
      mine(() => this.lost()),
    );
    line.on(
      "disconnect",
      mine((packet: { reasonCode?: number }) => this.dismissed(packet.reasonCode ?? 0)),
    );
    line.on(
      "error",
      mine((error: { code?: number }) => this.failed(error.code)),
    );
  }

  private hangUp(): void {
    const line = this.line;
    this.line = null;
    if (line !== null) line.end(true);
    if (this.online) {
      this.online = false;
      this.heard.online(false);
    }
  }

  private ready(line: Connection): void {
    const { base, client, seat } = this.session;
    const topics = ["state", "event/+", "log/+", "health/companion"];
    // Spectators have nothing to ask, so nothing is answered to them.
    if (seat !== null) topics.push(`answer/${client}`, `knock/${client}`, `seat/${seat}/private`);
    line.subscribe(
      topics.map((topic) => base + topic),
      { qos: 1 },
      (error) => {
        if (this.line !== line) return;
        if (error !== null && error !== undefined) {
          this.lost();
          return;
        }
        this.tries = 0;
        this.heardAt = this.clock.now();
        this.online = true;
        this.heard.online(true);
        // The same ids again: what the table already has done it will only answer, not do twice.
        for (const request of this.pending.values()) this.publish(request);
        this.sayHere();
      },
    );
  }

  /** "I listen now", or "I am here" to whoever knocks: a live seat cannot be taken up elsewhere. */
  private sayHere(knock?: string): void {
    const { base, client, seat } = this.session;
    if (seat === null || this.line === null) return;
    const here = { v: 1, line: this.lineName, here: true, ...(knock === undefined ? {} : { knock }) };
    this.line.publish(`${base}here/${client}`, JSON.stringify(here), { qos: 1 });
  }

  private publish(request: MoveRequest): void {
    if (!this.online || this.line === null) return;
    this.line.publish(`${this.session.base}move/${this.session.client}`, JSON.stringify(request), { qos: 1 });
    this.nag?.();
    this.nag = this.clock.after(ASK_AGAIN, () => {
      for (const waiting of this.pending.values()) this.publish(waiting);
    });
  }

  private hear(topic: string, payload: Uint8Array): void {
    const name = topic.slice(this.session.base.length);
    let message: unknown;
    try {
      message = JSON.parse(new TextDecoder().decode(payload));
    } catch {
      return;
    }
    if (name === "state") this.heard.state(message as State);
    else if (name.startsWith("event/")) this.heard.event(message as Happened);
    else if (name.startsWith("log/")) this.heard.log(message as LogPage);
    else if (name.startsWith("health/")) this.heardHealth(message as Health);
    else if (name.startsWith("knock/")) this.sayHere((message as { knock: string }).knock);
    else if (name.startsWith("seat/")) this.heard.private(message as Private);
    else if (name.startsWith("answer/")) this.answered(message as Answer);
  }

  /** A core that was away knows nobody: it is told again who is here. */
  private heardHealth(health: Health): void {
    const back = this.coreAway && health.status === "online";
    this.coreAway = health.status !== "online";
    if (back) this.sayHere();
    this.heard.health(health);
  }

  private answered(answer: Answer): void {
    const request = this.pending.get(answer.id);
    this.pending.delete(answer.id);
    this.keep.save([...this.pending.values()]);
    this.heard.answer(answer, request);
  }

  private dismissed(reason: number): void {
    if (reason === TAKEN_OVER) {
      this.stop();
      this.heard.gone("elsewhere");
    }
  }

  private failed(code: number | undefined): void {
    if (code !== undefined && REFUSED.has(code)) {
      this.hangUp();
      void this.renewed();
    } else this.lost();
  }

  /** The broker no longer knows us: a new game, new access rules, or the seat was freed. */
  private async renewed(): Promise<void> {
    const reply = await this.renew();
    if (this.stopped) return;
    if (reply !== null && "refusal" in reply && reply.refusal.code !== TOO_OFTEN) {
      this.stop();
      this.heard.gone("freed", reply.refusal);
      return;
    }
    if (reply !== null && "session" in reply) this.session = reply.session;
    this.again();
  }

  private again(): void {
    if (this.stopped) return;
    this.wait?.();
    const ms = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries) * (0.8 + 0.4 * Math.random());
    this.tries += 1;
    this.wait = this.clock.after(ms, () => this.open());
  }
}

/** An id nobody else makes; `crypto.randomUUID` is not there on plain http. */
export function fresh(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
