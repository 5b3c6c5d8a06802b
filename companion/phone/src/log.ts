/** What happened, move by move: kept by the broker page by page, so that a phone that comes late hears all of it. */
import type { LogLine, LogPage } from "./wire";

export class Log {
  private readonly pages = new Map<number, LogPage>();

  heard(page: LogPage): void {
    this.pages.set(page.page, page);
  }

  /** Every move of this game, the newest first. Pages of another game are old, and so is what follows one that is not there. */
  lines(game: string | undefined): LogLine[] {
    const found: LogLine[] = [];
    for (let number = 0; ; number += 1) {
      const page = this.pages.get(number);
      if (page === undefined || page.game !== game || (page.lines ?? []).length === 0) return found.reverse();
      found.push(...(page.lines ?? []));
    }
  }
}
