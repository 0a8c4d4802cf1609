// For `jest --filter`: the suites that are not slow.
const { secondsOf } = require('./slow-suites.cjs');

module.exports = (paths) => ({ filtered: paths.filter((path) => secondsOf(path) === 0) });
