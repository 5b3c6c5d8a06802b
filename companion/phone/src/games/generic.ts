/** Any game: what its public view says in plain figures, and my secrets in front. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { badge } from "../draw/shapes";
import { chart } from "../draw/chart";
import { panels, shownPanels } from "../parts/panels";
import { number } from "../words";
import type { Choice, State } from "../wire";

/** The word for a figure of this game, when a catalogue has one. */
function word(app: App, game: string, key: string): string | null {
  for (const candidate of [`${game}/show/${key}`, `${game}/field/${key}`])
    if (app.words.knows(candidate)) return app.say(candidate);
  return null;
}

function shown(value: unknown): string | null {
  if (typeof value === "number") return number(value);
  if (typeof value === "string" && value !== "") return value;
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "number"))
    return value.map(number).join(" \u00b7 ");
  return null;
}

function figures(app: App, game: string, of: object): Node[] {
  return Object.entries(of).flatMap(([key, value]: [string, unknown]) => {
    const name = key === "points" ? null : word(app, game, key);
    const text = shown(value);
    return name === null || text === null ? [] : [h("div", { key }, h("dt", null, name), h("dd", null, text))];
  });
}

/** `offered` are the choices this phone may make now: a row or a card may stand for one. */
export function generic(app: App, state: State, offered: Choice[] = []): Node {
  const declared = shownPanels(app, state);
  if (declared.length > 0) return h("div", { class: "generic" }, ...panels(app, declared, offered));
  const game = state.game ?? "";
  const view = app.view;
  const seat = app.look ?? app.seat ?? app.prompt?.ask?.seat ?? 0;
  const player = (view.players ?? []).find((one) => one.seat === seat);
  const secret = app.secret?.view ?? null;
  const mine = secret === null ? [] : figures(app, game, secret);
  const own = player === undefined ? [] : figures(app, game, player);
  const common = figures(app, game, state.view ?? {});
  const lines = view.chart ?? [];
  return h(
    "div",
    { class: "generic" },
    mine.length > 0
      ? h(
          "section",
          { class: "panel secret" },
          h("h2", null, app.say("phone/only-you")),
          h("dl", { class: "figures" }, ...mine),
        )
      : null,
    own.length > 0
      ? h(
          "section",
          { class: "panel" },
          h("h2", null, badge(app.colourOf(seat)), app.nameOf(seat)),
          h("dl", { class: "figures" }, ...own),
        )
      : null,
    common.length > 0
      ? h(
          "section",
          { class: "panel" },
          h("h2", null, app.say("phone/table")),
          h("dl", { class: "figures" }, ...common),
        )
      : null,
    lines.length > 0 && lines.some((one) => one.length > 1)
      ? h(
          "section",
          { class: "panel" },
          h("h2", null, app.say("phone/chart")),
          chart(
            lines.map((points, i) => ({ colour: app.colourOf(i), points })),
            chartName(app, lines),
          ),
        )
      : null,
  );
}

export const chartName = (app: App, lines: number[][]): string =>
  [app.say("phone/chart"), ...lines.map((points, i) => `${app.nameOf(i)}: ${points.map(number).join(", ")}`)].join(
    ". ",
  );
