/** Players are colour and shape; the pips of a die have its owner's shape. */
import { h, type Node, type Props } from "../dom";

export const SHAPES = {
  sun: "circle",
  leaf: "square",
  sky: "triangle",
  coral: "diamond",
  snow: "hexagon",
  plum: "cross",
} as const;
export type Colour = keyof typeof SHAPES;
export const COLOURS = Object.keys(SHAPES) as Colour[];

/** The colour word of a seat, whatever the table sent. */
export function colour(word: string | undefined, seat: number): Colour {
  return word !== undefined && word in SHAPES ? (word as Colour) : (COLOURS[seat % COLOURS.length] as Colour);
}

const points = (list: [number, number][]): string => list.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");

/** One shape of radius `r` around a point. */
export function mark(of: Colour, x: number, y: number, r: number, props: Props = {}): Node {
  const poly = (list: [number, number][]): Node =>
    h("polygon", { points: points(list.map(([px, py]) => [x + px * r, y + py * r])), ...props });
  switch (SHAPES[of]) {
    case "circle":
      return h("circle", { cx: x, cy: y, r: 0.92 * r, ...props });
    case "square":
      return h("rect", { x: x - 0.82 * r, y: y - 0.82 * r, width: 1.64 * r, height: 1.64 * r, ...props });
    case "triangle":
      return poly([
        [0, -1.06],
        [1.02, 0.74],
        [-1.02, 0.74],
      ]);
    case "diamond":
      return poly([
        [0, -1.12],
        [1, 0],
        [0, 1.12],
        [-1, 0],
      ]);
    case "hexagon":
      return poly([
        [-0.5, -0.87],
        [0.5, -0.87],
        [1, 0],
        [0.5, 0.87],
        [-0.5, 0.87],
        [-1, 0],
      ]);
    case "cross":
      return poly([
        [-0.36, -1],
        [0.36, -1],
        [0.36, -0.36],
        [1, -0.36],
        [1, 0.36],
        [0.36, 0.36],
        [0.36, 1],
        [-0.36, 1],
        [-0.36, 0.36],
        [-1, 0.36],
        [-1, -0.36],
        [-0.36, -0.36],
      ]);
  }
}

/** A picture without a name of its own: the words beside it say the same. */
export function picture(box: string, name: string, ...kids: (Node | Node[] | null)[]): Node {
  return h("svg", { viewBox: box, class: name, "aria-hidden": "true", focusable: "false" }, ...kids);
}

/** A player's shape as a small picture, in the player's colour. */
export const badge = (of: Colour, name = "badge"): Node =>
  picture("-12 -12 24 24", `${name} p-${of}`, mark(of, 0, 0, 10, { class: "shape" }));
