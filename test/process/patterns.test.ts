import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as ts from 'typescript';

/**
 * Every pattern in what the controller runs, measured with the engine that runs it: texts that repeat what the pattern is made of, followed by
 * what it does not expect, are where backtracking takes the square of the time, or worse.
 */
const ROOT = join(__dirname, '..', '..');
const FOLDERS = ['controller', 'src/azure', 'src/catalog'];
const LENGTH = 50_000;
const LIMIT_MS = 80;

/** Patterns that are slow on long texts and never get one. */
const BOUNDED: Readonly<Record<string, string>> = {
  '/^([+-])?((?:\\d+\\.?\\d*|\\.\\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/': 'durations of settings, at most 40 characters',
  '/(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)/g': 'durations of settings, at most 40 characters',
  '/^\\d*\\.?\\d+$/': 'a setting of the administrator',
  '/[^A-Za-z0-9]+$/': 'a label, at most 63 characters',
  '/[-_]+$/': 'a name that was cut to its limit',
  '/DiskAccess.*not found/': 'a message of Azure, at most 8,192 characters',
  '/DiskAccess.*is in failed state./': 'a message of Azure, at most 8,192 characters',
  '/The referenced resource.*was not found/': 'a message of Azure, at most 8,192 characters',
};

interface Pattern {
  readonly text: string;
  readonly places: string[];
}

function patterns(): Pattern[] {
  const found = new Map<string, Pattern>();
  const files = FOLDERS.flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts')).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const pattern = found.get(node.text) ?? { text: node.text, places: [] };
        pattern.places.push(`${relative(ROOT, file)}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
        found.set(node.text, pattern);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found.values()];
}

/** What a text may repeat: characters of all classes, and the literal pieces of the pattern. */
function units(pattern: string): string[] {
  const literals = pattern.match(/(?:[\w -]|\\[/.]){2,}/g)?.map((piece) => piece.replace(/\\(.)/g, '$1')) ?? [];
  return [...new Set(['a', 'A', '0', ' ', '/', '-', '.', '_', '=', ',', ':', '"', "'", '\\', '{', '\n', 'a.', 'a-', '0.', '/a', 'a/b/', ...literals.slice(0, 6)])];
}

function slowest(pattern: string): { readonly milliseconds: number; readonly unit: string } {
  const end = pattern.lastIndexOf('/');
  const expression = new RegExp(pattern.slice(1, end), pattern.slice(end + 1).replace('y', ''));
  // What has to come before, so that the repetition is reached.
  const prefixes = ['', pattern.match(/^\/\^?((?:[\w/ -]|\\\/)+)/)?.[1].replace(/\\(.)/g, '$1') ?? ''];
  let worst = { milliseconds: 0, unit: '' };
  for (const unit of units(pattern)) {
    for (const prefix of new Set(prefixes)) {
      const text = `${prefix}${unit.repeat(Math.ceil(LENGTH / unit.length))}\u0000`;
      const began = performance.now();
      text.replace(expression, '');
      const milliseconds = performance.now() - began;
      if (milliseconds > worst.milliseconds) worst = { milliseconds, unit: `${prefix}${unit}` };
      if (milliseconds > LIMIT_MS) return worst;
    }
  }
  return worst;
}

const all = patterns();

test('there are patterns to look at', () => expect(all.length).toBeGreaterThan(100));

test('each pattern takes time in proportion to its text', () => {
  const slow = all.filter(({ text }) => !(text in BOUNDED)).flatMap(({ text, places }) => {
    // Once more, where the machine may have been busy with something else.
    const { milliseconds, unit } = slowest(text);
    return milliseconds > LIMIT_MS && slowest(text).milliseconds > LIMIT_MS ? [`${text} at ${places.join(', ')} on ${JSON.stringify(unit)}: ${Math.round(milliseconds)} ms`] : [];
  });
  expect(slow).toEqual([]);
});

test('the measure finds what is slow', () => {
  for (const pattern of ['/\\/+$/', '/\\s*[\\r\\n]+\\s*/g', '/[-_]+$/']) expect(slowest(pattern).milliseconds).toBeGreaterThan(LIMIT_MS);
});

test('what is said to be bounded is there', () => {
  const texts = new Set(all.map(({ text }) => text));
  expect(Object.keys(BOUNDED).filter((text) => !texts.has(text))).toEqual([]);
});
