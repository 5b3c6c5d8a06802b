/** Skyrise on a phone: my bid with lit sites and my numbers, this auction, my secrets, what I have built. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { building, faction } from "../draw/rise";
import { badge } from "../draw/shapes";
import type { Board, PieceShown, SkyriseView } from "../shown/skyrise";
import { number } from "../words";
import type { Ask, Choice, Form } from "../wire";
import { alone } from "../parts/choices";
import { compass, map, siteNames, type Touch } from "./islands";
import { secrets, wonders } from "./skyrise_hand";

/** What the table shows, or nothing yet. */
export type Rise = Partial<SkyriseView>;

const BIDDING = new Set(["open", "bid", "quick"]);

/** My form, when the question is which piece goes where, or with which one I won where. */
export function bidding(app: App, ask: Ask | null): Form | null {
  if (app.state?.game !== "skyrise" || ask === null || !app.mayAnswer(ask) || !BIDDING.has(ask.phase ?? ""))
    return null;
  return ask.form ?? null;
}

const mine = (app: App, view: Rise): Board | undefined => (view.players ?? []).find((one) => one.seat === app.seat);

/** What I may bid, or may have won with; in a quick auction the core says it for everybody. */
function legalOf(app: App): Record<string, string[]> {
  const view = app.shown<Rise>();
  const all = view.auction?.legal ?? {};
  if (!view.auction?.quick) return all;
  return Object.fromEntries(
    (mine(app, view)?.available ?? [])
      .filter((one) => one.piece in all)
      .map((one) => [one.piece, all[one.piece] ?? []]),
  );
}

/** What I have picked for this row of the game: a piece, and a site it may go to. */
function picked(app: App): { piece: string | null; site: string | null } {
  const legal = legalOf(app);
  const quick = app.shown<Rise>().auction?.quick === true;
  const kept = app.bid?.seq === app.state?.seq ? app.bid : null;
  const first = quick && Object.keys(legal).length !== 1 ? null : (Object.keys(legal)[0] ?? null);
  const piece = kept?.piece && kept.piece in legal ? kept.piece : first;
  const sites = piece === null ? [] : (legal[piece] ?? []);
  const site =
    kept?.site && sites.includes(kept.site) ? kept.site : sites.length === 1 && !quick ? (sites[0] ?? null) : null;
  return { piece, site };
}

/** A piece or a site is touched; in a quick auction the site of a touched number is the result, and is sent. */
function pick(app: App, part: { piece?: string; site?: string }): void {
  const now = { ...picked(app), ...part };
  if (app.shown<Rise>().auction?.quick && part.site !== undefined && now.piece !== null) {
    app.move({ kind: "won", seat: app.seat, piece: now.piece, site: part.site }, "form");
    return;
  }
  app.bid = { ...now, seq: app.state?.seq };
  app.draw();
}

const pieceName = (app: App, one: PieceShown): string =>
  one.number ? number(one.number) : app.say(one.card ? `skyrise/wonder/${one.card}` : "skyrise/piece/wonder");

export function table(app: App, ask: Ask | null): Node {
  const view = app.shown<Rise>();
  const seat = app.look ?? app.seat ?? ask?.seat ?? 0;
  const player = (view.islands ?? []).length > 0 && (view.players ?? []).find((one) => one.seat === seat);
  const form = bidding(app, ask);
  const now = picked(app);
  const legal = legalOf(app);
  const sites =
    form === null
      ? Object.values(view.auction?.legal ?? {}).flat()
      : now.piece === null
        ? []
        : (legal[now.piece] ?? []);
  const touch: Touch = {
    lit: new Set(sites),
    chosen: form === null ? null : now.site,
    pick: form === null ? null : (site) => pick(app, { site }),
    names: siteNames(form?.fields.find((field) => field.id === "site")),
  };
  const parts = {
    numbers: form === null ? null : numbers(app, view, ask),
    board:
      (view.sites ?? []).length === 0
        ? null
        : h(
            "section",
            { class: "panel rise-map", key: "board" },
            h("div", { class: "auction-row" }, auction(app, view), compass(app, view, touch.lit)),
            map(app, view, touch),
          ),
    secrets: secrets(app, view),
  };
  const order = form === null ? [parts.secrets, parts.board] : [parts.numbers, parts.board, parts.secrets];
  return h(
    "div",
    { class: "generic rise" },
    ...order,
    wonders(app, view),
    player ? holdings(app, view, player) : null,
    panorama(app, view),
    home(app, view),
  );
}

