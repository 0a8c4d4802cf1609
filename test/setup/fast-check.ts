import type * as FastCheck from 'fast-check';
import { multiplied, randomRuns } from './random-runs';

// Takes the place of fast-check in suites (`moduleNameMapper`). A property that fails by chance in one run and passes in the next helps
// nobody: values are the same each time, unless FC_SEED and FC_RUNS say otherwise.
const runs = randomRuns(process.env);
if (runs.factor > 1) jest.setTimeout(900_000 * runs.factor);

// By its path, since its name leads here.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const actual = require('../../node_modules/fast-check/lib/cjs/fast-check.js') as typeof FastCheck;
actual.configureGlobal({ numRuns: multiplied(100, runs), ...(runs.seed === undefined ? {} : { seed: runs.seed }) });

/** The global number of runs does not count where a test gives its own. */
const assert = ((property: Parameters<typeof FastCheck.assert>[0], parameters: Parameters<typeof FastCheck.assert>[1] = {}) => {
  const { numRuns, path } = parameters;
  return actual.assert(
    property,
    numRuns === undefined || path !== undefined ? parameters : { ...parameters, numRuns: multiplied(numRuns, runs) },
  );
}) as typeof FastCheck.assert;

module.exports = { ...actual, assert, default: { ...actual.default, assert }, __esModule: true };
