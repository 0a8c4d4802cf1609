import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, existsSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ControllerProcessOptions {
  /** Added to the environment of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of this process. Variables of an Azure that is not meant are left out. */
  readonly inherited: Environment;
  readonly simulated: boolean;
  /** Flags of the controller. */
  readonly flags: readonly string[];
  readonly logFile?: string | undefined;
  readonly say: (line: string) => void;
}

const LONGEST_WAIT = 10_000;
const STABLE = 10_000;
const TAIL = 10;
const LIMIT = 3;

/** The controller in a process of its own, started again when it dies, as a Deployment would. */
export class ControllerProcess {
  /** Rejects when the controller dies again and again as soon as it starts. */
  public readonly hopeless: Promise<never>;

  private child?: ChildProcess | undefined;
  private restart?: NodeJS.Timeout;
  private stopping = false;
  private deaths = 0;
  private readonly tail: string[] = [];
  private readonly log?: WriteStream | undefined;
  private giveUp!: (error: Error) => void;
  private readonly killAtExit: () => void;

  public constructor(private readonly options: ControllerProcessOptions) {
    this.log = options.logFile === undefined ? undefined : createWriteStream(options.logFile);
    this.killAtExit = () => void this.child?.kill('SIGKILL');
    this.hopeless = new Promise((_, reject) => (this.giveUp = reject));
    this.hopeless.catch(() => undefined);
  }

  public start(): void {
    const script = controllerScript();
    const startedAt = Date.now();
    process.once('exit', this.killAtExit);
    const child = spawn(process.execPath, [script, ...this.options.flags], {
      env: this.childEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => this.remember(data));
    child.once('error', (error) => this.giveUp(new Error(`the controller cannot be started: ${error.message}`)));
    child.once('close', (code, signal) => {
      process.removeListener('exit', this.killAtExit);
      this.child = undefined;
      if (!this.stopping) this.died(code, signal, Date.now() - startedAt);
    });
  }

  public get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Ends the process: gently, then not. */
  public async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restart);
    const { child } = this;
    if (child) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
        child.once('close', () => {
          clearTimeout(timer);
          resolve();
        });
        child.kill('SIGTERM');
      });
    }
    await new Promise<void>((resolve) => (this.log ? this.log.end(resolve) : resolve()));
  }

  private died(code: number | null, signal: NodeJS.Signals | null, lived: number): void {
    const how = signal ? `was killed by ${signal}` : `ended with status ${code}`;
    this.deaths = lived > STABLE ? 1 : this.deaths + 1;
    const last = this.tail[this.tail.length - 1];
    if (code !== null && this.deaths >= LIMIT) {
      return this.giveUp(new Error(`the controller ${how}, ${this.deaths} times in a row: ${last ?? 'it said nothing'}`));
    }
    const wait = this.deaths === 1 ? 0 : Math.min(LONGEST_WAIT, 500 * 2 ** this.deaths);
    this.options.say(
      `the controller ${how}${code !== null && last ? ` (${last})` : ''}; starting it again${wait ? ` in ${wait / 1000} s` : ''}`,
    );
    this.restart = setTimeout(() => this.start(), wait);
  }

  private remember(data: Buffer): void {
    this.log?.write(data);
    this.tail.push(...data.toString('utf8').split('\n').map((line) => line.trim()).filter(Boolean));
    this.tail.splice(0, Math.max(0, this.tail.length - TAIL));
  }

  private childEnvironment(): NodeJS.ProcessEnv {
    const { inherited, simulated, environment } = this.options;
    // A credential of the user's shell must not reach the simulator, nor its settings the controller.
    const kept = Object.entries(inherited).filter(
      ([name]) => !simulated || !(name.startsWith('AZURE_') || name === 'USE_WORKLOAD_IDENTITY_AUTH'),
    );
    return { ...Object.fromEntries(kept), ...environment };
  }
}

/** Beside the CLI's bundle; in the sources, where the build puts it. */
function controllerScript(): string {
  const places = [join(__dirname, '..', 'controller', 'main.js'), join(__dirname, '..', '..', 'lib', 'controller', 'main.js')];
  const found = places.find((place) => existsSync(place));
  if (!found) throw new Error(`the controller is not there: ${places[0]}; build it first (npx projen make)`);
  return found;
}
