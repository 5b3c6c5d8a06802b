/** The parts of the board to be told by touch: what is printed at a place of a grid, where a plaza lies. */
import type { App } from "../app";
import { h, type Kids, type Node } from "../dom";
import { line, star } from "../draw/pieces";
import { badge } from "../draw/shapes";
import { ACROSS, free, PLACES, plan, spotKey, waiting } from "../games/city";
import type { Grid, PragaView } from "../shown/praga";
import { begun, moveOf, shows, size, type Telling } from "./telling";

const LARGEST_GRID = 20;
const ARROWS: Record<string, string> = { left: "left", right: "move", up: "place" };
let edit: Telling | null = null;

const editOf = (grid: Grid): Telling => (edit?.id === grid.id ? edit : begun(grid));
function put(app: App, next: Telling | null): void {
  edit = next;
  app.draw();
}

/** What a place shows, drawn; a question mark where nobody has said. */
function drawn(shown: number | string | null): Kids[] {
  if (shown === null) return [h("span", { class: "dim" }, "?")];
  const arrow = ARROWS[shown];
  if (arrow !== undefined) return [line(arrow)];
  if (typeof shown === "string" && shown.startsWith("+")) return [shown, star()];
  return [shown === "none" ? "·" : String(shown)];
}

/** A place in words, for ears and above its keys. */
function named(app: App, row: number, column: number): string {
  if (column === 0) return app.say("phone/later/grid/end", { n: row });
  return row === 0
    ? app.say("phone/later/grid/foot", { n: column })
    : app.say("phone/later/grid/space", { row, column });
}

function said(app: App, grid: Grid, shown: number | string | null): string {
  if (shown === null) return app.say("phone/later/grid/unknown");
  const sign = grid.signs.find((one) => one.value === shown);
  return sign ? app.say(sign.text) : String(shown);
}

/** The grid; whoever may answer now may tell. A touched space can also be where my cube stands. */
export function grid(app: App, of: Grid, may: boolean): Kids[] {
  const now = editOf(of);
  const move = moveOf(of, now);
  return [
    picture(app, of, now, may),
    may && now.at !== null ? pad(app, of, now, now.at) : null,
    may && now.at === null ? h("p", { class: "dim small" }, app.say("phone/later/grid/touch")) : null,
    may && of.grows ? sizes(app, of, now) : null,
    may && move !== null
      ? h(
          "button",
          {
            type: "button",
            class: `button wide primary ${app.isPressed("tell") ? "pending" : ""}`,
            "data-choice": "tell",
            "aria-disabled": app.busy ? "true" : null,
            onclick: () => {
              app.move({ ...move, seat: app.seat }, "tell");
              edit = null;
            },
          },
          app.say("phone/later/grid/keep"),
        )
      : null,
  ];
}

function picture(app: App, grid: Grid, now: Telling, may: boolean): Node {
  const rows = size(grid, now, "rows");
  const columns = size(grid, now, "columns");
  const borders = now.borders ?? grid.borders;
  const at = (row: number, column: number): Record<string, string> => {
    const across = column === 0 ? columns + 1 : column;
    const left = grid.leftward ? columns + 2 - across : across;
    return { "grid-area": `${rows - row + 1} / ${left}` };
  };
  const cell = (row: number, column: number): Node => {
    const shown = shows(grid, now, row, column);
    const here = grid.pieces.filter((one) => one.row === row && one.column === column);
    const lit = now.at?.[0] === row && now.at[1] === column;
    const names = here.map((one) => app.nameOf(one.seat ?? 0));
    return h(
      "button",
      {
        key: `${row} ${column}`,
        type: "button",
        style: at(row, column),
        class: `place ${row === 0 || column === 0 ? "beside" : ""} ${lit ? "lit" : ""} ${borders.includes(row) && row > 1 && column > 0 ? "border" : ""}`,
        "data-place": `${row} ${column}`,
        "aria-pressed": lit ? "true" : "false",
        "aria-disabled": may ? null : "true",
        "aria-label": [named(app, row, column), said(app, grid, shown), ...names].join(", "),
        onclick: () => {
          if (may) put(app, { ...now, at: lit ? null : [row, column] });
        },
      },
      ...drawn(shown),
      here.length === 0
        ? null
        : h("i", { "aria-hidden": "true" }, ...here.map((one) => badge(app.colourOf(one.seat ?? 0)))),
    );
  };
  const count = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
  return h(
    "div",
    { class: "places", style: { "grid-template-columns": `repeat(${columns + (grid.ends ? 1 : 0)}, 1fr)` } },
    ...count(rows)
      .reverse()
      .flatMap((row) => [...count(columns).map((column) => cell(row, column)), ...(grid.ends ? [cell(row, 0)] : [])]),
    ...(grid.feet ? count(columns).map((column) => cell(0, column)) : []),
  );
}

