/** Rule cards: fetched when somebody first asks for them, found by a word, opened at what is asked or was refused. */
export interface Card {
  id: string;
  title: string;
  text: string;
  page: string;
  asks: string[];
  refusals: string[];
}

/** Case and accents make no difference to who looks for a word. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/ł/g, "l")
    .replace(/Ł/g, "L")
    .toLowerCase();

/** Cards in which every word begins a word of theirs; those with it in their name first. */
export function search(cards: Card[], words: string): Card[] {
  const wanted = plain(words).split(/\s+/).filter(Boolean);
  const has = (text: string): boolean => {
    const found = plain(text).split(/[^\p{L}\p{N}]+/u);
    return wanted.every((word) => found.some((one) => one.startsWith(word)));
  };
  const fitting = cards.filter((card) => has(`${card.title} ${card.text}`));
  return [...fitting.filter((card) => has(card.title)), ...fitting.filter((card) => !has(card.title))];
}

/** The card of a refusal, else of the present prompt. */
export function at(cards: Card[], code: string | undefined, ask: string | undefined): Card | undefined {
  const refused = code?.split("/").pop();
  const asked = ask?.split("/ask/")[1];
  return (
    cards.find((card) => refused !== undefined && card.refusals.includes(refused)) ??
    cards.find(
      (card) =>
        asked !== undefined && card.asks.some((one) => one === asked || (one.endsWith("/") && asked.startsWith(one))),
    )
  );
}

export async function fetched(game: string, language: string): Promise<Card[]> {
  const reply = await fetch(`/rules/${game}/${language}.json`).catch(() => null);
  return reply?.ok ? ((await reply.json()) as Card[]) : [];
}
