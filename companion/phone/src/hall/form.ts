/** What the organiser fills in for a new event. */
import { h, type Node } from "../dom";
import type { Desk } from "./desk";

export const text = (id: string): string => (document.getElementById(id) as HTMLInputElement | null)?.value ?? "";
/** An input begins with this; what is typed then is its own, however often the page is drawn. */
export const begins =
  (value: string | number) =>
  (el: Element): void => {
    (el as HTMLInputElement).value = String(value);
  };
export const field = (id: string): number => Number(text(id)) || 0;

export function newEvent(desk: Desk): Node {
  const { words } = desk.hall;
  const input = (id: string, props: Record<string, string | number>): Node => h("input", { id, ...props });
  const row = (key: string, kid: Node): Node => h("label", { class: "row" }, words.say(key), kid);
  const options = (values: [string, string][]): Node[] => values.map(([value, said]) => h("option", { value }, said));
  return h(
    "section",
    { class: "card form" },
    h("h2", null, words.say("hall/do/event")),
    row("hall/event/name", input("name", { maxlength: 80, autocomplete: "off" })),
    row(
      "hall/event/game",
      h("select", { id: "game" }, options(desk.told.games.map((game) => [game, words.say(`${game}/title`)]))),
    ),
    row(
      "hall/event/size",
      h(
        "select",
        { id: "size" },
        options([
          ["4", "4"],
          ["3", "3"],
          ["2", "2"],
        ]),
      ),
    ),
    row(
      "hall/event/system",
      h(
        "select",
        { id: "system" },
        options([
          ["swiss", words.say("hall/swiss")],
          ["round robin", words.say("hall/everybody")],
        ]),
      ),
    ),
    row("hall/event/planned", h("input", { id: "planned", type: "number", min: 1, max: 99, born: begins(6) })),
    row(
      "hall/event/players",
      h("textarea", { id: "names", rows: 6, maxlength: 20000, placeholder: words.say("hall/event/one-a-line") }),
    ),
    h(
      "p",
      { class: "buttons" },
      desk.button(
        "hall/do/create",
        () => ({
          do: "event",
          name: text("name"),
          game: text("game"),
          size: field("size"),
          system: text("system"),
          planned: field("planned"),
          players: text("names")
            .split("\n")
            .map((name) => name.trim())
            .filter(Boolean),
        }),
        "primary",
      ),
      desk.hall.event
        ? h(
            "button",
            { type: "button", class: "button ghost", onclick: () => desk.fold(() => (desk.making = false)) },
            words.say("hall/back"),
          )
        : null,
    ),
  );
}
