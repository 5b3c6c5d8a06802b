/** Sheets over the page: menu, chart, log, share. */
import type { App, Sheet } from "../app";
import { h, type Kids, type Node } from "../dom";
import { chart, ended } from "../draw/chart";
import { line } from "../draw/pieces";
import { badge } from "../draw/shapes";
import { chartName } from "../games/generic";
import { board } from "../pages/play";
import type { Rise } from "../games/skyrise";
import { search } from "../rules";
import type { PragaView } from "../shown/praga";
import type { PadView } from "../shown/scorepad";
import * as share from "../share";
import { LANGUAGES } from "../words";
import type { State } from "../wire";
import { row } from "./form";
import { wide } from "./keys";
import { scores } from "./scores";

const NAMES: Record<string, string> = { en: "English", pl: "Polski", fr: "Français" };

export function languagePicker(app: App): Node {
  const list = app.table?.languages?.filter((one) => one in NAMES) ?? [...LANGUAGES];
  return h(
    "div",
    { class: "row" },
    h("label", { for: "language" }, app.say("phone/language")),
    h(
      "select",
      {
        id: "language",
        class: "words",
        value: app.words.language,
        onchange: (event: Event) => void app.language((event.target as HTMLSelectElement).value),
      },
      ...list.map((one) =>
        h("option", { value: one, lang: one, key: one, selected: one === app.words.language }, NAMES[one] ?? one),
      ),
    ),
  );
}

export function sheet(app: App): Node | null {
  const which = app.sheet;
  if (which === null) return null;
  const close = (): void => {
    if (which === "correct") app.look = null; // whose values were put right is not whose board is looked at
    app.sheet = null;
    app.draw();
  };
  const [title, kids] = content(app, which);
  return h(
    "dialog",
    {
      class: "sheet",
      key: `sheet-${which}`,
      "aria-labelledby": "sheet-title",
      born: (el: HTMLDialogElement) => {
        if (el.isConnected && !el.open) el.showModal();
      },
      oncancel: close,
      onclose: close,
      onclick: (event: MouseEvent) => {
        if (event.target === event.currentTarget) close();
      },
    },
    h(
      "div",
      { class: "sheet-body" },
      h(
        "div",
        { class: "sheet-head" },
        h("h2", { id: "sheet-title" }, title),
        h(
          "button",
          { class: "icon", type: "button", "aria-label": app.say("phone/close"), onclick: close },
          line("close"),
        ),
      ),
      ...kids,
    ),
  );
}

function content(app: App, which: Exclude<Sheet, null>): [string, Kids[]] {
  switch (which) {
    case "menu":
      return [app.say("phone/menu"), menu(app)];
    case "chart":
      return [app.say("phone/chart"), chartOf(app)];
    case "log":
      return [app.say("phone/log"), log(app)];
    case "rules":
      return [app.say("phone/rules"), rules(app)];
    case "correct":
      return [app.say("phone/correct"), corrections(app)];
    case "past":
      return [app.say("phone/past"), app.later?.past(app) ?? []];
    case "clocks":
      return [app.say("phone/later/clocks"), app.later?.clocks(app) ?? []];
    case "then":
      return [app.say("phone/log"), then(app)];
    case "share":
      return [app.say("phone/share"), app.state === null ? [] : shared(app, app.state)];
  }
}

