import assert from "node:assert/strict";
import test from "node:test";
import { chosen, Words } from "../src/words";

const PL = {
  coins: ["{n} moneta", "{n} monety", "{n} monet"],
  "list/and": "{first} i {last}",
  "tower/gold": ["złota wieża"],
  "tower/gold@loc": "złotej wieży",
  on: "na {tower:loc}",
  who: "{players} i {{nikt}}",
};

test("Polish counts take their three forms", () => {
  const words = new Words("pl", PL);
  const said = [0, 1, 2, 4, 5, 12, 21, 22, 25].map((n) => words.say("coins", { n }));
  assert.deepEqual(said, [
    "0 monet",
    "1 moneta",
    "2 monety",
    "4 monety",
    "5 monet",
    "12 monet",
    "21 monet",
    "22 monety",
    "25 monet",
  ]);
});

test("French takes the singular for nothing, English the plural", () => {
  const forms = { x: ["{n} tour", "{n} tours"] };
  assert.equal(new Words("fr", forms).say("x", { n: 0 }), "0 tour");
  assert.equal(new Words("en", forms).say("x", { n: 0 }), "0 tours");
});

test("a nested word takes the case it is asked for", () => {
  assert.equal(new Words("pl", PL).say({ key: "on", params: { tower: { key: "tower/gold" } } }), "na złotej wieży");
});

test("a sentence calls a player without what stands in brackets, unless two would be called the same", () => {
  const names = { 0: "Magda (you)", 1: "Ben", 2: "Anna (8)", 3: "Anna (12)", 4: "(me)" };
  const words = new Words("en", {}, {}, names);
  const said = [0, 1, 2, 3, 4, 5].map((n) => words.say({ key: "seat", params: { n } }));
  assert.deepEqual(said, ["Magda", "Ben", "Anna (8)", "Anna (12)", "(me)", "#6"]);
});

test("lists, names, double braces and minus signs", () => {
  const words = new Words("pl", PL, {}, { 0: "Magda", 2: "Łucja" });
  const seats = [
    { key: "seat", params: { n: 0 } },
    { key: "seat", params: { n: 2 } },
  ];
  assert.equal(words.say({ key: "who", params: { players: seats } }), "Magda i\u00a0Łucja i\u00a0{nikt}");
  assert.equal(words.say("coins", { n: -3 }), "\u22123 monety");
});

test("a missing word falls back to English, then to its key, and is noted", () => {
  const words = new Words("pl", PL, { only: "in English" });
  assert.equal(words.say("only"), "in English");
  assert.equal(words.say("nowhere"), "nowhere");
  assert.deepEqual([...words.missing], ["nowhere"]);
});

test("the phone's own language is the default", () => {
  assert.equal(chosen(["de-DE", "pl-PL", "en"]), "pl");
  assert.equal(chosen(["fr-CA"]), "fr");
  assert.equal(chosen(["ja"]), "en");
});

test("words learnt later are said, and are no longer missing", () => {
  const words = new Words("pl", { a: "A" });
  assert.equal(words.say("b"), "b");
  assert.deepEqual([...words.missing], ["b"]);
  words.learn({ b: "B" });
  assert.equal(words.say("b"), "B");
  assert.equal(words.missing.size, 0);
});

test("no line of Polish ends with a lone letter", () => {
  const words = new Words("pl", { put: "Połóż z powrotem i w domu {who} policz o świcie" });
  assert.equal(words.say("put", { who: "Ów" }), "Połóż z\u00a0powrotem i\u00a0w\u00a0domu Ów policz o\u00a0świcie");
});

test("a day is written as the language writes it", () => {
  const noon = Date.UTC(2026, 10, 16, 12) / 1000;
  assert.deepEqual(
    ["pl", "fr", "en"].map((one) => new Words(one, {}).day(noon)),
    ["16 lis 2026", "16 nov. 2026", "Nov 16, 2026"],
  );
});
