/** The city on a phone: where each plaza lies, and where one may be put. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { badge } from "../draw/shapes";
import type { PragaView, Square } from "../shown/praga";
import type { Choice } from "../wire";

export const ACROSS = 6;
const OLD = 12;
export const PLACES = 24;
let pin = "";

/** Where a place of the map stands in its grid: every other row half a place further, the King's Road between the towns. */
const spot = (place: number): Record<string, string> => {
  const row = Math.floor((place - 1) / ACROSS);
  const column = 2 * ((place - 1) % ACROSS) + (row % 2) + 1;
  return { "grid-area": `${row + (place > OLD ? 2 : 1)} / ${column} / auto / span 2` };
};
const town = (place: number): string => `praga/town/${place > OLD ? "new" : "old"}`;

/** The map: the King's Road between the towns, and what lies at each place. */
export function plan(app: App, at: (place: number, n: number, one: Square | undefined) => Node | null): Node {
  const plazas = app.shown<PragaView>().plazas ?? [];
  const places = Array.from({ length: PLACES }, (_, i) => {
    const n = plazas.findIndex((one) => one.at === i + 1) + 1;
    return at(i + 1, n, plazas[n - 1]);
  });
  return h(
    "ol",
    { class: "plan" },
    ...places,
    h(
      "li",
      { class: "road", key: "road", "aria-hidden": "true" },
      ...["town/old", "road-name", "town/new"].map((name) => h("span", null, app.say(`praga/${name}`))),
    ),
  );
}

export interface Spot {
  /** An answer to what is asked, or a place to lay the map out. */
  kind: "choice" | "spot";
  id: string;
  place: number;
  name: string;
  said: string;
  off: boolean;
  act(): void;
}

/** One place of the map to be touched: a plaza, or a free place. */
export function spotKey(app: App, of: Spot, n = 0, one?: Square): Node {
  const cubes = (one?.cubes ?? []).flatMap((count, seat) => Array.from({ length: count }, () => seat));
  return h(
    "li",
    { key: `${of.name}${of.place}`, style: spot(of.place) },
    h(
      "button",
      {
        type: "button",
        class: `plaza ${of.name} ${of.place > OLD ? "new" : ""} ${of.off ? "off" : ""}`,
        [`data-${of.kind}`]: of.id,
        "aria-disabled": of.off || app.busy ? "true" : null,
        onclick: () => {
          if (!of.off && !app.busy) of.act();
        },
      },
      h("span", { class: "sr" }, of.said),
      n > 0 ? h("b", { "aria-hidden": "true" }, n) : null,
      n > 0 ? h("i", { "aria-hidden": "true" }, ...cubes.map((seat) => badge(app.colourOf(seat)))) : null,
    ),
  );
}

export const free = (app: App, place: number): string =>
  app.say("praga/spot", { town: { key: town(place) }, n: place });

/** Plazas that have no place yet, one of them in the hand. */
export function waiting(
  app: App,
  loose: { id: string; n: number; said: string }[],
  held: string,
  pick: (id: string) => void,
): Node {
  return h(
    "div",
    { class: "chips" },
    ...loose.map((one) =>
      h(
        "button",
        {
          type: "button",
          class: `chip ${one.id === held ? "on" : ""}`,
          key: one.id,
          "data-loose": one.n,
          "aria-pressed": one.id === held ? "true" : "false",
          "aria-label": one.said,
          onclick: () => {
            pick(one.id);
            app.draw();
          },
        },
        String(one.n),
      ),
    ),
  );
}

/** The plazas on the small map; one that has no place there yet goes to the place that is touched. */
export function city(app: App, list: Choice[]): Node {
  const plazas = app.shown<PragaView>().plazas ?? [];
  const numbered = (one: Choice): number => Number(one.picture?.plaza);
  const loose = list.filter((one) => !plazas[numbered(one) - 1]?.at);
  const held = loose.find((one) => one.id === pin) ?? loose.find((one) => !plazas[numbered(one) - 1]?.empty);
  const map = plan(app, (place, n, square) => {
    if (n > 0) {
      const of = list.find((one) => numbered(one) === n);
      const said = of ? `${app.say(of.text)}, ${app.say(of.off ?? of.note)}` : "";
      const off = of === undefined || !!of.off;
      const act = (): void => {
        if (of) app.choose(of);
      };
      return spotKey(
        app,
        { kind: "choice", id: of?.id ?? `plaza-${n}`, place, name: "lies", said, off, act },
        n,
        square,
      );
    }
    if (held === undefined) return null;
    const act = (): void => app.choose({ ...held, move: { ...held.move, at: place } });
    return spotKey(app, {
      kind: "choice",
      id: `place-${place}`,
      place,
      name: "",
      said: free(app, place),
      off: !!held.off,
      act,
    });
  });
  return h(
    "div",
    { class: "plan-place" },
    map,
    held ? h("p", { class: "dim small" }, app.say("praga/city/loose")) : null,
    loose.length > 1
      ? waiting(
          app,
          loose.map((one) => ({ id: one.id, n: numbered(one), said: app.say(one.text) })),
          held?.id ?? "",
          (id) => {
            pin = id;
          },
        )
      : null,
  );
}
