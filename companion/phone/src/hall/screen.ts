/** The big screen: read from ten metres, by people who touch nothing. What does not fit takes turns. */
import { h, type Node } from "../dom";
import type { Hall } from "./hall";
import { about, clock, help, needing, seatList, seatsByName, standings, Tiles } from "./parts";

/** Seconds a page of tables, names or standings stays. */
const STAYS = 10;
/** Tables of one page: columns and rows, by how many there are. */
const GRIDS: [number, number][] = [
  [2, 2],
  [2, 3],
  [3, 4],
  [4, 5],
  [5, 5],
];
const LINES = 12;
const NAMES = [3, 14] as const;
const tiles = new Tiles(false);

/** The page whose turn it is, of so many on each. */
export function turn(count: number, each: number, seconds: number): { from: number; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(count / each));
  const page = Math.floor(seconds / STAYS) % pages;
  return { from: page * each, page, pages };
}

const marks = (page: number, pages: number): Node | null =>
  pages < 2 ? null : h("p", { class: "marks" }, `${page + 1} / ${pages}`);

function tablesPart(hall: Hall): Node {
  const [columns, rows] = GRIDS.find(([c, r]) => c * r >= hall.order.length) ?? [5, 5];
  const calling = needing(hall);
  // whoever needs help is seen on every page
  const first = calling.slice(0, columns);
  const others = first.length > 0 ? hall.order.filter((name) => !first.includes(name)) : hall.order;
  const each = columns * rows - first.length;
  const { from, page, pages } = turn(others.length, each, hall.now());
  return h(
    "section",
    { class: "big-tables" },
    h("h2", null, hall.words.say("hall/tables", { n: hall.order.length }), marks(page, pages)),
    h(
      "ul",
      { class: `tiles of-${columns}`, style: { "--columns": String(columns), "--rows": String(rows) } },
      [...first, ...others.slice(from, from + each)].map((name) => tiles.tile(hall, name)),
    ),
  );
}

function pairingsPart(hall: Hall): Node {
  const rows = seatsByName(hall);
  const each = NAMES[0] * NAMES[1];
  const { from, page, pages } = turn(rows.length, each, hall.now());
  return h(
    "section",
    { class: "big-tables" },
    h("h2", null, hall.words.say("hall/find-your-table"), marks(page, pages)),
    seatList(rows.slice(from, from + each)),
  );
}

function standingsPart(hall: Hall): Node | null {
  const lines = hall.event?.standings ?? [];
  // before anything is played everybody is first
  if (!lines.some((line) => line.points > 0)) return null;
  const { from, page, pages } = turn(lines.length, LINES, hall.now());
  return h(
    "section",
    { class: "big-standings" },
    h("h2", null, hall.words.say("hall/standings"), marks(page, pages)),
    standings(hall, lines.slice(from, from + LINES)),
  );
}

function foot(hall: Hall): Node | null {
  const calling = needing(hall);
  const said = calling.slice(0, 3).map((name) => {
    const table = hall.tables.get(name);
    return h("span", { class: "call" }, h("b", null, `${hall.title(name)}: `), table ? help(hall, table) : "");
  });
  const more = calling.length - said.length;
  if (said.length === 0 && hall.live) return null;
  return h(
    "footer",
    { class: "big-foot", role: "status" },
    hall.live ? said : h("span", { class: "call" }, hall.words.say("hall/line-lost")),
    more > 0 && hall.live ? h("span", { class: "dim" }, hall.words.say("hall/more", { n: more })) : null,
  );
}

export function screen(hall: Hall): Node[] {
  const round = hall.event?.round;
  const waiting = round !== undefined && round !== null && !round.began;
  return [
    h(
      "div",
      { class: `big${hall.message ? " with-message" : ""}`, key: "big" },
      h(
        "header",
        { class: "big-head" },
        h("div", null, h("h1", null, hall.event?.name ?? hall.name), h("p", { class: "about" }, about(hall))),
        clock(hall),
      ),
      hall.message ? h("p", { class: "message", role: "status" }, hall.message) : null,
      h("main", { class: "big-main" }, waiting ? pairingsPart(hall) : tablesPart(hall), standingsPart(hall)),
      foot(hall),
    ),
  ];
}