function menu(app: App): Kids[] {
  const to =
    (next: Sheet): (() => void) =>
    () => {
      app.sheet = next;
      app.look = null;
      app.draw();
    };
  return [
    languagePicker(app),
    app.session !== null && !app.watching
      ? h(
          "button",
          {
            class: "button ghost wide",
            type: "button",
            "aria-pressed": app.tone.wanted ? "true" : "false",
            "data-choice": "tone",
            onclick: () => {
              app.tone.want(!app.tone.wanted);
              app.draw();
            },
          },
          app.say(app.tone.wanted ? "phone/tone-on" : "phone/tone-off"),
        )
      : null,
    app.voice.there
      ? h(
          "button",
          {
            class: "button ghost wide",
            type: "button",
            "aria-pressed": app.voice.on ? "true" : "false",
            "data-choice": "voice",
            onclick: () => app.switchVoice(),
          },
          app.say(app.voice.on ? "phone/voice-off" : "phone/voice-on"),
        )
      : null,
    app.state?.clock ? wide(() => clocks(app), app.say("phone/later/clocks")) : null,
    app.log.lines(app.state?.game_id).length > 0 ? wide(to("log"), app.say("phone/log")) : null,
    (app.state?.game ?? "") !== "" && app.state?.game !== "scorepad"
      ? wide(() => void app.openRules(), app.say("phone/rules"))
      : null,
    correctable(app)
      ? wide(() => {
          to("correct")();
          void app.fetchLater();
        }, app.say("phone/correct"))
      : null,
    app.curved ? wide(to("chart"), line("chart"), app.say("phone/chart")) : null,
    app.session !== null ? wide(() => void app.lookBack(), app.say("phone/past")) : null,
    app.session !== null
      ? wide(() => void app.standUp(), app.say(app.watching ? "phone/stop-watching" : "phone/stand-up"))
      : null,
    app.watching || app.session === null ? null : h("p", { class: "dim small" }, app.say("phone/stand-up-do")),
  ];
}

/** Somebody has something that can be put right; what it is, is fetched with the sheet. */
function correctable(app: App): boolean {
  if (app.seat === null || app.state?.phase !== "playing") return false;
  const { entries = [], limits = {}, players = [] } = app.shown<Partial<PadView & PragaView> & Rise>();
  switch (app.state.game) {
    case "skytopia":
      return true;
    case "praga":
      return Object.keys(limits).length > 0;
    case "skyrise":
      return (players as Rise["players"] & object).some(
        (one) => one.patrons.length > 0 || one.commissions > 0 || Object.values(one.rows).some((n) => n > 0),
      );
    default:
      return entries.length > 0 && entries.length < 200;
  }
}

/** My own values; another's are a touch on their points away, and changed when their phone agrees. */
function corrections(app: App): Kids[] {
  const whose = app.look ?? app.seat;
  const state = app.state;
  if (state === null || whose === null) return [];
  const asked = whose === app.seat || state.seats?.some((one) => one.seat === whose && one.phone) === true;
  const lead = whose === app.seat ? "phone/correct-lead" : asked ? "phone/correct-other" : "table/do/not-yours";
  return [
    scores(app, state),
    h("p", { class: "dim" }, app.say(lead, { name: app.nameOf(whose) })),
    asked ? (app.later?.corrections(app, whose, row) ?? null) : null,
  ];
}

function chartOf(app: App): Kids[] {
  const told = app.state?.view?.chart ?? [];
  if (told.length === 0) return [h("p", null, app.say("phone/no-chart"))];
  const lines = ended(told, app.state?.tally?.players.map((one) => one.total) ?? []);
  return [
    chart(
      lines.map((points, i) => ({ colour: app.colourOf(i), points })),
      chartName(app, lines),
      lines === told ? "" : app.say("phone/end/sum"),
    ),
    h("p", { class: "dim small" }, app.say("phone/chart-axes")),
  ];
}

const log = (app: App): Kids[] => [
  h(
    "ol",
    { class: "log" },
    ...app.log
      .lines(app.state?.game_id)
      .map((one) =>
        h(
          "li",
          { key: `${one.seq}` },
          h(
            "button",
            { class: "log-line", type: "button", onclick: () => void app.lookThen(one.seq) },
            typeof one.seat === "number" ? badge(app.colourOf(one.seat), "badge") : null,
            (one.said ?? []).map((text) => app.say(text)).join("\u00a0· "),
          ),
        ),
      ),
  ),
];

/** The clocks are looked at, not read: they go on by themselves while the sheet is open. */
function clocks(app: App): void {
  app.sheet = "clocks";
  void app.fetchLater();
  const tick = setInterval(() => (app.sheet === "clocks" ? app.draw() : clearInterval(tick)), 10000);
}

