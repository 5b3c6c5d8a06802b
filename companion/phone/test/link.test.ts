import assert from "node:assert/strict";
import test from "node:test";
import { Link, type Clock, type Heard, type Renew } from "../src/link";
import type { Connection } from "../src/mqtt";
import type { Session } from "../src/server";
import type { Answer, MoveRequest } from "../src/wire";

const SESSION: Session = {
  client: "phone-1",
  user: "phone-1",
  password: "x",
  ws: "ws://127.0.0.1:1/",
  base: "tableside/t/",
  seat: 2,
  role: "seat",
  token: "t",
};

class FakeClock implements Clock {
  time = 0;
  due: { at: number; run: () => void }[] = [];
  now = (): number => this.time;
  after = (ms: number, run: () => void): (() => void) => {
    const entry = { at: this.time + ms, run };
    this.due.push(entry);
    return () => (this.due = this.due.filter((other) => other !== entry));
  };
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.due.filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.due = this.due.filter((entry) => entry !== next);
      this.time = next.at;
      next.run();
    }
    this.time = end;
  }
}

/** A broker and core in one: it does each move once, however often it is asked. */
class FakeTable {
  lines: FakeLine[] = [];
  up = true;
  deaf = false;
  refuses: number | null = null;
  done: string[] = [];
  asked = 0;
  here: { line: string; knock?: string }[] = [];
  connect = (): Connection => {
    const line = new FakeLine(this);
    this.lines.push(line);
    queueMicrotask(() => {
      if (!this.up) line.tell("close");
      else if (this.refuses !== null) line.tell("error", { code: this.refuses });
      else line.tell("connect");
    });
    return line;
  };
  get last(): FakeLine {
    return this.lines[this.lines.length - 1] as FakeLine;
  }
  move(line: FakeLine, request: MoveRequest): void {
    this.asked += 1;
    if (this.deaf) return;
    if (!this.done.includes(request.id)) this.done.push(request.id);
    line.say(`answer/phone-1`, { id: request.id, ok: true, seq: this.done.length });
  }
}

class FakeLine implements Connection {
  handlers = new Map<string, ((...args: never[]) => void)[]>();
  topics: string[] = [];
  ended = false;
  constructor(private readonly table: FakeTable) {}
  on(event: string, handler: (...args: never[]) => void): void {
    this.handlers.set(event, [...(this.handlers.get(event) ?? []), handler]);
  }
  tell(event: string, ...args: unknown[]): void {
    for (const handler of this.handlers.get(event) ?? []) handler(...(args as never[]));
  }
  say(topic: string, message: unknown): void {
    this.tell("message", SESSION.base + topic, new TextEncoder().encode(JSON.stringify(message)));
  }
  subscribe(topics: string[], _options: unknown, done: (error: Error | null) => void): void {
    this.topics = topics;
    done(null);
  }
  publish(topic: string, payload: string): void {
    if (!this.table.up || this.ended) return;
    if (topic === `${SESSION.base}here/phone-1`) this.table.here.push(JSON.parse(payload) as { line: string });
    else this.table.move(this, JSON.parse(payload) as MoveRequest);
  }
  end(): void {
    this.ended = true;
  }
}

function phone(table: FakeTable, renew: Renew = async () => null) {
  const clock = new FakeClock();
  const answers: Answer[] = [];
  const gone: string[] = [];
  const online: boolean[] = [];
  let kept: MoveRequest[] = [];
  const heard: Heard = {
    state: () => undefined,
    private: () => undefined,
    event: () => undefined,
    log: () => undefined,
    health: () => undefined,
    answer: (answer) => answers.push(answer),
    online: (now) => online.push(now),
    gone: (why) => gone.push(why),
  };
  const keep = { load: () => kept, save: (list: MoveRequest[]) => (kept = list) };
  const make = () => new Link(SESSION, heard, table.connect, renew, keep, clock);
  return { make, clock, answers, gone, online, kept: () => kept };
}

const settle = async (): Promise<void> => {
  for (let i = 0; i < 5; i += 1) await Promise.resolve();
};

test("a phone listens to the public topics and to its own, and to no other seat", async () => {
  const table = new FakeTable();
  phone(table).make().start();
  await settle();
  assert.deepEqual(table.last.topics, [
    "tableside/t/state",
    "tableside/t/event/+",
    "tableside/t/log/+",
    "tableside/t/health/companion",
    "tableside/t/answer/phone-1",
    "tableside/t/knock/phone-1",
    "tableside/t/seat/2/private",
  ]);
});

