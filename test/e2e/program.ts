import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { addWitness } from '../setup/until';

/** The main module of a built program. */
export function builtProgram(name: 'cli' | 'composer' | 'controller'): string {
  return join(__dirname, '..', '..', 'lib', name, 'main.js');
}

export interface RunningProgram {
  readonly process: ChildProcess;
  /** The exit status; null: a signal killed it. */
  readonly ended: Promise<number | null>;
  /** The text that it has written to standard output and standard error. */
  log(): string;
  /** SIGTERM by default. Resolves with the exit status. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** SIGKILL. Resolves when the process is dead. */
  kill(): Promise<void>;
}

export interface ProgramOptions {
  readonly cwd?: string;
  /** Default: the environment of the tests. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program of ours in a process of its own. */
export function startProgram(main: string, args: readonly string[], options: ProgramOptions = {}): RunningProgram {
  if (!existsSync(main)) throw new Error(`${main} is not built. Run: npm run make`);
  const child = spawn(process.execPath, [main, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (log += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let end = 'runs';
  const forget = addWitness(() => `${[basename(dirname(main)), ...args].join(' ')} ${end}:\n${log.split('\n').slice(-15).join('\n')}`);
  child.once('close', (status, signal) => (end = `ended (${signal ?? status})`));
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    // From here on its end is wanted.
    forget();
    child.kill(signal);
    return ended;
  };
  return { process: child, ended, log: () => log, stop, kill: async () => void (await stop('SIGKILL')) };
}
