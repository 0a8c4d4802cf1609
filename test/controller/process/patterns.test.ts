import { check } from 'recheck';
import { patternsInSource } from '../../fuzz/patterns-in-source';

/**
 * Every pattern in what is shipped, by a checker that looks for texts on which backtracking takes the square of the length, or worse: by
 * the pattern's automaton, or by simulated matching of random texts. It counts the characters that are read, and never looks at the clock.
 * @see https://makenowjust-labs.github.io/recheck/docs/usage/parameters/
 */
const LIMITS = {
  randomSeed: 7,
  timeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  incubationLimit: 4_000,
  attackLimit: 10_000_000,
  maxNFASize: 3_000,
  maxIteration: 3,
  maxInitialGenerationSize: 150,
  maxGenerationSize: 40,
  maxGeneStringSize: 800,
} as const;

/** Patterns that are slow on long texts and never get one, or that the checker takes for slow. */
const BOUNDED: Readonly<Record<string, string>> = {
  '/^(.*?)(\\s{1,99}#.*|\\s{0,99})$/': 'a place looks at 99 blanks at most',
  '/^("[^"]{0,1000}"|\'[^\']{0,1000}\'|[^\\s"\'#[{][^#]{0,1000}?|)(\\s{0,99}):(\\s{1,99}|$)(.*)$/': 'a key of 1,000 characters at most, and 99 blanks',
  '/^([+-])?((?:\\d+\\.?\\d*|\\.\\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/': 'durations of settings, at most 40 characters',
  '/(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)/g': 'durations of settings, at most 40 characters',
  '/^\\d*\\.?\\d+$/': 'a setting of the administrator',
  '/[^A-Za-z0-9]+$/': 'a label, at most 63 characters',
  '/DiskAccess.*not found/': 'a message of Azure, at most 8,192 characters',
  '/DiskAccess.*is in failed state./': 'a message of Azure, at most 8,192 characters',
  '/The referenced resource.*was not found/': 'a message of Azure, at most 8,192 characters',
  '/^resource\\.customizations\\.health\\.(.+)_(.+)$/': 'a key of a ConfigMap, at most 253 characters',
  '/(?<=^|-)[^a-z0-9.-]+|[^a-z0-9.-]+(?=-|$)/g': 'names that a program gives to its own constructs',
  '/\\bstatus\\.([\\w.]+)(?![\\w.[])/g': 'expressions of the catalog',
  '/(?:\\s+|\\/\\/[^\\n]*)+/y': 'tried in one place, and nothing comes after it that could fail',
  '/(?:0x[0-9a-fA-F]+|(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)u?/y': 'tried in one place, and nothing comes after it that could fail',
  '/^[.-]+|[.-]+$/g': 'the name of a pod, at most 253 characters',
};

/** How the cost grows with the text, e.g. `2nd degree polynomial`; undefined if by its length. */
async function complexity(pattern: string): Promise<string | undefined> {
  // As many repetitions as the pattern says, whatever the text: only a repetition without an end makes a text of any length cost more.
  if (!/[*+]|\{\d+,\}/.test(pattern)) return undefined;
  const end = pattern.lastIndexOf('/');
  const found = await check(pattern.slice(1, end), pattern.slice(end + 1), LIMITS);
  if (found.status === 'safe') return undefined;
  return found.status === 'vulnerable' ? found.complexity.summary : `unknown: ${JSON.stringify(found.error)}`;
}

const all = patternsInSource();

// Each check that comes before the first has ended starts processes of the checker by itself: hundreds of them take 24 GB.
beforeAll(() => complexity('/a*/'));

test('there are patterns to look at', () => expect(all.length).toBeGreaterThan(100));

test('each pattern takes work in proportion to its text', async () => {
  const slow = await Promise.all(all.filter(({ text }) => !(text in BOUNDED)).map(async ({ text, places }) => {
    const found = await complexity(text);
    return found === undefined ? [] : [`${text} at ${places.join(', ')}: ${found}`];
  }));
  expect(slow.flat()).toEqual([]);
});

test.each([
  '/\\/+$/',
  '/\\s*[\\r\\n]+\\s*/g',
  '/[-_]+$/',
  '/[^/]*$/',
  '/-----BEGIN [^"]*?-----END/',
  '/(?:a+)+$/',
  '/^(\\w+\\s?)*$/',
  '/\\{\\{[^]*?\\}\\}/',
  '/<!--.*?-->/',
  '/(x+x+)+y/',
  '/^prefix: *[a-z]*[a-z]*=/',
  '/"(?:[^"\\\\]|\\\\.)*"/',
  '/(?<=a*)b/',
])('the checker finds %s', async (pattern) => expect(await complexity(pattern)).toMatch(/polynomial|exponential/));

test('what is said to be bounded is there', () => {
  const texts = new Set(all.map(({ text }) => text));
  expect(Object.keys(BOUNDED).filter((text) => !texts.has(text))).toEqual([]);
});