/** My available pieces: those that may be bid, and those that may not with the reason. */
function numbers(app: App, view: Rise, ask: Ask | null): Node {
  const legal = legalOf(app);
  const own = mine(app, view)?.available ?? [];
  const why = new Map(
    (ask?.choices ?? [])
      .filter((choice) => choice.group === "pieces")
      .map((choice): [string, Choice] => [choice.id, choice]),
  );
  const chosen = picked(app).piece;
  const of = app.seat === null ? "sun" : app.colourOf(app.seat);
  const barred = new Map<string, string[]>();
  for (const one of own) {
    const off = why.get(one.piece)?.off;
    if (off) barred.set(alone(app.say(off)), [...(barred.get(alone(app.say(off))) ?? []), pieceName(app, one)]);
  }
  const quick = view.auction?.quick === true;
  return h(
    "section",
    { class: "panel", key: "numbers" },
    h("h2", null, app.say(quick ? "phone/rise/i-won" : "phone/rise/my-numbers")),
    h(
      "ul",
      { class: "pieces" },
      ...own
        .filter((one) => one.piece in legal)
        .map((one) => {
          const size = one.height ? app.say(`skyrise/height/${one.height}`) : "";
          return h(
            "li",
            { key: one.piece, class: one.number ? "" : "wonder-key" },
            h(
              "button",
              {
                type: "button",
                class: "choice piece-key",
                "data-piece": one.piece,
                "aria-pressed": chosen === one.piece ? "true" : "false",
                "aria-label": [pieceName(app, one), size].filter((part) => part !== "").join(", "),
                onclick: () => pick(app, { piece: one.piece }),
              },
              building(of, one),
              h("span", { class: one.number ? "total" : "small" }, pieceName(app, one)),
            ),
          );
        }),
    ),
    ...[...barred].map(([reason, list]) =>
      h("p", { class: "barred small", key: reason }, h("span", { class: "why" }, reason), ` ${list.join(" \u00b7 ")}`),
    ),
  );
}

/** In a quick auction: what to touch next. */
export const hint = (app: App): string =>
  app.say(picked(app).piece === null ? "phone/rise/touch-number" : "phone/rise/touch-won");

/** The one button that bids; it says what is still missing. In a quick auction the site itself sends. */
export function bidButton(app: App, form: Form): Node | null {
  const { piece, site } = picked(app);
  const view = app.shown<Rise>();
  if (view.auction?.quick) return null;
  const chosen = mine(app, view)?.available?.find((one) => one.piece === piece);
  const ready = piece !== null && site !== null;
  const name = chosen === undefined ? "" : pieceName(app, chosen);
  return h(
    "button",
    {
      type: "button",
      class: `button primary wide ${app.isPressed("form") ? "pending" : ""} ${ready ? "" : "unready"}`,
      "data-choice": "form",
      "aria-disabled": !ready || app.busy ? "true" : null,
      onclick: () => {
        if (ready) app.move({ ...form.move, values: { piece, site } }, "form");
      },
    },
    ready ? app.say("phone/rise/bid", { piece: name }) : app.say("phone/rise/touch-site"),
  );
}

/** Going home is asked twice: the others play on. */
function home(app: App, view: Rise): Node | null {
  if (app.seat === null || app.watching || (view.islands ?? []).length === 0) return null;
  return h(
    "details",
    { class: "fold home", key: "home" },
    h("summary", null, app.say("skyrise/screen/goes-home")),
    h("p", { class: "small" }, app.say("skyrise/screen/leave-sure", { who: app.nameOf(app.seat) })),
    h(
      "button",
      {
        type: "button",
        class: "button wide",
        "data-choice": "leave",
        onclick: () => app.move({ kind: "leave", seat: app.seat }, "leave"),
      },
      app.say("skyrise/screen/goes-home"),
    ),
  );
}

