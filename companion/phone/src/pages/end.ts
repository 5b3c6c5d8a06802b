/** The end: who won and why, every point line by line, the chart, and something to take home. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { badge } from "../draw/shapes";
import { line } from "../draw/pieces";
import { wide } from "../parts/keys";
import { notes } from "../parts/notes";
import { number } from "../words";
import type { PlayerTally, State, Tally } from "../wire";

/** On a pad the fewest points may win: then somebody won without having the most. */
export function fewestWin(tally: Tally): boolean {
  const most = Math.max(...tally.players.map((one) => one.total));
  return tally.players.some((one) => tally.winners.includes(one.seat) && one.total < most);
}

/** Winners first, then by points; the seat order decides what is left. */
export function ranked(tally: Tally): PlayerTally[] {
  const won = (player: PlayerTally): number => (tally.winners.includes(player.seat) ? 1 : 0);
  const up = fewestWin(tally) ? 1 : -1;
  return [...tally.players].sort((a, b) => won(b) - won(a) || up * (a.total - b.total) || a.seat - b.seat);
}

export function end(app: App, state: State): Node {
  app.words.names = {
    ...Object.fromEntries((state.tally?.players ?? []).map((one) => [one.seat, one.name])),
    ...app.words.names,
  };
  const tally = state.tally ?? null;
  const round = state.view?.round ?? null;
  return h(
    "main",
    { class: "page end", key: "end" },
    h(
      "header",
      { class: "end-head" },
      h("h1", null, app.say("phone/end/title")),
      round !== null ? h("p", { class: "dim" }, app.say("phone/end/rounds", { n: round })) : null,
    ),
    notes(app),
    tally === null ? h("p", null, app.say("phone/end/no-tally")) : result(app, tally),
    hinted(app, state),
    h(
      "div",
      { class: "foot" },
      takeBack(app, state),
      app.curved
        ? h(
            "button",
            { class: "button ghost", type: "button", onclick: () => open(app, "chart") },
            line("chart"),
            app.say("phone/chart-short"),
          )
        : null,
      h(
        "button",
        { class: "button primary", type: "button", onclick: () => open(app, "share") },
        line("share"),
        app.say("phone/share"),
      ),
    ),
    app.session !== null ? wide(() => void app.lookBack(), app.say("phone/past")) : null,
    app.session === null
      ? wide(() => {
          app.state = null;
          app.draw();
        }, app.say("phone/end/new"))
      : null,
  );
}

/** Who was given how many hints, where the table counts them. */
function hinted(app: App, state: State): Node | null {
  const given = (state.hints ?? []).map((n, seat) => (n > 0 ? `${app.nameOf(seat)} ${n}` : "")).filter(Boolean);
  return given.length === 0
    ? null
    : h("p", { class: "dim small" }, app.say("phone/later/hints", { who: given.join(", ") }));
}

/** The last touch may have ended the game by mistake. */
function takeBack(app: App, state: State): Node | null {
  const back = state.undo ?? null;
  if (back === null || app.session?.role !== "seat" || (typeof back.seat === "number" && back.seat !== app.seat))
    return null;
  return h(
    "button",
    {
      class: `button ghost slim ${app.isPressed("undo") ? "pending" : ""}`,
      type: "button",
      "data-choice": "undo",
      "aria-label": app.say("phone/undo"),
      onclick: () => app.undo(),
    },
    line("undo"),
  );
}

function open(app: App, sheet: "chart" | "share"): void {
  app.sheet = sheet;
  app.draw();
}

