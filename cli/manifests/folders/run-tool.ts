import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { oneLine } from '../../output/problem';

/** A build of a large repository takes some seconds. */
const MAX_RUN_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_REASON = 500;
/** Variables of the environment that programs need. Credentials are not among them. */
const ENVIRONMENT: readonly string[] = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'USERPROFILE', 'SystemRoot', 'PATHEXT', 'LANG', 'LC_ALL'];
/** Variables for fetching: proxies, certificates, and git's way to sign in. */
const FOR_FETCHING = /^(?:https?_proxy|no_proxy|all_proxy|SSL_CERT_(?:FILE|DIR)|GIT_.*|SSH_.*)$/i;
/** An address that refuses connections. */
const NOWHERE = 'http://127.0.0.1:9';

/** A program of this machine. */
export interface Tool {
  /** `kubectl kustomize`. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
}

export type ToolRun = { readonly output: string } | ToolFailure;

export interface ToolFailure {
  readonly failure: string;
  /** Whether it was not run, or not to its end, because all runs together have taken too long. */
  readonly isOutOfTime?: boolean;
}

/** The time that is left for all runs of a command together. */
export interface ToolTime {
  leftMs: number;
}

/** A repository may have thousands of kustomizations. */
const MAX_TOTAL_MS = 10 * 60_000;

/** The limits with one for all runs together. */
export function withToolTime(limits: ToolLimits = {}): ToolLimits {
  return { ...limits, total: limits.total ?? { leftMs: MAX_TOTAL_MS } };
}

/** The first of some programs that stands on the PATH. */
export function findTool(commands: readonly (readonly [program: string, ...args: string[]])[], path = process.env.PATH ?? ''): Tool | undefined {
  for (const [program, ...args] of commands) {
    const file = programOnPath(program, path);
    if (file !== undefined) return { name: [program, ...args].join(' '), file, args };
  }
  return undefined;
}

function programOnPath(program: string, path: string): string | undefined {
  const endings = process.platform === 'win32' ? ['.exe'] : [''];
  const files = path.split(delimiter).filter((directory) => directory !== '').flatMap((directory) => endings.map((ending) => join(directory, program + ending)));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false; // Not there, or not to be run.
    }
  });
}

export interface ToolLimits {
  readonly maxRunMs?: number;
  readonly maxOutputBytes?: number;
  readonly total?: ToolTime;
  /** Whether the program may connect to others. */
  readonly fetches?: boolean;
}

/**
 * Runs a program in a process group of its own, with limits of time and output. It sees neither the credentials of the environment nor a
 * cluster; unless it is to fetch, git and proxies lead nowhere.
 */
export function runTool({ file, args }: Tool, more: readonly string[], limits: ToolLimits = {}): ToolRun {
  const { maxRunMs = MAX_RUN_MS, maxOutputBytes = MAX_OUTPUT_BYTES, fetches = false, total = { leftMs: Infinity } } = limits;
  if (total.leftMs <= 0) return OUT_OF_TIME;
  const timeout = Math.ceil(Math.min(maxRunMs, total.leftMs));
  const start = performance.now();
  const home = mkdtempSync(join(tmpdir(), 'cdk8s-aso-run-'));
  try {
    const { error, status, signal, stdout, stderr, pid } = spawnSync(file, [...args, ...more], {
      encoding: 'buffer',
      env: environmentOf(fetches, home),
      timeout,
      killSignal: 'SIGKILL',
      maxBuffer: maxOutputBytes,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      // The types leave it out; it makes the group.
      ...{ detached: process.platform !== 'win32' },
    });
    endGroup(pid);
    total.leftMs -= performance.now() - start;
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    if (code === 'ETIMEDOUT' && timeout < maxRunMs) return OUT_OF_TIME;
    if (code === 'ETIMEDOUT') return { failure: `did not end within ${maxRunMs / 1000} s` };
    if (code === 'ENOBUFS') return { failure: `printed more than ${maxOutputBytes / 1024 / 1024} MiB` };
    if (error) return { failure: `could not be run: ${oneLine(error.message)}` };
    if (status === 0) return { output: stdout.toString('utf8') };
    return { failure: reasonIn(stderr.toString('utf8')) ?? (signal ? `was ended by ${signal}` : `failed with status ${status}`) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const OUT_OF_TIME: ToolFailure = { failure: 'is not run: the runs of this command have taken too long together', isOutOfTime: true };

/** Ends what the program has left behind. */
function endGroup(pid: number | undefined): void {
  if (!pid || process.platform === 'win32') return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process is left.
  }
}

function environmentOf(fetches: boolean, home: string): NodeJS.ProcessEnv {
  const of = (isOf: (name: string) => boolean) => Object.fromEntries(Object.entries(process.env).filter(([name]) => isOf(name)));
  const own = of((name) => ENVIRONMENT.includes(name) || (fetches && FOR_FETCHING.test(name)));
  // Neither a cluster nor repositories of charts and their passwords are to be found.
  const nothing = { KUBECONFIG: join(home, 'config'), HELM_CONFIG_HOME: home, HELM_CACHE_HOME: home, HELM_DATA_HOME: home, GIT_TERMINAL_PROMPT: '0' };
  if (fetches) return { ...own, ...nothing };
  return { ...own, ...nothing, GIT_ALLOW_PROTOCOL: 'none', HTTP_PROXY: NOWHERE, HTTPS_PROXY: NOWHERE, http_proxy: NOWHERE, https_proxy: NOWHERE };
}

/** The reason that a program gives for its failure, on one line. */
function reasonIn(text: string): string | undefined {
  const withoutWarnings = text.split('\n').filter((one) => !/^# ?Warning:/i.test(one)).join('\n');
  const line = oneLine(withoutWarnings).replace(/^(?:E\d{4} \S+ +\d+ \S+\] "command failed" err=)?"?/, '').replace(/^error: /i, '').replace(/"$/, '');
  // The cause comes last.
  const start = line.length - MAX_REASON;
  if (line === '') return undefined;
  return start > 0 ? ['…', line.slice(start)].join(' ') : line;
}
