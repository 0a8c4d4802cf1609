import { documents } from './documents';
import { sources } from './sources';

/** Words of earlier releases, and the names of the field that replaced them. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\b(the|a|each|its|first|later|same|until) (pass|passes)\b|\bpasses (that|take)\b/i, 'reconciliation'],
  [/\bsweeps?\b/i, 'batch drift detection'],
  [/\bcredential[ _-]feeds?\b|\bis fed\b/i, 'credential propagation'],
  [/\bworld-wide\b|\bin a world\b/i, 'global, test environment'],
  [/\bcircles?\b/i, 'cycle'],
  [/\bsmall letters?\b/i, 'lower case'],
  [/\bthe original( operator)?\b/i, 'ASO'],
  [/\bsights?\b|\bpok(es?|ed|ing)\b|\bpatience\b|\blanes?\b|\b(held|holds?) back\b/i, 'knowledge, wake, timeout, queue, throttled'],
  [/\bletting go\b|\blet go\b|\blets go\b/i, 'release'],
];
/** Words of earlier releases in the code; a word that is also plain English counts only as a part of a name. */
const REPLACED_IN_CODE: readonly (readonly [RegExp, string])[] = [
  [/\bsights?\b|\bsight[A-Z]|Sight\b/, 'LastWriteKnowledge, observation'],
  // Networks have spokes, as in Azure's documents.
  [/(?<!s)poke/i, 'wake'],
  [/\bletGo\b|\bcallWith\b/, 'release, onLockGranted'],
  [/\b(on|after|next)Turn\b|TurnLine|(do|of): 'turn'/, 'ParentWriteLock'],
  [/patience/i, 'timeout'],
  [/\b(lanes?|Lanes?|LANE)\b|[a-z]Lane\b/, 'RateLimitQueue, SubQueue'],
  [/\b(held|holds?|holding) ?back\b|(held|hold)Back/i, 'throttled, refused'],
  [/\bsweeps?\b/i, 'batch drift detection'],
  [/\b(is|are|not) fed\b|\bfed[A-Z]|\bFEED\b|withFeeds/, 'credential propagation'],
  [/\b(Told|Said)\b|\b(told|isTold|tell|said)[A-Z]/, 'report, declare'],
  [/\b(shown|isShown|onlyShown)[A-Z]|\bisShown\b|(function|const) shown\b(?= ?= ?\(|[(<])/, 'format, reported'],
  [/PassRateLimit|passSeconds|\bPASS_/, 'reconcile'],
  [/\bworldWith\b|\bworlds\b|\b(private readonly|const) world\b/, 'test environment'],
  [/\bcircles?\b/i, 'cycle'],
  [/\bsmall letters?\b/i, 'lower case'],
  [/\bmachinery\b/i, 'implementation'],
  [/\bLateSpec\b|forget-?checks|\btravelsAlike\b|\broleLets\b/i, 'LazySpec, invalidate-checks, jsonEquals, roleAllows'],
];
/** Written by tests and code that have these words elsewhere. */
const GENERATED = ['docs/hostile.md', 'docs/mistakes.md', 'CHANGELOG.md'];
const RULES = 'docs/checks.md';
const MOST_CHARACTERS = 140;

/** The lines of a document that people write in sentences, with their numbers: no code, no tables, no headings. */
function proseOf(text: string): { readonly line: string; readonly number: number }[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    return isCode || /^(\s*(```|\||<)| {4}|#)/.test(line) ? [] : [{ line, number: index + 1 }];
  });
}

const written = [...documents].filter(([document]) => !GENERATED.includes(document));
const found = (isWrong: (line: string) => boolean, of = written) =>
  of.flatMap(([document, text]) => proseOf(text).filter(({ line }) => isWrong(line))
    .map(({ line, number }) => `${document}:${number}: ${line}`));
const linesOfCode = (isWrong: (line: string) => boolean, of: Iterable<readonly [string, string]> = sources) =>
  [...of].flatMap(([file, text]) => text.split('\n')
    .flatMap((line, index) => (isWrong(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])));

test.each(REPLACED)('no document says %s', (pattern) => expect(found((line) => pattern.test(line))).toEqual([]));

test.each(REPLACED_IN_CODE)('no code says %s', (pattern) => {
  const own = 'test/docs/style.test.ts';
  const files = [...sources].filter(([file, text]) => file !== own && pattern.test(text));
  expect(linesOfCode((line) => pattern.test(line), files)).toEqual([]);
});

test('no sentence begins with a pronoun in the place of a noun', () => {
  expect(found((line) => /(^|[.:;] )(Who|Whoever|Whatever|Nobody)\b(?![^.]*\?)/.test(line))).toEqual([]);
});

test('no comment of the code begins with a pronoun in the place of a noun', () => {
  const begins = /^\s*(\/\*\*|\/\/|\*) +(Who|Whose|Whoever|What|Whatever|Nobody|Somebody)\b(?![^.]*\?)/;
  expect(linesOfCode((line) => begins.test(line))).toEqual([]);
});

test('headings and columns name their subject', () => {
  const headings = written.flatMap(([document, text]) => text.replace(/^```[\s\S]*?^```/gm, '').split('\n')
    .filter((line) => /^(#+|\|) (Who|What|Whoever|Nobody)\b(?!.*\?)/.test(line)).map((line) => `${document}: ${line}`));
  expect(headings).toEqual([]);
});

test(`lines of prose have at most ${MOST_CHARACTERS} characters`, () => {
  const isLong = (line: string) => line.length > MOST_CHARACTERS && !/^\s*`[^`]+`[.:]?$/.test(line);
  expect(found(isLong, written.filter(([document]) => document !== RULES))).toEqual([]);
});
