/** What a player may put right from the phone: values of their own, or another's if they agree; each as a move of its game. */
import type { App } from "../app";
import { h, type Kids, type Node } from "../dom";
import type { FieldValue } from "../draft";
import { line } from "../draw/pieces";
import type { PadView } from "../shown/scorepad";
import type { SkytopiaView } from "../shown/skytopia";
import type { Rise } from "../games/skyrise";
import type { Field } from "../wire";
import type { Owner, PragaView } from "../shown/praga";

interface Correction {
  field: Field;
  /** What of several things it is about. */
  which?: Field;
  move(value: FieldValue, which?: unknown): Record<string, unknown>;
}

const number = (id: string, text: Field["text"], value: number, low: number, high: number): Field => ({
  id: `correct-${id}`,
  text,
  kind: "number",
  value,
  low,
  high,
});

/** The pad's last lines of this player. */
function pad(app: App, seat: number): Correction[] {
  const { entries } = app.shown<PadView>();
  if (entries.length >= 200) return [];
  return entries
    .map((entry, i) => ({ entry, i }))
    .filter(({ entry }) => entry.seat === seat)
    .slice(-8)
    .reverse()
    .map(({ entry, i }) => ({
      field: number(
        `entry-${i}`,
        { key: "phone/pad-line", params: { round: entry.round, category: entry.category } },
        entry.points,
        -10000,
        10000,
      ),
      move: (points) => ({ kind: "correct", entry: i, points, seat }),
    }));
}

function sky(app: App, seat: number): Correction[] {
  const view = app.shown<SkytopiaView>();
  const mine = view.players.find((one) => one.seat === seat);
  if (mine === undefined) return [];
  const value = (what: "coins" | "points"): Correction => ({
    field: number(what, { key: `phone/show/${what}` }, mine[what], 0, 999),
    move: (to) => ({ kind: "correct", what, seat, value: to }),
  });
  const dice = view.market.slots.flatMap((slot) =>
    slot.dice
      .filter((die) => die.owner === seat)
      .map((die): Correction => {
        const [column = "", row = ""] = slot.slot.split("-");
        const place = {
          key: "phone/sky/slot",
          params: { column: { key: `phone/sky/tower/${column}` }, row: Number(row) },
        };
        return {
          field: number(
            `die-${slot.slot}-${die.face}`,
            { key: "phone/sky/die-on", params: { slot: place } },
            die.face,
            1,
            6,
          ),
          move: (face) => ({ kind: "correct", what: "die", seat, slot: slot.slot, was: die.face, face }),
        };
      }),
  );
  return [value("coins"), value("points"), ...dice];
}

/** Praga says itself which values a board may show, and which tiles may lie before a player. */
function praga(app: App, seat: number): Correction[] {
  const view = app.shown<PragaView>();
  const mine = view.players.find((one) => one.seat === seat);
  if (mine === undefined) return [];
  const put = (what: string, field: Field): Correction => ({
    field,
    move: (to) => ({ kind: "correct", seat, values: { [what]: to } }),
  });
  const counted = Object.entries(view.limits).flatMap(([what, [low, high]]) => {
    const value = mine[what as keyof Owner];
    return typeof value === "number" ? [put(what, number(what, { key: `praga/field/${what}` }, value, low, high))] : [];
  });
  const full = Object.keys(view.tiles).length > 0;
  const most = view.limits.cubes?.[1] ?? 0;
  const claims = (full ? view.plazas : []).flatMap((plaza, i) => {
    const text = { key: "praga/field/claims", params: { plaza: { key: "praga/plaza", params: { number: i + 1 } } } };
    const what = `claims-${i + 1}`;
    return plaza.done || plaza.empty ? [] : [put(what, number(what, text, plaza.cubes[seat] ?? 0, 0, most))];
  });
  return [...counted, ...Object.keys(view.tiles).map((what) => put(what, lying(view, mine, what))), ...claims];
}

/** Kind of tile before a player of Praga -> where its names are found. */
const NAMED: Record<string, string> = { technology: "technology", token: "token", v_tiles: "v", seals: "seal" };

