/** The hall's page: the big screen where there is room, the small page on a phone, the organiser's desk at its own address. */
import { inFrame, patch, type Node } from "../dom";
import { Desk } from "./desk";
import { Hall } from "./hall";
import { screen } from "./screen";
import { small } from "./small";

const root = document.getElementById("page") as HTMLElement;
const wide = matchMedia("(min-width: 1100px)");
const organiser = location.pathname === "/organiser";
let shown: Node[] = [];

const draw = inFrame(() => {
  const nodes = organiser ? desk.page() : wide.matches ? screen(hall) : small(hall, draw);
  document.body.className = organiser ? "desk-page" : wide.matches ? "big-page" : "small-page";
  document.title = hall.event?.name || hall.name || "Tableside";
  shown = patch(root, shown, nodes);
});
const hall = new Hall(draw);
const desk = new Desk(hall, draw);
wide.addEventListener("change", draw);
// the clock, and whose turn it is on the big screen
setInterval(() => {
  if (!document.hidden) draw();
}, 1000);
void hall.begin();
if (organiser) void desk.begin();
