const { default: Sequencer } = require('@jest/test-sequencer');
const { secondsOf } = require('./slow-suites.cjs');

/**
 * The slow suites begin first, the slowest before all: one that began last would keep a processor waiting for it. A shard gets as many
 * seconds as any other, not as many suites.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => secondsOf(b.path) - secondsOf(a.path));
  }

  shard(tests, { shardIndex, shardCount }) {
    const shards = Array.from({ length: shardCount }, () => ({ seconds: 0, tests: [] }));
    const sorted = [...tests].sort((a, b) => secondsOf(b.path) - secondsOf(a.path) || a.path.localeCompare(b.path, 'en'));
    for (const test of sorted) {
      const emptiest = shards.reduce((least, shard) => (shard.seconds < least.seconds ? shard : least));
      emptiest.tests.push(test);
      // Most of the time of a fast suite is the start of its modules.
      emptiest.seconds += secondsOf(test.path) || 0.3;
    }
    return shards[shardIndex - 1].tests;
  }
};
