/** The organiser's desk, behind a PIN: one best next step, every table and player, and a trail in which each act can be undone. */
import { h, type Kids, type Node } from "../dom";
import type { Text } from "../wire";
import type { Hall } from "./hall";
import { begins, field, newEvent, text } from "./form";
import { about, clock } from "./parts";
import { players, tables } from "./rows";
import { languages } from "./small";
import type { Act, Told } from "./wire";

type Wish = { do: string } & Record<string, unknown>;

export class Desk {
  private inside: boolean | null = null;
  told: Told = { trail: [], games: [], undone: [] };
  private said = "";
  private wait = 0;
  /** What is unfolded: a table's name, a player's. */
  private open = "";
  making = false;

  constructor(
    readonly hall: Hall,
    private readonly redraw: () => void,
  ) {}

  async begin(): Promise<void> {
    await this.look();
    this.redraw();
  }

  private async look(): Promise<void> {
    const answer = await fetch("/desk");
    // while the store is away who is in stays in, with what the page knows
    this.inside = answer.ok || answer.status === 503;
    if (answer.ok) this.told = (await answer.json()) as Told;
  }

  private async enter(pin: string): Promise<void> {
    const answer = await fetch("/pin", { method: "POST", body: JSON.stringify({ pin }) });
    const { wait } = (await answer.json()) as { wait?: number };
    this.wait = wait ?? 0;
    this.said = answer.ok
      ? ""
      : this.hall.words.say(this.wait > 0 ? "hall/pin-wait" : "hall/pin-wrong", { n: Math.ceil(this.wait) });
    if (answer.ok) await this.look();
    this.redraw();
  }

  /** Ask for an act; what came of it stands at the top. */
  private async act(wish: Wish): Promise<void> {
    try {
      const answer = await fetch("/desk", { method: "POST", body: JSON.stringify(wish) });
      const told = (await answer.json()) as { say?: Text };
      this.said = answer.ok ? "" : told.say ? this.hall.words.say(told.say) : String(answer.status);
      if (answer.ok) this.making = false;
      await this.look();
    } catch {
      this.said = this.hall.words.say("hall/line-lost"); // the hall is being started again: it can be asked in a moment
    }
    this.redraw();
  }

  button(key: string, wish: () => Wish | null, kind = ""): Node {
    return h(
      "button",
      {
        type: "button",
        class: `button ${kind}`,
        onclick: () => {
          const wished = wish();
          if (wished) void this.act(wished);
        },
      },
      this.hall.words.say(key),
    );
  }

  page(): Node[] {
    if (this.inside === null) return [];
    const { hall } = this;
    if (!this.inside) return [this.door()];
    return [
      h(
        "header",
        { class: "small-head", key: "head" },
        h(
          "div",
          null,
          h("h1", null, hall.event?.name ?? hall.words.say("hall/organiser")),
          h("p", { class: "about" }, about(hall)),
        ),
        clock(hall),
      ),
      h(
        "main",
        { class: "desk", key: "desk" },
        h("div", { class: "desk-column" }, this.toast(), this.next(), this.everybody(), this.trail()),
        h("div", { class: "desk-column" }, tables(this), players(this)),
        languages(hall),
      ),
    ];
  }

  private door(): Node {
    const { words } = this.hall;
    return h(
      "main",
      { class: "door", key: "door" },
      h("h1", null, words.say("hall/organiser")),
      h(
        "form",
        {
          onsubmit: (event: Event) => {
            event.preventDefault();
            const input = (event.target as HTMLFormElement).elements.namedItem("pin") as HTMLInputElement;
            void this.enter(input.value);
            input.value = "";
          },
        },
        h(
          "label",
          null,
          words.say("hall/pin"),
          h("input", { name: "pin", type: "password", inputmode: "numeric", autocomplete: "off", maxlength: 64 }),
        ),
        h("button", { class: "button primary" }, words.say("hall/enter")),
      ),
      this.said ? h("p", { class: "refused", role: "alert" }, this.said) : null,
      languages(this.hall),
    );
  }

  /** What was refused, else the last act and the way back. */
  private toast(): Node | null {
    if (this.said) return h("p", { class: "refused", role: "alert" }, this.said);
    const last = this.told.trail[0];
    if (last === undefined || !this.undoable(last)) return null;
    return h(
      "p",
      { class: "toast", role: "status" },
      h("span", null, this.did(last)),
      this.button("hall/undo", () => ({ do: "undo", act: last.id }), "ghost"),
    );
  }

  /** What stands and nothing later has changed: taking it back then puts back what was before. */
  private undoable(act: Act): boolean {
    const stands = (one: Act): boolean => (one.undoes ?? null) === null && !this.told.undone.includes(one.id);
    const later = (one: Act): boolean =>
      one.id > act.id && one.kind === act.kind && stands(one) && one.key.some((key) => act.key.includes(key));
    return stands(act) && !this.told.trail.some(later);
  }

