/** Dice, coins, stars and the small signs beside choices. */
import { h, type Node } from "../dom";
import { mark, picture, type Colour } from "./shapes";

const PIPS: Record<number, [number, number][]> = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
};

/** The parts of a die of side `s` around a point, for use inside another picture. */
export function dieParts(of: Colour, face: number, x: number, y: number, s: number, glow = false): Node[] {
  const square = (dy: number, name: string): Node =>
    h("rect", { x: x - s / 2, y: y - s / 2 + dy, width: s, height: s, rx: 0.2 * s, class: name });
  const ring = 0.59 * s;
  return [
    ...(glow
      ? [
          h("rect", {
            x: x - ring,
            y: y - ring,
            width: 2 * ring,
            height: 2 * ring,
            rx: 0.27 * s,
            class: "glow",
            "stroke-width": 0.06 * s,
          }),
        ]
      : []),
    square(0.07 * s, "lip"),
    square(0, "body"),
    ...(PIPS[face] ?? []).map(([dx, dy]) =>
      mark(of, x + dx * 0.27 * s, y + dy * 0.27 * s, (of === "sun" || of === "leaf" ? 0.115 : 0.125) * s, {
        class: "pip",
      }),
    ),
  ];
}

export const die = (of: Colour, face: number, glow = false): Node =>
  picture("-60 -60 120 124", `die p-${of}`, dieParts(of, face, 0, 0, 92, glow));

/** A coin with a number on it, or with the bar that stands for "coins". */
export function coinParts(value: number | null, x: number, y: number, r: number): Node[] {
  return [
    h("circle", { cx: x, cy: y, r, class: "coin-rim" }),
    h("circle", { cx: x, cy: y - 0.06 * r, r: 0.94 * r, class: "coin-body" }),
    h("circle", { cx: x, cy: y - 0.06 * r, r: 0.74 * r, class: "coin-face" }),
    value === null
      ? h("rect", {
          x: x - 0.15 * r,
          y: y - 0.38 * r,
          width: 0.3 * r,
          height: 0.64 * r,
          rx: 0.08 * r,
          class: "coin-bar",
        })
      : h("text", { x, y: y + 0.34 * r, "font-size": 1.12 * r, class: "coin-number" }, String(value)),
  ];
}

export const coin = (): Node => picture("-12 -12 24 24", "coin", coinParts(null, 0, 0, 11));

export function star(): Node {
  const corners = Array.from({ length: 10 }, (_, i) => {
    const r = i % 2 === 0 ? 10 : 4.6;
    const a = (Math.PI * i) / 5;
    return `${(r * Math.sin(a)).toFixed(2)},${(-r * Math.cos(a)).toFixed(2)}`;
  });
  return picture("-12 -12 24 24", "star", h("polygon", { points: corners.join(" "), "stroke-linejoin": "round" }));
}

/** Line drawings on a 24-unit grid. */
const LINES: Record<string, string> = {
  undo: "M9 7 4 11.5 9 16M4.5 11.5H14a5 4.5 0 0 1 0 9h-3",
  more: "M5 7h14M5 12h14M5 17h14",
  close: "M6 6l12 12M18 6 6 18",
  share: "M12 15V4M7.5 8 12 3.5 16.5 8M5 13v7h14v-7",
  chart: "M4 4v16h16M7 15l4-5 3 3 5-7",
  away: "M3 8c5-5 13-5 18 0M6.5 12c3-3 8-3 11 0M10 16c1-1 3-1 4 0M4 4l16 16",
  eye: "M2 12c5-8 15-8 20 0-5 8-15 8-20 0M12 9a3 3 0 1 0 .01 0",
  phone: "M8 3h8v18H8zM11 18h2",
  hand: "M8 13V6a1.5 1.5 0 0 1 3 0v5-7a1.5 1.5 0 0 1 3 0v7-5a1.5 1.5 0 0 1 3 0v8c0 4-2 7-5.500 7S7 19 5 14.500c-.8-2 1.500-3 3-1.500",
  crown: "M4 8l4 4 4-7 4 7 4-4-1.500 10h-13z",
  tick: "M5 12.500 10 17.500 19 7",
  minus: "M6 12h12",
  plus: "M6 12h12M12 6v12",
  left: "M20 12H5M10 7l-5 5 5 5",
  move: "M4 12h15M14 7l5 5-5 5",
  place: "M12 20V5M7 10l5-5 5 5",
  rotate: "M5 14a7 7 0 1 1 13 2M18.500 11v5.500H13",
  add: "M6 12h12M12 6v12",
  repeat: "M8 8h9v12H8zM8 16H5V4h9v4",
  row: "M3 7h5v10H3zM9.500 7h5v10h-5zM16 7h5v10h-5z",
  laboratory: "M9 4h6M10 4v6L5 19h14l-5-9V4",
};

export const line = (name: string): Node => picture("0 0 24 24", "line", h("path", { d: LINES[name] ?? "" }));
