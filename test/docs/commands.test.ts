import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { blocks, documents, root } from './documents';
import { captured } from '../cli/capture';

/** The program, made of whatever commands there are. */
const program = new Command('cdk8s-aso').version('0.0.0', '-V, --version');
for (const file of readdirSync(join(root, 'cli'), { recursive: true, encoding: 'utf8' }).filter((path) =>
  /(^|\/)command\.ts$/.test(path),
)) {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const module = require(join(root, 'cli', file)) as Record<string, unknown>;
  const add = Object.entries(module).find(([name]) => /^add\w+Command$/.test(name))?.[1] as ((...args: unknown[]) => void) | undefined;
  add?.(program, captured(), () => undefined);
}

interface Mention {
  readonly name: string;
  readonly words: readonly string[];
}

/** `cdk8s-aso …` in code: in fenced and indented blocks, and in code within a sentence that goes on behind the command. */
const mentions: Mention[] = [...documents].flatMap(([document, text]) => {
  const fenced = blocks.filter((block) => block.document === document).flatMap(({ code }) => code.split('\n'));
  const indented = text.split('\n').filter((line) => /^ {4,}\S/.test(line));
  const inline = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`((?:npx )?cdk8s-aso [^`]+)`/g)].map(([, code]) => code);
  return [...new Set([...fenced, ...indented, ...inline])].flatMap((line) =>
    wordsOf(line!).map((words) => ({ name: `${document}: ${line!.trim()}`, words })),
  );
});

/** The words behind `cdk8s-aso` on a line, once for each time that it is called there. */
function wordsOf(line: string): string[][] {
  const code = line.replace(/(^|\s)(#|\/\/).*$/, '');
  return [...code.matchAll(/(?:^\s*|[|;&(]\s*|npx )cdk8s-aso ((?:"[^"]*"|[^|;&>)"]|\|(?=\S))+)/g)].map(([, rest]) =>
    rest!.replace(/[[\]]/g, '').trim().split(/\s+/),
  );
}

/** The problem of a mention. */
function problem({ words: [name, ...rest] }: Mention): string | undefined {
  if (program.options.some(({ long, short }) => name === long || name === short)) return undefined;
  const outer = program.commands.find((candidate) => candidate.name() === name);
  if (!outer) return `there is no command ${name}`;
  const command = outer.commands.find((candidate) => candidate.name() === rest[0]) ?? outer;
  if (command === outer && outer.commands.length > 0 && rest.length > 0) return `there is no command ${name} ${rest[0]}`;
  for (const [i, word] of rest.entries()) {
    if (!/^-\w|^--\w/.test(word)) continue;
    const [flag, inline] = word.split('=');
    const option = command.options.find(({ long, short }) => long === flag || short === flag);
    if (!option) return `${name} has no option ${flag}`;
    const value = inline ?? rest[i + 1];
    if (option.required && (value === undefined || /^-./.test(value))) return `${flag} needs a value`;
    const wrong = option.argChoices && value!.split('|').find((choice) => !option.argChoices!.includes(choice));
    if (wrong) return `${flag} cannot be ${wrong}`;
  }
  return undefined;
}

test('there is something to check', () => {
  expect(program.commands.length).toBeGreaterThan(4);
  expect(mentions.length).toBeGreaterThan(15);
});

test('every command and option in the documents exists', () => {
  expect(mentions.flatMap((mention) => (problem(mention) === undefined ? [] : [`${mention.name}: ${problem(mention)}`]))).toEqual([]);
});

test.each([
  ['cdk8s-aso chek dist/', 'there is no command chek'],
  ['cdk8s-aso --verison', 'there is no command --verison'],
  ['npx cdk8s-aso check --strickt dist/', 'check has no option --strickt'],
  ['cat x | cdk8s-aso graph --format png -', '--format cannot be png'],
  ['cdk8s-aso convert x --out', '--out needs a value'],
])('%s would be found', (line, message) => expect(wordsOf(line).map((words) => problem({ name: line, words }))).toEqual([message]));
