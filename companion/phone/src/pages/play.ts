/** The game: whose turn and what to do on top, the table in the middle, my answers at the thumb. */
import type { App } from "../app";
import { h, type Kids, type Node } from "../dom";
import { badge } from "../draw/shapes";
import { line } from "../draw/pieces";
import { generic } from "../games/generic";
import * as praga from "../games/praga";
import * as skyrise from "../games/skyrise";
import * as skytopia from "../games/skytopia";
import { choices, question } from "../parts/choices";
import { form, sendButton } from "../parts/form";
import { notes } from "../parts/notes";
import { shownPanels, touchable } from "../parts/panels";
import { scores } from "../parts/scores";
import type { Ask, Choice, Form, Panel, State, Text } from "../wire";

export function play(app: App, state: State): Node {
  const ask = app.ask();
  return h(
    "div",
    { class: "page play", key: "play", "data-seq": state.seq ?? 0 },
    band(app, state, ask),
    h(
      "main",
      { class: "middle" },
      notes(app),
      h(
        "div",
        { class: "toast-place", "aria-live": "polite" },
        app.toast?.text ? h("p", { class: "toast", key: `toast-${app.toast.seq}` }, app.say(app.toast.text)) : null,
      ),
      scores(app, state),
      ...middle(app, state, ask),
    ),
    answers(app, state, ask),
  );
}

/** A form that must be filled stands before the board, an extra one behind it. */
function middle(app: App, state: State, ask: Ask | null): Kids[] {
  const of = ask?.form && app.mayAnswer(ask) && skyrise.bidding(app, ask) === null ? asked(app, ask, ask.form) : null;
  return ask !== null && aside(ask) ? [board(app, state, ask), of] : [of, board(app, state, ask)];
}

/** The middle of the page belongs to the game. */
export function board(app: App, state: State, ask: Ask | null): Node {
  switch (state.game) {
    case "skytopia":
      if (ask?.phase === "final") return h("div", { class: "board" }); // what is counted lies on the table, not on the phone
      return skytopia.table(app, state, ask !== null && app.mayAnswer(ask) ? byCard(app, ask) : []);
    case "praga":
      return praga.table(app, ask);
    case "skyrise":
      return skyrise.table(app, ask);
    default:
      return generic(app, state, ask !== null && app.mayAnswer(ask) ? own(app, ask) : []);
  }
}

/** A form beside a clear next step is an extra: it folds away and brings its own button. */
const aside = (ask: Ask): boolean => (ask.choices ?? []).some((choice) => choice.primary) || ask.form?.aside === true;

function asked(app: App, ask: Ask, of: Form): Node {
  if (!aside(ask)) return form(app, of);
  return h(
    "details",
    { class: "panel fold", key: "form" },
    h("summary", null, app.say(of.send)),
    form(app, of),
    sendButton(app, of),
  );
}

function band(app: App, state: State, ask: Ask | null): Node {
  const mine = ask !== null && app.named(ask);
  const who = mine ? app.seat : (ask?.seat ?? null);
  const round = state.view?.round ?? null;
  const prompt = ask === null ? app.say("phone/nothing-asked") : app.say(ask.text);
  return h(
    "header",
    { class: `band ${who === null ? "nobody" : `p-${app.colourOf(who)}`} ${mine ? "mine" : ""}` },
    h(
      "p",
      { class: "band-top" },
      who === null ? null : badge(app.colourOf(who), "badge ink"),
      h("span", { class: "whose" }, whose(app, ask, mine, who)),
      round !== null ? h("span", { class: "round" }, app.say("phone/round", { round })) : null,
    ),
    h(
      "div",
      { role: "status", "aria-atomic": "true" },
      mine ? h("span", { class: "sr" }, `${app.say("phone/your-turn")}. `) : null,
      h("h1", { class: `prompt ${prompt.length > 48 ? "longest" : prompt.length > 26 ? "long" : ""}` }, prompt),
    ),
  );
}

function whose(app: App, ask: Ask | null, mine: boolean, who: number | null): string {
  if (mine && app.seat !== null) return app.say("phone/name-your-turn", { name: app.nameOf(app.seat) });
  if (who !== null) return app.say("phone/turn-of", { name: app.nameOf(who) });
  if ((ask?.waiting ?? []).length > 0)
    return app.say("phone/waiting-for", {
      names: (ask?.waiting ?? []).map((seat) => ({ key: "seat", params: { n: seat } })),
    });
  return app.say("phone/everybody");
}

const MANY = 8;
const OWN = new Set(["skytopia", "praga", "skyrise"]);

/** What this phone may answer: choices of other seats are theirs. */
function own(app: App, ask: Ask): Choice[] {
  const mine = (ask.choices ?? []).filter(
    (choice) => typeof choice.move.seat !== "number" || choice.move.seat === app.seat,
  );
  // Pieces that cannot be bid stand among my numbers, with the reason.
  return skyrise.bidding(app, ask) === null ? mine : mine.filter((choice) => choice.group !== "pieces");
}

