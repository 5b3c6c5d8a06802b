/** The organiser's lists: every table with what can be done there, every player. */
import { h, type Kids, type Node } from "../dom";
import type { Desk } from "./desk";
import { begins, field, text } from "./form";
import { finder, help, needing } from "./parts";
import type { Pair } from "./wire";

const CALLS = ["come", "stop", "go", "time", "none"] as const;
/** Tables among which one is looked for by name or number. */
const MANY = 12;

/** Who sits at a table: as it was paired, else as it says. */
function seated(desk: Desk, name: string): string[] {
  const { hall } = desk;
  const pair = hall.event?.round?.pairs.find((one) => one.table === name);
  return pair?.players ?? (hall.tables.get(name)?.seats ?? []).map((seat) => seat.name);
}

export function tables(desk: Desk): Node {
  const { hall } = desk;
  const { words } = hall;
  const calling = new Set(needing(hall));
  const wanted = hall.wanted.trim().toLowerCase();
  const ordered = [...calling, ...hall.order.filter((name) => !calling.has(name))].filter(
    (name) =>
      !wanted || [hall.title(name), name, ...seated(desk, name)].some((text) => text.toLowerCase().includes(wanted)),
  );
  return h(
    "section",
    { class: "card" },
    h("h2", null, words.say("hall/tables", { n: hall.order.length })),
    hall.order.length > MANY ? finder(hall) : null,
    h(
      "ul",
      { class: "rows" },
      ordered.map((name) => table(desk, name)),
    ),
  );
}

function table(desk: Desk, name: string): Node {
  const { hall } = desk;
  const { words } = hall;
  const table = hall.tables.get(name);
  const wrong = table ? help(hall, table) : "";
  const pair = hall.event?.round?.pairs.find((one) => one.table === name);
  const players = seated(desk, name);
  const head = [
    h("b", null, hall.title(name)),
    h("span", { class: wrong ? "wrong" : "dim" }, wrong || players.join(", ")),
    pair?.game_id ? h("span", { class: "done" }, words.say(result(pair))) : null,
  ];
  return desk.folded(`t-${name}`, head, () => [
    wrong ? h("p", { class: "dim" }, players.join(", ")) : null,
    h(
      "p",
      { class: "buttons" },
      CALLS.map((kind) =>
        desk.button(
          `hall/call/${kind}`,
          () => ({ do: "call", table: name, call: { kind } }),
          table?.call === kind ? "on" : "",
        ),
      ),
    ),
    h(
      "label",
      { class: "row" },
      words.say("hall/to-table"),
      h("input", { id: "say-table", maxlength: 200, autocomplete: "off" }),
    ),
    h(
      "p",
      { class: "buttons" },
      desk.button("hall/do/say", () => ({ do: "say", table: name, text: text("say-table") })),
    ),
    pair ? ended(desk, pair) : null,
  ]);
}

const result = (pair: Pair): string =>
  pair.entered ? "hall/entered" : pair.corrected ? "hall/corrected" : "hall/result-in";

/** How the table ended: what it told can be corrected, what it cannot tell is entered. */
function ended(desk: Desk, pair: Pair): Kids {
  const { event, words } = desk.hall;
  const points = pair.points ?? [];
  const told = Boolean(pair.game_id) && !pair.entered;
  const entry = { do: "enter", event: event?.id, round: event?.round?.number, table: pair.table };
  const inputs = pair.players.map((_, seat) => `points-${seat}`);
  /** Everybody's points; nothing while one of them is missing, and the page says which. */
  const all = (): Record<string, number> | null =>
    inputs.every((id) => (document.getElementById(id) as HTMLInputElement).reportValidity())
      ? Object.fromEntries(pair.players.map((name, seat) => [name, field(`points-${seat}`)]))
      : null;
  const wish = (): ({ do: string } & Record<string, unknown>) | null => {
    const made = all();
    if (made === null) return null;
    return told
      ? { do: "correct", table: pair.table, game_id: pair.game_id ?? "", points: made }
      : { ...entry, points: made };
  };
  return [
    h("p", { class: "dim" }, words.say(told ? "hall/correct" : "hall/enter-result")),
    pair.players.map((name, seat) =>
      h(
        "label",
        { class: "inline", key: name },
        name,
        h("input", {
          id: inputs[seat] ?? "",
          type: "number",
          step: "any",
          required: true,
          born: begins(points[seat] ?? ""),
        }),
      ),
    ),
    h(
      "p",
      { class: "buttons" },
      desk.button(told ? "hall/do/correct" : "hall/do/enter", wish),
      pair.entered ? desk.button("hall/do/unenter", () => ({ ...entry, points: {} }), "ghost") : null,
    ),
  ];
}

export function players(desk: Desk): Node | null {
  const { hall } = desk;
  const { words } = hall;
  const event = hall.event;
  if (event === undefined) return null;
  const round = event.round;
  const playing = new Set(round && !round.ended ? round.pairs.flatMap((pair) => pair.players) : []);
  return h(
    "section",
    { class: "card" },
    h("h2", null, words.say("hall/players", { n: event.standings?.length ?? 0 })),
    h(
      "ul",
      { class: "rows" },
      (event.standings ?? []).map((line) =>
        desk.folded(
          `p-${line.name}`,
          [
            h("span", { class: "place" }, line.place),
            h("b", { class: line.away ? "away" : "" }, line.name),
            h("span", { class: "dim" }, hall.points(line.points)),
          ],
          () =>
            h(
              "p",
              { class: "buttons" },
              desk.button(line.away ? "hall/do/return" : "hall/do/leave", () => ({
                do: "leave",
                event: event.id,
                player: line.name,
                away: !line.away,
              })),
              playing.has(line.name)
                ? desk.button("hall/do/bye", () => ({ do: "bye", event: event.id, player: line.name }))
                : null,
            ),
        ),
      ),
    ),
    h("label", { class: "row" }, words.say("hall/add"), h("input", { id: "add", maxlength: 40, autocomplete: "off" })),
    h(
      "p",
      { class: "buttons" },
      desk.button("hall/do/add", () =>
        text("add").trim() ? { do: "players", event: event.id, players: [text("add").trim()] } : null,
      ),
    ),
  );
}
