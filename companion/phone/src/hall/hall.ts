/** What the hall's page knows: merged from the live line, drawn as often as it changes. */
import { chosen, LANGUAGES, Words, type Catalogue } from "../words";
import type { EventShown, News, Shown } from "./wire";

export type View = "tables" | "standings" | "pairings";

export class Hall {
  readonly tables = new Map<string, Shown>();
  order: string[] = [];
  events: EventShown[] = [];
  message = "";
  name = "";
  live = false;
  words = new Words("en", {});
  /** Of the small page: what is looked at, and what is looked for. */
  view: View = "tables";
  wanted = "";
  private ahead = 0;
  private patience = 500;

  constructor(private readonly changed: () => void) {}

  /** Somebody types what to look for. */
  find(wanted: string): void {
    this.wanted = wanted;
    this.changed();
  }

  /** The hall's clock, in seconds. */
  now(): number {
    return Date.now() / 1000 + this.ahead;
  }

  /** The event that is looked at: of several the one in the address, else the last. */
  get event(): EventShown | undefined {
    const wanted = new URLSearchParams(location.search).get("event");
    return this.events.find((one) => one.id === wanted) ?? this.events[this.events.length - 1];
  }

  async speak(language: string): Promise<void> {
    const fetched = await fetch(`/words/${language}.json`);
    this.words = new Words(language, (await fetched.json()) as Catalogue);
    document.documentElement.lang = language;
    this.changed();
  }

  async begin(): Promise<void> {
    const asked = new URLSearchParams(location.search).get("lang");
    await this.speak(chosen([...(asked ? [asked] : []), ...navigator.languages], LANGUAGES));
    this.listen();
  }

  private listen(): void {
    const line = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
    line.onmessage = (event: MessageEvent<string>) => {
      this.hear(JSON.parse(event.data) as News);
      this.patience = 500;
    };
    line.onclose = () => {
      this.live = false;
      this.changed();
      setTimeout(() => this.listen(), this.patience);
      this.patience = Math.min(this.patience * 2, 8000);
    };
  }

  private hear(news: News): void {
    this.live = true;
    this.ahead = news.now - Date.now() / 1000;
    if (news.whole) this.tables.clear();
    let fewer = news.whole === true;
    for (const [name, table] of Object.entries(news.tables ?? {})) {
      fewer ||= table === null || !this.tables.has(name);
      if (table === null) this.tables.delete(name);
      else this.tables.set(name, table);
    }
    if (fewer) this.order = inOrder([...this.tables.keys()]);
    if (news.hall !== undefined && news.hall !== null) this.name = news.hall;
    if (news.events) this.events = news.events;
    if (news.message !== undefined && news.message !== null) this.message = news.message;
    this.changed();
  }

  /** What people call a table: its number, else what its owner calls it. */
  title(name: string): string {
    const number = /^(?:t|table|table-|t-)0*(\d+)$/.exec(name)?.[1];
    if (number !== undefined) return this.words.say("hall/table", { number });
    return this.tables.get(name)?.title || name;
  }

  /** Points of a table won, in whole tables and tenths. */
  points(twelfths: number): string {
    return this.words.decimal(twelfths / 12);
  }
}

/** Table 2 before table 10. */
export function inOrder(names: string[]): string[] {
  return names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}
