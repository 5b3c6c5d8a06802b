/** The answers to a prompt, in the lower third where the thumb is. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { coin, die, star } from "../draw/pieces";
import { action } from "../draw/signs";
import { city } from "../games/city";
import { tileButton } from "../games/praga";
import type { Answerable, Choice, Picture, Question } from "../wire";

/** What is drawn beside the words of a choice. */
export function drawn(app: App, of: Picture | undefined): Node[] {
  if (of === undefined) return [];
  const parts: Node[] = [];
  if (of.die) parts.push(die(app.colourOf(of.die.owner), of.die.face));
  if (of.action) parts.push(action(of.action));
  if (of.tower && !of.die) parts.push(h("span", { class: `dot t-${of.tower}`, "aria-hidden": "true" }));
  return parts;
}

const figures = (of: Picture | undefined): Node | null =>
  typeof of?.coins === "number"
    ? h("span", { class: "figure", "aria-hidden": "true" }, coin(), h("span", { class: "big" }, of.coins))
    : typeof of?.points === "number"
      ? h("span", { class: "figure", "aria-hidden": "true" }, star(), h("span", { class: "big" }, of.points))
      : null;

const dots = (): Node => h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));

/** An answer stands alone, and so does what speaks against one: it begins with a capital. */
export const alone = (said: string): string => said.charAt(0).toUpperCase() + said.slice(1);

/** One button. What is impossible stays in its place, dashed, and says why. */
export function button(app: App, choice: Choice): Node {
  const pending = app.isPressed(choice.id);
  const off = choice.off ?? null;
  const figure = figures(choice.picture);
  const text = alone(app.say(choice.text));
  const rounds = choice.picture?.rounds;
  const note =
    off !== null
      ? alone(app.say(off))
      : app.isUnsure(choice)
        ? app.say("phone/confirm")
        : rounds !== undefined
          ? app.say("phone/sky/in-rounds", { n: rounds })
          : app.say(choice.note);
  // A die with its price says it all to the eye; the ear gets the whole sentence. A first golem costs nothing: where it goes is said.
  const first = app.ask()?.phase === "setup";
  const compact = (figure !== null || off !== null) && choice.picture?.die !== undefined && !first;
  return h(
    "li",
    { key: choice.id, class: compact ? "compact" : "" },
    h(
      "button",
      {
        type: "button",
        class: `choice ${choice.primary ? "primary" : ""} ${off === null ? "" : "off"} ${pending ? "pending" : ""}`,
        "data-choice": choice.id,
        "aria-disabled": off !== null || app.busy ? "true" : null,
        "aria-busy": pending ? "true" : null,
        onclick: () => app.choose(choice),
      },
      h(
        "span",
        { class: "choice-top" },
        ...drawn(app, choice.picture),
        compact || choice.picture?.die === undefined ? figure : null,
        h("span", { class: compact ? "sr" : "choice-text" }, text),
      ),
      note === "" ? null : h("span", { class: off === null ? "choice-note" : "why" }, note),
      pending ? [dots(), h("span", { class: "sr" }, app.say("phone/sent"))] : null,
    ),
  );
}

function tile(app: App, choice: Choice): Node {
  const pending = app.isPressed(choice.id);
  return tileButton(app, choice, { pending, dots: pending ? dots() : null });
}

const LONG = 16;
const EXPLAINED = 28;

/** Dice with prices stand side by side; sentences stand below each other. */
export function choices(app: App, all: Choice[]): Node | null {
  if (all.length === 0) return null;
  const tiles = all.filter((choice) => choice.group === "tile");
  // Half a tile is for a screen where both halves are as large as a finger.
  const map = all.filter((choice) => choice.group === "plaza");
  const list = all.filter((choice) => !["tile", "half", "plaza"].includes(choice.group ?? ""));
  // What can be done comes first, the cheapest before the dearest; what cannot keeps its place behind it.
  const price = (choice: Choice): number => (choice.picture?.die ? (choice.picture.coins ?? 0) : 0);
  const first = (choice: Choice): number => (choice.primary ? 0 : 1);
  const possible = list.filter((choice) => !choice.off).sort((a, b) => first(a) - first(b) || price(a) - price(b));
  const impossible = list.filter((choice) => choice.off);
  const setup = app.ask()?.phase === "setup";
  const sentences = list.some((choice) => (setup || !choice.picture?.die) && app.say(choice.text).length > LONG);
  const explained = list.some((choice) => !choice.picture?.die && app.say(choice.note).length > EXPLAINED);
  const rows = (some: Choice[], name: string): Node | null =>
    some.length === 0
      ? null
      : h("ul", { class: `choices ${name}`, key: name }, ...some.map((choice) => button(app, choice)));
  return h(
    "div",
    { class: "choice-rows" },
    map.length === 0 ? null : city(app, map),
    tiles.length === 0 ? null : h("ul", { class: "tiles", key: "tiles" }, ...tiles.map((choice) => tile(app, choice))),
    tiles.length > 0 && possible.length > 0
      ? h(
          "details",
          { class: "fold", key: "also" },
          h("summary", null, app.say("praga/choice/also")),
          rows(possible, "list"),
        )
      : rows(
          possible,
          explained
            ? "list"
            : sentences
              ? list.length > 4
                ? "list"
                : "sentences"
              : possible.length === 4
                ? "open four"
                : "open",
        ),
    rows(impossible, "closed"),
  );
}

/** A reading the rules cannot settle: ranked answers, the best first. */
export function question(app: App, asked: Question): Node {
  const may = app.session?.role === "seat";
  return h(
    "section",
    { class: "question", "aria-label": app.say(asked.text), key: asked.id },
    h("h2", null, app.say(asked.text)),
    h("ul", { class: "choices" }, ...asked.answers.map((answer, i) => answerRow(app, asked, answer, i === 0, may))),
  );
}

function answerRow(app: App, asked: Question, answer: Answerable, best: boolean, may: boolean): Node {
  const pending = app.isPressed(`${asked.id}/${answer.id}`);
  return h(
    "li",
    { key: answer.id },
    h(
      "button",
      {
        type: "button",
        class: `choice ${best ? "primary" : ""} ${pending ? "pending" : ""}`,
        "data-choice": answer.id,
        "aria-disabled": !may || app.busy ? "true" : null,
        onclick: () => {
          if (may)
            app.move(answer.move ?? { kind: "@answer", question: asked.id, answer: -1 }, `${asked.id}/${answer.id}`);
        },
      },
      h(
        "span",
        { class: "choice-top" },
        ...drawn(app, answer.picture),
        h("span", { class: "choice-text" }, app.say(answer.text)),
      ),
      h(
        "span",
        { class: "share", "aria-hidden": "true" },
        h("i", { style: { width: `${Math.round(answer.share * 100)}%` } }),
      ),
      pending ? dots() : null,
    ),
  );
}
