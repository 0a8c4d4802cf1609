import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { InitOptions } from './options';

/** One command that installs something. */
export interface Step {
  readonly command: readonly string[];
  /** Returns one line with what went wrong and what to do, or undefined. */
  run(directory: string): Promise<string | undefined>;
}

const NO_REGISTRY = /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ECONNRESET|network|Failed to establish|Name or service not known|proxy/i;
const NOT_THERE = /\bE404\b|No matching distribution|ETARGET|No matching version/;

/** The commands after which the app runs, in their order. */
export function installing({ language, project }: Pick<InitOptions, 'language' | 'project'>): Step[] {
  const npm = step('npm', ['install', '--no-audit', '--no-fund']);
  if (language === 'python') return [npm, step('python3', ['-m', 'venv', '.venv']), step(venv('pip'), ['install', '--quiet', '-r', 'requirements.txt'])];
  // The first time, projen is its own program's task: later it is `npx projen`.
  return project === 'projen' ? [npm, step('npx', ['tsx', '.projenrc.ts'])] : [npm];
}

/** A program of the app's own Python. */
export function venv(program: string): string {
  return join('.venv', process.platform === 'win32' ? 'Scripts' : 'bin', program);
}

function step(program: string, args: readonly string[]): Step {
  const command = [program, ...args];
  return {
    command,
    async run(directory) {
      const { status, text } = await outcomeOf(command, directory);
      return status === 0 ? undefined : adviceFor(program, status, text);
    },
  };
}

interface Outcome {
  /** Undefined when the program is not there. */
  readonly status: number | undefined;
  readonly text: string;
}

function outcomeOf([program, ...args]: readonly string[], directory: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const own = join(directory, program!);
    const child = spawn(existsSync(own) ? own : program!, args, {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm is a script on Windows.
      shell: process.platform === 'win32',
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()));
    child.once('error', () => resolve({ status: undefined, text }));
    child.once('close', (status) => resolve({ status: status ?? 1, text }));
  });
}

function adviceFor(program: string, status: number | undefined, text: string): string {
  if (status === undefined) {
    const what = program.startsWith('python') ? 'install Python 3.10 or newer' : `install ${program}`;
    return `is not on this machine: ${what}, then run the commands below`;
  }
  if (NOT_THERE.test(text)) return `the registry does not have it: ${firstError(text)}; see docs/getting-started for a package that you build`;
  if (NO_REGISTRY.test(text)) {
    return 'the registry does not answer: set HTTPS_PROXY, or the address of your registry (npm config set registry, pip config set global.index-url)';
  }
  return `${firstError(text)} (status ${status})`;
}

/** The first line that reports an error; else the last one that is there. */
function firstError(text: string): string {
  const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  return (lines.find((line) => /\b(?:error|ERR!)/i.test(line)) ?? lines.at(-1) ?? 'it says nothing').slice(0, 200);
}