/** Keys that come are seen: the answers at the thumb would lie over them. */
const seen = (el: Element): void => el.scrollIntoView({ block: "nearest" });

/** What the place that is lit may show: a number, or one of its signs; where a row ends also which level begins there. */
function pad(app: App, grid: Grid, now: Telling, at: [number, number]): Node {
  const [row, column] = at;
  const tell = (shown: number | string | null): void =>
    put(app, { ...now, spaces: { ...now.spaces, [`${row} ${column}`]: shown } });
  const shown = shows(grid, now, row, column);
  const chip = (id: string, on: boolean, text: Kids, label: string, act: () => void): Node =>
    h(
      "button",
      {
        type: "button",
        key: id,
        class: `chip ${on ? "on" : ""}`,
        "aria-pressed": on ? "true" : "false",
        "aria-label": label,
        "data-sign": id,
        onclick: act,
      },
      text,
    );
  const unknown = app.say("phone/later/grid/unknown");
  const clear = chip("unknown", shown === null, unknown, unknown, () => tell(null));
  const mine = grid.pieces.find((one) => one.seat === app.seat);
  if (row > 0 && column > 0) {
    const away = mine !== undefined && (mine.row !== row || mine.column !== column);
    const here = app.say("phone/later/grid/mine");
    return h(
      "div",
      { class: "chips pad", key: "pad", role: "group", "aria-label": named(app, row, column), born: seen },
      ...grid.signs.map((one) =>
        chip(
          `${one.value}`,
          one.value === shown,
          one.value === "none" ? app.say(one.text) : drawn(one.value as string),
          app.say(one.text),
          () => tell(one.value as string | number),
        ),
      ),
      clear,
      away ? chip("stand", false, here, here, () => stand(app, grid, row, column)) : null,
    );
  }
  const [low, high] = (column === 0 ? grid.ends : grid.feet) ?? [0, 0];
  const name = named(app, row, column);
  const to = (next: number): void => tell(Math.max(low, Math.min(high, next)));
  const step = (by: number, sign: string): Node =>
    h(
      "button",
      {
        type: "button",
        class: "step",
        "aria-label": app.say(by < 0 ? "phone/less" : "phone/more-by", { by: 1, what: name }),
        onclick: () => to(typeof shown === "number" ? shown + by : Math.max(0, by)),
      },
      line(sign),
    );
  const borders = now.borders ?? grid.borders;
  return h(
    "div",
    { class: "pad", key: "pad-number", born: seen },
    h(
      "div",
      { class: "field" },
      h("label", { class: "field-name", for: "grid-number" }, name),
      h(
        "div",
        { class: "stepper" },
        step(-1, "minus"),
        h("input", {
          id: "grid-number",
          class: "number",
          type: "text",
          inputmode: "numeric",
          value: typeof shown === "number" ? String(shown) : "\u2013",
          oninput: (event: Event) => {
            const typed = (event.target as HTMLInputElement).value.trim();
            if (/^\d+$/.test(typed)) to(Number(typed));
          },
          onfocus: (event: Event) => (event.target as HTMLInputElement).select(),
        }),
        step(1, "plus"),
      ),
    ),
    h(
      "div",
      { class: "chips" },
      clear,
      ...(row < 2 ? [] : grid.levels).map((level, n) => {
        const on = borders[n] === row;
        const text = app.say("phone/later/grid/border", { level });
        const rest = borders.map((one) => (one === row ? 0 : one));
        return chip(`border-${n}`, on, text, text, () =>
          put(app, { ...now, borders: on ? rest : rest.map((one, i) => (i === n ? row : one)) }),
        );
      }),
    ),
  );
}

