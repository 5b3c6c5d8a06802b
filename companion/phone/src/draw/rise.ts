/** Skyrise's things: neighbourhoods, factions, tokens, buildings, wonders and bids. */
import { h, type Node } from "../dom";
import { mark, picture, type Colour } from "./shapes";

export interface Piece {
  piece?: string;
  number?: number | null;
  height?: string;
  card?: string;
}

const HEIGHT: Record<string, number> = { small: 0.62, medium: 0.86, tall: 1.12 };
const poly = (x: number, y: number, r: number, name: string, corners: [number, number][]): Node =>
  h("polygon", {
    class: name,
    points: corners.map(([a, b]) => `${(x + a * r).toFixed(1)},${(y + b * r).toFixed(1)}`).join(" "),
  });

const round = (degrees: number, reach: number): [number, number] => {
  const a = (degrees * Math.PI) / 180;
  return [reach * Math.sin(a), -reach * Math.cos(a)];
};

/** A neighbourhood, standing on its corner. */
export const hex = (x: number, y: number, r: number, name: string): Node =>
  poly(
    x,
    y,
    r,
    name,
    [0, 60, 120, 180, 240, 300].map((a) => round(a, 1)),
  );

/** A faction's sign: book, leaf, palette or cog. */
export function factionParts(name: string, x: number, y: number, r: number): Node[] {
  const sign = `faction f-${name}`;
  switch (name) {
    case "yellow":
      return [-0.92, 0.08].map((dx) =>
        h("rect", { class: sign, x: x + dx * r, y: y - 0.66 * r, width: 0.84 * r, height: 1.32 * r, rx: 0.1 * r }),
      );
    case "green":
      return [
        poly(x, y, r, sign, [
          [0, -1],
          [0.62, -0.3],
          [0.5, 0.4],
          [0, 0.78],
          [-0.5, 0.4],
          [-0.62, -0.3],
        ]),
        h("rect", { class: "faction-hole", x: x - 0.065 * r, y: y - 0.3 * r, width: 0.13 * r, height: 1.28 * r }),
      ];
    case "brown":
      return [
        ...Array.from({ length: 8 }, (_, i) =>
          poly(x, y, r, sign, [
            round(45 * i - 14, 0.7),
            round(45 * i - 10, 1),
            round(45 * i + 10, 1),
            round(45 * i + 14, 0.7),
          ]),
        ),
        h("circle", { class: sign, cx: x, cy: y, r: 0.74 * r }),
        h("circle", { class: "faction-hole", cx: x, cy: y, r: 0.32 * r }),
      ];
    default:
      return [
        h("ellipse", { class: sign, cx: x, cy: y, rx: r, ry: 0.74 * r }),
        ...(
          [
            [-0.5, -0.1, 0.15],
            [-0.12, -0.38, 0.14],
            [0.34, -0.3, 0.14],
            [0.48, 0.18, 0.2],
          ] as const
        ).map(([dx, dy, size]) => h("circle", { class: "faction-hole", cx: x + dx * r, cy: y + dy * r, r: size * r })),
      ];
  }
}

export const faction = (name: string): Node =>
  picture("-12 -12 24 24", "faction-sign", ...factionParts(name, 0, 0, 10));

/** A lake's waves, an airship, a windmill's sails. */
export function featureParts(kind: string, x: number, y: number): Node[] {
  if (kind === "lake")
    return [-4, 3].map((dy) => h("path", { class: "feature-line", d: `M${x - 8} ${y + dy}q4 -4 8 0t8 0` }));
  if (kind === "airship")
    return [
      h("ellipse", { class: "feature-ink", cx: x - 1, cy: y - 2, rx: 8, ry: 4.5 }),
      h("rect", { class: "feature-ink", x: x - 4, y: y + 4, width: 6, height: 3 }),
    ];
  return [45, 135].map((turn) => {
    const [dx, dy] = round(turn, 8);
    return h("line", { class: "feature-line", x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy });
  });
}

