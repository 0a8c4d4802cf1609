import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CONTROLLER = join(__dirname, '..', '..', '..', 'lib', 'controller', 'main.js');

/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

export interface MortalControllerOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly timeScale: number;
  /** Default: the built one. */
  readonly program?: string | undefined;
  /** More flags of the controller. */
  readonly flags?: readonly string[];
  /** Called before each process. */
  readonly onStart?: () => void;
}

/** The controller in a process of its own, which is there again as soon as it is dead. */
export class MortalController {
  /** Of the processes that ended by themselves: how they ended. */
  public readonly endings: string[] = [];
  public starts = 0;

  private child?: ChildProcess;
  private killed = false;
  private stopped = false;
  private ended: Promise<void> = Promise.resolve();
  private output = '';

  public constructor(private readonly options: MortalControllerOptions) {}

  public start(): void {
    const { environment, timeScale, program = CONTROLLER, flags = [] } = this.options;
    this.options.onStart?.();
    this.starts += 1;
    this.killed = false;
    this.output = '';
    const child = spawn(process.execPath, [program, '--delay-scale', String(timeScale), ...flags], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (this.output += data.toString()));
    this.ended = new Promise((resolve) => child.once('close', (code, signal) => {
      if (!this.killed) this.endings.push(`${signal ?? `status ${code}`}: ${this.output.trim().split('\n').slice(-3).join('\n')}`);
      resolve();
      if (!this.stopped) this.start();
    }));
  }

  /** kill -9. The next process starts as soon as this one is gone. */
  public kill(): void {
    this.killed = true;
    this.child?.kill('SIGKILL');
  }

  /** To the process that runs now: `SIGSTOP` and `SIGCONT` stop it for a while. */
  public signal(name: NodeJS.Signals): void {
    this.child?.kill(name);
  }

  /** SIGTERM: how the process ends, and after how many milliseconds. Killed after the time that it may take. */
  public async terminate(withinMs: number): Promise<{ readonly how: string; readonly afterMs: number }> {
    this.stopped = true;
    const [ended, began] = [this.endings.length, performance.now()];
    this.child?.kill('SIGTERM');
    const late = setTimeout(() => this.child?.kill('SIGKILL'), withinMs);
    await this.ended;
    clearTimeout(late);
    return { how: this.endings[ended]?.split(':')[0] ?? 'killed', afterMs: performance.now() - began };
  }

  public async stop(): Promise<void> {
    this.stopped = true;
    this.kill();
    await this.ended;
  }

  /** Whether the process that runs now works: everything is listed. */
  public get works(): boolean {
    return / started/.test(this.output);
  }

  /** Of the process that runs now. */
  public get log(): string {
    return this.output;
  }

  /** Processor time of the main thread, which answers probes, in milliseconds; undefined while no process is there. */
  public mainThreadMs(): number | undefined {
    const { pid } = this.child!;
    const file = `/proc/${pid}/task/${pid}/stat`;
    if (!existsSync(file)) return undefined;
    // The second field is the name in brackets, which may have blanks.
    const fields = readFileSync(file, 'utf8').replace(/^.*\) /s, '').split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  }

  /** Memory of the process that runs now: resident, and the most that was, in MiB. */
  public memory(): { readonly resident: number; readonly most: number } {
    const status = readFileSync(`/proc/${this.child!.pid}/status`, 'utf8');
    const mebibytes = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? NaN) / 1024);
    return { resident: mebibytes('VmRSS'), most: mebibytes('VmHWM') };
  }
}
