import assert from "node:assert/strict";
import { test } from "node:test";
import { at, search, type Card } from "../src/rules";

const card = (id: string, title: string, text: string, more: Partial<Card> = {}): Card => ({
  id,
  title,
  text,
  page: "",
  asks: [],
  refusals: [],
  ...more,
});
const cards = [
  card("finish", "Cartes achevées", "Votre golem rentre.", { asks: ["finish"], refusals: ["not-finished"] }),
  card("towers", "Aktywacja wież", "Wieżę można aktywować.", { asks: ["action/"] }),
  card("assign", "Assigning", "Put a golem on a card.", { asks: ["place"] }),
];

test("a word is found by its beginning, without accents, names first", () => {
  assert.deepEqual(
    search(cards, "wiez").map((one) => one.id),
    ["towers"],
  );
  assert.deepEqual(
    search(cards, "achevees").map((one) => one.id),
    ["finish"],
  );
  assert.deepEqual(
    search(cards, "golem").map((one) => one.id),
    ["finish", "assign"],
  );
  assert.deepEqual(search(cards, "olem"), []);
  assert.equal(search(cards, "").length, 3);
});

test("the rules open at what was refused, else at what is asked", () => {
  assert.equal(at(cards, "skytopia/not-finished", "skytopia/ask/place")?.id, "finish");
  assert.equal(at(cards, undefined, "skytopia/ask/place")?.id, "assign");
  assert.equal(at(cards, "skytopia/other", "praga/ask/action/road")?.id, "towers");
  assert.equal(at(cards, undefined, undefined), undefined);
});
