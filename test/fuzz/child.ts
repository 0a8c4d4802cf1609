import type { Entrance } from './entrance';
import { ENTRANCES } from './entrances';
import { fuzz, type Progress } from './fuzz';
import { textsOfSource } from './hostile-texts';

/** The program of a process of `scripts/fuzz.mjs`: `ENTRANCE SEED FROM COUNT`, or `--prepare`. Prints where it is, and at the end what it found. */
const [name, seed, from, count] = process.argv.slice(2);

const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
let told = 0;

/** Now and then, and before an input that may be the last one: what has cost much is told, so that a hang is found where it is. */
function onProgress(progress: Progress): void {
  const now = performance.now();
  if (now - told < 250 && progress.at % 50 !== 0) return;
  told = now;
  print(progress);
}

// The process of the product would end.
process.on('unhandledRejection', (error) => {
  throw error;
});

if (name === '--prepare') print({ names: ENTRANCES.map((entrance) => entrance.name), texts: textsOfSource() });
else void fuzz(entranceNamed(name), { seed: Number(seed), from: Number(from), count: Number(count), onProgress }).then(print);

function entranceNamed(wanted: string): Entrance {
  return ENTRANCES.find((entrance) => entrance.name === wanted)!;
}
