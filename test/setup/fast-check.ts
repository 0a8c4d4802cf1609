import { multiplied, randomRuns } from './random-runs';

// Runs before each test file. A property that fails by chance in one run and passes in the next helps nobody: values are the same each
// time, unless FC_SEED and FC_RUNS say otherwise. Loaded with fast-check only, which most tests do not use.
const runs = randomRuns(process.env);
if (runs.factor > 1) jest.setTimeout(60_000 * runs.factor);

type FastCheck = typeof import('fast-check');
type Assert = FastCheck['assert'];

jest.mock('fast-check', () => {
  const actual = jest.requireActual<FastCheck>('fast-check');
  const { seed } = runs;
  actual.configureGlobal({ numRuns: multiplied(100, runs), ...(seed === undefined ? {} : { seed }) });
  // The global number of runs does not count where a test gives its own.
  const assert = ((property: Parameters<Assert>[0], parameters: Parameters<Assert>[1] = {}) => {
    const { numRuns, path } = parameters;
    return actual.assert(
      property,
      numRuns === undefined || path !== undefined ? parameters : { ...parameters, numRuns: multiplied(numRuns, runs) },
    );
  }) as Assert;
  return { ...actual, assert, default: { ...actual.default, assert }, __esModule: true };
});
