/** What a pack declares to be shown: figures, tracks, sheets, cards, dice, clocks and maps, for every game alike. */
import type { App } from "../app";
import { h, type Kids, type Node } from "../dom";
import { die, dieParts } from "../draw/pieces";
import { badge, mark, picture } from "../draw/shapes";
import { number } from "../words";
import type { Card, Choice, Panel, Row, ShownDie, Spot, State } from "../wire";

/** A number, a word or a sentence. */
type Said = Row["text"];
type Of<Kind extends Panel["panel"]> = Extract<Panel, { panel: Kind }>;

/** The panels this phone is shown: its own where it has some. */
export const shownPanels = (app: App, state: State): Panel[] => app.secret?.panels ?? state.panels ?? [];

/** The ids of the choices that can be made by touching a panel. */
export function touchable(panels: Panel[]): Set<string> {
  const ids = panels.flatMap((panel) => {
    switch (panel.panel) {
      case "table":
        return panel.rows.map((row) => row.choice);
      case "cards":
        return panel.cards.map((card) => card.choice);
      case "dice":
        return panel.dice.map((one) => one.choice);
      case "map":
        return panel.spots.map((spot) => spot.choice);
      default:
        return [];
    }
  });
  return new Set(ids.filter((id): id is string => id !== undefined && id !== ""));
}

/** Every panel, each in a section of its own; `offered` are the choices this phone may make now. */
export function panels(app: App, list: Panel[], offered: Choice[]): Node[] {
  const by = new Map(offered.map((choice) => [choice.id, choice]));
  return list.map((panel, i) =>
    h("section", { class: `panel shown-${panel.panel}`, key: `panel-${i}` }, title(app, panel), body(app, panel, by)),
  );
}

const title = (app: App, panel: Panel): Node | null =>
  panel.panel !== "clock" && panel.title ? h("h2", null, app.say(panel.title)) : null;

function body(app: App, panel: Panel, by: Map<string, Choice>): Kids {
  switch (panel.panel) {
    case "figures":
      return figures(app, panel);
    case "track":
      return track(app, panel);
    case "table":
      return sheet(app, panel, by);
    case "cards":
      return h("ul", { class: "shown-row" }, ...panel.cards.map((card, i) => cardNode(app, card, i, by)));
    case "dice":
      return dice(app, panel, by);
    case "clock":
      return clock(app, panel);
    case "map":
      return map(app, panel, by);
  }
}

const said = (app: App, value: Said | null | undefined): string =>
  value === null || value === undefined
    ? ""
    : typeof value === "number"
      ? number(value)
      : typeof value === "string"
        ? value
        : app.say(value);

const sign = (app: App, seat: number | null | undefined): Node | null =>
  typeof seat === "number" ? badge(app.colourOf(seat)) : null;

/** A button where something can be answered, else plain content. */
function answer(app: App, choice: Choice | undefined, name: string, label: string, ...kids: Kids[]): Node {
  if (choice === undefined) return h("span", { class: name }, ...kids);
  return h(
    "button",
    {
      type: "button",
      class: `${name} answer ${app.isPressed(choice.id) ? "pending" : ""} ${choice.off ? "off" : ""}`,
      "data-choice": choice.id,
      "aria-label": label,
      "aria-disabled": choice.off || app.busy ? "true" : null,
      onclick: () => app.choose(choice),
    },
    ...kids,
  );
}

function figures(app: App, panel: Of<"figures">): Node {
  return h(
    "dl",
    { class: "figures" },
    ...panel.figures.map((one, i) =>
      h("div", { key: i }, h("dt", null, sign(app, one.seat), app.say(one.text)), h("dd", null, said(app, one.value))),
    ),
  );
}