/** The bids of this auction, the highest first, and who has passed. */
function auction(app: App, view: Rise): Node {
  const bids = [...(view.auction?.bids ?? [])].reverse();
  const best = new Map<number, (typeof bids)[number]>();
  for (const bid of bids) if (!best.has(bid.seat)) best.set(bid.seat, bid);
  const passed = new Set((view.auction?.passed ?? []).map((one) => one.seat));
  if (view.auction?.quick) {
    return h(
      "div",
      { class: "auction" },
      h("h2", null, app.say("skyrise/screen/auction")),
      h(
        "p",
        { class: "with-sign" },
        badge(app.colourOf(view.auction.opener ?? 0)),
        app.say("phone/rise/opens", { name: app.nameOf(view.auction.opener ?? 0) }),
      ),
    );
  }
  return h(
    "div",
    { class: "auction" },
    h("h2", null, app.say("skyrise/screen/auction")),
    best.size === 0 && passed.size === 0 ? h("p", { class: "dim small" }, app.say("phone/rise/no-bid")) : null,
    h(
      "ol",
      { class: "bids" },
      ...[...best.values()].map((bid, i) =>
        h(
          "li",
          { key: bid.seat, class: `${i === 0 ? "last" : ""} ${passed.has(bid.seat) ? "passed" : ""}` },
          badge(app.colourOf(bid.seat)),
          h("span", { class: "who" }, app.nameOf(bid.seat)),
          h("span", { class: bid.number ? "total" : "small" }, pieceName(app, bid)),
        ),
      ),
      ...[...passed]
        .filter((seat) => !best.has(seat))
        .map((seat) =>
          h(
            "li",
            { key: `passed-${seat}`, class: "passed" },
            badge(app.colourOf(seat)),
            h("span", { class: "who" }, app.nameOf(seat)),
            h("span", { class: "small" }, app.say("phone/rise/passed")),
          ),
        ),
    ),
  );
}

/** A player's board: whose pieces, the rows and what a structure there is worth, what lies on the picture, what stands. */
function holdings(app: App, view: Rise, player: Board): Node {
  const rows = Object.entries(player.rows ?? {});
  const of = app.colourOf(player.seat);
  const heights = (["tall", "medium", "small"] as const).map(
    (height) => [height, player.built?.[height] ?? 0] as const,
  );
  const second = (player.figures ?? [])[1];
  const plays = {
    colour: { key: `skyrise/pieces/${player.colour ?? "red"}` },
    second: { key: `skyrise/colour/${second ?? "red"}` },
  };
  const letters = [...new Set(player.patrons ?? [])].map((letter): [string, number] => [
    letter,
    (player.patrons ?? []).filter((one) => one === letter).length,
  ]);
  const figure = (id: string, name: string, ...value: (Node | string)[]): Node =>
    h("div", { key: id }, h("dt", null, name), h("dd", { class: "with-sign" }, ...value));
  return h(
    "section",
    { class: "panel", key: "holdings" },
    h("h2", null, badge(of), app.nameOf(player.seat)),
    h("p", { class: "dim small" }, app.say(second ? "skyrise/screen/plays-two" : "skyrise/screen/plays", plays)),
    h(
      "dl",
      { class: "figures three" },
      ...rows.map(([name, count]) =>
        figure(
          name,
          app.say(`skyrise/faction/${name}`),
          faction(name),
          number(count),
          h("span", { class: "dim small" }, app.say("skyrise/screen/worth", { n: view.values?.[count] ?? 0 })),
        ),
      ),
      ...heights.map(([height, count]) =>
        figure(height, app.say(`skyrise/height/${height}`), building(of, { height, number: 1 }), number(count)),
      ),
      ...letters.map(([letter, count]) => figure(letter, app.say("skyrise/field/patron", { letter }), number(count))),
      player.commissions
        ? figure("commissions", app.say("skyrise/form/commissions"), number(player.commissions))
        : null,
      player.surplus ? figure("surplus", app.say("skyrise/line/surplus"), number(player.surplus)) : null,
      ...(player.keys ?? []).map((key) =>
        figure(`key-${key}`, app.say("skyrise/line/keys"), app.say(`skyrise/key/${key}`)),
      ),
    ),
  );
}

const panorama = (app: App, view: Rise): Node | null =>
  (view.panorama ?? []).length === 0
    ? null
    : h(
        "section",
        { class: "panel", key: "panorama" },
        h("h2", null, app.say("skyrise/field/panorama")),
        h(
          "dl",
          { class: "figures" },
          ...(view.panorama ?? []).map((one) =>
            h(
              "div",
              { key: one.card },
              h("dt", null, app.say(`skyrise/panorama/${one.card}`)),
              h("dd", null, number(one.reward)),
            ),
          ),
        ),
      );