test("a phone says that it listens, on a line with a name of its own, and answers whoever knocks", async () => {
  const table = new FakeTable();
  const { make } = phone(table);
  const link = make();
  link.start();
  await settle();
  assert.equal(table.here.length, 1);
  const first = table.here[0];
  table.last.say("knock/phone-1", { v: 1, knock: "abc" });
  assert.deepEqual(table.here[1], { ...first, knock: "abc" });
  link.lost();
  table.last.say("knock/phone-1", { v: 1, knock: "late" });
  assert.equal(table.here.length, 2);
  link.wake();
  await settle();
  assert.notEqual(table.here[2]?.line, first?.line);
});

test("a core that comes back is told again who is here", async () => {
  const table = new FakeTable();
  phone(table).make().start();
  await settle();
  table.last.say("health/companion", { room: "companion", status: "online" });
  assert.equal(table.here.length, 1);
  table.last.say("health/companion", { room: "companion", status: "offline" });
  table.last.say("health/companion", { room: "companion", status: "online" });
  assert.equal(table.here.length, 2);
});

test("a tap made offline is sent once the line is back, and done once", async () => {
  const table = new FakeTable();
  const { make, clock, answers, online } = phone(table);
  const link = make();
  link.start();
  await settle();
  table.up = false;
  table.last.tell("close");
  link.send({ move: { kind: "add" } });
  clock.pass(20000);
  await settle();
  assert.equal(table.done.length, 0);
  table.up = true;
  clock.pass(9000);
  await settle();
  assert.equal(table.done.length, 1);
  assert.equal(answers.length, 1);
  assert.equal(link.pending.size, 0);
  assert.deepEqual(online, [true, false, true]);
});

test("a lost answer is asked for again under the same id: the move is not doubled", async () => {
  const table = new FakeTable();
  const { make, clock, answers } = phone(table);
  const link = make();
  link.start();
  await settle();
  table.deaf = true;
  link.send({ move: { kind: "add" } });
  table.deaf = false;
  clock.pass(4001);
  assert.equal(table.asked, 2);
  assert.equal(table.done.length, 1);
  assert.equal(answers.length, 1);
  clock.pass(60000);
  assert.equal(table.asked, 2);
});

test("a reload in mid-move keeps the tap", async () => {
  const table = new FakeTable();
  table.deaf = true;
  const { make, kept } = phone(table);
  const before = make();
  before.start();
  await settle();
  const request = before.send({ move: { kind: "add" } });
  before.stop();
  table.deaf = false;
  make().start();
  await settle();
  assert.deepEqual(table.done, [request.id]);
  assert.deepEqual(kept(), []);
});

test("tries to reconnect grow rarer and never stop", async () => {
  const table = new FakeTable();
  table.up = false;
  const { make, clock } = phone(table);
  make().start();
  for (let i = 0; i < 60; i += 1) {
    await settle();
    clock.pass(1000);
  }
  assert.ok(table.lines.length >= 8 && table.lines.length <= 16, String(table.lines.length));
});

test("a refused password asks for the seat again; a freed seat is said", async () => {
  const table = new FakeTable();
  table.refuses = 135;
  const nothing = { key: "x" };
  const { make, gone } = phone(table, async () => ({ refusal: { code: "seat/freed", say: nothing, do: nothing } }));
  make().start();
  await settle();
  assert.deepEqual(gone, ["freed"]);
});

test("a second window takes the seat over and the first one rests", async () => {
  const table = new FakeTable();
  const { make, clock, gone } = phone(table);
  make().start();
  await settle();
  table.last.tell("disconnect", { reasonCode: 142 });
  table.last.tell("close");
  clock.pass(60000);
  assert.deepEqual(gone, ["elsewhere"]);
  assert.equal(table.lines.length, 1);
});

test("a phone that wakes after a long silence reconnects at once", async () => {
  const table = new FakeTable();
  const { make, clock } = phone(table);
  const link = make();
  link.start();
  await settle();
  link.wake();
  assert.equal(table.lines.length, 1);
  clock.pass(30000);
  link.wake();
  assert.equal(table.lines.length, 2);
});
