/** The islands of Skyrise: one large, its bridges around it, the others a touch away; legal sites are lit. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { bidParts, factionParts, featureParts, hex, pieceParts, tokenParts } from "../draw/rise";
import { picture } from "../draw/shapes";
import type { Field, Text } from "../wire";
import type { SiteShown } from "../shown/skyrise";
import type { Rise } from "./skyrise";

const R = 54;
const CORNER: Record<string, [number, number]> = {
  "north-west": [-1, -1],
  "north-east": [1, -1],
  "south-east": [1, 1],
  "south-west": [-1, 1],
};
interface Spot {
  site: SiteShown;
  x: number;
  y: number;
  far: boolean;
}

const islandOf = (site: string): string => site.split(".")[0] ?? "";

/** The island shown large: the one touched, that of the last bid, or the one with most lit sites. */
export function focus(app: App, view: Rise, lit: Set<string>): string {
  const islands = (view.islands ?? []).map((one) => one.id);
  if (app.island !== null && app.island.auction === view.auction?.number && islands.includes(app.island.id))
    return app.island.id;
  const bids = view.auction?.bids ?? [];
  const last = bids[bids.length - 1];
  if (last) return islandOf(last.site);
  const count = (id: string): number => [...lit].filter((site) => islandOf(site) === id).length;
  return islands.reduce((best, id) => (count(id) > count(best) ? id : best), islands[0] ?? "");
}

function spots(view: Rise, island: string): Spot[] {
  const all = new Map((view.sites ?? []).map((one) => [one.id, one]));
  const found: Spot[] = [...all.values()]
    .filter((one) => one.island === island)
    .map((site) => ({ site, x: site.x, y: site.y, far: false }));
  const mean = (of: number[]): number => of.reduce((a, b) => a + b, 0) / Math.max(1, of.length);
  const [cx, cy] = [mean(found.map((one) => one.x)), mean(found.map((one) => one.y))];
  const at = new Map(found.map((one) => [one.site.id, one]));
  for (const bridge of view.bridges ?? []) {
    for (const [near, far] of [bridge, [bridge[1], bridge[0]]] as [string, string][]) {
      const [here, there] = [at.get(near), all.get(far)];
      if (!here || !there || at.has(far)) continue;
      const place = (view.islands ?? []).find((one) => one.id === there.island)?.place ?? "";
      const [dx, dy] = island === "C" ? (CORNER[place] ?? [0, 1]) : [here.x - cx, here.y - cy];
      const length = Math.hypot(dx, dy) || 1;
      found.push({ site: there, x: here.x + (106 * dx) / length, y: here.y + (106 * dy) / length, far: true });
    }
  }
  return found;
}

const PLACED: Record<string, [number, number]> = {
  central: [280, 300],
  "north-west": [0, 0],
  "north-east": [460, 0],
  "south-east": [460, 500],
  "south-west": [0, 500],
};

/** Every site as the islands lie around the centre: a result may be anywhere, and no touch is spent on turning islands. */
function allSpots(view: Rise): Spot[] {
  return (view.islands ?? []).flatMap(({ id, place }) => {
    const own = (view.sites ?? []).filter((one) => one.island === id);
    const deep = Math.max(0, ...own.map((one) => one.y));
    const [left, top] = PLACED[place] ?? [0, 0];
    return own.map((site) => ({
      site,
      x: left + site.x,
      y: top + (place.startsWith("south") ? deep - site.y : site.y),
      far: false,
    }));
  });
}

/** Sites that may be touched, and what a touch does. */
export interface Touch {
  lit: Set<string>;
  chosen: string | null;
  pick: ((site: string) => void) | null;
  names: Map<string, Text>;
}

export const siteNames = (field: Field | undefined): Map<string, Text> =>
  new Map((field?.options ?? []).map((one) => [String(one.value), one.text]));

