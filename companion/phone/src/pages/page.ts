/** Which page stands: the door, the waiting room, the game or its end. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { sheet } from "../parts/sheets";
import { door } from "./door";
import { end } from "./end";
import { play } from "./play";
import { lobby } from "./lobby";

export function page(app: App): Node[] {
  const { state } = app;
  const ask = app.ask();
  const mine = state?.phase === "playing" && ask !== null && app.named(ask);
  document.title = mine ? `\u25cf ${app.say("phone/your-turn")}` : "Tableside";
  return [body(app), sheet(app)].filter((part): part is Node => part !== null);
}

function body(app: App): Node {
  const { state, session } = app;
  if (app.elsewhere) return elsewhere(app);
  if (session === null) return state?.phase === "over" ? end(app, state) : door(app);
  if (state === null) return waiting(app);
  if (state.phase === "over") return end(app, state);
  if (state.phase === "playing") return play(app, state);
  return lobby(app, state);
}

const waiting = (app: App): Node =>
  h(
    "main",
    { class: "page quiet", key: "waiting" },
    h("h1", null, app.say(app.coreAway ? "phone/core-away" : "phone/connecting")),
    h("p", { class: "dim", role: "status" }, app.say(app.coreAway ? "phone/core-away-do" : "phone/connecting-do")),
  );

const elsewhere = (app: App): Node =>
  h(
    "main",
    { class: "page quiet", key: "elsewhere" },
    h("h1", null, app.say("phone/elsewhere")),
    h("p", { class: "dim" }, app.say("phone/elsewhere-do")),
    h(
      "button",
      { class: "button primary", type: "button", onclick: () => void app.takeOver() },
      app.say("phone/play-here"),
    ),
  );
