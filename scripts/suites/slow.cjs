// For `jest --filter`: the slow suites; with NIGHTLY=1 those too that the day leaves to the night. The suites of the site have a task of
// their own, which builds the site first.
const nightly = require('../../test/setup/nightly-suites.json');
const { nameOf, secondsOf } = require('./slow-suites.cjs');

const isDue = (name) => !name.startsWith('test/site/') && (process.env.NIGHTLY === '1' || !(name in nightly));

module.exports = (paths) => ({ filtered: paths.filter((path) => secondsOf(path) > 0 && isDue(nameOf(path))) });