/** Many choices that belong to cards are made by touching the card first; a few are simply listed. */
export function byCard(app: App, ask: Ask): Choice[] {
  const slots = skytopia.slots(app);
  const grouped = own(app, ask).filter((choice) => choice.group && slots.has(choice.group));
  const groups = new Set(grouped.map((choice) => choice.group));
  return grouped.length > MANY && groups.size > 1 ? grouped : [];
}

/** Choices of one touched card come alone; the rest is always there. */
function offered(app: App, ask: Ask): Choice[] {
  const grouped = byCard(app, ask);
  const onPanels = touchable(ask.form && !ask.form.aside ? [] : panelsOf(app));
  const list = own(app, ask).filter((choice) => !onPanels.has(choice.id));
  if (grouped.length === 0) return list;
  return app.group === null
    ? list.filter((choice) => !grouped.includes(choice))
    : grouped.filter((choice) => choice.group === app.group);
}

/** The panels of a game that has no table of its own on this page. */
function panelsOf(app: App): Panel[] {
  const state = app.state;
  return state === null || OWN.has(state.game ?? "") ? [] : shownPanels(app, state);
}

function send(app: App, ask: Ask): Node | null {
  const bid = skyrise.bidding(app, ask);
  if (bid !== null) return skyrise.bidButton(app, bid);
  return ask.form && !aside(ask) ? sendButton(app, ask.form) : null;
}

function answers(app: App, state: State, ask: Ask | null): Node {
  const asked = app.prompt?.question ?? null;
  const may = ask !== null && app.mayAnswer(ask);
  const list = may ? offered(app, ask) : [];
  const cards = may && byCard(app, ask).length > 0;
  const body: Kids[] =
    asked !== null
      ? [question(app, asked)]
      : may
        ? skyrise.bidding(app, ask) === null
          ? [choices(app, list), send(app, ask)]
          : [h("div", { class: "bid-row" }, choices(app, list), send(app, ask))]
        : [];
  const change = ask?.change ?? [];
  return h(
    "section",
    { class: `answers ${body.some(Boolean) ? "" : "empty"}`, "aria-label": app.say("phone/answers") },
    h(
      "div",
      { class: "answers-head" },
      undo(app, state),
      h("p", { class: "lead" }, lead(app, ask, may, cards)),
      h(
        "button",
        {
          class: "icon",
          type: "button",
          "aria-label": app.say("phone/menu"),
          onclick: () => {
            app.sheet = "menu";
            app.draw();
          },
        },
        line("more"),
      ),
    ),
    may && change.length > 0 && app.group === null
      ? h("ul", { class: "todo" }, ...change.map((one) => h("li", null, line("hand"), app.say(one))))
      : null,
    ...body,
    may ? reminders(app, ask.reminders ?? []) : null,
  );
}

/** What is easily forgotten; more than two of them fold away. */
function reminders(app: App, list: Text[]): Node | null {
  if (list.length === 0) return null;
  const all = h("ul", { class: "todo quiet" }, ...list.map((one) => h("li", null, app.say(one))));
  return list.length <= 2
    ? all
    : h(
        "details",
        { class: "fold", key: "reminders" },
        h("summary", null, app.say("phone/reminders", { n: list.length })),
        all,
      );
}

function lead(app: App, ask: Ask | null, may: boolean, cards: boolean): string {
  if (app.watching) return app.say("phone/watching");
  if (!may) return ask === null ? "" : app.say("phone/not-you");
  if (ask?.phase === "quick" && skyrise.bidding(app, ask) !== null) return skyrise.hint(app);
  if (cards && app.group === null) return app.say("phone/touch-card");
  if (cards && app.group !== null) return app.say("phone/card-chosen", { card: skytopia.slotName(app, app.group) });
  return app.say(ask?.help);
}

/** Undo stands for what can be taken back now; past revealed cards the table is asked first. */
function undo(app: App, state: State): Node | null {
  if (app.session?.role !== "seat") return null;
  if (app.group !== null) {
    return h(
      "button",
      {
        class: "icon",
        type: "button",
        "aria-label": app.say("phone/back"),
        onclick: () => {
          app.group = null;
          app.draw();
        },
      },
      line("undo"),
    );
  }
  const back = state.undo ?? null;
  if (back === null) return null;
  // Whoever is asked to agree finds the question, with its answer, among the notes.
  if ((typeof back.seat === "number" && back.seat !== app.seat) || app.askedToAgree) return null;
  const name = `${app.say("phone/undo")}: ${app.say(back.text)}`;
  return h(
    "button",
    {
      class: `icon ${app.isPressed("undo") ? "pending" : ""}`,
      type: "button",
      "data-choice": "undo",
      "aria-label": name,
      title: name,
      "aria-disabled": app.busy ? "true" : null,
      onclick: () => app.undo(),
    },
    line("undo"),
  );
}
