// The cost of each suite: with SUITE_COSTS=FILE, a line is appended to the file: processor seconds (its worker's and those of the
// programs that it started and that have ended), seconds by the clock, the suite. `sort -rn FILE | head -20` are the dearest ones.
const { appendFileSync, readFileSync } = require('node:fs');
const { nameOf } = require('../slow-suites.cjs');

/** Clock ticks of a second in /proc: 100 on every Linux that Node runs on. */
const TICKS = 100;
const FILE = process.env.SUITE_COSTS;

/** The processor seconds of this process and of those children that it has waited for. See proc(5). */
function processorSeconds() {
  const fields = readFileSync('/proc/self/stat', 'utf8').replace(/^.*\) /s, '').split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

/** Answers what to call when the suite has ended. */
exports.measured = (path) => {
  if (!FILE) return () => {};
  const [began, processor] = [Date.now(), processorSeconds()];
  return () => {
    const seconds = (number) => number.toFixed(1).padStart(7);
    appendFileSync(FILE, `${seconds(processorSeconds() - processor)} ${seconds((Date.now() - began) / 1000)} ${nameOf(path)}\n`);
  };
};
