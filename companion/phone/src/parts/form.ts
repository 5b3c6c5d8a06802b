/** Values a person enters: steppers, pickers, switches. */
import type { App } from "../app";
import { h, type Kids, type Node } from "../dom";
import { badge } from "../draw/shapes";
import { action, counted } from "../draw/signs";
import { line } from "../draw/pieces";
import { alone } from "./choices";
import { number } from "../words";
import type { Field, Form, Option } from "../wire";

const HOLD_MS = 400;
const REPEAT_MS = 125;

/** The fields stand in the middle of the page, their button with the other answers at the thumb. */
export function form(app: App, of: Form): Node {
  return h(
    "form",
    {
      class: "panel form",
      id: "ask-form",
      onsubmit: (event: Event) => {
        event.preventDefault();
        if (waits(app, of) === null) app.submit(of);
        else (document.getElementById(`field-${unread(app, of)?.id}`) ?? end.el)?.scrollIntoView({ block: "center" });
      },
    },
    ...rows(
      app,
      of.fields.filter((field) => app.ownField(of, field)),
    ),
    others(app, of),
    of.move.kind === "sheet" ? h("i", { class: "form-end", key: "end", born: watchEnd(app) }) : null,
  );
}

const end: { el: Element | null; seen: boolean } = { el: null, seen: false };
const unread = (app: App, of: Form): Field | undefined => of.fields.find((field) => app.draft.unsaid(field));

/** The end of a long form counts as seen when it stands clear of the answers. */
const watchEnd =
  (app: App) =>
  (el: Element): void => {
    end.el = el;
    end.seen = false;
    new IntersectionObserver(
      ([one], self) => {
        if (!one?.isIntersecting) return;
        end.seen = true;
        self.disconnect();
        app.draw();
      },
      { rootMargin: "0px 0px -30%" },
    ).observe(el);
  };

/** Why a final position cannot be sent yet: a printed number is missing, or its end was never looked at. */
function waits(app: App, of: Form): string | null {
  if (of.move.kind !== "sheet") return null;
  const missing = unread(app, of);
  if (missing) return app.say("praga/form/missing", { field: missing.text });
  return end.seen ? null : app.say("praga/form/leaves");
}

/** What the others enter on their own phones folds away; whoever has none is entered here. */
function others(app: App, of: Form): Node | null {
  const fields = of.fields.filter((field) => !app.ownField(of, field));
  if (fields.length === 0) return null;
  return h(
    "details",
    { class: "fold", key: "others" },
    h("summary", null, app.say("phone/form/others")),
    ...rows(app, fields),
  );
}

/** Field below field; numbers that belong together side by side, under names that the row above does not have already. */
function rows(app: App, fields: Field[]): Kids[] {
  const same = (one: Field, other?: Field): boolean =>
    !!other?.row && one.seat === other.seat && app.say(one.row) === app.say(other.row);
  let above = "";
  return fields
    .filter((field, i) => !same(field, fields[i - 1]))
    .map((first) => {
      const together = fields.filter((field) => same(field, first));
      if (together.length === 0) return [row(app, first), reason(app, first)];
      const names = together.map((field) => app.say(field.short));
      const known = names.join() === above;
      above = names.join();
      const cells = h(
        "div",
        { class: "field cells", key: first.id },
        h("span", { class: "field-name" }, app.say(first.row)),
        // a small count: touched, it is typed over
        ...together.map((field, i) =>
          h("label", { class: "cell" }, known ? "" : names[i], figure(app, field, `field-${field.id}`)),
        ),
      );
      return [cells, together.map((field) => reason(app, field))];
    });
}

export function sendButton(app: App, of: Form): Node {
  const why = waits(app, of);
  return h(
    "button",
    {
      type: "submit",
      form: "ask-form",
      class: `button wide ${why === null ? "primary" : "off"} ${app.isPressed("form") ? "pending" : ""}`,
      "aria-disabled": app.busy || why !== null ? "true" : null,
      "data-choice": "form",
    },
    app.say(of.send),
    why === null ? null : h("span", { class: "why" }, why),
  );
}

/** Below the field that was refused: why; the page comes to it, also out of its fold. */
const reason = (app: App, field: Field): Node | null => {
  if (!app.isWrong(field)) return null;
  const comes = (el: Element): void => {
    el.closest("details")?.setAttribute("open", "");
    el.scrollIntoView({ block: "center" });
  };
  return h("p", { class: "wrong", key: `wrong-${field.id}`, born: comes }, app.say(app.refusal?.say));
};

/** What the goods of Praga look like, beside their names. */
const sign = (app: App, field: Field): Node | null =>
  app.state?.game === "praga" && field.kind === "number"
    ? h("i", { class: "counted", "aria-hidden": "true" }, counted(field.id))
    : null;

