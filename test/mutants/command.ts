import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Group } from './mutant';
import { countText, jsonOf, resultLine, summary } from './report';
import { countOf, search, type Result } from './search';
import { JestRunner } from './suite-runner';
import { JobTools, Simulations } from './tools';

export interface CommandInput {
  /** @param cases directory of recorded cases */
  readonly groups: (cases: string) => Readonly<Record<string, Group>>;
  /** Directory of recorded cases where the arguments name none. */
  readonly cases: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether the standard error is a terminal, which shows how far the search has come. */
  readonly isTerminal: boolean;
}

class UsageError extends Error {}

interface Options {
  readonly groups: Readonly<Record<string, Group>>;
  readonly jobs: number;
  readonly output: 'text' | 'json';
}

/** `npx projen mutants`. Answers the exit status. */
export async function mutantsCommand(words: readonly string[], input: CommandInput): Promise<number> {
  try {
    const options = optionsOf(words, input);
    if (options) return await run(options, input);
    input.out(help(input));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    input.err(`${error.message}\n`);
    return 2;
  }
}

function help({ groups, cases }: CommandInput): string {
  return `Looks for every mutant: faults that are made on purpose, each of which a suite or a seed of a simulation has to find.

  npx projen mutants [--only GROUP] [--name TEXT] [--jobs N] [--output text|json] [--cases DIR]

  --only GROUP   only this group; may be repeated: ${Object.keys(groups(cases)).join(', ')}
  --name TEXT    only mutants whose names contain this text
  --jobs N       mutants at a time; default: the number of processors
  --output       text or json; default: text
  --cases DIR    recorded cases of the group comparer; default: ${cases}

Prints a line for each: found or SURVIVED, and the first seed or test that found it. A seed that fails without the mutant as well has found
nothing, nor has such a test. Then the counts of each group, and the line "N found, N survived". Exit status: 1 when one has survived, 2 for
a wrong option. No file is changed: other runs in the same clone are right, at the same time too.
`;
}

async function run({ groups, jobs, output }: Options, { out, err, isTerminal }: CommandInput): Promise<number> {
  const all = Object.values(groups).flatMap(({ mutants }) => mutants);
  const progress = new Progress(all.length, isTerminal ? err : () => undefined);
  const runner = new JestRunner();
  const simulations = new Simulations();
  let results: Result[];
  try {
    progress.show('suites without a mutant');
    const suites = new Set(all.flatMap((mutant) => mutant.suites ?? []));
    for (const failure of await runner.runWithout([...suites], jobs)) err(`fails without a mutant: ${failure}\n`);
    const width = Math.max(...Object.keys(groups).map((name) => name.length));
    results = await search(groups, Array.from({ length: jobs }, () => new JobTools(runner, simulations)), (result) => {
      progress.hide();
      if (output === 'text') out(`${resultLine(result, width)}\n`);
      progress.done(result.name);
    });
  } finally {
    progress.hide();
    runner.end();
    await simulations.end();
  }
  const count = countOf(results);
  out(output === 'json' ? `${jsonOf(groups, results)}\n` : `\n${summary(groups, results)}\n`);
  // The standard output is then JSON alone.
  if (output === 'json') err(`${countText(count)}\n`);
  return count.survived > 0 ? 1 : 0;
}

/**
 * Undefined: the help is wanted.
 * @throws UsageError
 */
function optionsOf(words: readonly string[], input: CommandInput): Options | undefined {
  const { help: wantsHelp, only = [], name = '', jobs = String(availableParallelism()), ...rest } = parsed(words);
  if (wantsHelp) return undefined;
  const { output = 'text', cases = input.cases } = rest;
  if (output !== 'text' && output !== 'json') throw new UsageError(`--output ${output}: give text or json`);
  if (!/^[1-9]\d{0,2}$/.test(jobs)) throw new UsageError(`--jobs ${jobs}: give a whole number from 1`);
  const all = input.groups(cases);
  const wanted = only.flatMap((text) => text.split(','));
  const unknown = wanted.find((group) => !Object.hasOwn(all, group));
  if (unknown !== undefined) throw new UsageError(`--only ${unknown}: give one of ${Object.keys(all).join(', ')}`);
  const groups = Object.fromEntries(Object.entries(all).flatMap(([group, { mutants, ...more }]) => {
    const left = mutants.filter((mutant) => mutant.name.includes(name));
    const isLeftOut = (wanted.length > 0 && !wanted.includes(group)) || (name !== '' && left.length === 0);
    return isLeftOut ? [] : [[group, { ...more, mutants: left }]];
  }));
  if (Object.keys(groups).length === 0) throw new UsageError(`--name ${name}: no mutant has such a name`);
  return { groups, jobs: Number(jobs), output };
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        help: { type: 'boolean', short: 'h' },
        only: { type: 'string', multiple: true },
        name: { type: 'string' },
        jobs: { type: 'string' },
        output: { type: 'string' },
        cases: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A line of a terminal that says how far the search has come. */
class Progress {
  private readonly began = performance.now();
  private count = 0;

  public constructor(private readonly all: number, private readonly write: (text: string) => void) {}

  public show(text: string): void {
    const seconds = Math.round((performance.now() - this.began) / 1000);
    this.write(`\r\u001b[K${this.count} of ${this.all} mutants, ${seconds} s: ${text}`.slice(0, 120));
  }

  public done(name: string): void {
    this.count += 1;
    this.show(name);
  }

  public hide(): void {
    this.write('\r\u001b[K');
  }
}