function result(app: App, tally: Tally): Node {
  const order = ranked(tally);
  const best = order[0];
  const top = Math.max(1, ...order.map((one) => one.total));
  const shown = app.look ?? app.seat ?? best?.seat ?? 0;
  const winners = order.filter((one) => tally.winners.includes(one.seat));
  const rest = order.filter((one) => !tally.winners.includes(one.seat));
  const player = order.find((one) => one.seat === shown);
  return h(
    "div",
    { class: "result" },
    ...winners.map((one) => winner(app, tally, one, winners.length > 1)),
    h(
      "ul",
      { class: "others" },
      ...rest.map((one) => h("li", { key: one.seat }, row(app, one, top, shown === one.seat))),
    ),
    player === undefined ? null : lines(app, player),
    (tally.notes ?? []).length > 0
      ? h("ul", { class: "dim small" }, ...(tally.notes ?? []).map((one) => h("li", null, app.say(one))))
      : null,
    unconfirmed(app, tally.unconfirmed ?? []),
  );
}

/** Values the tally rests on that nobody has checked against this copy; named, but folded away. */
function unconfirmed(app: App, values: string[]): Node | null {
  if (values.length === 0) return null;
  return h(
    "details",
    { class: "note warn small fold" },
    h("summary", null, app.say("phone/end/unconfirmed", { n: values.length })),
    h("p", { class: "dim" }, values.join(", ")),
  );
}

const name = (app: App, one: PlayerTally): string =>
  one.seat === app.seat ? app.say("phone/end/you", { name: one.name }) : one.name;

function winner(app: App, tally: Tally, one: PlayerTally, shared: boolean): Node {
  return h(
    "button",
    {
      type: "button",
      key: `winner-${one.seat}`,
      class: `winner p-${app.colourOf(one.seat)}`,
      onclick: () => look(app, one.seat),
    },
    badge(app.colourOf(one.seat), "badge ink"),
    h(
      "span",
      { class: "winner-words" },
      h("span", { class: "serif" }, app.say(shared ? "phone/end/shares" : "phone/end/wins", { name: name(app, one) })),
      tally.tie_break ? h("span", { class: "small" }, app.say(tally.tie_break)) : null,
    ),
    h("span", { class: "total" }, number(one.total)),
  );
}

const row = (app: App, one: PlayerTally, top: number, shown: boolean): Node =>
  h(
    "button",
    {
      type: "button",
      class: `other p-${app.colourOf(one.seat)} ${one.seat === app.seat ? "me" : ""}`,
      "aria-pressed": shown ? "true" : "false",
      onclick: () => look(app, one.seat),
    },
    badge(app.colourOf(one.seat)),
    h("span", { class: "seat-name" }, name(app, one)),
    h(
      "span",
      { class: "bar", "aria-hidden": "true" },
      h("i", { style: { width: `${Math.max(2, Math.round((100 * Math.max(0, one.total)) / top))}%` } }),
    ),
    h("span", { class: "total" }, number(one.total)),
  );

function look(app: App, seat: number): void {
  app.look = seat;
  app.draw();
}

function lines(app: App, player: PlayerTally): Node {
  const own = player.seat === app.seat;
  return h(
    "section",
    { class: "lines", "data-seat": player.seat },
    h("h2", null, own ? app.say("phone/end/your-points") : app.say("phone/end/points-of", { name: player.name })),
    player.lines.length === 0 ? h("p", { class: "dim" }, app.say("phone/end/no-lines")) : writtenDown(app, player),
    h(
      "p",
      { class: "sum" },
      h("span", null, app.say("phone/end/sum")),
      h("span", { class: "total" }, number(player.total)),
    ),
  );
}

const writtenDown = (app: App, player: PlayerTally): Node =>
  h(
    "ul",
    { class: "panel" },
    ...player.lines.map((one) =>
      h(
        "li",
        { key: one.id },
        h(
          "div",
          null,
          h(
            "p",
            { class: "strong" },
            app.say(one.text),
            (one.unconfirmed ?? []).length > 0
              ? h("span", { class: "warn-dot", role: "img", "aria-label": app.say("phone/end/unsure") })
              : null,
          ),
          one.reason ? h("p", { class: "dim small" }, app.say(one.reason)) : null,
        ),
        h("span", { class: "line-points" }, number(one.points)),
      ),
    ),
  );
