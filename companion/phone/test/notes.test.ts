import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "../src/app";
import type { Node } from "../src/dom";
import { notes } from "../src/parts/notes";

const OTHER = {
  id: "q1",
  text: { key: "otherwise/taken" },
  answers: [
    { id: "0", text: { key: "otherwise/several" }, share: 0, move: { kind: "@answer", question: "q1", answer: 0 } },
  ],
};

/** A phone at this seat, after a move of seat 0 that may have been another one. */
function phone(seat: number | null, sent: unknown[] = []): App {
  return {
    seat,
    session: { role: seat === null ? "spectator" : "seat" },
    online: true,
    refusal: null,
    state: { undo: { text: { key: "undo/last" }, seat: 0, otherwise: OTHER }, notices: [], seats: [] },
    say: (text: { key: string } | string) => (typeof text === "string" ? text : text.key),
    isPressed: () => false,
    move: (move: unknown) => sent.push(move),
  } as unknown as App;
}

function offered(node: Node | string): Node[] {
  if (typeof node === "string") return [];
  return [...(node.props["data-choice"] === "otherwise" ? [node] : []), ...node.kids.flatMap(offered)];
}

test("what my move may have been as well is one touch away", () => {
  const sent: unknown[] = [];
  const [button, ...others] = offered(notes(phone(0, sent)));
  assert.ok(button !== undefined && others.length === 0);
  assert.deepEqual(button.kids, ["otherwise/several"]);
  (button.props["onclick"] as () => void)();
  assert.deepEqual(sent, [{ kind: "@answer", question: "q1", answer: 0 }]);
});

test("nobody else is offered it: no neighbour, nobody who watches", () => {
  assert.deepEqual(offered(notes(phone(1))), []);
  assert.deepEqual(offered(notes(phone(null))), []);
});