function clock(app: App, panel: Of<"clock">): Node {
  const parts = panel.of <= 24 ? panel.of : 1;
  const done = (panel.done * parts) / panel.of;
  const share = (i: number): number => Math.min(1, Math.max(0, done - i));
  return h(
    "div",
    { class: "shown-clock-body" },
    h("p", { class: "total" }, app.say(panel.text)),
    panel.note ? h("p", { class: "dim small" }, app.say(panel.note)) : null,
    h(
      "p",
      { class: "shown-bar", "aria-hidden": "true" },
      ...Array.from({ length: parts }, (_, i) =>
        h("i", { key: i }, h("b", { style: { width: `${share(i) * 100}%` } })),
      ),
    ),
  );
}

function track(app: App, panel: Of<"track">): Node {
  const span = Math.max(1, panel.last - panel.first);
  const place = (at: number): number => 12 + 276 * Math.min(1, Math.max(0, (at - panel.first) / span));
  const stood = new Map<number, number>();
  const markers = [...panel.markers]
    .sort((a, b) => a.at - b.at)
    .map((one) => {
      const x = place(one.at);
      const column = Math.round(x / 22);
      const up = stood.get(column) ?? 0;
      stood.set(column, up + 1);
      const of = typeof one.seat === "number" ? app.colourOf(one.seat) : "snow";
      return h("g", { class: `p-${of}`, key: `${one.seat ?? "n"}` }, mark(of, x, 26 - up * 10, 11, { class: "shape" }));
    });
  const words = panel.markers
    .map((one) => `${typeof one.seat === "number" ? `${app.nameOf(one.seat)}: ` : ""}${number(one.at)}`)
    .join(", ");
  return h(
    "div",
    { class: "shown-track-body" },
    picture(
      "0 0 300 46",
      "track-line",
      h("rect", { x: 6, y: 21, width: 288, height: 10, rx: 5, class: "rail" }),
      typeof panel.goal === "number"
        ? h("rect", { x: place(panel.goal) - 1.5, y: 12, width: 3, height: 28, class: "goal" })
        : null,
      markers,
    ),
    h(
      "p",
      { class: "shown-ends dim small", "aria-hidden": "true" },
      h("span", null, number(panel.first)),
      h("span", null, number(panel.last)),
    ),
    h("p", { class: "sr" }, words),
  );
}

/** So many letters stand over a column on a small phone. */
const HEAD = 6;

function sheet(app: App, panel: Of<"table">, by: Map<string, Choice>): Node {
  // Names that would be cut are left to the ear: each player's shape stands over the column, with the name in the strip above.
  const seats = panel.columns.flatMap((column) => (typeof column.seat === "number" ? [column.seat] : []));
  const long = panel.columns.length > 2 && seats.some((seat) => app.nameOf(seat).length > HEAD);
  return h(
    "table",
    { class: "shown-sheet" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("td"),
        ...panel.columns.map((column, i) =>
          h(
            "th",
            { scope: "col", key: i },
            sign(app, column.seat),
            h(
              "span",
              { class: typeof column.seat === "number" ? (long ? "who sr" : "who") : "" },
              typeof column.seat === "number" ? app.nameOf(column.seat) : column.text ? app.say(column.text) : "",
            ),
          ),
        ),
      ),
    ),
    h("tbody", null, ...panel.rows.map((row, i) => line(app, row, i, by))),
  );
}

function line(app: App, row: Row, i: number, by: Map<string, Choice>): Node {
  const choice = row.choice ? by.get(row.choice) : undefined;
  const name = said(app, row.text);
  const worth = row.cells.find((cell) => cell.look === "hint" || cell.look === "best");
  const label = worth === undefined ? name : `${name}: ${said(app, worth.value)}`;
  return h(
    "tr",
    { key: row.choice || i, class: `${row.strong ? "strong" : ""} ${choice ? "open" : ""}` },
    h("th", { scope: "row" }, choice ? answer(app, choice, "row-name", label, name) : name),
    ...row.cells.map((cell, j) =>
      h("td", { key: j, class: cell.look ?? "plain" }, h("span", null, said(app, cell.value))),
    ),
  );
}

