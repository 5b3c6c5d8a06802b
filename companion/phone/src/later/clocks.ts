/** How long everybody has taken, in steps of ten seconds: a clock that counts every one of them makes people hurry. */
import type { App } from "../app";
import { h, type Kids, type Node } from "../dom";
import { badge } from "../draw/shapes";

const STEP = 10;

/** The table's clock when it said how it stands, and since then by the phone's own. */
function waited(app: App): number {
  const clock = app.state?.clock;
  if (!clock || clock.stopped === true) return 0;
  const told = Math.max(0, (app.state?.ts ?? 0) - (clock.since ?? 0));
  return told + (Date.now() - app.heardAt) / 1000;
}

export function clocks(app: App): Kids[] {
  const clock = app.state?.clock;
  const seats = app.state?.seats ?? [];
  if (!clock || seats.length === 0) return [h("p", null, app.say("phone/later/no-clocks"))];
  const runs = app.prompt?.ask.seat ?? null;
  const taken = (spent: number, mine: boolean): number => Math.floor((spent + (mine ? waited(app) : 0)) / STEP) * STEP;
  const rows = seats.map(({ seat, name }) => ({ seat, name, n: taken(clock.spent?.[seat] ?? 0, seat === runs) }));
  const most = Math.max(1, ...rows.map((one) => one.n));
  const table = taken(clock.table ?? 0, runs === null);
  return [
    h(
      "ul",
      { class: "bar-rows" },
      ...rows.map((one) => row(app, one, most, clock.stopped !== true && one.seat === runs)),
    ),
    h("p", { class: "dim small" }, app.say("phone/later/clocks-table", { time: said(table) })),
    clock.stopped === true ? h("p", { role: "status" }, app.say("phone/later/clocks-stopped")) : null,
  ];
}

const said = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

const row = (app: App, one: { seat: number; name: string; n: number }, most: number, runs: boolean): Node =>
  h(
    "li",
    { key: `clock-${one.seat}`, class: "bar-row", "aria-current": runs ? "true" : null },
    h("span", { class: `bar-name log-line ${runs ? "strong" : ""}` }, badge(app.colourOf(one.seat)), one.name),
    h("span", { class: "bar-figure" }, said(one.n)),
    h(
      "span",
      { class: "bar", "aria-hidden": "true" },
      one.n > 0 ? h("i", { style: { width: `${Math.max(2, Math.round((100 * one.n) / most))}%` } }) : null,
    ),
  );
