import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../setup/until';

export interface ServerProgram {
  /** Of its log file, too. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Programs that end with this process, however it ends; and so does their directory. */
export class Servers {
  private readonly runner;
  private readonly ended = new Map<string, string>();
  private readonly gone: Promise<void>;

  public constructor(private readonly directory: string) {
    this.runner = spawn(process.execPath, [join(__dirname, 'run-servers.mjs'), directory], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.gone = new Promise((resolve) => this.runner.once('close', () => resolve()));
    createInterface({ input: this.runner.stdout }).on('line', (line) => {
      const { ended, how } = JSON.parse(line) as { ended: string; how: string };
      this.ended.set(ended, how);
    });
  }

  /** Starts a program, and waits until it is ready. Fails as soon as it ends, with the end of its log. */
  public async start(server: ServerProgram, ready: () => boolean | Promise<boolean>): Promise<void> {
    this.runner.stdin.write(`${JSON.stringify(server)}\n`);
    await until(`${server.name} is ready`, async () => {
      const how = this.ended.get(server.name);
      if (how !== undefined) throw new Error(`${server.name} ended (${how}):\n${this.log(server.name).split('\n').slice(-15).join('\n')}`);
      return ready();
    });
  }

  public log(name: string): string {
    const file = join(this.directory, `${name}.log`);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  public close(): Promise<void> {
    this.runner.stdin.end();
    return this.gone;
  }
}

/** As `freePorts`, one. */
export async function freePort(): Promise<number> {
  return (await freePorts(1))[0]!;
}

/**
 * Ports of the loopback address that are free now, each one once in a suite. They are below those that the system gives to connections and
 * to listeners without a wish, so that it does not give one away before the program that is meant listens.
 */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  for (let tries = 0; found.length < count; tries += 1) {
    if (tries > PORTS) throw new Error(`no port of the loopback address between ${FIRST_PORT} and ${FIRST_PORT + PORTS - 1} is free`);
    const port = FIRST_PORT + (nextPort++ % PORTS);
    if (await isFree(port)) found.push(port);
  }
  return found;
}

const FIRST_PORT = 10_000;
const PORTS = 20_000;
/** Processes at work beside each other begin far from each other. */
let nextPort = (process.pid * 97) % PORTS;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
