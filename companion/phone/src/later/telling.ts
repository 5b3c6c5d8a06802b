/** What is being told of a grid and was not sent yet; what of it is news becomes one `tell` move. */
import type { Grid } from "../shown/praga";

type Shown = number | string | null;

export interface Telling {
  id: string;
  /** The place that is lit. */
  at: [number, number] | null;
  rows?: number;
  columns?: number;
  borders?: number[];
  spaces: Record<string, Shown>;
}

export const begun = (grid: Grid): Telling => ({ id: grid.id, at: null, spaces: {} });

/** What a place shows: as it is being told, else as it was. */
export function shows(grid: Grid, edit: Telling, row: number, column: number): Shown {
  const said = edit.spaces[`${row} ${column}`];
  if (said !== undefined) return said;
  return grid.spaces.find((one) => one.row === row && one.column === column)?.shows ?? null;
}

export const size = (grid: Grid, edit: Telling, axis: "rows" | "columns"): number => edit[axis] ?? grid[axis];

/** The move; null where nothing new was told. All numbers of a side say how many there are. */
export function moveOf(grid: Grid, edit: Telling): Record<string, unknown> | null {
  const rows = size(grid, edit, "rows");
  const columns = size(grid, edit, "columns");
  const spaces = Object.entries(edit.spaces)
    .map(([place, shown]) => {
      const [row = 0, column = 0] = place.split(" ").map(Number);
      return { row, column, shows: shown };
    })
    .filter((one) => one.row <= rows && one.column <= columns)
    .filter((one) => one.shows !== shows(grid, begun(grid), one.row, one.column));
  const whole = (axis: "rows" | "columns"): boolean => {
    const side = Array.from({ length: size(grid, edit, axis) }, (_, i) => (axis === "rows" ? [i + 1, 0] : [0, i + 1]));
    const told = spaces.some((one) => (axis === "rows" ? one.column === 0 : one.row === 0));
    return grid.grows && told && side.every(([row = 0, column = 0]) => shows(grid, edit, row, column) !== null);
  };
  const move = {
    ...(spaces.length > 0 ? { spaces } : {}),
    ...(edit.rows !== undefined || whole("rows") ? { rows } : {}),
    ...(edit.columns !== undefined || whole("columns") ? { columns } : {}),
    ...(edit.borders !== undefined && String(edit.borders) !== String(grid.borders) ? { borders: edit.borders } : {}),
  };
  return Object.keys(move).length > 0 ? { kind: "tell", grid: grid.id, ...move } : null;
}