  private did(act: Act): string {
    const { words } = this.hall;
    if ((act.undoes ?? null) !== null) return words.say("hall/did/undo");
    const [kind, ...rest] = act.what.split(" ");
    let what = rest.join(" ");
    if (kind === "call") what = `${this.hall.title(rest[0] ?? "")} – ${words.say(`hall/call/${rest[1] ?? "none"}`)}`;
    if (kind === "say") {
      const [table, ...text] = rest;
      what = `${table === "all" ? words.say("hall/all-tables") : this.hall.title(table ?? "")} – ${text.join(" ") || "–"}`;
    }
    if (kind === "correct" || kind === "enter")
      what = `${this.hall.title((rest[0] ?? "").replace(":", ""))}: ${rest.slice(1).join(" ")}`;
    return words.say(`hall/did/${kind}`, { what });
  }

  /** The event, and the one step that comes next. */
  private next(): Node {
    const { hall } = this;
    const { words } = hall;
    const event = hall.event;
    if (event === undefined || this.making) return newEvent(this);
    const round = event.round;
    const over = !round || Boolean(round.ended);
    const own = event.game.replace("/title", "");
    const open = round ? round.pairs.filter((pair) => !pair.game_id).length : 0;
    const say = over
      ? words.say("hall/next/pair", { number: (round?.number ?? 0) + 1 })
      : round.began
        ? words.say(open > 0 ? "hall/next/playing" : "hall/next/all-in", { n: open, number: round.number })
        : words.say("hall/next/ready", { number: round.number });
    return h(
      "section",
      { class: "card" },
      h("p", { class: "lead" }, say),
      over && this.told.games.length > 1
        ? h(
            "label",
            { class: "inline" },
            words.say("hall/event/game"),
            h(
              "select",
              { id: "round-game" },
              [own, ...this.told.games.filter((game) => game !== own)].map((game) =>
                h("option", { value: game }, words.say(`${game}/title`)),
              ),
            ),
          )
        : null,
      over
        ? h(
            "label",
            { class: "inline" },
            words.say("hall/minutes"),
            h("input", { id: "minutes", type: "number", min: 0, max: 1440, born: begins(60) }),
          )
        : null,
      h(
        "p",
        { class: "buttons" },
        over
          ? this.button("hall/do/pair", () => this.pair(event.id, own), "primary")
          : round.began
            ? this.button("hall/do/end", () => ({ do: "end", event: event.id }), open === 0 ? "primary" : "")
            : this.button("hall/do/start", () => ({ do: "start", event: event.id }), "primary"),
        h(
          "button",
          { type: "button", class: "button ghost", onclick: () => this.fold(() => (this.making = true)) },
          words.say("hall/do/event"),
        ),
      ),
    );
  }

  /** Every round may have another game; the event's own needs no word. */
  private pair(event: string, own: string): Wish {
    const game = text("round-game");
    return { do: "pair", event, minutes: field("minutes"), game: game === own ? "" : game };
  }

  fold(change: () => void): void {
    change();
    this.redraw();
  }

  private everybody(): Node {
    const { words } = this.hall;
    return h(
      "section",
      { class: "card" },
      h("h2", null, words.say("hall/to-all")),
      h("input", {
        id: "say-all",
        maxlength: 200,
        autocomplete: "off",
        "aria-label": words.say("hall/to-all"),
        placeholder: this.hall.message || words.say("hall/write"),
      }),
      h(
        "p",
        { class: "buttons" },
        this.button("hall/do/say", () => ({ do: "say", text: text("say-all") })),
        this.hall.message ? this.button("hall/do/unsay", () => ({ do: "say", text: "" }), "ghost") : null,
      ),
    );
  }

  folded(key: string, head: Kids, body: () => Kids): Node {
    const open = this.open === key;
    return h(
      "li",
      { key },
      h(
        "button",
        {
          type: "button",
          class: "row-head",
          "aria-expanded": String(open),
          onclick: () => this.fold(() => (this.open = open ? "" : key)),
        },
        head,
      ),
      open ? h("div", { class: "row-body" }, body()) : null,
    );
  }

  private trail(): Node | null {
    const { words } = this.hall;
    if (this.told.trail.length === 0) return null;
    const time = new Intl.DateTimeFormat(words.language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    return h(
      "section",
      { class: "card" },
      h("h2", null, words.say("hall/trail")),
      h(
        "ol",
        { class: "trail" },
        this.told.trail.map((act) =>
          h(
            "li",
            { key: act.id, class: this.told.undone.includes(act.id) ? "undone" : "" },
            h("span", { class: "when" }, time.format(new Date(act.at))),
            h("span", { class: "what" }, this.did(act)),
            this.undoable(act) ? this.button("hall/undo", () => ({ do: "undo", act: act.id }), "ghost") : null,
          ),
        ),
      ),
    );
  }
}
