// For `jest --filter`: the slow suites.
const { secondsOf } = require('./slow-suites.cjs');

module.exports = (paths) => ({ filtered: paths.filter((path) => secondsOf(path) > 0) });
