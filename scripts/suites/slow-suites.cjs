const { join, relative, sep } = require('node:path');
const seconds = require('../../test/setup/slow-suites.json');

const ROOT = join(__dirname, '..', '..');

/** The path of a suite from the root, with slashes. */
exports.nameOf = (path) => relative(ROOT, path).split(sep).join('/');

/** The seconds that a suite takes if it is one of the slow ones, else 0. */
exports.secondsOf = (path) => seconds[exports.nameOf(path)] ?? 0;
