import assert from "node:assert/strict";
import test from "node:test";
import type { Grid } from "../src/shown/praga";
import { begun, moveOf, shows, type Telling } from "../src/later/telling";

const grid: Grid = {
  id: "wall.base",
  text: { key: "x" },
  rows: 2,
  columns: 3,
  spaces: [
    { row: 1, column: 0, shows: 4, seat: null },
    { row: 1, column: 2, shows: "+2", seat: null },
  ],
  signs: [],
  ends: [0, 60],
  feet: [0, 12],
  borders: [0, 0],
  levels: [],
  leftward: true,
  shifted: false,
  grows: true,
  pieces: [],
  keys: [],
};
const told = (more: Partial<Telling>): Record<string, unknown> | null => moveOf(grid, { ...begun(grid), ...more });

test("only what is new is sent, and nothing where nothing is", () => {
  assert.equal(told({}), null);
  assert.equal(told({ spaces: { "1 0": 4, "1 2": "+2" } }), null);
  assert.deepEqual(told({ spaces: { "1 2": "up", "0 1": 3 } }), {
    kind: "tell",
    grid: "wall.base",
    spaces: [
      { row: 1, column: 2, shows: "up" },
      { row: 0, column: 1, shows: 3 },
    ],
  });
});

test("how many rows there are is said by a key, or by telling the last of them", () => {
  assert.equal(told({ rows: 3 })?.rows, 3);
  const last = told({ spaces: { "2 0": 6 } });
  assert.deepEqual([last?.rows, last?.columns], [2, undefined]);
  assert.equal(told({ rows: 3, spaces: { "2 0": 6 } })?.columns, undefined);
});

test("a place that was taken off the picture again is not told", () => {
  assert.equal(told({ rows: 2, columns: 3, spaces: { "5 5": "up" } })?.spaces, undefined);
});

test("what is being told stands over what was, also where it is not known any more", () => {
  assert.equal(shows(grid, { ...begun(grid), spaces: { "1 2": null } }, 1, 2), null);
  assert.deepEqual(told({ spaces: { "1 2": null } })?.spaces, [{ row: 1, column: 2, shows: null }]);
  assert.deepEqual(told({ borders: [2, 0] })?.borders, [2, 0]);
});
