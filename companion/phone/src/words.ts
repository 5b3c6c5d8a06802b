/** Says a `Text` in the phone's language, from the same catalogues as the screen. */
import type { Text } from "./wire";

/** What a sentence may be given. */
export type Param = NonNullable<Text["params"]>[string];

export type Catalogue = Record<string, string | string[]>;
export const LANGUAGES = ["en", "pl", "fr"] as const;

/** Where each plural category stands in the catalogue's list of forms. */
const FORMS: Record<string, Partial<Record<Intl.LDMLPluralRule, number>>> = {
  pl: { one: 0, few: 1, many: 2, other: 2 },
};

/** The best of our languages for this reader. */
export function chosen(wanted: readonly string[], known: readonly string[] = LANGUAGES): string {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split("-")[0] ?? "";
    if (known.includes(language)) return language;
  }
  return "en";
}

/** One-letter words of Polish and French: no line ends with one. */
const LONE = /(^|[\s(])([iouwzàyIOUWZÀY]) (?=\S)/g;

export class Words {
  readonly missing = new Set<string>();
  private readonly rules: Intl.PluralRules;
  private readonly english = new Intl.PluralRules("en");

  constructor(
    readonly language: string,
    private readonly own: Catalogue,
    private readonly fallback: Catalogue = {},
    public names: Record<number, string> = {},
  ) {
    this.rules = new Intl.PluralRules(language);
  }

  /** The sentence, with its parameters put in. */
  say(text: Text | string | null | undefined, params?: Record<string, Param>, variant = ""): string {
    if (text === null || text === undefined) return "";
    const key = typeof text === "string" ? text : text.key;
    const given = typeof text === "string" ? (params ?? {}) : (text.params ?? {});
    if (key === "seat") return called(this.names, Number(given.n)) ?? `#${Number(given.n) + 1}`;
    const said = this.template(key, given, variant).replace(
      /\{\{|\}\}|\{(\w+)(?::(\w+))?\}/g,
      (all: string, name?: string, form?: string) =>
        name === undefined ? all.charAt(0) : this.value(given[name], form ?? ""),
    );
    return said.replace(LONE, "$1$2\u00a0").replace(LONE, "$1$2\u00a0"); // twice, for two in a row
  }

  /** More words of the same language, fetched when one was missing. */
  learn(more: Catalogue): void {
    Object.assign(this.own, more);
    this.missing.clear();
  }

  /** This language, or English, has the key. */
  knows(key: string): boolean {
    return key in this.own || key in this.fallback;
  }

  /** A figure with at most one place after the point, as this language writes it. */
  decimal(value: number): string {
    return value.toLocaleString(this.language, { maximumFractionDigits: 1 }).replace("-", "\u2212");
  }

  /** A day as this language writes it. */
  day(seconds: number): string {
    return new Date(seconds * 1000).toLocaleDateString(this.language, {
      day: "numeric",
      month: "short",
      year: "numeric",
    });
  }

  private value(value: Param | undefined, variant: string): string {
    if (value === undefined) return "";
    if (Array.isArray(value)) return this.listed(value.map((item) => this.value(item, variant)));
    if (typeof value === "object") return this.say(value, undefined, variant);
    if (typeof value === "number") return number(value);
    return value;
  }

  /** "a, b and c" in this language. */
  listed(items: string[]): string {
    if (items.length < 2) return items.join("");
    return this.say("list/and", { first: items.slice(0, -1).join(", "), last: items[items.length - 1] ?? "" });
  }

  private template(key: string, params: Record<string, Param>, variant: string): string {
    const places: [Catalogue, string, Intl.PluralRules][] = [
      [this.own, this.language, this.rules],
      [this.fallback, "en", this.english],
    ];
    for (const [words, language, rules] of places) {
      const found = (variant ? words[`${key}@${variant}`] : undefined) ?? words[key];
      if (found === undefined) continue;
      if (typeof found === "string") return found;
      if (found.length < 2) return found[0] ?? key;
      const category = rules.select(Math.abs(Number(params.n ?? 0)));
      const place = FORMS[language]?.[category] ?? (category === "one" ? 0 : 1);
      return found[Math.min(place, found.length - 1)] ?? key;
    }
    this.missing.add(key);
    return key;
  }
}

/** A player as a sentence calls them: what stands in brackets behind a name ("Magda (you)") is left to labels, unless two
 * would then be called the same. */
export function called(names: Record<number, string>, seat: number): string | undefined {
  const name = names[seat];
  if (name === undefined) return name;
  const alike = Object.values(names).filter((one) => bare(one) === bare(name));
  return alike.length === 1 ? bare(name) : name;
}

const bare = (name: string): string => name.replace(/^(.+) \([^()]*\)$/, "$1");

/** A whole number with a proper minus sign. */
export function number(value: number): string {
  return String(value).replace("-", "\u2212");
}
