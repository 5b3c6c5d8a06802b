/** What a player may put right from the phone: values of their own, or another's if they agree; each as a move of its game. */
import type { App } from "../app";
import type { PadView } from "../shown/scorepad";
import type { SkytopiaView } from "../shown/skytopia";
import type { Rise } from "./skyrise";
import type { Field } from "../wire";
import type { PragaView } from "../shown/praga";

export interface Correction {
  field: Field;
  /** What of several things it is about. */
  which?: Field;
  move(value: number | string, which?: unknown): Record<string, unknown>;
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
  const { entries } = app.view as PadView;
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
  const view = app.view as SkytopiaView;
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
            { key: "phone/sky/my-die", params: { slot: place } },
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

/** Praga says itself which values a board may show. */
function praga(app: App, seat: number): Correction[] {
  const view = app.view as unknown as PragaView;
  const mine = view.players.find((one) => one.seat === seat) as Record<string, unknown> | undefined;
  return Object.entries(view.limits).flatMap(([what, [low, high]]) => {
    const value = mine?.[what];
    if (typeof value !== "number") return [];
    return [
      {
        field: number(what, { key: `praga/field/${what}` }, value, low, high),
        move: (to: number) => ({ kind: "correct", seat, values: { [what]: to } }),
      },
    ];
  });
}

const TOKENS = ["yellow", "green", "white", "brown", "A", "B", "C", "D", "commission"];

/** A token I took, and the one it really is. */
function rise(app: App, seat: number): Correction[] {
  const mine = (app.view as Rise).players?.find((one) => one.seat === seat);
  const held = TOKENS.filter(
    (one) =>
      mine?.rows?.[one as never] ||
      mine?.patrons?.includes(one as never) ||
      (one === "commission" && mine?.commissions),
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

export function possible(app: App, seat = app.seat): Correction[] {
  if (seat === null || app.seat === null || app.state?.phase !== "playing") return [];
  const found = ofGame(app, seat);
  // what was typed for one player is not meant for the next
  for (const { field, which } of found)
    if (seat !== app.seat) {
      field.id += `-${seat}`;
      if (which) which.id += `-${seat}`;
    }
  return found;
}