/** A token as it lies on a neighbourhood: a faction's, a patron's letter, a wild or a commission. */
export function tokenParts(name: string, x: number, y: number, r: number): Node[] {
  if (name === "" || name === "?" || name === "none") return [];
  const disc = (kind: string): Node => h("circle", { class: kind, cx: x, cy: y, r });
  if (name === "wild") {
    const wedge = (i: number): string =>
      [0, 30, 60, 90]
        .map((a) => round(90 * i + a, r))
        .map(([a, b]) => `${(x + a).toFixed(1)} ${(y + b).toFixed(1)}`)
        .join("L");
    return [
      disc("token-rim"),
      ...["yellow", "green", "white", "brown"].map((of, i) =>
        h("path", { class: `faction f-${of}`, d: `M${x} ${y}L${wedge(i)}Z` }),
      ),
    ];
  }
  if (name === "commission") {
    const corners = Array.from({ length: 10 }, (_, i) => round(36 * i, i % 2 === 0 ? 0.72 : 0.33));
    return [disc("token-brass"), poly(x, y, r, "token-star", corners)];
  }
  if (/^[A-D]$/.test(name))
    return [disc("token-patron"), h("text", { class: "token-letter", x, y: y + 0.36 * r, "font-size": r }, name)];
  return [disc("token-rim"), h("circle", { class: `faction f-${name}`, cx: x, cy: y, r: 0.8 * r })];
}

/** A building in its owner's colour with the owner's shape; a wonder is a stepped spire. */
export function pieceParts(of: Colour, piece: Piece, x: number, y: number, r: number): Node[] {
  const ink = mark(
    of,
    x - 0.02 * r,
    y + (piece.height ? (HEIGHT[piece.height] ?? 0.86) : 0.98) * r - 0.42 * r,
    0.25 * r,
    { class: "ink" },
  );
  if (!piece.number) {
    return [
      ...(
        [
          [1.5, 0.62],
          [1.1, 0.2],
          [0.72, -0.22],
        ] as const
      ).flatMap(([w, dy]) => [
        h("rect", { class: "body-plain", x: x - (w * r) / 2, y: y + dy * r, width: w * r, height: 0.46 * r }),
        h("rect", { class: "side", x: x + 0.08 * r, y: y + dy * r, width: (w * r) / 2 - 0.08 * r, height: 0.46 * r }),
      ]),
      poly(x, y, r, "body-plain", [
        [0, -0.95],
        [0.26, -0.22],
        [-0.26, -0.22],
      ]),
      ink,
    ];
  }
  const half = HEIGHT[piece.height ?? ""] ?? 0.86;
  const [top, roof, w] = [-half, 0.38, 0.49];
  return [
    h("rect", {
      class: "body-plain",
      x: x - w * r,
      y: y + (top + roof) * r,
      width: 2 * w * r,
      height: (2 * half - roof) * r,
    }),
    h("rect", {
      class: "side",
      x: x + 0.06 * r,
      y: y + (top + roof) * r,
      width: (w - 0.06) * r,
      height: (2 * half - roof) * r,
    }),
    poly(x, y, r, "body-plain", [
      [0, top],
      [w + 0.1, top + roof],
      [-w - 0.1, top + roof],
    ]),
    poly(x, y, r, "side", [
      [0, top],
      [w + 0.1, top + roof],
      [0, top + roof],
    ]),
    ink,
  ];
}

export const building = (of: Colour, piece: Piece): Node =>
  picture(
    "-14 -26 28 52",
    `piece p-${of}`,
    ...pieceParts(of, piece, 0, piece.number ? 22 * (1.12 - (HEIGHT[piece.height ?? ""] ?? 0.86)) : 0, 22),
  );

/** A bid: a disc with its number and its owner's shape; the last one has a ring. */
export function bidParts(of: Colour, piece: Piece, x: number, y: number, r: number, last: boolean): Node[] {
  return [
    last ? h("circle", { class: "bid-ring", cx: x, cy: y, r: 1.16 * r, "stroke-width": 0.09 * r }) : h("g"),
    h("circle", { class: "side", cx: x, cy: y + 0.06 * r, r }),
    h("circle", { class: "body-plain", cx: x, cy: y - 0.02 * r, r: 0.97 * r }),
    piece.number || !piece.card // without either, only the camera saw it
      ? h("text", { class: "bid-number", x, y: y + 0.2 * r, "font-size": 0.86 * r }, String(piece.number || "?"))
      : h("g", null, pieceParts(of, piece, x, y - 0.2 * r, 0.5 * r)),
    mark(of, x, y + 0.6 * r, 0.17 * r, { class: "ink" }),
  ];
}
