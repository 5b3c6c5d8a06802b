import assert from "node:assert/strict";
import { test } from "node:test";
import { Log } from "../src/log";
import type { LogPage } from "../src/wire";

const page = (number: number, rows: number[], game = "g"): LogPage => ({
  game,
  page: number,
  lines: rows.map((seq) => ({ seq, said: [] })),
});
const rows = (log: Log, game = "g"): number[] => log.lines(game).map((one) => one.seq);

test("a phone that comes late knows every move, the newest first", () => {
  const log = new Log();
  log.heard(page(1, [3, 4]));
  assert.deepEqual(rows(log), []);
  log.heard(page(0, [1, 2]));
  assert.deepEqual(rows(log), [4, 3, 2, 1]);
});

test("undo takes lines away, and the next game begins with none", () => {
  const log = new Log();
  log.heard(page(0, [1, 2]));
  log.heard(page(1, [3]));
  log.heard(page(1, []));
  assert.deepEqual(rows(log), [2, 1]);
  log.heard(page(0, [1], "next"));
  assert.deepEqual(rows(log, "next"), [1]);
  assert.deepEqual(rows(log), []);
});
