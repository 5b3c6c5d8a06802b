/** The door: a seat or a place to watch, a name, a language. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { badge, colour } from "../draw/shapes";
import { line } from "../draw/pieces";
import { languagePicker } from "../parts/sheets";

export function door(app: App): Node {
  const { table, wish } = app;
  const free = (table?.seats ?? []).filter((one) => !one.taken);
  if (!wish.touched) wish.seat = free[0]?.seat ?? null;
  else if (wish.seat !== null && !free.some((one) => one.seat === wish.seat)) wish.seat = null;
  return h(
    "main",
    { class: "page door", key: "door" },
    h(
      "header",
      { class: "door-head" },
      h("h1", null, app.say("phone/door/title")),
      h(
        "p",
        { class: "dim" },
        app.say(
          table === null ? "phone/door/no-table" : table.seats.length === 0 ? "phone/door/no-game" : "phone/door/lead",
        ),
      ),
    ),
    app.door === null
      ? null
      : h(
          "div",
          { class: "note bad", role: "alert" },
          h("div", null, h("p", { class: "strong" }, app.say(app.door.say)), h("p", null, app.say(app.door.do))),
        ),
    h(
      "form",
      {
        onsubmit: (event: Event) => {
          event.preventDefault();
          void app.join();
        },
      },
      h(
        "fieldset",
        { class: "seats" },
        h("legend", null, app.say("phone/door/seat")),
        ...(table?.seats ?? []).map((one) => seatRow(app, one)),
        watchRow(app),
      ),
      wish.seat === null ? null : nameRow(app),
      codeRow(app),
      h("div", { class: "row" }, languagePicker(app)),
      h(
        "button",
        { class: "button primary wide", type: "submit", "aria-busy": app.joining ? "true" : null },
        app.say(wish.seat === null ? "phone/door/watch" : "phone/door/sit"),
      ),
    ),
  );
}

function seatRow(app: App, one: { seat: number; name: string; colour?: string; taken: boolean }): Node {
  const of = colour(one.colour, one.seat);
  const name = one.name || app.say("phone/door/seat-number", { number: one.seat + 1 });
  return h(
    "label",
    { class: `seat-row ${one.taken ? "off" : ""}`, key: `seat-${one.seat}` },
    h("input", {
      type: "radio",
      name: "seat",
      value: one.seat,
      checked: app.wish.seat === one.seat,
      disabled: one.taken,
      onchange: () => pick(app, one.seat),
    }),
    h("span", { class: `tab p-${of}` }, badge(of, "badge ink")),
    h("span", { class: "seat-name" }, name),
    one.taken ? h("span", { class: "why" }, app.say("phone/door/taken")) : null,
  );
}

const watchRow = (app: App): Node =>
  h(
    "label",
    { class: "seat-row", key: "watch" },
    h("input", {
      type: "radio",
      name: "seat",
      value: "watch",
      checked: app.wish.seat === null,
      onchange: () => pick(app, null),
    }),
    h("span", { class: "tab plain" }, line("eye")),
    h("span", { class: "seat-name" }, app.say("phone/door/only-watch")),
  );

function pick(app: App, seat: number | null): void {
  app.wish.seat = seat;
  app.wish.touched = true;
  app.draw();
}

function nameRow(app: App): Node {
  const known = app.table?.seats.find((one) => one.seat === app.wish.seat)?.name ?? "";
  return h(
    "div",
    { class: "row", key: "name" },
    h("label", { for: "name" }, app.say("phone/door/name")),
    h("input", {
      id: "name",
      class: "words",
      type: "text",
      maxlength: 24,
      autocomplete: "nickname",
      value: app.wish.name,
      placeholder: known,
      oninput: (event: Event) => {
        app.wish.name = (event.target as HTMLInputElement).value;
      },
    }),
  );
}

/** Who scanned the picture already has the code; who typed the address types it too. */
function codeRow(app: App): Node | null {
  if (location.hash.length > 1 && app.door === null) return null;
  return h(
    "div",
    { class: "row", key: "code" },
    h("label", { for: "code" }, app.say("phone/door/code")),
    h("input", {
      id: "code",
      class: "words code",
      type: "text",
      required: true,
      autocapitalize: "none",
      autocomplete: "off",
      spellcheck: "false",
      value: app.wish.code,
      "aria-describedby": "code-help",
      oninput: (event: Event) => {
        app.wish.code = (event.target as HTMLInputElement).value;
      },
    }),
    h("p", { id: "code-help", class: "dim small" }, app.say("phone/door/code-help")),
  );
}