/** One tile of a kind, or several, as they lie before a player. */
function lying(view: PragaView, mine: Owner, what: string): Field {
  const [kind = "", of = ""] = what.split("-");
  const options = (view.tiles[what] ?? []).map((value) => ({
    value,
    text: { key: `praga/${NAMED[kind] ?? kind}/${value}` },
  }));
  const id = `correct-${what}`;
  if (of === "") {
    const value = what === "seals" ? mine.seals : mine.v_tiles;
    return { id, text: { key: `praga/field/${what}` }, kind: "many", value, options };
  }
  const place = kind === "technology" ? "level" : "track";
  const text = { key: `praga/field/${kind}-of`, params: { [place]: { key: `praga/${place}/${of}` } } };
  const none = { value: "none", text: { key: "praga/choice/none" } };
  return { id, text, kind: "pick", value: mine.tiles[what] ?? "none", options: [none, ...options] };
}

const TOKENS = ["yellow", "green", "white", "brown", "A", "B", "C", "D", "commission"];

/** A token I took, and the one it really is. */
function rise(app: App, seat: number): Correction[] {
  const mine = app.shown<Rise>().players?.find((one) => one.seat === seat);
  const held = TOKENS.filter(
    (one) => mine?.rows[one] || mine?.patrons.includes(one) || (one === "commission" && mine?.commissions),
  );
  const tokens = (id: string, text: string, list: string[]): Field => ({
    id: `correct-${id}`,
    text: { key: text },
    kind: "pick",
    value: list[0],
    options: list.map((value) => ({ value, text: { key: `skyrise/token/${value}` } })),
  });
  return held.length === 0
    ? []
    : [
        {
          which: tokens("was", "phone/correct-was", held),
          field: tokens("token", "phone/correct-token", TOKENS),
          move: (token, was) => ({ kind: "correct", seat, was, token }),
        },
      ];
}

function ofGame(app: App, seat: number): Correction[] {
  if (app.state?.game === "skytopia") return sky(app, seat);
  if (app.state?.game === "praga") return praga(app, seat);
  if (app.state?.game === "skyrise") return rise(app, seat);
  return app.state?.game === "scorepad" ? pad(app, seat) : [];
}

/** How the page draws a field: what is fetched later brings no second copy of it. */
type Row = (app: App, field: Field) => Node;

/** Everything of this player that can be put right, each with its own key. */
export function corrections(app: App, seat: number, row: Row): Kids[] {
  const found = ofGame(app, seat);
  // what was typed for one player is not meant for the next
  for (const { field, which } of found)
    if (seat !== app.seat) {
      field.id += `-${seat}`;
      if (which) which.id += `-${seat}`;
    }
  return found.map((one) => correction(app, one, row));
}

/** One value as it stands, with the value it should have; sent as a move like any other. */
const correction = (app: App, one: Correction, row: Row): Node =>
  h(
    "form",
    {
      class: "field",
      key: one.field.id,
      onsubmit: (event: Event) => {
        event.preventDefault();
        const value = app.draft.value(one.field);
        app.move(
          one.move(one.field.kind === "number" ? Number(value) : value, one.which && app.draft.value(one.which)),
          one.field.id,
        );
        app.sheet = app.look = null;
        app.draw();
      },
    },
    one.which ? row(app, one.which) : null,
    folded(app, one, row),
    h(
      "button",
      { class: "button", type: "submit", "aria-label": app.say("phone/correct-this", { what: one.field.text }) },
      line("tick"),
    ),
  );

/** What is one of many says in a line what it is; what else it may be unfolds. */
function folded(app: App, { field, which }: Correction, row: Row): Node {
  if (field.kind === "number" || which) return row(app, field);
  const now = app.draft.value(field);
  const lit = (field.options ?? []).filter((one) =>
    Array.isArray(now) ? now.some((held) => held === one.value) : now === one.value,
  );
  const none = { key: "praga/choice/none" };
  return h(
    "details",
    { class: "fold kinds", "data-kind": field.id },
    h(
      "summary",
      null,
      app.say(field.text),
      h("b", null, lit.map((one) => app.say(one.text)).join(", ") || app.say(none)),
    ),
    row(app, field),
  );
}
