/** Skytopia on a phone: the chronometer with prices for me now, the market, the cities. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { crest, tower, TOWERS } from "../draw/city";
import { coin, die, line, star } from "../draw/pieces";
import { ring } from "../draw/ring";
import { badge } from "../draw/shapes";
import { number } from "../words";
import type { City, SkytopiaView, Slot } from "../shown/skytopia";
import type { Choice, State } from "../wire";

/** The market places of this game; a choice whose group is one of them is made by touching the card. */
export function slots(app: App): Set<string> {
  return new Set(app.state?.game === "skytopia" ? app.shown<SkytopiaView>().market.slots.map((one) => one.slot) : []);
}

export function slotName(app: App, slot: string): string {
  const [column = "", row = ""] = slot.split("-");
  return app.say("phone/sky/slot", { column: { key: `phone/sky/tower/${column}` }, row: Number(row) });
}

/** The table; `cards` are the choices made by touching a market card. */
export function table(app: App, state: State, cards: Choice[]): Node {
  const view = app.shown<SkytopiaView>();
  const turn = app.prompt?.ask?.seat ?? null;
  const shown = app.look ?? app.seat ?? turn ?? 0;
  const player = view.players.find((one) => one.seat === shown);
  const picking = cards.length > 0;
  // In light play nobody follows coins, golems and towers: what is not known is not shown.
  const followed = (state.depth ?? "full") === "full" ? player : undefined;
  const parts = [
    clock(app, view, followed),
    followed ? city(app, followed) : null,
    market(app, view, picking ? cards : null),
    player ? guilds(app, view, player) : null,
  ];
  // Whoever chooses a card sees the market before the city.
  const order = picking ? [parts[0], parts[2], parts[1], parts[3]] : parts;
  return h("div", { class: `sky depth-${state.depth ?? "full"} ${picking ? "picking" : ""}` }, ...order);
}

function clock(app: App, view: SkytopiaView, player: City | undefined): Node {
  const dial = view.dial;
  const build = dial.faces[0] ?? 0;
  const prices = dial.faces.map((face, i) => ({ face, price: dial.prices[i], rounds: dial.rounds[i] }));
  return h(
    "section",
    { class: "clock", "aria-label": app.say("phone/sky/clock") },
    h(
      "div",
      { class: "ring-place", role: "img", "aria-label": app.say("phone/sky/clock-now", { build, round: view.round }) },
      ring(dial, view.round),
    ),
    h(
      "ul",
      { class: "sr" },
      ...prices
        .filter((one) => one.price !== null && one.price !== undefined)
        .map((one) =>
          h("li", null, app.say("phone/sky/price", { face: one.face, price: one.price ?? 0, n: one.rounds ?? 0 })),
        ),
    ),
    player === undefined
      ? null
      : h(
          "dl",
          { class: "means" },
          figure(coin(), number(player.coins), app.say("phone/sky/coins", { n: player.coins })),
          figure(
            badge(app.colourOf(player.seat)),
            number(player.home),
            app.say("phone/sky/golems", { n: player.home }),
          ),
          view.rounds_left !== null || view.final
            ? h(
                "div",
                null,
                h("dt", { class: "sr" }, app.say("phone/sky/end")),
                h("dd", { class: "warn small" }, app.say("phone/sky/last-round")),
              )
            : null,
        ),
  );
}

const figure = (sign: Node, value: string, name: string): Node =>
  h("div", null, h("dt", null, name), h("dd", null, sign, h("span", { class: "hero" }, value)));

function city(app: App, player: City): Node {
  const own = player.seat === app.seat;
  const room = Math.max(3, ...TOWERS.map((of) => 1 + (player.towers[of]?.length ?? 0)));
  return h(
    "section",
    { class: `panel city p-${app.colourOf(player.seat)}` },
    h("h2", null, own ? app.say("phone/sky/my-city") : [badge(app.colourOf(player.seat)), app.nameOf(player.seat)]),
    h(
      "ul",
      { class: "towers" },
      ...TOWERS.map((of) => {
        const cards = player.towers[of] ?? [];
        const base = player.bases[of];
        const crests = [...(base ? [base] : []), ...cards.map((card) => card.crest)];
        const signs = cards.map((card) => crestName(app, card.crest)).filter((name) => name !== "");
        return h(
          "li",
          { key: of },
          tower(of, crests, room),
          h(
            "span",
            { class: "sr" },
            app.say("phone/sky/tower", { tower: { key: `phone/sky/tower/${of}` }, n: cards.length }),
            signs.length > 0 ? `: ${signs.join(", ")}` : "",
          ),
        );
      }),
    ),
  );
}

const crestName = (app: App, id: string): string => {
  const given = (app.state?.view as SkytopiaView | undefined)?.crests?.[id];
  return id ? (given ?? app.say(`phone/sky/crest/${id}`)) : "";
};

