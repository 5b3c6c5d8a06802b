import assert from "node:assert/strict";
import test from "node:test";
import { Draft } from "../src/draft";
import { scores } from "../src/scoring";
import type { Field, State } from "../src/wire";

const field = (value: number): Field => ({ id: "coins", text: { key: "x" }, kind: "number", value, low: 0, high: 99 });

test("what is typed stays while others play, until the table changes that very value", () => {
  let drawn = 0;
  const draft = new Draft(() => (drawn += 1));
  draft.enter(field(3), 7);
  assert.equal(drawn, 1);
  assert.equal(draft.value(field(3)), 7);
  assert.equal(draft.value(field(5)), 5);
  draft.clear();
  assert.equal(draft.value(field(3)), 3);
});

test("an untouched field shows nothing, false or the lowest value it may have", () => {
  const draft = new Draft(() => undefined);
  const text = { key: "x" };
  assert.deepEqual(draft.value({ id: "a", text, kind: "many" }), []);
  assert.equal(draft.value({ id: "b", text, kind: "flag" }), false);
  assert.equal(draft.value({ id: "c", text, kind: "number", low: 2 }), 2);
  assert.equal(draft.value({ id: "d", text, kind: "pick" }), null);
});

test("points are found in the view, else in the tally", () => {
  const state: State = {
    table: "t",
    phase: "over",
    view: {
      players: [
        { seat: 1, points: 4 },
        { seat: 0, points: 9 },
      ],
    },
  };
  assert.deepEqual(
    [...scores(state)],
    [
      [1, 4],
      [0, 9],
    ],
  );
  const told: State = {
    table: "t",
    phase: "over",
    tally: { players: [{ seat: 0, name: "A", total: 5, lines: [] }], winners: [0] },
  };
  assert.deepEqual([...scores(told)], [[0, 5]]);
  assert.equal(scores(null).size, 0);
});
