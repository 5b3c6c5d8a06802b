/** Skyrise on a phone: my secrets first, then this auction and the islands. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { mark, picture, badge } from "../draw/shapes";
import { number } from "../words";

interface Site {
  id: string;
  island: string;
  faction: string;
  x: number;
  y: number;
  token?: string;
  piece?: { seat: number; where?: string; number?: number | null; height?: string };
}
interface Player {
  seat: number;
  rows?: Record<string, number>;
  commissions?: number;
  patrons?: string[];
  built?: { tall?: number; medium?: number; small?: number; wonders?: number };
}
interface Rise {
  era?: number;
  auction?: { number?: number; bids?: { seat: number; site: string; number?: number | null }[]; legal?: Record<string, string[]> };
  islands?: { id: string; place: string }[];
  sites?: Site[];
  bridges?: [string, string][];
  players?: Player[];
  panorama?: { card: string; reward: number }[];
  secret?: { objective?: string; hand?: string[]; chosen?: string[]; patrons?: Record<string, number> };
}

export function table(app: App): Node {
  const view = app.view as Rise;
  const seat = app.look ?? app.seat ?? app.prompt?.ask?.seat ?? 0;
  const player = (view.players ?? []).find((one) => one.seat === seat);
  return h("div", { class: "generic rise" },
    secrets(app, view), auction(app, view), islands(app, view), player ? holdings(app, player) : null, panorama(app, view));
}

/** Drawn from the private topic only; a spectator's page never has it. */
function secrets(app: App, view: Rise): Node | null {
  const mine = view.secret;
  if (mine === undefined) return null;
  const cards = (list: string[]): Node =>
    h("ul", { class: "cards" }, ...list.map((card) =>
      h("li", { key: card },
        h("p", { class: "strong" }, app.say(`skyrise/wonder/${card}`)), h("p", { class: "dim small" }, app.say(`skyrise/wonder-effect/${card}`)))));
  const rows: Node[] = [];
  if (mine.objective) rows.push(h("div", null, h("dt", null, app.say("skyrise/field/objective")), h("dd", null, app.say(`skyrise/faction/${mine.objective}`))));
  for (const [letter, value] of Object.entries(mine.patrons ?? {}))
    rows.push(h("div", null, h("dt", null, app.say("skyrise/field/patron", { letter })), h("dd", null, number(value))));
  return h("section", { class: "panel secret", "data-secret": "" },
    h("h2", null, app.say("phone/only-you")),
    rows.length > 0 ? h("dl", { class: "figures" }, ...rows) : null,
    (mine.hand ?? []).length > 0 ? cards(mine.hand ?? []) : null,
    (mine.chosen ?? []).length > 0 ? h("div", null, h("h2", null, app.say("skyrise/screen/locked")), cards(mine.chosen ?? [])) : null);
}

function auction(app: App, view: Rise): Node | null {
  const bids = view.auction?.bids ?? [];
  if (bids.length === 0) return null;
  return h("section", { class: "panel" },
    h("h2", null, app.say("skyrise/screen/auction")),
    h("ol", { class: "bids" }, ...bids.map((bid, i) =>
      h("li", { key: `${bid.seat}-${i}`, class: i === bids.length - 1 ? "last" : "" },
        badge(app.colourOf(bid.seat)), h("span", { class: "sr" }, app.nameOf(bid.seat)), h("span", { class: "total" }, bid.number === null || bid.number === undefined ? app.say("skyrise/piece/wonder") : number(bid.number))))));
}

const R = 46;
/** Where each island's middle lies; sites are given within their own island. */
const PLACES: Record<string, [number, number]> = {
  central: [0, 0], "north-west": [-300, -300], "north-east": [300, -300], "south-east": [300, 300], "south-west": [-300, 300],
};

function laid(view: Rise): Site[] {
  const all = view.sites ?? [];
  return (view.islands ?? []).flatMap(({ id, place }) => {
    const own = all.filter((one) => one.island === id);
    const middle = (of: number[]): number => (Math.min(...of) + Math.max(...of)) / 2;
    const [dx, dy] = PLACES[place] ?? [0, 0];
    const [x, y] = [middle(own.map((one) => one.x)), middle(own.map((one) => one.y))];
    return own.map((one) => ({ ...one, x: one.x - x + dx, y: one.y - y + dy }));
  });
}

/** Every neighbourhood as a disc: its faction's colour, what stands on it, and where a bid may go. */
function islands(app: App, view: Rise): Node | null {
  const sites = laid(view);
  if (sites.length === 0) return null;
  const xs = sites.map((one) => one.x);
  const ys = sites.map((one) => one.y);
  const [left, top] = [Math.min(...xs) - 60, Math.min(...ys) - 60];
  const open = new Set(Object.values(view.auction?.legal ?? {}).flat());
  const at = new Map(sites.map((one) => [one.id, one]));
  return h("div", { class: "panel map", role: "img", "aria-label": app.say("phone/rise/map", { n: sites.filter((one) => one.piece).length }) },
    picture(`${left} ${top} ${Math.max(...xs) + 60 - left} ${Math.max(...ys) + 60 - top}`, "islands",
      ...(view.bridges ?? []).map(([a, b]) => {
        const [from, to] = [at.get(a), at.get(b)];
        return from && to ? h("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, class: "bridge" }) : null;
      }),
      ...sites.map((one) => site(app, one, open.has(one.id)))));
}

function site(app: App, one: Site, open: boolean): Node {
  const piece = one.piece;
  const value = piece?.number;
  return h("g", { class: `site f-${one.faction} ${open ? "open" : ""}` },
    h("circle", { cx: one.x, cy: one.y, r: R, class: "ground" }),
    piece ? h("g", { class: `p-${app.colourOf(piece.seat)}` },
      mark(app.colourOf(piece.seat), one.x, one.y, 0.78 * R, { class: `shape ${piece.where === "built" ? "" : "bid"}` }),
      value === null || value === undefined ? null : h("text", { x: one.x, y: one.y + 13, class: "site-number" }, String(value))) : null);
}

function holdings(app: App, player: Player): Node {
  const rows = Object.entries(player.rows ?? {});
  const heights = (["tall", "medium", "small"] as const).map((height) => [height, player.built?.[height] ?? 0] as const);
  return h("section", { class: "panel" },
    h("h2", null, badge(app.colourOf(player.seat)), app.nameOf(player.seat)),
    h("dl", { class: "figures" },
      ...rows.map(([faction, count]) => h("div", { key: faction }, h("dt", null, app.say(`skyrise/faction/${faction}`)), h("dd", null, number(count)))),
      ...heights.map(([height, count]) => h("div", { key: height }, h("dt", null, app.say(`skyrise/height/${height}`)), h("dd", null, number(count)))),
      player.commissions ? h("div", null, h("dt", null, app.say("skyrise/form/commissions")), h("dd", null, number(player.commissions))) : null));
}

const panorama = (app: App, view: Rise): Node | null =>
  (view.panorama ?? []).length === 0 ? null
    : h("section", { class: "panel" }, h("h2", null, app.say("skyrise/field/panorama")),
        h("dl", { class: "figures" }, ...(view.panorama ?? []).map((one) =>
          h("div", { key: one.card }, h("dt", null, app.say(`skyrise/panorama/${one.card}`)), h("dd", null, number(one.reward))))));
