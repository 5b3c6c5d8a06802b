/** Stands in for the `debug` package: the page has no console to fill. */
const silent = Object.assign(() => undefined, { enabled: false, extend: () => silent });
module.exports = () => silent;
