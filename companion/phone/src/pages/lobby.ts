/** The waiting room: who sits where until the table starts a game. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { badge } from "../draw/shapes";
import { line } from "../draw/pieces";
import { notes } from "../parts/notes";
import type { State } from "../wire";

export function lobby(app: App, state: State): Node {
  const safe = state.phase === "safe";
  return h(
    "main",
    { class: "page lobby", key: "lobby" },
    h(
      "header",
      { class: `band ${app.seat === null ? "nobody" : `p-${app.colourOf(app.seat)}`}` },
      h(
        "p",
        { class: "band-top" },
        app.seat === null
          ? app.say("phone/watching")
          : [badge(app.colourOf(app.seat), "badge ink"), app.nameOf(app.seat)],
      ),
      h("div", { role: "status" }, h("h1", null, app.say(safe ? "phone/lobby/safe" : "phone/lobby/title"))),
    ),
    notes(app),
    h("p", { class: "dim" }, app.say(safe ? "phone/lobby/safe-do" : "phone/lobby/lead")),
    h(
      "ul",
      { class: "people" },
      ...(state.seats ?? []).map((one) =>
        h(
          "li",
          { key: one.seat, class: one.seat === app.seat ? "me" : "" },
          badge(app.colourOf(one.seat)),
          h("span", { class: "seat-name" }, one.name || app.say("phone/door/seat-number", { number: one.seat + 1 })),
          one.bot
            ? h("span", { class: "why" }, app.say("phone/lobby/bot"))
            : one.phone
              ? [line("phone"), h("span", { class: "sr" }, app.say("phone/lobby/has-phone"))]
              : null,
        ),
      ),
    ),
    h(
      "div",
      { class: "foot" },
      h(
        "button",
        {
          class: "button ghost",
          type: "button",
          onclick: () => {
            app.sheet = "menu";
            app.draw();
          },
        },
        line("more"),
        app.say("phone/menu"),
      ),
    ),
  );
}
