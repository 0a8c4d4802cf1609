import { hostileTexts } from './pattern-texts';
import { patternsInSource } from '../../fuzz/patterns-in-source';

jest.setTimeout(300_000);

/**
 * Every pattern in what is shipped, measured with the engine that runs it: texts that repeat what the pattern is made of, followed by
 * what it does not expect, are where backtracking takes the square of the time, or worse.
 */
const LENGTHS = [16, 20, 25, 31, 39, 49, 62, 250, 1_000, 4_000, 16_000, 40_000, 100_000];
const LIMIT_MS = 80;

/** Patterns that are slow on long texts and never get one. */
const BOUNDED: Readonly<Record<string, string>> = {
  '/^([+-])?((?:\\d+\\.?\\d*|\\.\\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/': 'durations of settings, at most 40 characters',
  '/(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)/g': 'durations of settings, at most 40 characters',
  '/^\\d*\\.?\\d+$/': 'a setting of the administrator',
  '/[^A-Za-z0-9]+$/': 'a label, at most 63 characters',
  '/DiskAccess.*not found/': 'a message of Azure, at most 8,192 characters',
  '/DiskAccess.*is in failed state./': 'a message of Azure, at most 8,192 characters',
  '/The referenced resource.*was not found/': 'a message of Azure, at most 8,192 characters',
};

/** The processor time of one search, in milliseconds: other work on the machine does not count. */
function cost(expression: RegExp, text: string): number {
  const began = process.cpuUsage();
  text.replace(expression, '');
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

/** Texts grow until the limit is passed, so that a pattern that takes exponential time does not hang the test. */
function slowest(pattern: string): { readonly milliseconds: number; readonly text: string } {
  const end = pattern.lastIndexOf('/');
  const [source, flags] = [pattern.slice(1, end), pattern.slice(end + 1)];
  const expression = new RegExp(source, flags);
  let worst = { milliseconds: 0, text: '' };
  for (const { prefix, unit } of hostileTexts(source, flags)) {
    for (const length of LENGTHS) {
      const text = `${prefix}${unit.repeat(Math.ceil(length / unit.length))}\u0000`;
      const milliseconds = cost(expression, text);
      if (milliseconds > worst.milliseconds) {
        worst = { milliseconds, text: `${JSON.stringify(prefix)} and ${length} characters of ${JSON.stringify(unit)}` };
      }
      // Once more, where the engine had something else to do (to compile, to collect garbage).
      if (milliseconds > LIMIT_MS && cost(expression, text) > LIMIT_MS) return worst;
    }
  }
  return { milliseconds: Math.min(worst.milliseconds, LIMIT_MS), text: worst.text };
}

const all = patternsInSource();

test('there are patterns to look at', () => expect(all.length).toBeGreaterThan(100));

test('each pattern takes time in proportion to its text', () => {
  const slow = all.filter(({ text }) => !(text in BOUNDED)).flatMap(({ text, places }) => {
    const { milliseconds, text: hostile } = slowest(text);
    return milliseconds > LIMIT_MS ? [`${text} at ${places.join(', ')} on ${hostile}: ${Math.round(milliseconds)} ms`] : [];
  });
  expect(slow).toEqual([]);
});

test.each([
  '/\\/+$/',
  '/\\s*[\\r\\n]+\\s*/g',
  '/[-_]+$/',
  '/-----BEGIN [^"]*?-----END/',
  '/(?:a+)+$/',
  '/^(\\w+\\s?)*$/',
  '/\\{\\{[^]*?\\}\\}/',
  '/<!--.*?-->/',
  '/(x+x+)+y/',
  '/^prefix: *[a-z]*[a-z]*=/',
  '/"(?:[^"\\\\]|\\\\.)*"/',
  '/(?<=a*)b/',
])('the measure finds %s', (pattern) => expect(slowest(pattern).milliseconds).toBeGreaterThan(LIMIT_MS));

test('what is said to be bounded is there', () => {
  const texts = new Set(all.map(({ text }) => text));
  expect(Object.keys(BOUNDED).filter((text) => !texts.has(text))).toEqual([]);
});
