import type { Entrance } from './entrance';
import { ENTRANCES } from './entrances';
import { fuzz } from './fuzz';
import { textsOfSource } from './hostile-texts';

/**
 * The program of a process of `scripts/fuzz.mjs`: `ENTRANCE SEED FROM COUNT`, or `--prepare`. Prints each input's number before
 * it takes it, so that a hang or an end is found where it is, and at the end what it found.
 */
const [name, seed, from, count] = process.argv.slice(2);

const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

// The process of the product would end.
process.on('unhandledRejection', (error) => {
  throw error;
});

if (name === '--prepare') print({ names: ENTRANCES.map((entrance) => entrance.name), texts: textsOfSource() });
else void fuzz(entranceNamed(name!), { seed: Number(seed), from: Number(from), count: Number(count), onProgress: print }).then(print);

function entranceNamed(wanted: string): Entrance {
  return ENTRANCES.find((entrance) => entrance.name === wanted)!;
}
