/** Sheets that are seldom opened: fetched when somebody first wants one, so that the page itself is there sooner. */
export { grid, layout } from "./board";
export { corrections } from "./correct";
export { clocks } from "./clocks";
export { past } from "./past";
