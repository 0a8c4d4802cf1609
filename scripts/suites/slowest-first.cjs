// The slow suites begin first, the slowest before all: one that began last would keep a processor waiting for it.
const { default: Sequencer } = require('@jest/test-sequencer');
const { secondsOf } = require('./slow-suites.cjs');

module.exports = class extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => secondsOf(b.path) - secondsOf(a.path));
  }
};
