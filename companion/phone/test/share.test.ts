import assert from "node:assert/strict";
import test from "node:test";
import { apart, ended, step } from "../src/draw/chart";
import { ranked } from "../src/pages/end";
import type { Tally } from "../src/wire";

const line = { id: "points", text: { key: "x" }, points: 1 };
const TALLY: Tally = {
  players: [
    { seat: 0, name: "Magda", total: 23, lines: [line] },
    { seat: 1, name: "Élodie", total: 31, lines: [line] },
    { seat: 2, name: "Sam", total: 31, lines: [line] },
  ],
  winners: [2],
};

test("the winner by tie-break stands first", () => {
  assert.deepEqual(
    ranked(TALLY).map((one) => one.name),
    ["Sam", "Élodie", "Magda"],
  );
});

test("where the fewest points win, the next fewest come second", () => {
  const golf: Tally = {
    ...TALLY,
    players: [...TALLY.players.slice(0, 2), { seat: 2, name: "Sam", total: 12, lines: [line] }],
  };
  assert.deepEqual(
    ranked(golf).map((one) => one.name),
    ["Sam", "Magda", "Élodie"],
  );
});

test("line ends that meet move apart and stay inside", () => {
  const moved = apart([50, 50, 52, 190], 16, 14, 174);
  const sorted = [...moved].sort((a, b) => a - b);
  for (let i = 1; i < sorted.length; i += 1) assert.ok((sorted[i] ?? 0) - (sorted[i - 1] ?? 0) >= 16);
  assert.ok(Math.min(...moved) >= 14 && Math.max(...moved) <= 174);
});

test("the grid has a handful of round lines", () => {
  for (const span of [1, 7, 23, 48, 99, 311]) {
    const lines = span / step(span);
    assert.ok(lines <= 5 && lines >= 0.5, `${span}: ${lines}`);
  }
});

test("lines lead to the totals, and a game with its last points in a round needs no further step", () => {
  const lines = [
    [0, 20, 51],
    [0, 9, 30],
  ];
  assert.deepEqual(ended(lines, [85, 30]), [
    [0, 20, 51, 85],
    [0, 9, 30, 30],
  ]);
  assert.equal(ended(lines, [51, 30]), lines);
  assert.equal(ended(lines, []), lines, "nobody has counted yet");
});
