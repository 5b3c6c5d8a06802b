/** Points over the rounds: one line per player, its end carrying the player's shape. */
import { h, type Node } from "../dom";
import { mark, picture, type Colour } from "./shapes";

export interface Series {
  colour: Colour;
  points: number[];
}

const W = 320;
const H = 200;
const LEFT = 30;
const RIGHT = 22;
const TOP = 14;
const BOTTOM = 26;

/** A round step that gives three to six lines. */
export function step(span: number): number {
  for (const size of [1, 2, 5, 10, 20, 25, 50, 100, 200, 500]) if (span / size <= 5) return size;
  return 1000;
}

/** Ends that would cover each other move apart, keeping their order. */
export function apart(places: number[], gap: number, low: number, high: number): number[] {
  const order = places.map((y, i) => ({ y, i })).sort((a, b) => a.y - b.y);
  for (let k = 1; k < order.length; k += 1) {
    const above = order[k - 1];
    const here = order[k];
    if (above && here) here.y = Math.max(here.y, above.y + gap);
  }
  let limit = high;
  for (let k = order.length - 1; k >= 0; k -= 1) {
    const here = order[k];
    if (here) {
      here.y = Math.max(low, Math.min(here.y, limit));
      limit = here.y - gap;
    }
  }
  const moved = [...places];
  for (const { y, i } of order) moved[i] = y;
  return moved;
}

/** Lines that end at the totals, where points left to the end of the game are shown by no round. */
export function ended(lines: number[][], totals: number[]): number[][] {
  const counted = totals.length === lines.length && lines.every((points) => points.length > 1);
  return counted && lines.some((points, i) => points[points.length - 1] !== totals[i])
    ? lines.map((points, i) => [...points, totals[i] ?? 0])
    : lines;
}

/** `last` is what its last step is called, where that is no round. */
export function chart(series: Series[], name: string, last = ""): Node {
  const all = series.flatMap((one) => one.points);
  const low = Math.min(0, ...all);
  const high = Math.max(1, ...all);
  const rounds = Math.max(1, ...series.map((one) => one.points.length)) - 1 || 1;
  const x = (i: number): number => LEFT + ((W - LEFT - RIGHT) * i) / rounds;
  const y = (value: number): number => H - BOTTOM - ((H - TOP - BOTTOM) * (value - low)) / (high - low || 1);
  const size = step(high - low);
  const grid: Node[] = [];
  for (let value = Math.ceil(low / size) * size; value <= high; value += size) {
    grid.push(
      h("line", { x1: LEFT, x2: W - RIGHT, y1: y(value), y2: y(value), class: "grid" }),
      h("text", { x: LEFT - 6, y: y(value) + 4, class: "axis end" }, String(value).replace("-", "\u2212")),
    );
  }
  const every = Math.max(1, Math.ceil(rounds / 8));
  for (let i = 0; i <= rounds - (last === "" ? 0 : Math.max(1, every / 2)); i += every)
    grid.push(h("text", { x: x(i), y: H - 8, class: "axis mid" }, String(i + 1)));
  if (last !== "") grid.push(h("text", { x: W - 2, y: H - 8, class: "axis end" }, last));
  const ends = apart(
    series.map((one) => y(one.points[one.points.length - 1] ?? 0)),
    16,
    TOP,
    H - BOTTOM,
  );
  return h(
    "div",
    { role: "img", "aria-label": name, class: "chart-frame" },
    picture(
      `0 0 ${W} ${H}`,
      "chart",
      ...grid,
      ...series.map((one, k) =>
        h(
          "g",
          { class: `p-${one.colour}` },
          h("polyline", {
            class: "track",
            points: one.points.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(" "),
          }),
          mark(one.colour, x(one.points.length - 1) + 9, ends[k] ?? 0, 7, { class: "shape" }),
        ),
      ),
    ),
  );
}
