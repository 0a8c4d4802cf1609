import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { usageOf, type Usage } from './usage';
import { freePort } from '../../../test/e2e/servers';
import { until } from '../../../test/setup/until';

const PROGRAM = join(__dirname, '..', '..', '..', 'lib', 'controller', 'main.js');
/** Of the memory limit, in percent, for JavaScript objects: what the installation by the operator's construct sets. */
const HEAP_SHARE = 0.75;
/** As the operator's construct has it. */
const SEMI_SPACE = '--max-semi-space-size=4';
const MEMORY = { MALLOC_ARENA_MAX: '2' };

export interface TestedControllerOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Of Azure. */
  readonly speed: number;
  /** The memory limit that the heap is made for, in MiB. */
  readonly memory: number;
  /** Flags of Node, such as `--cpu-prof`. */
  readonly nodeFlags?: readonly string[];
  readonly logFile?: string | undefined;
  /** Another build of the controller. */
  readonly program?: string | undefined;
  /** More flags of the controller. */
  readonly flags?: readonly string[];
}

/** A line that the controller wrote about one reconcile. */
export interface ReconcileLine {
  /** `namespace/name` with its kind in front. */
  readonly object: string;
  readonly failed: boolean;
  readonly at: number;
}

/** The built controller in a process of its own, as it would run in a pod with a memory limit. */
export class TestedController {
  /** The reconciles that it has logged since the start. */
  public readonly reconciles: ReconcileLine[] = [];
  private child: ChildProcess | undefined;
  private ended: Promise<void> = Promise.resolve();
  private readonly tail: string[] = [];
  private started = 0;
  private readonly log: WriteStream | undefined;
  private metricsPort?: number;
  private heap?: (bytes: number) => void;

  public constructor(private readonly options: TestedControllerOptions) {
    this.log = options.logFile === undefined ? undefined : createWriteStream(options.logFile, { flags: 'a' });
  }

  /** Resolves when everything is listed and reconciles begin; answers the milliseconds until then. */
  public async start(environment: Readonly<Record<string, string>> = {}): Promise<number> {
    const { options } = this;
    const heap = `--max-old-space-size=${Math.floor(options.memory * HEAP_SHARE)}`;
    this.metricsPort = await freePort();
    const flags = [
      '--delay-scale',
      String(options.speed),
      '--json-logging',
      '--metrics-addr',
      `127.0.0.1:${this.metricsPort}`,
      '--secure-metrics=false',
      ...(options.flags ?? []),
    ];
    const child = spawn(process.execPath, [heap, SEMI_SPACE, ...(options.nodeFlags ?? []), options.program ?? PROGRAM, ...flags], {
      env: { PATH: process.env.PATH, ...MEMORY, ...options.environment, ...environment }, stdio: ['ignore', 'ignore', 'pipe'],
    });
    const kill = () => void child.kill('SIGKILL');
    process.once('exit', kill);
    this.child = child;
    this.reconciles.length = 0;
    this.started = 0;
    const begun = Date.now();
    createInterface({ input: child.stderr }).on('line', (line) => this.hear(line));
    this.ended = new Promise((resolve) => child.once('close', () => {
      process.removeListener('exit', kill);
      this.child = undefined;
      resolve();
    }));
    await until('the controller has listed everything', () => {
      if (!this.child) throw new Error(`the controller ended:\n${this.tail.join('\n')}`);
      return this.started > 0;
    }, 300);
    return this.started - begun;
  }

  public get pid(): number {
    if (!this.child) throw new Error(`the controller has ended:\n${this.tail.join('\n')}`);
    return this.child.pid!;
  }

  public get isRunning(): boolean {
    return this.child !== undefined;
  }

  public usage(): Usage {
    return usageOf(this.pid);
  }

  /** A value of its metrics, or all values of that name together. */
  public async metric(name: string): Promise<number> {
    return sumOf(await this.metrics(), name);
  }

  public async metrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.metricsPort}/metrics`)).text();
  }

  /** The heap after a collection of garbage, in MiB; for a controller that has `heap-after-collection.cjs` with it. */
  public async collectedHeap(): Promise<number> {
    const answer = new Promise<number>((resolve) => (this.heap = resolve));
    process.kill(this.pid, 'SIGUSR2');
    return (
      (await Promise.race([answer, this.ended.then(() => Promise.reject(new Error(`the controller ended:\n${this.tail.join('\n')}`)))]))
      / 1024 ** 2
    );
  }

  /** SIGTERM, as a rollout does it. */
  public async stop(): Promise<void> {
    this.child?.kill('SIGTERM');
    const timer = setTimeout(() => this.child?.kill('SIGKILL'), 30_000);
    await this.ended;
    clearTimeout(timer);
  }

  private hear(line: string): void {
    this.log?.write(`${line}\n`);
    this.tail.push(line);
    if (this.tail.length > 15) this.tail.shift();
    if (!line.startsWith('{')) return;
    const { msg, logger, namespace, name, used } = JSON.parse(line) as Record<string, string>;
    // `logger` is `storageaccounts` or the like: the controller's name for the kind, unique among kinds.
    if (msg === 'started') {
      this.started = Date.now();
    } else if (msg === 'heap') {
      this.heap?.(Number(used));
    } else if (msg === 'reconciled' || msg === 'Reconciler error') {
      this.reconciles.push({ object: `${logger} ${namespace}/${name}`, failed: msg !== 'reconciled', at: Date.now() });
    }
  }
}

/** The sum of all series of a metric in Prometheus' text format. */
export function sumOf(text: string, name: string): number {
  return [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce((sum, [, value]) => sum + Number(value), 0);
}

