/** The score strip: everybody's points, the one in turn raised, the one looked at marked. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { badge } from "../draw/shapes";
import { number } from "../words";
import type { State } from "../wire";

export function scores(app: App, state: State): Node | null {
  const points = app.scores();
  const seats = state.seats ?? [];
  if (seats.length === 0) return null;
  const ask = app.prompt?.ask;
  const shown = app.look ?? app.seat ?? ask?.seat ?? seats[0]?.seat;
  return h(
    "nav",
    { class: "strip", "aria-label": app.say("phone/scores") },
    h(
      "ul",
      null,
      ...seats.map(({ seat, name }) => {
        const has = points.get(seat);
        const gain = app.gains.get(seat);
        const turn = ask?.seat === seat || (ask?.waiting ?? []).includes(seat);
        const said = [
          name,
          has === undefined ? "" : app.say("phone/points", { n: has }),
          turn ? app.say("phone/in-turn") : "",
        ];
        return h(
          "li",
          { key: seat },
          h(
            "button",
            {
              type: "button",
              class: `score p-${app.colourOf(seat)} ${turn ? "turn" : ""}`,
              "aria-pressed": shown === seat ? "true" : "false",
              "aria-label": said.filter((part) => part !== "").join(", "),
              onclick: () => {
                app.look = seat;
                app.draw();
              },
            },
            badge(app.colourOf(seat)),
            h("span", { class: "points", key: `points-${has ?? "none"}` }, has === undefined ? "\u2013" : number(has)),
            gain
              ? h("span", { class: "gain", key: `gain-${gain.seq}` }, `${gain.by > 0 ? "+" : ""}${number(gain.by)}`)
              : null,
            h("span", { class: "who" }, name),
          ),
        );
      }),
    ),
    h(
      "p",
      { class: "sr", "aria-live": "polite" },
      [...app.gains]
        .map(([seat, gain]) =>
          app.say("phone/gained", { who: app.nameOf(seat), by: gain.by, total: points.get(seat) ?? 0 }),
        )
        .join(". "),
    ),
  );
}
