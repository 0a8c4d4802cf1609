import { multiplied, randomRuns } from './random-runs';

test('without a word the seed is always the same', () => {
  expect(randomRuns({})).toEqual(randomRuns({ FC_SEED: '', FC_RUNS: '' }));
  expect(randomRuns({}).seed).toEqual(expect.any(Number));
  expect(randomRuns({}).factor).toBe(1);
});

test('the environment gives another seed, a new one each time, and more or fewer runs', () => {
  expect(randomRuns({ FC_SEED: '-7', FC_RUNS: '10' })).toEqual({ seed: -7, factor: 10 });
  expect(randomRuns({ FC_SEED: 'random' }).seed).toBeUndefined();
  expect([multiplied(100, { factor: 10 }), multiplied(100, { factor: 0.25 }), multiplied(100, { factor: 0.001 })]).toEqual([1000, 25, 1]);
});

test.each([{ FC_SEED: 'rnd' }, { FC_SEED: '1.5' }, { FC_SEED: '99999999999' }, { FC_RUNS: 'many' }, { FC_RUNS: '0' }, { FC_RUNS: '-1' }])(
  '%p is refused',
  (environment) => {
    expect(() => randomRuns(environment)).toThrow(/^FC_(SEED|RUNS) is .*: give /);
  },
);

describe('the set-up of property tests', () => {
  const drawn = (environment: Readonly<Record<string, string>>) => {
    const before = process.env;
    process.env = { ...before, ...environment };
    try {
      const values: { plain: number[]; own: number[] } = { plain: [], own: [] };
      jest.isolateModules(() => {
        const { default: fc } = jest.requireActual<typeof import('fast-check')>('fast-check');
        fc.assert(fc.property(fc.integer(), (value) => void values.plain.push(value)));
        fc.assert(fc.property(fc.integer(), (value) => void values.own.push(value)), { numRuns: 20 });
      });
      return values;
    } finally {
      process.env = before;
    }
  };

  test('draws the same values each time, and others for another seed', () => {
    const seed = { FC_SEED: '', FC_RUNS: '' };
    expect(drawn(seed)).toEqual(drawn(seed));
    expect(drawn({ ...seed, FC_SEED: '5' })).not.toEqual(drawn(seed));
    expect(drawn({ ...seed, FC_SEED: 'random' })).not.toEqual(drawn(seed));
  });

  test('multiplies the runs, where a test gives its own as well', () => {
    const { plain, own } = drawn({ FC_SEED: '', FC_RUNS: '0.5' });
    expect([plain.length, own.length]).toEqual([50, 10]);
  });
});
