/** Finished games: results one by one, who wins how often, who beat whom, where points come from. */
import type { App } from "../app";
import { h, type Kids, type Node } from "../dom";
import { chart } from "../draw/chart";
import { line } from "../draw/pieces";
import { badge, COLOURS, type Colour } from "../draw/shapes";
import { number } from "../words";
import type { Past, PastGame, PastPlayer } from "../wire";

/** The colour somebody had; of a game that did not note it, the seat's. */
const colour = (player: PastPlayer): Colour =>
  COLOURS.find((one) => one === player.colour) ?? (COLOURS[player.seat % COLOURS.length] as Colour);

export function past(app: App): Kids[] {
  const known = app.past;
  if (known === null || known === "asked")
    return [h("p", { class: "dim", role: "status" }, app.say("phone/past/asked"))];
  if (known === "none") return [h("p", { role: "status" }, app.say("phone/past/none"))];
  if (known.count === 0) return [h("p", { role: "status" }, app.say("phone/past/empty"))];
  return [
    h("p", { class: "dim" }, app.say("phone/past/count", { n: known.count })),
    players(app, known),
    duels(app, known),
    ...Object.keys(known.sources).map((game) => sources(app, known, game)),
    h(
      "section",
      { class: "past-part", key: "games" },
      h("h3", null, app.say("phone/past/games")),
      h("ul", { class: "past-games" }, ...known.games.map((one) => play(app, one))),
    ),
  ];
}

const title = (app: App, game: string): string => (app.words.knows(`${game}/title`) ? app.say(`${game}/title`) : game);

/** A row with a bar: the words say the figure, the bar only shows it. */
const barRow = (key: string, name: string, share: number, shown: string, under = ""): Node =>
  h(
    "li",
    { key, class: "bar-row" },
    h("span", { class: "bar-name" }, name),
    h("span", { class: "bar-figure" }, shown),
    h(
      "span",
      { class: "bar", "aria-hidden": "true" },
      share > 0 ? h("i", { style: { width: `${Math.max(2, Math.round(100 * share))}%` } }) : null,
    ),
    under === "" ? null : h("span", { class: "dim small bar-under" }, under),
  );

function players(app: App, known: Past): Node {
  const rows = Object.entries(known.players).sort(([, a], [, b]) => b.wins - a.wins || b.plays - a.plays);
  const most = Math.max(1, ...rows.map(([, one]) => one.plays));
  return h(
    "section",
    { class: "past-part", key: "players" },
    h("h3", null, app.say("phone/past/players")),
    h(
      "ul",
      { class: "bar-rows" },
      ...rows.map(([name, one]) =>
        barRow(
          name,
          name,
          one.wins / most,
          app.say("phone/past/won", { n: one.wins, of: one.plays }),
          Object.entries(one.games)
            .map(([game, of]) =>
              app.say("phone/past/of-game", {
                game: title(app, game),
                mean: app.words.decimal(of.mean),
                best: of.best,
              }),
            )
            .join("\u00a0\u00b7 "),
        ),
      ),
    ),
  );
}

function duels(app: App, known: Past): Node | null {
  const rows = Object.entries(known.beat).flatMap(([who, list]) =>
    Object.entries(list).map(([whom, n]) => ({ who, whom, n })),
  );
  if (rows.length === 0) return null;
  rows.sort((a, b) => b.n - a.n);
  const most = Math.max(1, rows[0]?.n ?? 1);
  return h(
    "section",
    { class: "past-part", key: "duels" },
    h("h3", null, app.say("phone/past/duels")),
    h(
      "ul",
      { class: "bar-rows" },
      ...rows
        .slice(0, 8)
        .map(({ who, whom, n }) =>
          barRow(`${who}/${whom}`, app.say("phone/past/beat", { who, whom }), n / most, number(n)),
        ),
    ),
  );
}

function sources(app: App, known: Past, game: string): Node | null {
  const rows = known.sources[game] ?? [];
  const all = rows.reduce((sum, one) => sum + one.points, 0);
  if (rows.length < 2 || all === 0) return null;
  const most = Math.max(...rows.map((one) => one.points));
  return h(
    "section",
    { class: "past-part", key: `sources-${game}` },
    h("h3", null, app.say("phone/past/sources", { game: title(app, game) })),
    h(
      "ul",
      { class: "bar-rows" },
      ...rows.map((one, i) =>
        barRow(
          `${game}-${i}`,
          app.say(one.text),
          one.points / most,
          app.say("phone/past/percent", { n: Math.round((100 * one.points) / all) }),
        ),
      ),
    ),
  );
}

function play(app: App, one: PastGame): Node {
  const open = app.pastOpen === one.id;
  const day = app.words.day(one.ts);
  const winners = one.players
    .filter((player) => player.won)
    .map((player) => player.name)
    .join(", ");
  const best = [...one.players].sort((a, b) => Number(b.won) - Number(a.won) || b.total - a.total);
  return h(
    "li",
    { key: one.id, class: "panel past-game" },
    h(
      "button",
      {
        type: "button",
        class: "past-head",
        "aria-expanded": open ? "true" : "false",
        onclick: () => {
          app.pastOpen = open ? null : one.id;
          app.draw();
        },
      },
      h(
        "span",
        { class: "past-title" },
        h("span", { class: "strong" }, app.say(one.title)),
        h("span", { class: "dim small" }, `${day} \u00b7 ${app.say("phone/past/minutes", { n: one.minutes })}`),
      ),
      h("span", { class: "past-winner" }, line("crown"), winners),
    ),
    open
      ? h(
          "div",
          { class: "past-open" },
          h(
            "ul",
            null,
            ...best.map((player) =>
              h(
                "li",
                { key: player.seat, class: "past-score" },
                badge(colour(player)),
                h("span", { class: "seat-name" }, player.name),
                h("span", { class: "total" }, number(player.total)),
              ),
            ),
          ),
          one.chart.some((points) => points.length > 1)
            ? chart(
                one.players.map((player, i) => ({ colour: colour(player), points: one.chart[i] ?? [] })),
                [
                  app.say("phone/chart"),
                  ...one.chart.map((points, i) => `${one.players[i]?.name ?? ""}: ${points.map(number).join(", ")}`),
                ].join(". "),
              )
            : null,
        )
      : null,
  );
}
