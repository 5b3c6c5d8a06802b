/** What goes home: the result as text and as a picture. */
import { ranked } from "./pages/end";
import type { App } from "./app";
import type { PadView } from "./shown/scorepad";
import { number } from "./words";
import type { State, Tally } from "./wire";

export function text(app: App, state: State, tally: Tally): string {
  const head = [called(app, state), said(app, state)].filter((part) => part !== "").join(", ");
  const rows = ranked(tally).map((one, i) => `${i + 1}. ${one.name}: ${number(one.total)}`);
  const why = tally.tie_break ? [app.say(tally.tie_break)] : [];
  return [head, ...rows, ...why, "Tableside"].join("\n");
}

/** What is played: the name its players gave it, or the game's own. */
const called = (app: App, state: State): string => {
  const given = (state.view as Partial<PadView> | undefined)?.title;
  return typeof given === "string" && given !== "" ? given : app.say(`${state.game ?? ""}/title`);
};
const said = (app: App, state: State): string => (state.ts ? app.words.day(state.ts) : "");
const FILLS: Record<string, string> = {
  sun: "#FFCB47",
  leaf: "#1FA07F",
  sky: "#8FD0FF",
  coral: "#EE5A3C",
  snow: "#F1ECE2",
  plum: "#B77BE0",
};

/** The result as a picture, drawn here: nothing leaves the phone until its owner sends it. */
export function picture(app: App, state: State, tally: Tally): HTMLCanvasElement {
  const order = ranked(tally);
  const canvas = document.createElement("canvas");
  canvas.width = 1080;
  canvas.height = 330 + 132 * order.length;
  const pen = canvas.getContext("2d");
  if (pen === null) return canvas;
  pen.fillStyle = "#17120F";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textBaseline = "alphabetic";
  pen.fillStyle = "#F8EFE0";
  pen.font = '700 76px "Tableside Serif", serif';
  pen.fillText(called(app, state), 60, 120, 960);
  pen.fillStyle = "#D2C2AB";
  pen.font = '600 38px "Tableside Sans", sans-serif';
  pen.fillText(said(app, state), 60, 178, 960);
  const top = Math.max(1, ...order.map((one) => one.total));
  order.forEach((one, i) => {
    const y = 220 + 132 * i;
    const won = tally.winners.includes(one.seat);
    const fill = FILLS[app.colourOf(one.seat)] ?? "#E3AE52";
    pen.fillStyle = won ? fill : "#2A211A";
    pen.fillRect(60, y, 960, 112);
    if (!won) {
      pen.fillStyle = fill;
      pen.fillRect(60, y + 98, Math.max(8, (960 * Math.max(0, one.total)) / top), 14);
    }
    pen.fillStyle = won ? "#1A130E" : "#F8EFE0";
    pen.font = '600 50px "Tableside Sans", sans-serif';
    pen.fillText(one.name, 96, y + 70, 640);
    pen.font = '700 66px "Tableside Serif", serif';
    pen.textAlign = "right";
    pen.fillText(number(one.total), 984, y + 78);
    pen.textAlign = "left";
  });
  pen.fillStyle = "#E3AE52";
  pen.font = '600 34px "Tableside Sans", sans-serif';
  pen.fillText("Tableside", 60, canvas.height - 44);
  return canvas;
}
