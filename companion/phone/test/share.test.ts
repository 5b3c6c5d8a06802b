import assert from "node:assert/strict";
import test from "node:test";
import { apart, step } from "../src/draw/chart";
import { ranked } from "../src/pages/end";
import { bgStats } from "../src/share";
import { uuid5 } from "../src/uuid5";
import type { State, Tally } from "../src/wire";

const line = { id: "points", text: { key: "x" }, points: 1 };
const TALLY: Tally = {
  players: [
    { seat: 0, name: "Magda", total: 23, lines: [line] },
    { seat: 1, name: "Élodie", total: 31, lines: [line] },
    { seat: 2, name: "Sam", total: 31, lines: [line] },
  ],
  winners: [2],
};
const STATE: State = { table: "t", phase: "over", game: "praga", game_id: "20261116-021905-abc123", tally: TALLY };

test("a name has the id the table's own export gives it", () => {
  assert.equal(uuid5("tableside:magda"), "d186f217-b6db-570d-ae34-588e756c4518");
  assert.equal(uuid5("tableside:\u00e9lodie"), "d5fb87d5-4812-5ef9-8818-38303ae73b97");
});

test("the play log gets everybody's score, rank and the winner by tie-break", () => {
  const link = new URL(bgStats(STATE, TALLY, "Praga Caput Regni"));
  const play = JSON.parse(link.searchParams.get("data") ?? "") as { playDate: string; game: { bggId: number }; players: { rank: number; winner: boolean }[] };
  assert.equal(play.playDate, "2026-11-16 02:19:05");
  assert.equal(play.game.bggId, 308765);
  assert.deepEqual(play.players.map((one) => [one.rank, one.winner]), [[3, false], [1, false], [1, true]]);
});

test("the winner by tie-break stands first", () => {
  assert.deepEqual(ranked(TALLY).map((one) => one.name), ["Sam", "Élodie", "Magda"]);
});

test("where the fewest points win, the next fewest come second", () => {
  const golf: Tally = { ...TALLY, players: [...TALLY.players.slice(0, 2), { seat: 2, name: "Sam", total: 12, lines: [line] }] };
  assert.deepEqual(ranked(golf).map((one) => one.name), ["Sam", "Magda", "Élodie"]);
  const link = new URL(bgStats(STATE, golf, "Golf"));
  const play = JSON.parse(link.searchParams.get("data") ?? "") as { game: { highestWins: boolean }; players: { rank: number }[] };
  assert.equal(play.game.highestWins, false);
  assert.deepEqual(play.players.map((one) => one.rank), [2, 3, 1]);
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
