/** Praga on a phone: the crane with what each station costs, my goods, the clock of the eras, my tracks. */
import type { App } from "../app";
import { h, type Kids, type Node } from "../dom";
import { crane } from "../draw/crane";
import { coin, star } from "../draw/pieces";
import { action, egg, pane, stone } from "../draw/signs";
import { badge } from "../draw/shapes";
import { number } from "../words";
import type { Eras, Owner, PragaView, Station, Wheel } from "../shown/praga";
import type { Ask, Choice } from "../wire";

/** Where the arrow must go is shown only when the turn is to be ended. */
const TURNING = new Set(["wheel", "action", "dummy"]);
const TRACKS = ["technology", "university", "mines", "quarries", "walls", "upgrades", "red", "blue", "road"] as const;

export function table(app: App, ask: Ask | null): Node {
  const view = app.shown<PragaView>();
  const seat = app.look ?? app.seat ?? ask?.seat ?? 0;
  const player = view.players.find((one) => one.seat === seat);
  const may = ask !== null && app.seat !== null && app.mayAnswer(ask);
  return h(
    "div",
    { class: "generic praga" },
    wheel(app, view.crane, view.clock, player, ask),
    view.clock.left.some((n) => n > 0) ? eras(app, view.clock) : null,
    player ? tracks(app, player) : null,
    ...view.grids.map((grid) => part(app, grid.id, app.say(grid.text), () => app.later?.grid(app, grid, may))),
    view.plazas.length > 0 ? part(app, "city", app.say("praga/city"), () => app.later?.layout(app, may)) : null,
  );
}

/** A part of the board that is looked at now and then: what draws it is fetched when it is first opened. */
const part = (app: App, id: string, name: string, draw: () => Kids[] | undefined): Node =>
  h(
    "details",
    { class: "panel fold grid-part", key: `grid-${id}`, "data-grid": id, ontoggle: () => void app.fetchLater() },
    h("summary", null, name),
    ...(draw() ?? []),
  );

/** A station by what a person sees: third red place. */
const place = (station: number): { key: string } => ({ key: `praga/station/${station}` });

function wheel(app: App, of: Wheel, clock: Eras, player: Owner | undefined, ask: Ask | null): Node {
  const goal = ask !== null && TURNING.has(ask.phase ?? "") ? of.next : of.asked || null;
  const hub = {
    above: app.say("praga/screen/turn"),
    number: String(clock.turn),
    below: app.say("praga/screen/of", { n: clock.length }),
  };
  const said = [
    app.say("phone/praga/crane-now", { turn: clock.turn, station: place(of.box) }),
    ...(goal === null ? [] : [app.say("phone/praga/crane-next", { station: place(goal) })]),
  ];
  return h(
    "section",
    { class: "clock crane-row", "aria-label": app.say("phone/praga/crane") },
    h("div", { class: "ring-place", role: "img", "aria-label": said.join(". ") }, crane(of, hub, goal)),
    h(
      "ul",
      { class: "sr" },
      ...of.stations.filter((one) => one.tile !== 0).map((one) => h("li", null, stationSaid(app, one))),
    ),
    player === undefined || player.gold === null ? null : goods(app, player),
  );
}

function stationSaid(app: App, one: Station): string {
  const worth =
    one.zone === "red"
      ? { key: "praga/note/pay", params: { cost: one.price, points: 0 } }
      : one.zone === "blue"
        ? { key: "praga/note/score", params: { cost: 0, points: one.points } }
        : { key: "praga/note/free" };
  return [
    app.say("praga/choice/tile", { station: place(one.station) }),
    ...one.actions.map((name) => app.say(`praga/action/${name}`)),
    app.say(worth),
  ].join(", ");
}

/** What I can pay with; nine is the most of each good. */
function goods(app: App, player: Owner): Node {
  const row = (sign: Node, key: string, value: number | null): Node =>
    h(
      "div",
      { key },
      h("dt", { class: "sr" }, app.say(`praga/field/${key}`)),
      h("dd", null, sign, h("span", { class: "hero" }, number(value ?? 0))),
    );
  return h(
    "dl",
    { class: "means goods" },
    row(coin(), "gold", player.gold),
    row(stone(), "stone", player.stone),
    row(egg(), "eggs", player.eggs),
    row(pane("silver"), "silver_windows", player.silver_windows),
    row(pane("gold"), "gold_windows", player.gold_windows),
  );
}

