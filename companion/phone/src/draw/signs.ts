/** The six actions and the goods of Praga. */
import { h, type Node } from "../dom";
import { coinParts } from "./pieces";
import { picture } from "./shapes";

const poly = (x: number, y: number, r: number, name: string, corners: [number, number][]): Node =>
  h("polygon", {
    class: name,
    points: corners.map(([a, b]) => `${(x + a * r).toFixed(2)},${(y + b * r).toFixed(2)}`).join(" "),
  });

const stoneParts = (x: number, y: number, r: number): Node[] => [
  poly(x, y, r, "stone-body", [
    [-0.95, 0.62],
    [-0.72, -0.3],
    [-0.1, -0.72],
    [0.55, -0.55],
    [0.95, 0.1],
    [0.8, 0.62],
  ]),
  poly(x, y, r, "stone-light", [
    [-0.72, -0.3],
    [-0.1, -0.72],
    [0.1, -0.1],
    [-0.35, 0.15],
  ]),
];

function upgradeParts(x: number, y: number, r: number): Node[] {
  const corners = Array.from({ length: 6 }, (_, i): [number, number] => [
    0.92 * Math.sin((Math.PI * i) / 3),
    -0.92 * Math.cos((Math.PI * i) / 3),
  ]);
  return [
    h("polygon", {
      class: "sign-line",
      "stroke-width": (0.17 * r).toFixed(2),
      points: corners.map(([a, b]) => `${(x + a * r).toFixed(2)},${(y + b * r).toFixed(2)}`).join(" "),
    }),
    h("rect", { class: "sign", x: x - 0.09 * r, y: y - 0.2 * r, width: 0.18 * r, height: 0.66 * r }),
    poly(x, y, r, "sign", [
      [0, -0.58],
      [0.42, -0.08],
      [-0.42, -0.08],
    ]),
  ];
}

/** The sign of an action around a point, about 2r across, for use inside another picture. */
export function actionParts(name: string, x: number, y: number, r: number): Node[] {
  switch (name) {
    case "mines":
      return coinParts(null, x, y, 0.95 * r);
    case "quarries":
      return stoneParts(x, y, r);
    case "upgrade":
      return upgradeParts(x, y, r);
    case "wall":
      return [
        h("rect", { class: "sign", x: x - 0.92 * r, y: y - 0.15 * r, width: 1.84 * r, height: 0.9 * r }),
        ...[-1, 0, 1].map((i) =>
          h("rect", { class: "sign", x: x + (i * 0.7 - 0.24) * r, y: y - 0.72 * r, width: 0.48 * r, height: 0.7 * r }),
        ),
      ];
    case "building":
      return [
        poly(x, y, r, "sign", [
          [0, -0.92],
          [1, -0.02],
          [-1, -0.02],
        ]),
        h("rect", { class: "sign", x: x - 0.7 * r, y: y - 0.06 * r, width: 1.4 * r, height: 0.84 * r }),
      ];
    case "road":
      return [
        poly(x, y, r, "sign", [
          [-1, -0.55],
          [-0.45, 0],
          [0, -0.8],
          [0.45, 0],
          [1, -0.55],
          [0.82, 0.66],
          [-0.82, 0.66],
        ]),
      ];
    default:
      return [h("circle", { class: "sign-none", cx: x, cy: y, r: 0.3 * r })];
  }
}

export const action = (name: string): Node => picture("-11 -11 22 22", "action", ...actionParts(name, 0, 0, 9.5));
export const stone = (): Node => picture("-11 -11 22 22", "good", ...stoneParts(0, 0, 10));
export const egg = (): Node =>
  picture(
    "-11 -11 22 22",
    "good",
    h("path", { class: "egg", d: "M0-9.500C5-9.500 7.500-1 7.500 2.500a7.500 7 0 0 1-15 0C-7.500-1-5-9.500 0-9.500Z" }),
  );
/** A window: silver or gold frame, four panes. */
export const pane = (kind: "silver" | "gold"): Node =>
  picture(
    "-11 -11 22 22",
    `good window-${kind}`,
    h("path", { class: "window-frame", d: "M-7.500 9.500V-2A7.500 7.500 0 0 1 7.500-2V9.500Z" }),
    h("path", { class: "window-bars", d: "M0-9.500V9.500M-7.500 1.500H7.500" }),
  );
