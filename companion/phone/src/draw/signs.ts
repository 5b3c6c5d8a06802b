/** The six actions and the goods of Praga. */
import { h, type Node } from "../dom";
import { coin, coinParts, line, star } from "./pieces";
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

const token = (kind: "red" | "blue"): Node =>
  picture("-11 -11 22 22", `good token-${kind}`, h("circle", { r: 9 }), h("circle", { class: "hole", r: 3 }));

/** A scholar's cap: the university. */
const cap = (): Node =>
  picture(
    "-11 -11 22 22",
    "good",
    h("rect", { class: "sign", x: -5, y: -1, width: 10, height: 6 }),
    poly(0, 0, 9.5, "sign", [
      [0, -0.8],
      [1.1, -0.25],
      [0, 0.3],
      [-1.1, -0.25],
    ]),
  );

/** A step along a row of the Hunger Wall or the Cathedral: what stands there above the way it goes. */
function step(building: "wall" | "cathedral"): Node {
  const side = building === "wall" ? -1 : 1;
  const towers = [-1, 1].flatMap((at) => [
    h("rect", { class: "sign", x: 4 * at - 2, y: -4, width: 4, height: 7.5 }),
    poly(4 * at, -4, 2.5, "sign", [
      [0, -2],
      [1, 0.1],
      [-1, 0.1],
    ]),
  ]);
  return picture(
    "-11 -11 22 22",
    "good",
    ...(building === "wall"
      ? actionParts("wall", 0, -2, 7)
      : [...towers, h("rect", { class: "sign", x: -3, y: -1, width: 6, height: 4.5 })]),
    h("path", { class: "way", d: `M${-8 * side} 7.500H${4 * side}` }),
    poly(0, 7.5, 1, "way-tip", [
      [9 * side, 0],
      [3 * side, -3.5],
      [3 * side, 3.5],
    ]),
  );
}

/** What a field counts, as it lies on the table; nothing where a word must do. */
export function counted(field: string): Node | null {
  switch (field.replace(/^(correct-|cost_|site_)/, "").replace(/-\d$/, "")) {
    case "points":
      return star();
    case "gold":
      return coin();
    case "stone":
      return stone();
    case "eggs":
      return egg();
    case "silver_windows":
      return pane("silver");
    case "gold_windows":
      return pane("gold");
    case "red":
      return token("red");
    case "blue":
      return token("blue");
    case "technology":
      return line("laboratory");
    case "university":
      return cap();
    case "wall_steps":
      return step("wall");
    case "cathedral_steps":
      return step("cathedral");
    case "mines":
    case "quarries":
    case "road":
      return action(field.replace(/^correct-/, "").replace(/-\d$/, ""));
    case "walls":
      return action("wall");
    case "upgrades":
      return action("upgrade");
    default:
      return null;
  }
}
