import { spawn, type ChildProcess } from 'node:child_process';
import { get } from 'node:http';

/** The pause between two answers. An idle machine gives some 19 answers a second, a busy one fewer. */
export const BEAT_MS = 50;
const PROGRAM = `const server = require('node:http').createServer((_, answer) => answer.end());
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/**
 * A process that does nothing but answer, asked again and again: its answers measure time. A busy machine makes it as slow as the process
 * that a test watches, so how many answers something takes does not depend on the machine.
 */
export class ControlProcess {
  public static async start(): Promise<ControlProcess> {
    const child = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
    const port = await new Promise<number>((resolve, reject) => {
      child.stdout.once('data', (data: Buffer) => resolve(Number(data)));
      child.once('close', () => reject(new Error('the control process ended before it listened')));
    });
    return new ControlProcess(child, port);
  }

  /** The answers so far. */
  public beats = 0;
  private isClosed = false;
  private readonly ended: Promise<void>;

  private constructor(private readonly child: ChildProcess, port: number) {
    this.ended = this.beat(port);
  }

  /** The answers that come while something happens. */
  public async during(act: () => Promise<unknown>): Promise<number> {
    const before = this.beats;
    await act();
    return this.beats - before;
  }

  public async close(): Promise<void> {
    this.isClosed = true;
    await this.ended;
    this.child.kill();
  }

  private async beat(port: number): Promise<void> {
    while (!this.isClosed) {
      await new Promise<void>((resolve, reject) => {
        get({ host: '127.0.0.1', port, agent: false }, (answer) => answer.on('end', resolve).resume()).on('error', reject);
      });
      this.beats += 1;
      await new Promise((resolve) => setTimeout(resolve, BEAT_MS));
    }
  }
}
