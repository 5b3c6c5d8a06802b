/** Towers and crests. */
import { h, type Node } from "../dom";
import { picture } from "./shapes";

export const TOWERS = ["blue", "gold", "red", "violet"] as const;
const FLAME =
  "0,-1.08 .3,-.62 .62,-.22 .76,.22 .62,.66 .34,.92 0,1 -.34,.92 -.62,.66 -.76,.26 -.62,-.14 -.36,-.02 -.22,-.46";

const poly = (text: string, x: number, y: number, r: number, name: string): Node =>
  h("polygon", {
    class: name,
    points: text
      .split(" ")
      .map((pair) => {
        const [px = 0, py = 0] = pair.split(",").map(Number);
        return `${(x + px * r).toFixed(2)},${(y + py * r).toFixed(2)}`;
      })
      .join(" "),
  });

function cog(x: number, y: number, r: number): Node[] {
  const corners: string[] = [];
  for (let i = 0; i < 8; i += 1) {
    for (const [turn, reach] of [
      [-22, 0.74],
      [-12, 0.74],
      [-9, 1],
      [9, 1],
      [12, 0.74],
      [22, 0.74],
    ] as const) {
      const a = ((45 * i + turn) * Math.PI) / 180;
      corners.push(`${(x + reach * r * Math.sin(a)).toFixed(2)},${(y - reach * r * Math.cos(a)).toFixed(2)}`);
    }
  }
  return [
    h("polygon", { points: corners.join(" "), class: "crest" }),
    h("circle", { cx: x, cy: y, r: 0.32 * r, class: "crest-hole" }),
  ];
}

/** One of the four crests, of radius `r` around a point, in ivory or ink by its tower. */
export function crestParts(id: string, x: number, y: number, r: number): Node[] {
  const path = (d: string): Node => h("path", { d, class: "crest" });
  switch (id) {
    case "C1":
      return cog(x, y, r);
    case "C2":
      return [
        h("ellipse", { cx: x - 0.06 * r, cy: y - 0.2 * r, rx: 0.98 * r, ry: 0.5 * r, class: "crest" }),
        poly(".62,-.2 1.08,-.68 1.08,.28", x, y, r, "crest"),
        h("rect", { x: x - 0.48 * r, y: y + 0.36 * r, width: 0.84 * r, height: 0.34 * r, rx: 0.1 * r, class: "crest" }),
      ];
    case "C3":
      return [
        poly(FLAME, x, y, r, "crest"),
        poly(".04,-.08 .3,.32 .22,.64 0,.74 -.22,.64 -.28,.36", x, y, r, "crest-hole"),
      ];
    case "C4":
      return [
        path(
          `M${x + 0.5 * r} ${y - 0.87 * r}A${r} ${r} 0 1 0 ${x + 0.5 * r} ${y + 0.87 * r}A${0.78 * r} ${0.78 * r} 0 1 1 ${x + 0.5 * r} ${y - 0.87 * r}Z`,
        ),
      ];
    default:
      return [];
  }
}

export const crest = (id: string, tower = ""): Node =>
  picture("-12 -12 24 24", `crest-sign ${tower === "" ? "" : `t-${tower}`}`, crestParts(id, 0, 0, 10));

function roof(of: string, w: number, top: number): Node[] {
  const x = 50;
  switch (of) {
    case "blue":
      return [
        h("polygon", { class: "roof", points: `${x - 0.56 * w},${top} ${x + 0.56 * w},${top} ${x},${top - 0.55 * w}` }),
      ];
    case "gold":
      return [
        h("path", {
          class: "roof",
          d: `M${x - 0.52 * w} ${top}A${0.52 * w} ${0.46 * w} 0 0 1 ${x + 0.52 * w} ${top}Z`,
        }),
      ];
    case "red":
      return [
        h("rect", { class: "roof", x: x - 0.56 * w, y: top - 0.18 * w, width: 1.12 * w, height: 0.18 * w }),
        ...[-0.42, 0, 0.42].map((dx) =>
          h("rect", { class: "roof", x: x + dx * w - 0.14 * w, y: top - 0.44 * w, width: 0.28 * w, height: 0.27 * w }),
        ),
      ];
    default:
      return [
        h("rect", { class: "roof", x: x - 0.56 * w, y: top - 0.14 * w, width: 1.12 * w, height: 0.14 * w }),
        h("circle", { class: "roof", cx: x, cy: top - 0.34 * w, r: 0.22 * w }),
      ];
  }
}

/** A tower from its base crest upwards; it shrinks when it grows past `room` blocks. */
export function tower(of: string, crests: string[], room = 5): Node {
  const height = 150;
  const u = Math.min(26, (height - 30) / Math.max(crests.length, room));
  const w = 46;
  const blocks = crests.map((id, i) => {
    const y = height - (i + 1) * u;
    const base = i === 0;
    return [
      base
        ? h("polygon", {
            class: "wall",
            points: `${50 - 0.58 * w},${y + u} ${50 + 0.58 * w},${y + u} ${50 + w / 2},${y} ${50 - w / 2},${y}`,
          })
        : h("rect", { class: "wall", x: 50 - w / 2, y, width: w, height: u }),
      base ? null : h("line", { class: "joint", x1: 50 - w / 2, x2: 50 + w / 2, y1: y + u, y2: y + u }),
      ...(u >= 13 ? crestParts(id, 50, y + u / 2, 0.34 * u) : []),
    ].filter((part): part is Node => part !== null);
  });
  const top = height - crests.length * u;
  return picture(`0 0 100 ${height}`, `tower t-${of}`, ...blocks, roof(of, w, top));
}
