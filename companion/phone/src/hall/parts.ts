/** What the big screen and the small page share: the clock, a table, the standings, who sits where. */
import { h, type Node } from "../dom";
import { badge, colour } from "../draw/shapes";
import type { Hall } from "./hall";
import type { Line, RoundShown, Shown } from "./wire";

/** Minutes and seconds that are left, and how pressing that is. */
export function timeLeft(round: RoundShown | null | undefined, now: number): { text: string; mood: string } | null {
  if (!round?.began || !round.minutes || round.ended) return null;
  const left = Math.ceil(round.began + 60 * round.minutes - now);
  if (left <= 0) return { text: "0:00", mood: "over" };
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return { text, mood: left <= 300 ? "soon" : "" };
}

export function clock(hall: Hall): Node | null {
  const left = timeLeft(hall.event?.round, hall.now());
  if (left === null) return null;
  const said = left.mood === "over" ? "hall/time-up" : "hall/time-left";
  return h(
    "p",
    { class: `clock ${left.mood}`, role: "timer" },
    h("span", { class: "clock-time" }, left.text),
    h("span", { class: "clock-word" }, hall.words.say(said)),
  );
}

/** "Round 3 of 6 · Swiss · Skytopia". */
export function about(hall: Hall): string {
  const event = hall.event;
  if (event === undefined) return hall.words.say("hall/tables", { n: hall.tables.size });
  const round = event.round;
  const parts = [
    round
      ? hall.words.say("hall/round-of", { number: round.number, planned: Math.max(event.planned, round.number) })
      : hall.words.say("hall/rounds", { n: event.planned }),
    hall.words.say(round?.title ?? event.game),
    hall.words.say(event.system === "swiss" ? "hall/swiss" : "hall/everybody"),
  ];
  return parts.join("\u00a0· ");
}

/** Looks for a table, a name or a seat. */
export const finder = (hall: Hall): Node =>
  h("input", {
    class: "find",
    type: "search",
    maxlength: 40,
    placeholder: hall.words.say("hall/find"),
    "aria-label": hall.words.say("hall/find"),
    value: hall.wanted,
    oninput: (event: Event) => hall.find((event.target as HTMLInputElement).value),
  });

export const help = (hall: Hall, table: Shown): string =>
  [
    ...(table.call === "come" ? [hall.words.say("hall/called")] : []),
    ...(table.help ?? []).map((one) => hall.words.say(one)),
  ].join(", ");

/** Tables that somebody should go to, in their order. */
export const needing = (hall: Hall): string[] =>
  hall.order.filter((name) => (hall.tables.get(name)?.help ?? []).length > 0);

function standing(hall: Hall, table: Shown): Node {
  const { words } = hall;
  const seats = table.seats ?? [];
  if (table.phase === "lobby" || seats.length === 0) return h("p", { class: "tile-idle" }, words.say("hall/free"));
  const lead = table.lead ?? [];
  const points = seats[lead[0] ?? 0]?.points;
  const who = lead.length > 0 && lead.length < seats.length ? lead : seats.map((_, seat) => seat);
  return h(
    "p",
    { class: `tile-lead${table.phase === "over" ? " won" : ""}${lead.length === 1 ? "" : " level"}` },
    who.slice(0, lead.length === 1 ? 1 : 4).map((seat) => badge(colour(seats[seat]?.colour, seat))),
    h("span", { class: "tile-name" }, lead.length === 1 ? (seats[lead[0] ?? 0]?.name ?? "") : words.say("hall/level")),
    points === undefined || points === null ? null : h("b", { class: "tile-points" }, words.decimal(points)),
  );
}

/** One table; the same node again while nothing has changed there. */
export class Tiles {
  private kept = new Map<string, { table: Shown; node: Node }>();
  private language = "";

  constructor(private readonly detailed: boolean) {}

  tile(hall: Hall, name: string): Node | null {
    const table = hall.tables.get(name);
    if (table === undefined) return null;
    if (this.language !== hall.words.language) this.kept.clear();
    this.language = hall.words.language;
    const known = this.kept.get(name);
    if (known?.table === table) return known.node;
    const node = this.made(hall, name, table);
    this.kept.set(name, { table, node });
    return node;
  }

  private made(hall: Hall, name: string, table: Shown): Node {
    const { words } = hall;
    const wrong = help(hall, table);
    const playing = table.phase !== "over" && table.round ? { number: table.round } : null;
    const round = playing
      ? [
          h("span", { class: "long" }, words.say("hall/round", playing)),
          h("span", { class: "short" }, words.say("hall/round-short", playing)),
        ]
      : h("span", null, table.phase === "over" ? words.say("hall/over") : "");
    const seats = table.seats ?? [];
    return h(
      "li",
      {
        key: name,
        class: `tile${wrong ? " wrong" : ""}${table.phase === "playing" ? "" : " quiet"}`,
        "data-table": name,
      },
      h("p", { class: "tile-head" }, h("b", null, hall.title(name)), round),
      h("p", { class: "tile-game" }, table.game ? words.say(table.game) : ""),
      wrong ? h("p", { class: "tile-wrong" }, wrong) : null,
      wrong && !this.detailed
        ? null
        : this.detailed && seats.length > 0
          ? this.seats(hall, table)
          : standing(hall, table),
    );
  }

  private seats(hall: Hall, table: Shown): Node {
    const lead = table.lead ?? [];
    return h(
      "ul",
      { class: "tile-seats" },
      (table.seats ?? []).map((seat, number) =>
        h(
          "li",
          { class: lead.length === 1 && lead[0] === number ? "leads" : "" },
          badge(colour(seat.colour, number)),
          h("span", { class: "tile-name" }, seat.name),
          seat.points === undefined || seat.points === null
            ? null
            : h("b", { class: "tile-points" }, hall.words.decimal(seat.points)),
        ),
      ),
    );
  }
}

export function standings(hall: Hall, lines: Line[]): Node {
  return h(
    "ol",
    { class: "standings" },
    lines.map((line) =>
      h(
        "li",
        { key: line.name, class: `${line.place <= 3 ? "top" : ""}${line.away ? " away" : ""}` },
        h("span", { class: "place" }, line.place),
        h("span", { class: "who" }, line.name),
        h("b", null, hall.points(line.points)),
      ),
    ),
  );
}

/** Everybody by name with their table: who comes in looks for their own name. */
export function seatsByName(hall: Hall): { name: string; where: string }[] {
  const round = hall.event?.round;
  if (!round) return [];
  const found = round.pairs.flatMap((pair) => pair.players.map((name) => ({ name, where: hall.title(pair.table) })));
  for (const name of round.byes ?? []) found.push({ name, where: hall.words.say("hall/bye") });
  return found.sort((a, b) => a.name.localeCompare(b.name, hall.words.language));
}

export const seatList = (rows: { name: string; where: string }[]): Node =>
  h(
    "ul",
    { class: "seat-list" },
    rows.map((row) => h("li", { key: row.name }, h("span", { class: "who" }, row.name), h("b", null, row.where))),
  );
