import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mistakesPage } from './page';
import { messagesOf, SnippetProgram } from './program';
import { MISTAKES } from './table';
import { AsoRelease } from '../../src/core';

const program = new SnippetProgram(MISTAKES);
const functions = program.load();
/** The remedy: an instruction, or a rule for valid values. */
const FIX = /[.?] [A-Z][^.]* .*\.$|at (most|least) \d+|has to be |does not match the pattern \^|that Azure takes for \S+: \d+|exactly one of .* is needed|Did you mean '\w+'\?$/;

const indexes = MISTAKES.map((mistake, index) => [mistake.what, index] as const);

test('at least 60 mistakes are found before kubectl apply', () => {
  const count = (found: string) => MISTAKES.filter((mistake) => mistake.found === found).length;
  console.log(`${MISTAKES.length} mistakes: ${count('compile')} found at compile time, ${count('construct')} when the construct is made, ${count('synth')} at synth`);
  expect(MISTAKES.length).toBeGreaterThanOrEqual(60);
  expect(new Set(MISTAKES.map(({ what }) => what)).size).toBe(MISTAKES.length);
});

test('what surrounds the snippets compiles', () => expect(program.otherDiagnostics).toEqual([]));

test.each(indexes)('%s', (_, index) => {
  const { found, says, wrong } = MISTAKES[index]!;
  const compiler = program.diagnosticsOf(index, 'wrong');
  if (found === 'compile') {
    expect(compiler).toEqual([{ line: wrong.split('\n').length, message: expect.stringContaining(says) }]);
    return;
  }
  expect(compiler).toEqual([]);
  expect(messagesOf(functions[`wrong${index}`]!)).toEqual({ found, messages: [expect.stringContaining(says)] });
});

test.each(indexes.filter(([, index]) => MISTAKES[index]!.found === 'synth'))(
  '%s: the message names construct, kind, property, reason and fix',
  (_, index) => {
    const [message] = messagesOf(functions[`wrong${index}`]!).messages;
    expect(message).toMatch(/^\[(shop|other|old)\/[^\]]+\] [A-Z]\w+ [\w.[\]]+(\["[^"]+"\])?: \S/);
    expect(message).toMatch(FIX);
  },
);

test.each(indexes)('not %s', (_, index) => {
  expect(program.diagnosticsOf(index, 'right')).toEqual([]);
  expect(messagesOf(functions[`right${index}`]!)).toEqual({ found: 'never', messages: [] });
});

/** `UPDATE_DOCS=1 npx jest test/mistakes` writes the page. */
test('docs/mistakes.md says the same', () => {
  const path = join(__dirname, '..', '..', 'docs', 'mistakes.md');
  const said = (index: number) => {
    const { found } = MISTAKES[index]!;
    return found === 'compile' ? program.diagnosticsOf(index, 'wrong')[0]!.message : messagesOf(functions[`wrong${index}`]!).messages[0];
  };
  // The page does not change with every release.
  const page = mistakesPage(MISTAKES, (index) => said(index)!.replaceAll(AsoRelease.LATEST.name, 'v2.…'));
  if (process.env.UPDATE_DOCS) writeFileSync(path, page);
  expect(readFileSync(path, 'utf8')).toBe(page);
});
