const { join, relative, sep } = require('node:path');
const seconds = require('../../test/setup/slow-suites.json');

const ROOT = join(__dirname, '..', '..');

/** The seconds that a suite takes if it is one of the slow ones, else 0. */
exports.secondsOf = (path) => seconds[relative(ROOT, path).split(sep).join('/')] ?? 0;