export function row(app: App, field: Field): Node {
  const id = `field-${field.id}`;
  const name = [
    field.seat === null || field.seat === undefined ? null : badge(app.colourOf(field.seat)),
    sign(app, field),
    h("span", null, field.text.key === "seat" ? app.say(field.text) : alone(app.say(field.text))),
  ];
  const help = field.help ? h("p", { class: "dim small", id: `${id}-help` }, app.say(field.help)) : null;
  switch (field.kind) {
    case "number":
      return h(
        "div",
        { class: "field", key: field.id },
        h("label", { for: id, class: "field-name" }, ...name),
        stepper(app, field, id),
        help,
      );
    case "flag":
      return h(
        "div",
        { class: "field", key: field.id },
        h(
          "label",
          { class: "field-name" },
          h("input", {
            id,
            type: "checkbox",
            checked: app.draft.value(field) === true,
            onchange: (event: Event) => app.draft.enter(field, (event.target as HTMLInputElement).checked),
          }),
          ...name,
        ),
        help,
      );
    case "words":
    case "list":
      return h(
        "div",
        { class: "field tall", key: field.id },
        h("label", { for: id, class: "field-name" }, ...name),
        h("input", {
          id,
          class: "words",
          type: "text",
          maxlength: 60,
          value: String(app.draft.value(field) ?? ""),
          oninput: (event: Event) => app.draft.enter(field, (event.target as HTMLInputElement).value),
        }),
        help,
      );
    case "pick":
    case "many":
      return h(
        "fieldset",
        { class: "field tall", key: field.id },
        h("legend", { class: "field-name" }, ...name),
        chips(app, field),
        help,
      );
  }
}

/** Options as chips: one of them, or several. */
function chips(app: App, field: Field): Node {
  const value = app.draft.value(field);
  const many = field.kind === "many";
  const list = Array.isArray(value) ? value : [];
  const taken = (one: Option): number => list.findIndex((held) => held === one.value);
  // Wonder cards are for one's own figure first, then for the other: the order of touching counts.
  const ordered = many && field.id === "cards";
  return h(
    "div",
    { class: "chips" },
    ...(field.options ?? []).map((option, i) => {
      const on = many ? taken(option) >= 0 : value === option.value;
      return h(
        "label",
        { class: `chip ${on ? "on" : ""}`, key: i },
        h("input", {
          type: many ? "checkbox" : "radio",
          name: `field-${field.id}`,
          class: "sr",
          checked: on,
          onchange: () => {
            if (!many) app.draft.enter(field, option.value);
            else
              app.draft.enter(
                field,
                on ? list.filter((one) => one !== option.value) : [...list, option.value as string | number],
              );
          },
        }),
        field.id === "on" && option.value !== "none" ? action(String(option.value)) : null,
        ordered && on ? h("span", { class: "place" }, taken(option) + 1) : null,
        app.say(option.text),
      );
    }),
  );
}

const low = (field: Field): number => field.low ?? -999;
const high = (field: Field): number => field.high ?? 999;
const to = (app: App, field: Field, next: number): void =>
  app.draft.enter(field, Math.max(low(field), Math.min(high(field), next)));

/** The number itself, as it is typed. */
const figure = (app: App, field: Field, id: string): Node =>
  h("input", {
    id,
    class: "number",
    type: "text",
    inputmode: low(field) < 0 ? "text" : "numeric",
    value: app.draft.unsaid(field) ? "\u2013" : number(Number(app.draft.value(field) ?? 0)),
    "aria-label": field.row ? app.say(field.text) : null,
    "aria-invalid": app.isWrong(field) ? "true" : null,
    "aria-describedby": field.help ? `${id}-help` : null,
    oninput: (event: Event) => {
      const typed = (event.target as HTMLInputElement).value.replace("\u2212", "-").trim();
      if (/^-?\d+$/.test(typed)) to(app, field, Number(typed));
    },
    onblur: () => app.draw(),
    onfocus: (event: Event) => (event.target as HTMLInputElement).select(),
  });

function stepper(app: App, field: Field, id: string): Node {
  const value = Number(app.draft.value(field) ?? 0);
  const big = high(field) - low(field) > 20;
  const key = (by: number, label: Node | string): Node =>
    h(
      "button",
      {
        type: "button",
        class: "step",
        "aria-label": app.say(by < 0 ? "phone/less" : "phone/more-by", { by: Math.abs(by), what: app.say(field.text) }),
        "aria-controls": id,
        disabled: !app.draft.unsaid(field) && (by < 0 ? value <= low(field) : value >= high(field)),
        ...holding(() => to(app, field, Number(app.draft.value(field) ?? 0) + by)),
      },
      label,
    );
  return h(
    "div",
    { class: "stepper" },
    key(-1, line("minus")),
    figure(app, field, id),
    key(1, line("plus")),
    big ? key(5, "+5") : null,
    big ? key(10, "+10") : null,
  );
}

/** A held key repeats, as on the screen at the table. */
function holding(step: () => void): Record<string, (event: never) => void> {
  return {
    onclick: (event: MouseEvent) => {
      // A press that repeated already counted; a click by keyboard has no press before it.
      if (held.count === 0) step();
      held.count = 0;
      event.preventDefault();
    },
    onpointerdown: () => {
      stopHolding();
      held.count = 0;
      held.timer = window.setTimeout(function again() {
        held.count += 1;
        step();
        held.timer = window.setTimeout(again, REPEAT_MS);
      }, HOLD_MS);
    },
    onpointerup: stopHolding,
    onpointerleave: stopHolding,
    onpointercancel: stopHolding,
  };
}

const held = { timer: 0, count: 0 };
function stopHolding(): void {
  clearTimeout(held.timer);
}
