import assert from "node:assert/strict";
import test from "node:test";
import { Gaze, Moments, type Moment } from "../src/moment";
import type { Private, State } from "../src/wire";

const row = (seq: number, more: Partial<State> = {}): State => ({
  table: "t",
  phase: "playing",
  game_id: "g",
  seq,
  seats: [
    { seat: 0, name: "Ada" },
    { seat: 1, name: "Bo" },
  ],
  ...more,
});
const own = (seq: number, more: Partial<Private> = {}): Private => ({
  seat: 0,
  game: "g",
  seq,
  view: { round: seq },
  ...more,
});

function at(seat: number | null): { moments: Moments; shown: (number | string)[][] } {
  const shown: (number | string)[][] = [];
  const said = ({ state, secret }: Moment) =>
    shown.push([state.seq ?? 0, secret === null ? "open" : String(secret.view?.round ?? "nothing")]);
  return { moments: new Moments(seat, said), shown };
}

test("a seat sees a row only together with its own part of it, whichever comes first", () => {
  const { moments, shown } = at(0);
  moments.heardState(row(1));
  assert.deepEqual(shown, []);
  assert.ok(moments.waiting);
  moments.heardSecret(own(1));
  assert.deepEqual(shown, [[1, "1"]]);
  moments.heardSecret(own(2));
  assert.deepEqual(shown, [[1, "1"]]);
  moments.heardState(row(2));
  assert.deepEqual(shown, [
    [1, "1"],
    [2, "2"],
  ]);
  assert.ok(!moments.waiting);
});

test("the private part of another row or another game makes nothing whole", () => {
  const { moments, shown } = at(0);
  moments.heardSecret(own(3, { game: "before" }));
  moments.heardSecret(own(2));
  moments.heardState(row(3));
  assert.deepEqual(shown, []);
  moments.heardSecret(own(3, { view: {} }));
  assert.deepEqual(shown, [[3, "nothing"]]);
});

test("a notice about the same row is shown at once", () => {
  const { moments, shown } = at(0);
  moments.heardSecret(own(1));
  moments.heardState(row(1));
  moments.heardState(row(1, { notices: [{ id: "n", text: { key: "x" } }] }));
  assert.equal(shown.length, 2);
});

test("who watches, or sits at none of this game's seats, waits for nothing private", () => {
  for (const seat of [null, 5]) {
    const { moments, shown } = at(seat);
    moments.heardState(row(1));
    assert.deepEqual(shown, [[1, "open"]]);
  }
});

test("between games and at the end there is nothing private, and the next game's may come before its state", () => {
  const { moments, shown } = at(0);
  moments.heardSecret(own(9));
  moments.heardState(row(9, { phase: "over" }));
  moments.heardState(row(0, { phase: "lobby", game_id: "" }));
  moments.heardSecret(own(1, { game: "next" }));
  moments.heardState(row(1, { game_id: "next" }));
  assert.deepEqual(shown, [
    [9, "open"],
    [0, "open"],
    [0, "open"],
    [1, "1"],
  ]);
});

test("a touch names the row its person looked at, however much was heard or drawn since", () => {
  const gaze = new Gaze();
  assert.deepEqual(gaze.names, { game: "", seq: null });
  gaze.drew(row(4));
  assert.deepEqual(gaze.names, { game: "g", seq: 4 });
  gaze.press();
  gaze.drew(row(5));
  assert.deepEqual(gaze.names, { game: "g", seq: 4 });
  gaze.release();
  assert.deepEqual(gaze.names, { game: "g", seq: 5 });
});
