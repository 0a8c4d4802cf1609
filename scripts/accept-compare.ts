// The ground truth of the comparer: for every PUT in the recorded cases that succeeded and the next GET of the same resource, the comparer
// has to say "no change", and with any one value of the body changed it has to say "change" at exactly that path.
//
//   npm run accept:compare -- DIR [--verbose]
//
// DIR holds cases as in the conformance suite. One line a difference, then `N passed, N failed`.
import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { exceptionFor } from './accept-compare/exceptions';
import { mutations } from './accept-compare/mutations';
import { pairsOf, type Pair } from './accept-compare/pairs';
import { bodyShape, compare } from '../engine/compare';

const [directory, ...flags] = process.argv.slice(2);
if (!directory) {
  console.error('Which cases? npm run accept:compare -- DIR');
  process.exit(2);
}
const pairs = readdirSync(directory)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .flatMap((file) => pairsOf(file.slice(0, -5), JSON.parse(readFileSync(join(directory, file), 'utf8'))));
const used = new Map<string, number>();
const unseen = new Map<string, number>();
let passed = 0, failed = 0, changes = 0;
for (const pair of pairs) {
  const problems = [...unexpected(pair), ...missed(pair)];
  for (const problem of problems) console.log(`${pair.caseName} ${pair.kind}: ${problem}`);
  if (problems.length === 0) passed++;
  else failed++;
}
for (const [text, count] of used) console.log(`known difference, ${count} times: ${text}`);
for (const [text, count] of unseen) console.log(`change that cannot be seen, ${count} times: ${text}`);
if (flags.includes('--verbose')) console.log(`${pairs.length} pairs, ${changes} single values changed`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

function unexpected(pair: Pair): string[] {
  return compare(pair.body, pair.answer, bodyShape(pair.version)).flatMap(({ path, wanted, actual }) => {
    const exception = exceptionFor(pair.kind, path);
    if (!exception) return [`${path}: says that ${JSON.stringify(wanted)?.slice(0, 100)} became ${JSON.stringify(actual)?.slice(0, 100)}, but nothing was changed`];
    const text = `${exception.kind} ${exception.path}: ${exception.cause}`;
    used.set(text, (used.get(text) ?? 0) + 1);
    return [];
  });
}

function missed(pair: Pair): string[] {
  const shape = bodyShape(pair.version);
  const before = new Set(compare(pair.body, pair.answer, shape).map(({ path }) => path));
  return mutations(pair.body, shape).flatMap(({ path, body, writeOnly }) => {
    if (writeOnly) {
      const text = `${pair.kind} ${path.replace(/\/\d+/g, '/*')}: write-only, compared by the hash of what was last sent`;
      unseen.set(text, (unseen.get(text) ?? 0) + 1);
      return [];
    }
    changes++;
    if (before.has(path) || [...before].some((known) => path.startsWith(`${known}/`))) return [];
    const now = compare(body, pair.answer, shape)
      .map((difference) => difference.path)
      .filter((found) => !before.has(found));
    return now.length === 1 && now[0] === path
      ? []
      : [`${path}: was changed, and the comparer says ${now.length === 0 ? 'nothing' : now.join(', ')}`];
  });
}
