/** What one player of Skyrise holds: wonder cards, objective, patrons. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { faction } from "../draw/rise";
import { badge } from "../draw/shapes";
import { star } from "../draw/pieces";
import type { CardShown, Secret } from "../shown/skyrise";
import { number } from "../words";
import type { Rise } from "./skyrise";

/** A wonder card as one can read it: name, initiative, figure, and what it does with its numbers. */
const wonderCard = (app: App, one: CardShown): Node =>
  h(
    "li",
    { key: one.card, class: one.built ? "built" : "" },
    h("p", { class: "strong" }, star(), app.say(`skyrise/wonder/${one.card}`)),
    h(
      "p",
      { class: "dim small" },
      [
        app.say("skyrise/screen/initiative", { initiative: one.initiative }),
        one.colour ? app.say("phone/rise/figure", { colour: { key: `skyrise/colour/${one.colour}` } }) : "",
        one.built ? app.say("skyrise/screen/built") : "",
      ]
        .filter((part) => part !== "")
        .join(" \u00b7 "),
    ),
    h("p", { class: "small" }, app.say(one.effect)),
  );

/** Everybody's wonders once they lie open, in the order in which their players open. */
export function wonders(app: App, view: Rise): Node | null {
  const known = (view.players ?? [])
    .filter((one) => (one.wonders ?? []).length > 0)
    .sort((a, b) => (a.initiative ?? 0) - (b.initiative ?? 0));
  if (known.length === 0) return null;
  return h(
    "section",
    { class: "panel wonders", key: "wonders" },
    h("h2", null, app.say("phone/rise/wonders")),
    ...known.map((one) =>
      h(
        "div",
        { key: one.seat },
        h(
          "h3",
          { class: "with-sign" },
          badge(app.colourOf(one.seat)),
          app.nameOf(one.seat),
          h("span", { class: "dim small" }, app.say("skyrise/screen/initiative", { initiative: one.initiative ?? 0 })),
        ),
        h("ul", { class: "cards" }, ...(one.wonders ?? []).map((card) => wonderCard(app, card))),
      ),
    ),
  );
}

/** Drawn from the private topic only; a spectator's page never has it. */
export function secrets(app: App, view: Rise): Node | null {
  const own = view.secret;
  if (!own) return null;
  const rows: Node[] = [];
  if (own.objective)
    rows.push(
      h(
        "div",
        null,
        h("dt", null, app.say("skyrise/field/objective")),
        h("dd", { class: "with-sign" }, faction(own.objective), app.say(`skyrise/faction/${own.objective}`)),
      ),
    );
  for (const [letter, value] of Object.entries(own.patrons ?? {}))
    rows.push(h("div", null, h("dt", null, app.say("skyrise/field/patron", { letter })), h("dd", null, number(value))));
  const chosen = (own.hand ?? []).filter((one) => (own.chosen ?? []).includes(one.card));
  return h(
    "section",
    { class: "panel secret", "data-secret": "", key: "secret" },
    h("h2", null, app.say("phone/only-you")),
    rows.length > 0 ? h("dl", { class: "figures" }, ...rows) : null,
    (own.hand ?? []).length > 0
      ? h("ul", { class: "cards" }, ...(own.hand ?? []).map((one) => wonderCard(app, one)))
      : null,
    chosen.length > 0
      ? h(
          "p",
          { class: "strong" },
          `${app.say("skyrise/screen/locked")}: ${chosen.map((one) => app.say(`skyrise/wonder/${one.card}`)).join(", ")}`,
        )
      : null,
    slips(app, own),
  );
}

/** With printed cards: what I told wrong is told again. */
function slips(app: App, own: Secret): Node | null {
  const values = own.values ?? [];
  const letters = Object.entries(own.patrons ?? {});
  if (values.length === 0 || (letters.length === 0 && !own.objective)) return null;
  const key = (id: string, text: string, now: boolean, move: Record<string, unknown>): Node =>
    h(
      "button",
      {
        type: "button",
        class: "choice slip",
        key: id,
        "data-choice": id,
        "aria-pressed": now ? "true" : "false",
        onclick: () => app.move(move, id),
      },
      text,
    );
  return h(
    "details",
    { class: "fold", key: "slips" },
    h("summary", null, app.say("phone/rise/slip")),
    ...letters.map(([letter, value]) =>
      h(
        "div",
        { key: letter },
        h("p", { class: "small" }, app.say("skyrise/field/patron", { letter })),
        h(
          "div",
          { class: "slip-row" },
          ...values.map((one) =>
            key(`peek-${letter}-${one}`, number(one), one === value, {
              kind: "peek",
              seat: app.seat,
              letter,
              value: one,
            }),
          ),
        ),
      ),
    ),
    own.objective
      ? h(
          "div",
          { key: "objective" },
          h("p", { class: "small" }, app.say("skyrise/field/objective")),
          h(
            "div",
            { class: "slip-row" },
            ...["yellow", "green", "white", "brown"].map((one) =>
              key(`enter-${one}`, app.say(`skyrise/faction/${one}`), one === own.objective, {
                kind: "enter",
                seat: app.seat,
                objective: one,
              }),
            ),
          ),
        )
      : null,
  );
}
