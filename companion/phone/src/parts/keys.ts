/** Keys that several pages lay. */
import { h, type Kids, type Node } from "../dom";

/** A quiet one across the page. */
export const wide = (onclick: () => void, ...kids: Kids[]): Node =>
  h("button", { class: "button ghost wide", type: "button", onclick }, ...kids);