/** The game's own table as it was: the same drawing, over a page that knows that moment and nothing of mine. */
function then(app: App): Kids[] {
  if (app.then === null || typeof app.then === "string")
    return [h("p", { role: "status" }, app.say(app.then === "none" ? "phone/later/no-then" : "phone/past/asked"))];
  const past = Object.assign(Object.create(app) as App, { state: app.then, secret: null, session: null, group: null });
  return [
    h("p", { class: "strong" }, past.say(past.prompt?.ask.text)),
    board(past, app.then, null),
    h(
      "button",
      {
        class: "button ghost wide",
        type: "button",
        onclick: () => {
          app.sheet = "log";
          app.draw();
        },
      },
      app.say("phone/back"),
    ),
  ];
}

/** One card open, the others by name; a word narrows them down. */
function rules(app: App): Kids[] {
  const known = app.rules;
  if (known === null) return [];
  const found =
    known.words === "" && known.open !== null
      ? [
          ...known.cards.filter((card) => card.id === known.open),
          ...known.cards.filter((card) => card.id !== known.open),
        ]
      : search(known.cards, known.words);
  return [
    h("label", { for: "rule-words" }, app.say("phone/rules-find")),
    h("input", {
      id: "rule-words",
      class: "words",
      type: "search",
      maxlength: 40,
      autocomplete: "off",
      value: known.words,
      oninput: (event: Event) => {
        known.words = (event.target as HTMLInputElement).value;
        app.draw();
      },
    }),
    ...found.map((card) =>
      h(
        "details",
        { class: "panel fold", key: `rule-${card.id}`, ...(card.id === known.open ? { open: true } : {}) },
        h("summary", null, card.title),
        h("p", null, card.text),
        card.page === "" ? null : h("p", { class: "dim small" }, app.say("phone/page", { page: card.page })),
      ),
    ),
    found.length === 0 ? h("p", { class: "dim" }, app.say("phone/rules-none")) : null,
  ];
}

function shared(app: App, state: State): Kids[] {
  const tally = state.tally;
  if (!tally) return [h("p", null, app.say("phone/end/no-tally"))];
  const words = share.text(app, state, tally);
  return [
    h("img", {
      class: "postcard",
      alt: words,
      key: "postcard",
      born: (el: HTMLImageElement) =>
        share.picture(app, state, tally).toBlob((blob) => {
          if (blob) el.src = URL.createObjectURL(blob);
        }),
    }),
    h(
      "button",
      { class: "button primary wide", type: "button", onclick: () => void send(app, state, words) },
      line("share"),
      app.say("phone/share-picture"),
    ),
    h("label", { for: "share-text" }, app.say("phone/share-text")),
    h("textarea", {
      id: "share-text",
      class: "words",
      readonly: true,
      rows: 6,
      value: words,
      onfocus: (event: Event) => (event.target as HTMLTextAreaElement).select(),
    }),
    h(
      "button",
      {
        class: "button ghost wide",
        type: "button",
        onclick: (event: Event) => {
          if (copy()) (event.currentTarget as HTMLElement).textContent = app.say("phone/copied");
        },
      },
      app.say("phone/copy"),
    ),
    state.play_link
      ? h(
          "a",
          { class: "button ghost wide", href: state.play_link, rel: "noopener noreferrer", target: "_blank" },
          "BG Stats",
        )
      : null,
  ];
}

/** Plain http has no share menu: there the picture is saved instead. */
async function send(app: App, state: State, words: string): Promise<void> {
  const tally = state.tally;
  if (!tally) return;
  const blob = await new Promise<Blob | null>((done) => share.picture(app, state, tally).toBlob(done, "image/png"));
  if (blob === null) return;
  const file = new File([blob], `tableside-${state.game ?? "game"}.png`, { type: "image/png" });
  if (typeof navigator.share === "function" && navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file], text: words }).catch(() => undefined);
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function copy(): boolean {
  const area = document.getElementById("share-text") as HTMLTextAreaElement | null;
  if (area === null) return false;
  area.focus();
  area.select();
  // The clipboard API needs https; this old way works on the local network too.
  return document.execCommand("copy");
}
