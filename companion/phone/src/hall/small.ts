/** The page on the phone of whoever wanders about: tables, standings, pairings, and a name to look for. */
import { h, type Node } from "../dom";
import { LANGUAGES } from "../words";
import type { Hall, View } from "./hall";
import { about, clock, finder, needing, seatList, seatsByName, standings, Tiles } from "./parts";

const tiles = new Tiles(true);
const VIEWS: View[] = ["tables", "standings", "pairings"];

const fits = (wanted: string, ...texts: string[]): boolean => texts.some((text) => text.toLowerCase().includes(wanted));

function tablesPart(hall: Hall): Node {
  const wanted = hall.wanted.trim().toLowerCase();
  const calling = new Set(needing(hall));
  const ordered = [...calling, ...hall.order.filter((name) => !calling.has(name))];
  const found = wanted
    ? ordered.filter((name) =>
        fits(wanted, name, hall.title(name), ...(hall.tables.get(name)?.seats ?? []).map((seat) => seat.name)),
      )
    : ordered;
  return h(
    "section",
    null,
    found.length === 0
      ? h("p", { class: "none" }, hall.words.say(hall.order.length === 0 ? "hall/no-tables" : "hall/nothing-found"))
      : h(
          "ul",
          { class: "tiles" },
          found.map((name) => tiles.tile(hall, name)),
        ),
  );
}

function standingsPart(hall: Hall): Node {
  const wanted = hall.wanted.trim().toLowerCase();
  const lines = (hall.event?.standings ?? []).filter((line) => fits(wanted, line.name));
  return lines.length === 0 ? h("p", { class: "none" }, hall.words.say("hall/no-standings")) : standings(hall, lines);
}

function pairingsPart(hall: Hall): Node {
  const wanted = hall.wanted.trim().toLowerCase();
  const rows = seatsByName(hall).filter((row) => fits(wanted, row.name, row.where));
  return rows.length === 0 ? h("p", { class: "none" }, hall.words.say("hall/no-pairings")) : seatList(rows);
}

export function languages(hall: Hall): Node {
  return h(
    "p",
    { class: "languages" },
    LANGUAGES.map((language) =>
      h(
        "button",
        {
          type: "button",
          lang: language,
          "aria-pressed": String(hall.words.language === language),
          onclick: () => void hall.speak(language),
        },
        language.toUpperCase(),
      ),
    ),
  );
}

export function small(hall: Hall, redraw: () => void): Node[] {
  const { words } = hall;
  const parts = { tables: tablesPart, standings: standingsPart, pairings: pairingsPart };
  return [
    h(
      "header",
      { class: "small-head", key: "head" },
      h("div", null, h("h1", null, hall.event?.name ?? hall.name), h("p", { class: "about" }, about(hall))),
      clock(hall),
    ),
    h(
      "main",
      { class: "small", key: "main" },
      hall.message ? h("p", { class: "message", role: "status" }, hall.message) : null,
      hall.live ? null : h("p", { class: "lost", role: "status" }, words.say("hall/line-lost")),
      h(
        "nav",
        { class: "views", "aria-label": words.say("hall/views") },
        VIEWS.map((view) =>
          h(
            "button",
            {
              type: "button",
              "aria-pressed": String(hall.view === view),
              onclick: () => {
                hall.view = view;
                redraw();
              },
            },
            words.say(`hall/view/${view}`),
          ),
        ),
      ),
      finder(hall),
      parts[hall.view](hall),
      languages(hall),
    ),
  ];
}
