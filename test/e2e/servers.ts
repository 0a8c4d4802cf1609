import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
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

/** A port of the loopback address that is free now. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error('no port of the loopback address is free');
  return port;
}

/** Ports of the loopback address that are free now. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  })));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
