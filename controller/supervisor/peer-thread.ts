import type { ShardPeer } from './join-shards';
import type { Order, Report } from './messages';
import type { Snapshot } from '../../runtime/shards/snapshot';
import type { View } from '../../runtime/shards/view';

type Answer = Extract<Order, { do: 'prepared' | 'taken' }>;

/** The main thread, seen from the supervisor's: it prepares, and takes snapshots. */
export class PeerThread implements ShardPeer {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private last = 0;

  public constructor(private readonly port: { postMessage(report: Report): void }) {}

  public async prepare(view: View, signal: AbortSignal): Promise<void> {
    const number = this.next();
    const over = () => this.port.postMessage({ is: 'prepareOver', number });
    signal.addEventListener('abort', over, { once: true });
    try {
      const answer = await this.asked({ is: 'prepare', number, view });
      if (answer.do === 'prepared' && answer.error !== undefined) throw new Error(answer.error);
    } finally {
      signal.removeEventListener('abort', over);
    }
  }

  public expect(view: View | undefined): void {
    this.port.postMessage({ is: 'expect', view });
  }

  public async take(snapshot: Snapshot): Promise<void> {
    await this.asked({ is: 'snapshot', number: this.next(), snapshot });
  }

  public answered(answer: Answer): void {
    this.waiting.get(answer.number)?.(answer);
    this.waiting.delete(answer.number);
  }

  private next(): number {
    this.last += 1;
    return this.last;
  }

  private asked(report: Extract<Report, { readonly number: number }>): Promise<Answer> {
    const answer = new Promise<Answer>((resolve) => this.waiting.set(report.number, resolve));
    this.port.postMessage(report);
    return answer;
  }
}
