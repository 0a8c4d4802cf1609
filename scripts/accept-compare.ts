// The ground truth of the comparer: for every PUT in the recorded cases that succeeded and the next GET of the same resource, the comparer
// has to say "no change", and with any one value of the body changed it has to say "change" at exactly that path.
//
//   npm run accept:compare -- DIR [--verbose]
//
// DIR holds cases as in the conformance suite. One line a difference, then `N passed, N failed`.
import { exceptionFor } from './accept-compare/exceptions';
import { pairsIn, type Pair } from './accept-compare/pairs';
import { changesOf } from './accept-compare/unseen';
import { bodyShape, compare } from '../engine/compare';

const [directory, ...flags] = process.argv.slice(2);
if (!directory) {
  console.error('Which cases? npm run accept:compare -- DIR');
  process.exit(2);
}
const pairs = pairsIn(directory);
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
  const { changed, unseen: missing, writeOnly } = changesOf(pair);
  changes += changed;
  for (const path of writeOnly) {
    const text = `${pair.kind} ${path.replace(/\/\d+/g, '/*')}: write-only, compared by the hash of what was last sent`;
    unseen.set(text, (unseen.get(text) ?? 0) + 1);
  }
  return [...missing];
}
