/** Skyrise on a phone: my bid with lit sites and my numbers, this auction, my secrets, what I have built. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { building, faction, type Piece } from "../draw/rise";
import { badge } from "../draw/shapes";
import { star } from "../draw/pieces";
import { number } from "../words";
import type { Ask, Choice, Form } from "../wire";
import { compass, map, siteNames, type Touch } from "./islands";

export interface Site {
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
  surplus?: number;
  patrons?: string[];
  keys?: string[];
  available?: Piece[];
  built?: { tall?: number; medium?: number; small?: number; wonders?: number };
}
export interface Rise {
  era?: number;
  auction?: {
    number?: number;
    bids?: (Piece & { seat: number; site: string })[];
    passed?: { seat: number }[];
    legal?: Record<string, string[]>;
  };
  islands?: { id: string; place: string }[];
  sites?: Site[];
  bridges?: [string, string][];
  borders?: [string, string][];
  players?: Player[];
  panorama?: { card: string; reward: number }[];
  secret?: { objective?: string; hand?: string[]; chosen?: string[]; patrons?: Record<string, number> };
}

const BIDDING = new Set(["open", "bid"]);

/** My form, when the question is which piece goes where. */
export function bidding(app: App, ask: Ask | null): Form | null {
  if (app.state?.game !== "skyrise" || ask === null || !app.mayAnswer(ask) || !BIDDING.has(ask.phase ?? "")) return null;
  return ask.form ?? null;
}

/** What I have picked for this row of the game: a piece, and a site it may go to. */
function picked(app: App): { piece: string | null; site: string | null } {
  const legal = (app.view as Rise).auction?.legal ?? {};
  const kept = app.bid?.seq === app.state?.seq ? app.bid : null;
  const piece = kept?.piece && kept.piece in legal ? kept.piece : (Object.keys(legal)[0] ?? null);
  const sites = piece === null ? [] : (legal[piece] ?? []);
  const site = kept?.site && sites.includes(kept.site) ? kept.site : sites.length === 1 ? (sites[0] ?? null) : null;
  return { piece, site };
}

function pick(app: App, part: { piece?: string; site?: string }): void {
  app.bid = { ...picked(app), ...part, seq: app.state?.seq };
  app.draw();
}

export function table(app: App, ask: Ask | null): Node {
  const view = app.view as Rise;
  const seat = app.look ?? app.seat ?? ask?.seat ?? 0;
  const player = (view.players ?? []).find((one) => one.seat === seat);
  const form = bidding(app, ask);
  const now = picked(app);
  const sites = form === null ? Object.values(view.auction?.legal ?? {}).flat() : now.piece === null ? [] : (view.auction?.legal?.[now.piece] ?? []);
  const touch: Touch = {
    lit: new Set(sites), chosen: form === null ? null : now.site, pick: form === null ? null : (site) => pick(app, { site }),
    names: siteNames(form?.fields.find((field) => field.id === "site")),
  };
  const parts = {
    numbers: form === null ? null : numbers(app, view, ask),
    board: (view.sites ?? []).length === 0 ? null : h("section", { class: "panel rise-map", key: "board" }, h("div", { class: "auction-row" }, auction(app, view), compass(app, view, touch.lit)), map(app, view, touch)),
    secrets: secrets(app, view),
  };
  const order = form === null ? [parts.secrets, parts.board] : [parts.numbers, parts.board, parts.secrets];
  return h("div", { class: "generic rise" }, ...order, player ? holdings(app, player) : null, panorama(app, view));
}

/** My available pieces: those that may be bid, and those that may not with the reason. */
function numbers(app: App, view: Rise, ask: Ask | null): Node {
  const legal = view.auction?.legal ?? {};
  const mine = (view.players ?? []).find((one) => one.seat === app.seat)?.available ?? [];
  const why = new Map((ask?.choices ?? []).filter((choice) => choice.group === "pieces").map((choice): [string, Choice] => [choice.id, choice]));
  const chosen = picked(app).piece;
  const of = app.seat === null ? "sun" : app.colourOf(app.seat);
  const name = (one: Piece): string => (one.number ? number(one.number) : app.say("skyrise/piece/wonder"));
  const barred = new Map<string, string[]>();
  for (const one of mine) {
    const off = why.get(one.piece ?? "")?.off;
    if (off) barred.set(app.say(off), [...(barred.get(app.say(off)) ?? []), name(one)]);
  }
  return h("section", { class: "panel", key: "numbers" },
    h("h2", null, app.say("phone/rise/my-numbers")),
    h("ul", { class: "pieces" }, ...mine.filter((one) => (one.piece ?? "") in legal).map((one) => {
      const id = one.piece ?? "";
      const size = one.height ? app.say(`skyrise/height/${one.height}`) : "";
      return h("li", { key: id },
        h("button", {
          type: "button", class: "choice piece-key", "data-piece": id, "aria-pressed": chosen === id ? "true" : "false",
          "aria-label": [name(one), size].filter((part) => part !== "").join(", "), onclick: () => pick(app, { piece: id }),
        }, building(of, one), h("span", { class: one.number ? "total" : "small" }, name(one))));
    })),
    ...[...barred].map(([reason, list]) => h("p", { class: "barred small", key: reason }, h("span", { class: "why" }, reason), ` ${list.join(" \u00b7 ")}`)));
}

