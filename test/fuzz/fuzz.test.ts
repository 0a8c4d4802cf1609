import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRANCES } from './entrances';
import { enter, fuzz } from './fuzz';

jest.setTimeout(300_000);

/** So long that other work on the machine does not count, and a hang does; `node scripts/fuzz.mjs` holds to 100 ms. */
const HANG_MS = 2_000;
const CORPUS = join(__dirname, 'corpus');

interface Found {
  readonly entrance: string;
  /** The finding. */
  readonly found: string;
  readonly input: unknown;
}

describe('mutated inputs', () => {
  test.each(ENTRANCES.map((entrance) => [entrance.name, entrance] as const))('%s takes them or refuses them', async (_, entrance) => {
    const { findings } = await fuzz(entrance, { seed: 7, from: 0, count: 60, longestMs: HANG_MS });
    expect(findings.map(({ index, what }) => ({ index, what }))).toEqual([]);
  });
});

describe('inputs that were not taken as they should be', () => {
  for (const file of readdirSync(CORPUS).sort()) {
    const { entrance: name, found, input } = JSON.parse(readFileSync(join(CORPUS, file), 'utf8')) as Found;
    test(`${file}: ${found}`, async () => {
      const { crash, ms } = await enter(ENTRANCES.find((entrance) => entrance.name === name)!, input);
      expect(crash).toBeUndefined();
      expect(ms).toBeLessThan(HANG_MS);
    });
  }
});
