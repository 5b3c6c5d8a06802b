/** Stands in for `worker-timers`: its worker is a blob, which our content security policy forbids. */
const later = globalThis.setInterval.bind(globalThis);
const once = globalThis.setTimeout.bind(globalThis);
const stop = globalThis.clearInterval.bind(globalThis);
const drop = globalThis.clearTimeout.bind(globalThis);
export { drop as clearTimeout, later as setInterval, once as setTimeout, stop as clearInterval };
