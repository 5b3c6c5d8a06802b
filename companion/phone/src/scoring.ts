/** Everybody's points: as the game shows them, else as the tally has them. */
import type { State } from "./wire";

export function scores(state: State | null): Map<number, number> {
  const found = new Map<number, number>();
  for (const player of state?.view?.players ?? [])
    if (typeof player.points === "number") found.set(player.seat, player.points);
  if (found.size === 0) for (const player of state?.tally?.players ?? []) found.set(player.seat, player.total);
  return found;
}
