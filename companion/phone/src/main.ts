/** The phone page: draws what the app knows, as often as it changes. */
import { App } from "./app";
import { inFrame, patch, type Node } from "./dom";
import { page } from "./pages/page";

const root = document.getElementById("page") as HTMLElement;
let shown: Node[] = [];

const draw = inFrame(() => {
  shown = patch(root, shown, page(app));
  app.gaze.drew(app.state);
  void app.lookUp();
});
const app = new App(draw);
addEventListener("online", () => app.wake());
addEventListener("offline", () => app.lost());
addEventListener("hashchange", () => app.scanned());
addEventListener("pagehide", () => app.away());
addEventListener("pageshow", () => app.wake());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) app.wake();
});
// A page drawn anew under a finger does not change what the finger meant; a form is sent only after its click is over.
addEventListener("pointerdown", () => app.gaze.press(), true);
addEventListener("click", () => setTimeout(() => app.gaze.release()));
for (const other of ["pointercancel", "keydown"]) addEventListener(other, () => app.gaze.release(), true);
void app.begin();
