/** Everybody's points, wherever this game's view keeps them. */
import type { State } from "./wire";

interface Counted {
  seat?: number;
  points?: number;
  total?: number;
  score?: number;
}

export function scores(state: State | null): Map<number, number> {
  const found = new Map<number, number>();
  const players = state?.view?.players;
  if (Array.isArray(players)) {
    (players as Counted[]).forEach((player, i) => {
      const points = player.points ?? player.total ?? player.score;
      if (typeof points === "number") found.set(player.seat ?? i, points);
    });
  }
  if (found.size === 0) for (const player of state?.tally?.players ?? []) found.set(player.seat, player.total);
  return found;
}
