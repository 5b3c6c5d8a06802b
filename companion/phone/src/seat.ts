/**
 * Coming to the table: the join code, the page's half of the phone's key, and what is left behind afterwards. The other half
 * is a cookie no script can read; the two together take the seat up again.
 */
import type { Session, TableInfo } from "./server";
import type { Past } from "./wire";
import type { MoveRequest, Refusal, State } from "./wire";

export interface Wish {
  code: string;
  seat: number | null;
  name: string;
  language: string;
  token?: string;
}

const TOKEN = "tableside/token";
const NAME = "tableside/name";
const LANGUAGE = "tableside/language";
const VOICE = "tableside/voice";
const PENDING = "tableside/pending";
const LAST = "tableside/last";

/** Storage may be shut (private windows): then the page only forgets more. */
function stored(area: "localStorage" | "sessionStorage", key: string, value?: string | null): string | null {
  try {
    const box = window[area];
    if (value === undefined) return box.getItem(key);
    if (value === null) box.removeItem(key);
    else box.setItem(key, value);
    return value;
  } catch {
    return null;
  }
}

const parsed = <T>(text: string | null, otherwise: T): T => {
  try {
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
};

export const memory = {
  token: (): string | null => stored("localStorage", TOKEN),
  keepToken: (token: string): void => void stored("localStorage", TOKEN, token),
  name: (): string => stored("localStorage", NAME) ?? "",
  keepName: (name: string): void => void stored("localStorage", NAME, name),
  voice: (): boolean => stored("localStorage", VOICE) === "on",
  keepVoice: (on: boolean): void => void stored("localStorage", VOICE, on ? "on" : null),
  language: (): string | null => stored("localStorage", LANGUAGE),
  keepLanguage: (language: string): void => void stored("localStorage", LANGUAGE, language),
  /** The last public result, so that a phone that fell asleep on the tally still shows it. */
  last: (): State | null => parsed<State | null>(stored("localStorage", LAST), null),
  keepLast: (state: State | null): void =>
    void stored("localStorage", LAST, state === null ? null : JSON.stringify(state)),
  pending: {
    load: (): MoveRequest[] => parsed<MoveRequest[]>(stored("sessionStorage", PENDING), []),
    save: (list: MoveRequest[]): void =>
      void stored("sessionStorage", PENDING, list.length > 0 ? JSON.stringify(list) : null),
  },
  /** The game is over or the seat is gone: nothing stays that opens or tells anything. */
  leave: (): void => {
    stored("localStorage", TOKEN, null);
    stored("sessionStorage", PENDING, null);
  },
};

async function json(path: string, body?: unknown): Promise<{ status: number; body: unknown } | null> {
  try {
    const reply = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      cache: "no-store",
      credentials: body === undefined ? "omit" : "same-origin",
      ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: await reply.json() };
  } catch {
    return null;
  }
}

/** Stand up: the table frees the seat and takes the cookie away. False when it could not be told. */
export async function leave(token: string): Promise<boolean> {
  const reply = await json("/leave", { token });
  return reply !== null && reply.status < 500;
}

/** Finished games, for whoever is at the table; null when they cannot be had. */
export async function past(token: string): Promise<Past | null> {
  const reply = await json("/past", { token });
  return reply !== null && reply.status === 200 ? (reply.body as Past) : null;
}

/** How the table stood after a move, for whoever is at it; null when that cannot be had. */
export async function then(token: string, seq: number): Promise<State | null> {
  const reply = await json("/then", { token, seq });
  return reply !== null && reply.status === 200 ? (reply.body as State) : null;
}

/** The table as the page server knows it, or null when it cannot be reached; who plays is told to those with the code. */
export async function table(code = ""): Promise<TableInfo | null> {
  const reply = await json("/table.json", code === "" ? undefined : { code });
  return reply !== null && reply.status === 200 ? (reply.body as TableInfo) : null;
}

/** Sit down, or take the seat up again with a token. */
export async function join(wish: Wish): Promise<{ session: Session } | { refusal: Refusal } | null> {
  const reply = await json("/join", wish);
  if (reply === null || reply.status >= 500) return null;
  if (reply.status === 200) return { session: reply.body as Session };
  const refusal = (reply.body as { refusal?: Refusal }).refusal;
  return refusal === undefined ? null : { refusal };
}

export async function words(language: string): Promise<Record<string, string | string[]>> {
  const reply = await json(`/words/${language}.json`);
  return reply !== null && reply.status === 200 ? (reply.body as Record<string, string | string[]>) : {};
}
