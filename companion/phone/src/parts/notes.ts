/** Banners: offline, refusals, what the table should know. They never cover prompt or choices. */
import type { App } from "../app";
import { h, type Node } from "../dom";
import { line } from "../draw/pieces";
import type { Notice } from "../wire";

export function notes(app: App): Node {
  return h(
    "div",
    { class: "notes", key: "notes" },
    h(
      "div",
      { role: "status" },
      app.session !== null && !app.online
        ? h(
            "div",
            { class: "note warn", key: "offline" },
            line("away"),
            h(
              "div",
              null,
              h("p", { class: "strong" }, app.say("phone/offline")),
              h("p", null, app.say(app.busy ? "phone/offline-pending" : "phone/offline-do")),
            ),
          )
        : app.coreAway && app.session !== null
          ? h(
              "div",
              { class: "note warn", key: "core" },
              line("away"),
              h(
                "div",
                null,
                h("p", { class: "strong" }, app.say("phone/core-away")),
                h("p", null, app.say("phone/core-away-do")),
              ),
            )
          : null,
    ),
    h("div", { role: "alert" }, refusal(app)),
    consent(app),
    taken(app),
    freeSeats(app),
    ...(app.state?.notices ?? []).filter((one) => !one.done).map((one) => notice(app, one)),
  );
}

function refusal(app: App): Node | null {
  const no = app.refusal;
  if (no === null) return null;
  return h(
    "div",
    { class: "note bad", key: "refusal" },
    h(
      "div",
      null,
      h("p", { class: "strong" }, app.say(no.say)),
      h("p", null, app.say(no.do)),
      no.page ? h("p", { class: "small" }, app.say("phone/page", { page: no.page })) : null,
      h("button", { class: "button ghost", type: "button", onclick: () => void app.openRules() }, app.say("phone/why")),
      no.box ? otherwise(app, no.box) : null,
    ),
    h(
      "button",
      {
        class: "icon",
        type: "button",
        "aria-label": app.say("phone/close"),
        onclick: () => {
          app.refusal = null;
          app.draw();
        },
      },
      line("close"),
    ),
  );
}

const notice = (app: App, one: Notice): Node =>
  h(
    "div",
    { class: `note ${one.kind ?? "info"}`, key: `notice-${one.id}` },
    h(
      "div",
      null,
      h("p", { class: "strong" }, app.say(one.text)),
      one.do ? h("p", null, app.say(one.do)) : null,
      typeof one.seat === "number" && one.seat === app.seat
        ? ["yes", "no"].map((said) =>
            h(
              "button",
              {
                class: "button",
                type: "button",
                "data-choice": `wish-${said}`,
                onclick: () => app.move({ kind: "@wish", wish: one.id, yes: said === "yes" }, one.id),
              },
              app.say(`wish/${said}`),
            ),
          )
        : null,
    ),
  );

/** A refusal may rest on a printed number nobody has checked: then the owner's copy has the last word. */
function otherwise(app: App, key: string): Node {
  return h(
    "form",
    {
      class: "otherwise",
      onsubmit: (event: Event) => {
        event.preventDefault();
        const typed = (event.target as HTMLFormElement).querySelector("input")?.value.trim() ?? "";
        if (typed !== "")
          app.move({ kind: "box", key, value: /^-?\d+$/.test(typed) ? Number(typed) : typed, seat: app.seat }, "box");
      },
    },
    h("label", { for: "our-copy" }, app.say("phone/our-copy", { value: key })),
    h("input", { id: "our-copy", class: "words", type: "text", maxlength: 40, autocomplete: "off" }),
    h("button", { class: "button", type: "submit" }, app.say("phone/our-copy-send")),
  );
}

/** A move that showed something is taken back only when everybody agrees. */
function consent(app: App): Node | null {
  if (!app.askedToAgree) return null;
  return h(
    "div",
    { class: "note", key: "consent", role: "alert" },
    h(
      "div",
      null,
      h("p", { class: "strong" }, app.say("phone/undo-asked")),
      h("p", null, app.say("phone/undo-asked-do")),
    ),
    h(
      "button",
      {
        class: `button ${app.isPressed("consent") ? "pending" : ""}`,
        type: "button",
        "data-choice": "undo",
        "aria-disabled": app.busy ? "true" : null,
        onclick: () => app.consent(),
      },
      app.say("phone/agree-undo"),
    ),
  );
}

/** A move of mine was believed that may have been another one, for it looks the same: one touch says so. */
function taken(app: App): Node | null {
  const back = app.state?.undo ?? null;
  const other = back?.otherwise ?? null;
  if (other === null || back?.seat !== app.seat || app.session?.role !== "seat") return null;
  return h(
    "div",
    { class: "note info", key: other.id },
    h(
      "div",
      null,
      h("p", null, app.say(other.text)),
      other.answers.map((answer) =>
        h(
          "button",
          {
            class: `button ghost ${app.isPressed(`${other.id}/${answer.id}`) ? "pending" : ""}`,
            type: "button",
            "data-choice": "otherwise",
            "aria-disabled": app.busy ? "true" : null,
            onclick: () => app.move(answer.move ?? {}, `${other.id}/${answer.id}`),
          },
          app.say(answer.text),
        ),
      ),
    ),
  );
}

/** Who came before the game was set up watches first; a free seat is one touch away. */
function freeSeats(app: App): Node | null {
  const free = (app.state?.seats ?? []).filter((one) => !one.phone && !one.bot);
  if (!app.watching || app.state?.phase !== "playing" || free.length === 0) return null;
  return h(
    "div",
    { class: "note", key: "free" },
    h("div", null, h("p", null, app.say("phone/take-seat", { n: free.length }))),
    h("button", { class: "button", type: "button", onclick: () => void app.standUp() }, app.say("phone/take-seat-do")),
  );
}
