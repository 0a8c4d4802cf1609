const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites in the order of their names. */
module.exports = class extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => a.path.localeCompare(b.path));
  }
};
