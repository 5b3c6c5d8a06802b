/** The chronometer: build value under the keystone, prices on the frame, faces on the dial. */
import { h, type Node } from "../dom";
import { at, R, xy } from "./circle";
import { coinParts, dieParts } from "./pieces";
import { picture } from "./shapes";
import type { Dial } from "../shown/skytopia";

function teeth(): string {
  return Array.from({ length: 36 }, (_, i) => i * 10)
    .map((a) => `M${xy(a - 3.1, 0.945)}L${xy(a - 2.1, 1)}L${xy(a + 2.1, 1)}L${xy(a + 3.1, 0.945)}Z`)
    .join("");
}

/** A wedge between two radii, `half` degrees to each side of the top. */
const wedge = (half: number, inner: number, outer: number, wider = half): string =>
  `M${xy(-half, inner)}A${inner * R} ${inner * R} 0 0 1 ${xy(half, inner)}L${xy(wider, outer)}A${outer * R} ${outer * R} 0 0 0 ${xy(-wider, outer)}Z`;

export function ring(dial: Dial, round: number, sure = true): Node {
  const step = 360 / Math.max(1, dial.faces.length);
  const spokes = dial.faces.map((_, i) => `M${xy(step * (i + 0.5), 0.33)}L${xy(step * (i + 0.5), 0.7)}`).join("");
  return picture(
    "-104 -110 208 214",
    `ring ${sure ? "" : "unsure"}`,
    h("path", { d: teeth(), class: "teeth" }),
    h("circle", { r: 0.95 * R, class: "brass-disc" }),
    h("circle", { r: 0.925 * R, class: "channel" }),
    h("circle", { r: 0.735 * R, class: "brass-rim" }),
    h("circle", { r: 0.715 * R, class: "dial" }),
    h("path", { d: wedge(30, 0.31, 0.715), class: "beam" }),
    h("path", { d: spokes, class: "spokes" }),
    ...dial.prices.map((price, i) => {
      const [x, y] = at(step * i, 0.83);
      return price === null ? null : h("g", null, coinParts(price, x, y, 0.125 * R));
    }),
    h("path", { d: wedge(17, 0.7, 1.045, 18), class: "keystone" }),
    h("path", { d: "M-7-78h14l-2-5h-10zM-5.500-84h11l-1.500-6h-8zM-6.500-91h13L0-99z", class: "keystone-sign" }),
    ...dial.faces.map((face, i) => {
      const [x, y] = at(step * i, 0.52);
      const top = i === 0;
      return h(
        "g",
        { class: `face p-ivory ${top ? "build" : ""}` },
        dieParts("sun", face, x, y, (top ? 0.275 : 0.245) * R),
      );
    }),
    h("circle", { r: 0.3 * R, class: "hub" }),
    h("text", { y: 0.115 * R, "font-size": 0.33 * R, class: "hub-number" }, sure ? String(round) : "?"),
  );
}
