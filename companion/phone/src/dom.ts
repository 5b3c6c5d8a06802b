/** The page as a function of its state: a small tree of nodes, patched into the document. */

export type Kid = Node | string | number | null | undefined | false;
export type Kids = Kid | Kids[];
type Value = string | number | boolean | null | undefined | Record<string, string> | ((event: never) => void);
export type Props = Record<string, Value>;

export interface Node {
  tag: string;
  props: Props;
  kids: (Node | string)[];
  key?: string;
  el?: Element;
}

const SVG = "http://www.w3.org/2000/svg";

function flat(kids: Kids[], into: (Node | string)[]): (Node | string)[] {
  for (const kid of kids) {
    if (Array.isArray(kid)) flat(kid, into);
    else if (typeof kid === "number") into.push(String(kid));
    // What is not there now keeps its place: the button beside it stays itself, and keeps the focus, when it comes.
    else into.push(kid === null || kid === undefined || kid === false ? "" : kid);
  }
  return into;
}

/** One element. `key` keeps it itself when its neighbours change; `onclick` and the like are handlers. */
export function h(tag: string, props: Props | null = null, ...kids: Kids[]): Node {
  const { key, ...rest } = props ?? {};
  const node: Node = { tag, props: rest, kids: flat(kids, []) };
  if (key !== undefined && key !== null) node.key = String(key);
  return node;
}

function set(el: Element, name: string, value: Value, before: Value): void {
  if (name === "style") {
    const style = (el as HTMLElement).style;
    const next = (value ?? {}) as Record<string, string>;
    for (const old of Object.keys((before ?? {}) as object)) if (!(old in next)) style.removeProperty(old);
    // The content security policy forbids style attributes, not the style object.
    for (const [property, to] of Object.entries(next)) style.setProperty(property, to);
  } else if (name.startsWith("on") || name === "checked" || name === "indeterminate") {
    (el as unknown as Record<string, unknown>)[name] = value ?? (name.startsWith("on") ? null : false);
  } else if (name === "value") {
    const input = el as HTMLInputElement;
    // Half a number being typed is not yet ours: leave it until the value itself changes.
    if (value === before && input === document.activeElement) return;
    if (input.value !== String(value ?? "")) input.value = String(value ?? "");
  } else if (name === "born") {
    return;
  } else if (value === null || value === undefined || value === false) {
    el.removeAttribute(name);
  } else {
    el.setAttribute(name, value === true ? "" : String(value));
  }
}

function make(kid: Node | string, svg: boolean): ChildNode {
  if (typeof kid === "string") return document.createTextNode(kid);
  const inside = svg || kid.tag === "svg";
  const el = inside ? document.createElementNS(SVG, kid.tag) : document.createElement(kid.tag);
  kid.el = el;
  for (const child of kid.kids) el.append(make(child, inside));
  for (const [name, value] of Object.entries(kid.props)) set(el, name, value, undefined);
  if (typeof kid.props.born === "function") {
    const born = kid.props.born as (el: Element) => void;
    queueMicrotask(() => born(el));
  }
  return el;
}

const same = (a: Node | string | undefined, b: Node | string): boolean =>
  typeof a === "string" || typeof b === "string" || a === undefined
    ? typeof a === typeof b
    : a.tag === b.tag && a.key === b.key;

function patchNode(el: Element, before: Node, after: Node): void {
  if (before === after) return;
  after.el = el;
  for (const name of Object.keys(before.props))
    if (!(name in after.props)) set(el, name, undefined, before.props[name]);
  for (const [name, value] of Object.entries(after.props))
    if (value !== before.props[name] || name === "value" || name === "checked")
      set(el, name, value, before.props[name]);
  patchKids(el, before.kids, after.kids, el.namespaceURI === SVG);
}

function patchKids(el: Element, before: (Node | string)[], after: (Node | string)[], svg: boolean): void {
  const keyed = new Map<string, { node: Node; el: ChildNode }>();
  const standing = [...el.childNodes];
  before.forEach((kid, i) => {
    if (typeof kid !== "string" && kid.key !== undefined)
      keyed.set(kid.key, { node: kid, el: standing[i] as ChildNode });
  });
  const used = new Set<ChildNode>();
  const next: ChildNode[] = after.map((kid, i) => {
    let old = before[i];
    let there = standing[i];
    if (typeof kid !== "string" && kid.key !== undefined) {
      const known = keyed.get(kid.key);
      old = known?.node;
      there = known?.el;
    } else if (typeof old === "object" && old.key !== undefined) {
      old = undefined;
    }
    if (there === undefined || old === undefined || used.has(there) || !same(old, kid)) return make(kid, svg);
    used.add(there);
    if (typeof kid === "string") {
      if (old !== kid) there.nodeValue = kid;
    } else patchNode(there as Element, old as Node, kid);
    return there;
  });
  for (const child of standing) if (!used.has(child)) child.remove();
  next.forEach((child, i) => {
    if (el.childNodes[i] !== child) el.insertBefore(child, el.childNodes[i] ?? null);
  });
}

/** Bring `root` from the tree it shows to the next one; gives that tree back for the next time. */
export function patch(root: Element, before: Node[], after: Node[]): Node[] {
  patchKids(root, before, after, false);
  return after;
}

/** Drawn once however much has changed; a hidden page gets no frames and has to be right all the same. */
export function inFrame(paint: () => void): () => void {
  let due = false;
  const now = (): void => {
    if (!due) return;
    due = false;
    paint();
  };
  return () => {
    if (due) return;
    due = true;
    requestAnimationFrame(now);
    setTimeout(now, 120);
  };
}
