import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { factsOf, type AppFacts } from './found';
import { installing, type Step } from './install';
import type { InitOptions } from './options';
import { projenFiles } from './projen-files';
import { pythonFiles } from './python-files';
import { typeScriptFiles } from './typescript-files';
import { counted } from '../../src/util/words';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';

/** Names that may lie in the folder beforehand: those of a repository, as it is made on GitHub or by `git init`. */
const MAY_BE_THERE: ReadonlySet<string> = new Set(['.git', '.gitattributes', '.editorconfig', '.DS_Store', '.idea', '.vscode', 'LICENSE']);

/** `cdk8s-aso init`. Returns the exit status. */
export async function init(path: string, options: InitOptions, terminal: Terminal): Promise<number> {
  const { language, project, gitops, output } = options;
  if (language === 'python' && project === 'projen') throw new UsageError('--project projen is for TypeScript: leave it out for Python');
  const directory = emptyFolder(path);
  makeFolder(directory, path);
  const facts = factsOf(directory, options);
  const files = filesOf(facts, options);
  write(directory, files);
  const says = output === 'text' ? terminal.note : () => undefined;
  says(`${counted(Object.keys(files).length, 'file')} of the app ${facts.name}, region ${facts.location}`);
  const steps = options.install ? installing(options) : [];
  const failed = await runAll(steps, directory, says, terminal);
  const next = nextSteps(path, options, failed);
  if (output === 'json') {
    const installed = options.install && !failed;
    terminal.print(JSON.stringify({ directory, ...facts, files: Object.keys(files), installed, next }, null, 2));
  } else {
    const remote = gitops !== undefined && facts.repository === undefined ? ['Put the address of your repository into gitops, then:'] : [];
    terminal.print([...remote, ...next].join('\n'));
  }
  return failed ? 1 : 0;
}

function filesOf(facts: AppFacts, options: InitOptions): Record<string, string> {
  if (options.language === 'python') return pythonFiles(facts, options);
  return options.project === 'projen' ? projenFiles(facts, options) : typeScriptFiles(facts, options);
}

/** The commands that come now. */
function nextSteps(path: string, { language, project, install }: InitOptions, failed: Step | undefined): string[] {
  const where = relative('.', resolve(path));
  const rest = !install || failed ? [...installing({ language, project }).map(({ command }) => command.join(' '))] : [];
  return [...(where === '' ? [] : [`cd ${where}`]), ...rest, 'npm run sandbox', 'npm test'];
}

async function runAll(
  steps: readonly Step[], directory: string, says: (text: string) => void, terminal: Terminal,
): Promise<Step | undefined> {
  for (const step of steps) {
    says(`${step.command.join(' ')} …`);
    const problem = await step.run(directory);
    if (problem === undefined) continue;
    terminal.error(`${step.command.join(' ')}: ${problem}`);
    return step;
  }
  return undefined;
}

/** @throws UsageError when the folder has files: none is overwritten */
function emptyFolder(path: string): string {
  const directory = resolve(path);
  if (!existsSync(directory)) return directory;
  if (!statSync(directory).isDirectory()) throw new UsageError(`${path} is a file. Give an empty folder, or one that is not there yet.`);
  const others = readdirSync(directory).filter((name) => !MAY_BE_THERE.has(name));
  if (others.length === 0) return directory;
  const named = others.slice(0, 3).join(', ');
  throw new UsageError(`${path} is not empty (${named}${others.length > 3 ? ', …' : ''}). Give a folder that is: cdk8s-aso init NAME makes one.`);
}

/**
 * Makes a folder and those around it, one at a time: Node's own way never ends below `/proc`.
 * @throws UsageError when one cannot be made
 */
function makeFolder(directory: string, path: string): void {
  if (existsSync(directory) && statSync(directory).isDirectory()) return;
  if (dirname(directory) !== directory) makeFolder(dirname(directory), path);
  try {
    mkdirSync(directory);
  } catch (error) {
    throw new UsageError(`${path} cannot be made: ${(error as NodeJS.ErrnoException).code}. Give an empty folder, or one that is not there yet.`);
  }
}

function write(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    const path = join(directory, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  }
}