function sizes(app: App, grid: Grid, now: Telling): Node {
  const key = (axis: "rows" | "columns", by: number): Node => {
    const name = axis === "rows" ? "row" : "column";
    const next = size(grid, now, axis) + by;
    const least = Math.max(1, ...grid.pieces.map((one) => one[name]));
    return h(
      "button",
      {
        type: "button",
        key: `${axis}${by}`,
        class: "chip",
        "data-size": `${axis}${by > 0 ? "+" : "-"}`,
        disabled: next < least || next > LARGEST_GRID,
        onclick: () => put(app, { ...now, [axis]: next }),
      },
      line(by > 0 ? "plus" : "minus"),
      app.say(`phone/later/grid/${name}`),
    );
  };
  return h("div", { class: "chips sizes" }, key("rows", -1), key("rows", 1), key("columns", -1), key("columns", 1));
}

/** My cube stands there. */
function stand(app: App, grid: Grid, row: number, column: number): void {
  const [building = ""] = grid.id.split(".");
  const told = grid.borders.every((one) => one > 0);
  const level = { [`${building}_level`]: 1 + grid.borders.filter((one) => one <= row).length };
  const values = { [`${building}_row`]: row, [`${building}_column`]: column, ...(told ? level : {}) };
  app.move({ kind: "correct", seat: app.seat, values }, "stand");
}

let pin = "";

/** The map to look at; whoever may answer now touches a plaza, then the place where it lies. */
export function layout(app: App, may: boolean): Kids[] {
  const { plazas } = app.shown<PragaView>();
  const name = (n: number): string => `move-${n}`;
  const say = (n: number): string => app.say("praga/plaza", { number: n });
  const held = plazas.findIndex((_, i) => name(i + 1) === pin) + 1;
  const pick = (n: number): void => {
    pin = n === held ? "" : name(n);
    app.draw();
  };
  const put = (place: number): void => {
    const row = PLACES / ACROSS - Math.floor((place - 1) / ACROSS);
    const spaces = [{ row, column: ((place - 1) % ACROSS) + 1, shows: held }];
    app.move({ kind: "tell", grid: "city", spaces, seat: app.seat }, "tell");
    pin = "";
  };
  const map = plan(app, (place, n, one) => {
    const off = !may;
    if (n > 0) {
      const lit = n === held ? "lies held" : "lies";
      return spotKey(
        app,
        { kind: "spot", id: name(n), place, name: lit, said: say(n), off, act: () => pick(n) },
        n,
        one,
      );
    }
    if (held === 0 || off) return null;
    return spotKey(app, {
      kind: "spot",
      id: `to-${place}`,
      place,
      name: "",
      said: free(app, place),
      off,
      act: () => put(place),
    });
  });
  const loose = plazas.flatMap((one, i) =>
    one.at || one.done ? [] : [{ id: name(i + 1), n: i + 1, said: say(i + 1) }],
  );
  return [
    map,
    may ? h("p", { class: "dim small" }, app.say("praga/city/edit")) : null,
    may && loose.length > 0
      ? waiting(app, loose, pin, (id) => {
          pin = id;
        })
      : null,
  ];
}