function dice(app: App, panel: Of<"dice">, by: Map<string, Choice>): Kids {
  const kept = panel.dice.filter((one) => one.kept);
  const thrown = panel.dice.filter((one) => !one.kept);
  const row = (some: ShownDie[], name: string): Node | null =>
    some.length === 0
      ? null
      : h(
          "ul",
          { class: `shown-dice-row ${name}` },
          ...some.map((one, i) => h("li", { key: i }, dieNode(app, one, by))),
        );
  const words = panel.dice.map((one) => (one.face === 0 ? "?" : number(one.face))).join(", ");
  return [
    h("div", { class: "shown-dice-body" }, row(kept, "kept"), row(thrown, "thrown")),
    h("p", { class: "sr" }, words),
    panel.note ? h("p", { class: "shown-note" }, app.say(panel.note)) : null,
  ];
}

function dieNode(app: App, one: ShownDie, by: Map<string, Choice>): Node {
  // A die that is nobody's is ivory, with round pips.
  const ivory = (): Node => picture("-60 -60 120 124", "die p-ivory", dieParts("sun", one.face, 0, 0, 92));
  const drawn =
    one.face === 0
      ? h("span", { class: "die unknown" })
      : typeof one.seat === "number"
        ? die(app.colourOf(one.seat), one.face)
        : ivory();
  return answer(app, one.choice ? by.get(one.choice) : undefined, "one-die", number(one.face), drawn);
}

function cardNode(app: App, card: Card, i: number, by: Map<string, Choice>): Node {
  const text = card.text ? app.say(card.text) : "?";
  return h(
    "li",
    { key: i },
    answer(
      app,
      card.choice ? by.get(card.choice) : undefined,
      `shown-card ${card.text ? "" : "down"}`,
      text,
      h("span", { class: "card-name" }, sign(app, card.seat), text),
      card.note ? h("span", { class: "dim small" }, app.say(card.note)) : null,
    ),
  );
}

function map(app: App, panel: Of<"map">, by: Map<string, Choice>): Node {
  const w = 300;
  const tall = w / (panel.ratio ?? 1.5);
  const at = (spot: Spot): [number, number] => [18 + spot.x * (w - 36), 18 + spot.y * (tall - 36)];
  const roads = (panel.roads ?? []).flatMap(([a, b], i) => {
    const one = panel.spots[a];
    const other = panel.spots[b];
    if (one === undefined || other === undefined) return [];
    const [x1, y1] = at(one);
    const [x2, y2] = at(other);
    return [h("line", { key: `r${i}`, x1, y1, x2, y2, class: "road" })];
  });
  return h(
    "svg",
    { viewBox: `0 0 ${w} ${tall.toFixed(0)}`, class: "shown-map-body", role: "group" },
    roads,
    panel.spots.map((spot, i) => spotNode(app, spot, i, at(spot), spot.choice ? by.get(spot.choice) : undefined)),
  );
}

function spotNode(app: App, spot: Spot, i: number, [x, y]: [number, number], choice: Choice | undefined): Node {
  const name = [said(app, spot.text), typeof spot.seat === "number" ? app.nameOf(spot.seat) : ""]
    .filter(Boolean)
    .join(", ");
  const of = typeof spot.seat === "number" ? app.colourOf(spot.seat) : null;
  const act =
    choice === undefined
      ? {}
      : {
          role: "button",
          tabindex: 0,
          "data-choice": choice.id,
          onclick: () => app.choose(choice),
          onkeydown: (event: KeyboardEvent) => {
            if (event.key === "Enter" || event.key === " ") {
              event.preventDefault();
              app.choose(choice);
            }
          },
        };
  return h(
    "g",
    { key: `s${i}`, class: `spot ${choice ? "open" : ""} ${of === null ? "" : `p-${of}`}`, "aria-label": name, ...act },
    h("circle", { cx: x, cy: y, r: 16, class: "place" }),
    of === null
      ? h("text", { x, y: y + 5, class: "spot-name" }, said(app, spot.text))
      : mark(of, x, y, 9, { class: "shape" }),
  );
}
