/** The action crane: twelve stations with their price or points, the wheel with its tiles, the box and its arrow. */
import { h, type Node } from "../dom";
import { at, R, xy } from "./circle";
import { coinParts } from "./pieces";
import { picture } from "./shapes";
import { actionParts } from "./signs";
import type { Station, Wheel } from "../shown/praga";

const STEP = 30;
/** The middle of a station, clockwise from the top. */
const middle = (station: number): number => 15 + STEP * (station - 1);

const sector = (a0: number, a1: number, inner: number, outer: number): string =>
  `M${xy(a0, outer)}A${outer * R} ${outer * R} 0 0 1 ${xy(a1, outer)}L${xy(a1, inner)}A${inner * R} ${inner * R} 0 0 0 ${xy(a0, inner)}Z`;

const band = (station: number): string => sector(STEP * (station - 1) + 1, STEP * station - 1, 0.775, 0.965);
const place = (station: number): string => sector(middle(station) - 12.6, middle(station) + 12.6, 0.395, 0.715);

function starParts(x: number, y: number, r: number): Node {
  const corners = Array.from({ length: 10 }, (_, i) => {
    const reach = i % 2 === 0 ? r : 0.46 * r;
    const a = (Math.PI * i) / 5;
    return `${(x + reach * Math.sin(a)).toFixed(2)},${(y - reach * Math.cos(a)).toFixed(2)}`;
  });
  return h("polygon", { points: corners.join(" "), class: "zone-star" });
}

/** What a station asks or gives: a coin with its number, a dot, or a star before the points. */
function worth(one: Station): Node[] {
  const [x, y] = at(middle(one.station), 0.87);
  if (one.zone === "red") return coinParts(one.price, x, y, 8);
  if (one.zone === "green") return [h("circle", { cx: x, cy: y, r: 2.8, class: "zone-dot" })];
  return [starParts(x - 5.5, y, 5.5), h("text", { x: x + 5, y: y + 4.2, class: "zone-number" }, String(one.points))];
}

/** The hole the counting cube falls into, and the star of the game for two. */
function marks(one: Station): Node[] {
  const [x, y] = at(middle(one.station) - 10.5, 0.915);
  return [
    ...(one.hole ? [h("circle", { cx: x, cy: y, r: 2.4, class: "crane-hole" })] : []),
    ...(one.star ? [starParts(x, y, 3.6)] : []),
  ];
}

function tile(one: Station): Node {
  const where = middle(one.station);
  const [first = "", second = ""] = one.actions;
  const [ox, oy] = at(where, 0.625);
  const [ix, iy] = at(where, 0.475);
  const [fx, fy] = at(where + 9, 0.68);
  return h(
    "g",
    { class: "crane-tile" },
    h("path", { d: place(one.station), class: "crane-paper" }),
    actionParts(first, ox, oy, 7.2),
    actionParts(second, ix, iy, 5.8),
    one.flag ? h("circle", { cx: fx, cy: fy, r: 3.6, class: "crane-flag" }) : null,
  );
}

function arrow(station: number): Node {
  const where = middle(station);
  const [x, y] = at(where, 0.555);
  return h(
    "g",
    null,
    h("path", { d: place(station), class: "crane-box" }),
    h("path", {
      d: "M0-12 9.500 0H4.200V10H-4.200V0H-9.500Z",
      class: "crane-arrow",
      transform: `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${where})`,
    }),
  );
}

export interface Hub {
  above: string;
  number: string;
  below: string;
}

/** `goal` marks the station where the arrow belongs next. */
export function crane(of: Wheel, hub: Hub, goal: number | null): Node {
  const spokes = of.stations.map((_, i) => `M${xy(STEP * i, 0.34)}L${xy(STEP * i, 0.73)}`).join("");
  return picture(
    "-102 -102 204 204",
    "crane",
    h("circle", { r: R, class: "brass-rim" }),
    h("circle", { r: 0.985 * R, class: "dial" }),
    ...of.stations.map((one) => h("path", { d: band(one.station), class: `zone-${one.zone}` })),
    h("circle", { r: 0.755 * R, class: "brass-rim" }),
    h("circle", { r: 0.738 * R, class: "dial" }),
    h("path", { d: spokes, class: "spokes" }),
    ...of.stations.flatMap(worth),
    ...of.stations.flatMap(marks),
    ...of.stations.filter((one) => one.tile !== 0).map(tile),
    arrow(of.box),
    goal === null ? null : h("path", { d: band(goal), class: "crane-goal" }),
    h("circle", { r: 0.335 * R, class: "hub" }),
    h("text", { y: -14, class: "hub-small" }, hub.above),
    h("text", { y: 9, class: "hub-number", "font-size": 25 }, hub.number),
    h("text", { y: 22, class: "hub-small" }, hub.below),
  );
}