/** Until the second era, then until the end: one bar for each cube that drops. */
function eras(app: App, clock: Eras): Node {
  const first = clock.era === 1;
  const left = clock.length - clock.turn + 1;
  const below = first
    ? clock.era_seat >= clock.left.length
      ? app.say("praga/screen/era-when-dummy", { round: clock.era_round })
      : app.say("praga/screen/era-when", {
          who: { key: "seat", params: { n: clock.era_seat } },
          round: clock.era_round,
        })
    : app.say("praga/screen/each", {
        each: clock.left.map((n, i) => ({
          key: "praga/turns-of",
          params: { who: { key: "seat", params: { n: i } }, n },
        })),
      });
  return h(
    "section",
    { class: "panel eras" },
    h(
      "h2",
      { class: "serif era-title" },
      first ? app.say("praga/screen/era-in", { n: clock.era_in }) : app.say("praga/screen/left", { n: left }),
    ),
    h("p", { class: "dim small" }, below),
    platform(app, clock),
  );
}

function platform(app: App, clock: Eras): Node {
  const done = clock.turn - 1;
  let start = 0;
  const bars = clock.drops.map((drop) => {
    const share = Math.min(1, Math.max(0, (done - start) / (drop - start)));
    const change = start < clock.era_turn && clock.era_turn <= drop ? (clock.era_turn - start) / (drop - start) : null;
    start = drop;
    return h(
      "li",
      { key: drop },
      h("i", { class: "fill", style: { width: `${Math.round(share * 100)}%` } }),
      change === null ? null : h("i", { class: "turning", style: { left: `${Math.round(change * 100)}%` } }),
    );
  });
  return h(
    "div",
    { class: "platform", "aria-hidden": "true" },
    h("ol", null, ...bars),
    h(
      "p",
      { class: "platform-ends dim small" },
      h("span", null, app.say("praga/screen/era-two")),
      h("span", null, app.say("praga/screen/end")),
    ),
  );
}

function tracks(app: App, player: Owner): Node | null {
  const rows = TRACKS.filter((name) => typeof player[name] === "number");
  if (rows.length === 0) return null;
  return h(
    "section",
    { class: "panel" },
    h("h2", null, badge(app.colourOf(player.seat)), app.nameOf(player.seat)),
    h(
      "dl",
      { class: "figures three" },
      ...rows.map((name) =>
        h(
          "div",
          { key: name },
          h("dt", null, app.say(`praga/field/${name}`)),
          h("dd", null, number(Number(player[name]))),
        ),
      ),
    ),
  );
}

/** A hanging tile as a button: its two actions, and what it costs or brings in the colour of its zone. */
export function tileButton(app: App, choice: Choice, inside: { pending: boolean; dots: Node | null }): Node {
  const of = choice.picture ?? {};
  const zone = String(of.zone ?? "green");
  const actions = Array.isArray(of.actions) ? (of.actions as string[]) : [];
  const cost = Number(of.cost ?? 0);
  const gain = Number(of.worth ?? 0);
  const off = choice.off ?? null;
  const words = [app.say(choice.text), ...actions.map((name) => app.say(`praga/action/${name}`)), app.say(choice.note)];
  const worth = cost > 0 ? [number(-cost), coin()] : gain > 0 ? [`+${gain}`, star()] : [app.say("praga/note/free")];
  return h(
    "li",
    { key: choice.id, class: "tile-cell" },
    h(
      "button",
      {
        type: "button",
        class: `choice tile ${off === null ? "" : "off"} ${inside.pending ? "pending" : ""}`,
        "data-choice": choice.id,
        "aria-disabled": off !== null || app.busy ? "true" : null,
        "aria-busy": inside.pending ? "true" : null,
        onclick: () => app.choose(choice),
      },
      h(
        "span",
        { class: "tile-signs", "aria-hidden": "true" },
        ...(actions.length > 0 ? actions : ["", ""]).map(action),
        of.flag ? h("i", { class: "tile-flag" }) : null,
      ),
      h("span", { class: "sr" }, words.filter((part) => part !== "").join(", ")),
      off === null
        ? h("span", { class: `tile-worth zone-${zone}`, "aria-hidden": "true" }, ...worth)
        : h("span", { class: "why tile-why" }, app.say(off)),
      inside.dots,
    ),
  );
}