export function map(app: App, view: Rise, touch: Touch): Node | null {
  const whole = view.auction?.quick === true;
  const island = whole ? "" : focus(app, view, touch.lit);
  const found = whole ? allSpots(view) : spots(view, island);
  if (found.length === 0) return null;
  const [xs, ys] = [found.map((one) => one.x), found.map((one) => one.y)];
  const box = { x: Math.min(...xs) - 58, y: Math.min(...ys) - 62, w: 0, h: 0 };
  box.w = Math.max(...xs) + 58 - box.x;
  box.h = Math.max(...ys) + 62 - box.y;
  const at = new Map(found.map((one) => [one.site.id, one]));
  const tie = (name: string, pairs: [string, string][] | undefined): Node[] =>
    (pairs ?? []).flatMap(([a, b]) => {
      const [from, to] = [at.get(a), at.get(b)];
      return from && to && !(from.far && to.far)
        ? [h("line", { class: name, x1: from.x, y1: from.y, x2: to.x, y2: to.y })]
        : [];
    });
  const bids = view.auction?.bids ?? [];
  const last = bids[bids.length - 1]?.site ?? "";
  const where = (view.islands ?? []).find((one) => one.id === island)?.place ?? "";
  const called = whole ? app.say("phone/rise/islands") : app.say({ key: `skyrise/island/${where}` });
  const name = app.say("phone/rise/island", {
    island: called,
    n: found.filter((one) => !one.far && one.site.piece).length,
  });
  return h(
    "div",
    { class: "islands", key: "map" },
    h(
      "div",
      { role: "img", "aria-label": name },
      picture(
        `${box.x} ${box.y} ${box.w} ${box.h}`,
        "island",
        ...tie("border", view.borders),
        ...tie("bridge", view.bridges),
        ...found.map((one) => site(app, one, touch, one.site.id === last)),
        ...features(view, island, at),
      ),
    ),
    touch.pick === null
      ? null
      : h(
          "ul",
          { class: "site-keys" },
          ...found
            .filter((one) => touch.lit.has(one.site.id))
            .map((one) => {
              const pct = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)}%`;
              return h(
                "li",
                { key: one.site.id },
                h("button", {
                  type: "button",
                  class: "site-key",
                  "data-site": one.site.id,
                  "aria-pressed": touch.chosen === one.site.id ? "true" : "false",
                  "aria-label": app.say(touch.names.get(one.site.id) ?? one.site.id),
                  style: {
                    left: pct(one.x - 46 - box.x, box.w),
                    top: pct(one.y - 46 - box.y, box.h),
                    width: pct(92, box.w),
                    height: pct(92, box.h),
                  },
                  onclick: () => touch.pick?.(one.site.id),
                }),
              );
            }),
        ),
  );
}

/** Lakes, airships and windmills amid the neighbourhoods they border. */
function features(view: Rise, island: string, at: Map<string, Spot>): Node[] {
  const taken: [number, number][] = [];
  return (view.features ?? [])
    .filter((one) => island === "" || islandOf(one.id) === island)
    .flatMap((one) => {
      const near = one.sites.flatMap((name) => at.get(name) ?? []);
      if (near.length === 0) return [];
      let [x, y] = [
        near.reduce((sum, spot) => sum + spot.x, 0) / near.length,
        near.reduce((sum, spot) => sum + spot.y, 0) / near.length,
      ];
      while (taken.some(([a, b]) => Math.hypot(x - a, y - b) < 26)) x += 27; // two between the same neighbourhoods stand side by side
      taken.push([x, y]);
      return [
        h(
          "g",
          { class: "feature" },
          h("circle", { class: "feature-sky", cx: x, cy: y, r: 14 }),
          ...featureParts(one.kind, x, y),
        ),
      ];
    });
}

function site(app: App, spot: Spot, touch: Touch, last: boolean): Node {
  const { site: one, x, y, far } = spot;
  const r = far ? 0.74 * R : R;
  const piece = one.piece ?? null;
  const lit = touch.lit.has(one.id);
  const of = piece ? app.colourOf(piece.seat) : null;
  return h(
    "g",
    { class: `site ${lit ? "lit" : ""} ${touch.chosen === one.id ? "chosen" : ""} ${far ? "far" : ""}` },
    hex(x, y, r - 2, "ground"),
    piece && of
      ? h(
          "g",
          { class: `p-${of}` },
          piece.where === "built" ? pieceParts(of, piece, x, y, 0.62 * r) : bidParts(of, piece, x, y, 0.74 * r, last),
        )
      : [
          ...factionParts(one.faction, x, y - (one.token ? 0.2 : 0) * r, 0.36 * r),
          ...tokenParts(one.token ?? "", x, y + 0.5 * r, 0.2 * r),
        ],
  );
}

/** The five islands where they lie: each shows how many lit sites it has. */
export function compass(app: App, view: Rise, lit: Set<string>): Node | null {
  const islands = view.islands ?? [];
  if (islands.length < 2 || view.auction?.quick) return null;
  const shown = focus(app, view, lit);
  return h(
    "ul",
    { class: "compass", "aria-label": app.say("phone/rise/islands") },
    ...islands.map(({ id, place }) => {
      const count = [...lit].filter((one) => islandOf(one) === id).length;
      const name = app.say({ key: `skyrise/island/${place}` });
      return h(
        "li",
        { key: id, class: `at-${place}` },
        h(
          "button",
          {
            type: "button",
            class: `isle ${count > 0 ? "lit" : ""}`,
            "aria-pressed": id === shown ? "true" : "false",
            "data-island": id,
            "aria-label": count > 0 ? `${name}, ${app.say("phone/rise/lit", { n: count })}` : name,
            onclick: () => {
              app.island = { id, auction: view.auction?.number };
              app.draw();
            },
          },
          count > 0 ? String(count) : "",
        ),
      );
    }),
  );
}
