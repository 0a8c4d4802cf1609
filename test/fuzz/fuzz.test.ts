import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Entrances from './entrances';
import { enter, fuzz, type Finding } from './fuzz';
import { asyncWorkOf, counted } from '../setup/work';

const { ENTRANCES } = counted<typeof Entrances>('test/fuzz/entrances', ['@marcbachmann/cel-js', 'node-forge', 're2js', 'yaml']);
const CORPUS = join(__dirname, 'corpus');
/** Blocks for sixty inputs: the dearest sixty, of `check`, take 103 million. `node scripts/fuzz.mjs` holds each input to 100 ms. */
const MOST_WORK = 300_000_000;

interface Found {
  readonly entrance: string;
  /** The finding. */
  readonly found: string;
  readonly input: unknown;
}

describe('mutated inputs', () => {
  test.each(ENTRANCES.map((entrance) => [entrance.name, entrance] as const))('%s takes them or refuses them', async (_, entrance) => {
    let findings: readonly Finding[] = [];
    const work = await asyncWorkOf(async () => ({ findings } = await fuzz(entrance, { seed: 7, from: 0, count: 60, longestMs: Infinity })));
    expect(findings.map(({ index, what }) => ({ index, what }))).toEqual([]);
    expect(work).toBeLessThan(MOST_WORK);
  });
});

describe('inputs that were not taken as they should be', () => {
  for (const file of readdirSync(CORPUS).sort()) {
    const { entrance: name, found, input } = JSON.parse(readFileSync(join(CORPUS, file), 'utf8')) as Found;
    test(`${file}: ${found}`, async () => {
      let crash: string | undefined;
      const work = await asyncWorkOf(async () => ({ crash } = await enter(ENTRANCES.find((entrance) => entrance.name === name)!, input)));
      expect(crash).toBeUndefined();
      expect(work).toBeLessThan(MOST_WORK / 60);
    });
  }
});