/** The one button that bids; it says what is still missing. */
export function bidButton(app: App, form: Form): Node {
  const { piece, site } = picked(app);
  const chosen = ((app.view as Rise).players ?? []).find((one) => one.seat === app.seat)?.available?.find((one) => one.piece === piece);
  const ready = piece !== null && site !== null;
  const name = chosen?.number ? number(chosen.number) : app.say("skyrise/piece/wonder");
  return h("button", {
    type: "button", class: `button primary wide ${app.isPressed("form") ? "pending" : ""} ${ready ? "" : "unready"}`, "data-choice": "form", "aria-disabled": !ready || app.busy ? "true" : null,
    onclick: () => { if (ready) app.move({ ...form.move, values: { piece, site } }, "form"); },
  }, ready ? app.say("phone/rise/bid", { piece: name }) : app.say("phone/rise/touch-site"));
}

/** Drawn from the private topic only; a spectator's page never has it. */
function secrets(app: App, view: Rise): Node | null {
  const mine = view.secret;
  if (mine === undefined) return null;
  const cards = (list: string[]): Node =>
    h("ul", { class: "cards" }, ...list.map((card) =>
      h("li", { key: card },
        h("p", { class: "strong" }, star(), app.say(`skyrise/wonder/${card}`)), h("p", { class: "dim small" }, app.say(`skyrise/wonder-effect/${card}`)))));
  const rows: Node[] = [];
  if (mine.objective) rows.push(h("div", null, h("dt", null, app.say("skyrise/field/objective")), h("dd", { class: "with-sign" }, faction(mine.objective), app.say(`skyrise/faction/${mine.objective}`))));
  for (const [letter, value] of Object.entries(mine.patrons ?? {}))
    rows.push(h("div", null, h("dt", null, app.say("skyrise/field/patron", { letter })), h("dd", null, number(value))));
  return h("section", { class: "panel secret", "data-secret": "", key: "secret" },
    h("h2", null, app.say("phone/only-you")),
    rows.length > 0 ? h("dl", { class: "figures" }, ...rows) : null,
    (mine.hand ?? []).length > 0 ? cards(mine.hand ?? []) : null,
    (mine.chosen ?? []).length > 0 ? h("div", null, h("h2", null, app.say("skyrise/screen/locked")), cards(mine.chosen ?? [])) : null);
}

/** The bids of this auction, the highest first, and who has passed. */
function auction(app: App, view: Rise): Node {
  const bids = [...(view.auction?.bids ?? [])].reverse();
  const best = new Map<number, (typeof bids)[number]>();
  for (const bid of bids) if (!best.has(bid.seat)) best.set(bid.seat, bid);
  const passed = new Set((view.auction?.passed ?? []).map((one) => one.seat));
  return h("div", { class: "auction" },
    h("h2", null, app.say("skyrise/screen/auction")),
    best.size === 0 && passed.size === 0 ? h("p", { class: "dim small" }, app.say("phone/rise/no-bid")) : null,
    h("ol", { class: "bids" }, ...[...best.values()].map((bid, i) =>
      h("li", { key: bid.seat, class: `${i === 0 ? "last" : ""} ${passed.has(bid.seat) ? "passed" : ""}` },
        badge(app.colourOf(bid.seat)), h("span", { class: "who" }, app.nameOf(bid.seat)),
        h("span", { class: bid.number ? "total" : "small" }, bid.number ? number(bid.number) : app.say("skyrise/piece/wonder")))),
      ...[...passed].filter((seat) => !best.has(seat)).map((seat) =>
        h("li", { key: `passed-${seat}`, class: "passed" }, badge(app.colourOf(seat)), h("span", { class: "who" }, app.nameOf(seat)), h("span", { class: "small" }, app.say("phone/rise/passed"))))));
}

function holdings(app: App, player: Player): Node {
  const rows = Object.entries(player.rows ?? {});
  const of = app.colourOf(player.seat);
  const heights = (["tall", "medium", "small"] as const).map((height) => [height, player.built?.[height] ?? 0] as const);
  return h("section", { class: "panel", key: "holdings" },
    h("h2", null, badge(of), app.nameOf(player.seat)),
    h("dl", { class: "figures three" },
      ...rows.map(([name, count]) => h("div", { key: name }, h("dt", null, app.say(`skyrise/faction/${name}`)), h("dd", { class: "with-sign" }, faction(name), number(count)))),
      ...heights.map(([height, count]) => h("div", { key: height }, h("dt", null, app.say(`skyrise/height/${height}`)), h("dd", { class: "with-sign" }, building(of, { height, number: 1 }), number(count)))),
      player.commissions ? h("div", { key: "commissions" }, h("dt", null, app.say("skyrise/form/commissions")), h("dd", null, number(player.commissions))) : null));
}

const panorama = (app: App, view: Rise): Node | null =>
  (view.panorama ?? []).length === 0 ? null
    : h("section", { class: "panel", key: "panorama" }, h("h2", null, app.say("skyrise/field/panorama")),
        h("dl", { class: "figures" }, ...(view.panorama ?? []).map((one) =>
          h("div", { key: one.card }, h("dt", null, app.say(`skyrise/panorama/${one.card}`)), h("dd", null, number(one.reward))))));