function guilds(app: App, view: SkytopiaView, player: City): Node | null {
  const list = view.guilds;
  if (list.length === 0) return null;
  return h(
    "section",
    { class: "guilds" },
    h("h2", { class: "sr" }, app.say("phone/sky/guilds")),
    h(
      "ul",
      null,
      ...list.map((guild, i) => {
        const key = `skytopia/guild/${guild.id}`;
        return h(
          "li",
          { class: "panel", key: guild.id },
          h("span", { class: "guild-name" }, app.words.knows(key) ? app.say(key) : guild.id),
          h("span", { class: "dim small guild-does" }, app.say(guild.does)),
          h("span", { class: "big" }, player.guilds[i] === undefined ? "\u2013" : number(player.guilds[i] ?? 0)),
        );
      }),
    ),
  );
}

/** Places an answer belongs to: they are lit. */
function lit(app: App): Set<string> {
  const ask = app.ask();
  if (ask === null || !app.mayAnswer(ask)) return new Set();
  return new Set(
    (ask.choices ?? []).filter((choice) => !choice.off && choice.group).map((choice) => choice.group ?? ""),
  );
}

/** The first golem that hands are to set here, where its owner has no other card to choose. */
function expected(app: App, slot: string): { owner: number; face: number }[] {
  const ask = app.ask();
  const first = ask?.phase === "setup" ? (ask.choices ?? []).filter((one) => one.group && one.picture?.die) : [];
  const of = (one: Choice): { owner: number; face: number } => one.picture?.die as { owner: number; face: number };
  const only = (one: Choice): boolean => first.every((other) => other === one || of(other).owner !== of(one).owner);
  return first.filter((one) => one.group === slot && only(one)).map(of);
}

function market(app: App, view: SkytopiaView, picking: Choice[] | null): Node {
  const of = view.market;
  const columns = of.columns.length;
  const targets = lit(app);
  return h(
    "section",
    { class: "market", "aria-label": app.say("phone/sky/market") },
    h("h2", { class: "sr" }, app.say("phone/sky/market")),
    h(
      "ul",
      { class: `grid columns-${columns}` },
      ...rows(of.slots, of.columns).map((slot) => {
        const open = picking?.filter((choice) => choice.group === slot.slot) ?? [];
        return h(
          "li",
          { key: slot.slot },
          card(app, view, slot, picking === null ? null : open, targets.has(slot.slot)),
        );
      }),
    ),
  );
}

/** Row by row, columns in their fixed order, the row nearest the deck on top. */
function rows(list: Slot[], columns: string[]): Slot[] {
  const place = (one: Slot): number => {
    const [column = "", row = "0"] = one.slot.split("-");
    return Number(row) * 10 + columns.indexOf(column);
  };
  return [...list].sort((a, b) => place(a) - place(b));
}

function card(app: App, view: SkytopiaView, slot: Slot, open: Choice[] | null, target: boolean): Node {
  const [column = ""] = slot.slot.split("-");
  const effect = slot.effect ? view.effects[slot.effect] : undefined;
  const unknown = slot.card === null && !slot.effect;
  const name = cardName(app, view, slot);
  const can = open?.some((choice) => !choice.off) ?? false;
  const kids = [
    h(
      "span",
      { class: `strip-top t-${column}`, "aria-hidden": "true" },
      slot.crest ? crest(slot.crest, column) : unknown ? "?" : null,
      effect
        ? h(
            "span",
            { class: "effect" },
            effect.mark === "points" || effect.mark === "coins"
              ? [String(effect.value), effect.mark === "points" ? star() : coin()]
              : [line(effect.mark)],
          )
        : null,
    ),
    h(
      "span",
      { class: `dice count-${Math.min(6, slot.dice.length + expected(app, slot.slot).length)}`, "aria-hidden": "true" },
      ...slot.dice.map((one) => die(app.colourOf(one.owner), one.face, one.finishes)),
      ...expected(app, slot.slot).map((one) => h("span", { class: "ghost" }, die(app.colourOf(one.owner), one.face))),
    ),
  ];
  const look = `card ${slot.card === "" ? "empty" : ""} ${target ? "lit" : ""} ${app.group === slot.slot ? "chosen" : ""}`;
  if (open === null || open.length === 0) return h("div", { class: look, role: "img", "aria-label": name }, ...kids);
  return h(
    "button",
    {
      type: "button",
      class: `${look} ${can ? "" : "off"}`,
      "aria-label": name,
      "aria-pressed": app.group === slot.slot ? "true" : "false",
      "data-slot": slot.slot,
      onclick: () => {
        app.group = app.group === slot.slot ? null : slot.slot;
        app.draw();
      },
    },
    ...kids,
  );
}

function cardName(app: App, view: SkytopiaView, slot: Slot): string {
  const parts = [slotName(app, slot.slot)];
  if (slot.card === "") parts.push(app.say("phone/sky/empty"));
  if (slot.card === null && !slot.effect) parts.push(app.say("phone/sky/unknown"));
  if (slot.crest) parts.push(crestName(app, slot.crest));
  const effect = slot.effect ? view.effects[slot.effect] : undefined;
  if (effect) parts.push(app.say(`phone/sky/effect/${effect.mark}`, { n: effect.value }));
  for (const one of slot.dice) parts.push(app.say("phone/sky/die", { owner: app.nameOf(one.owner), face: one.face }));
  return parts.join(", ");
}
