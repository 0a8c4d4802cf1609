import type { KubernetesObject, ResourceType, RestClient } from '../../engine/kubernetes';
import { until } from '../../test/setup/until';

const WATCH_SECONDS = 3_600;

/** The claims of a kind: when each was applied, Synced and Ready, as a watch sees it. */
export class Watched {
  private readonly begun = new Map<string, number>();
  private readonly seen = new Map<string, number>();
  private readonly messages = new Map<string, string>();

  public constructor(private readonly client: RestClient, private readonly type: ResourceType) {}

  /** The watch lasts as long as the cluster. */
  public async start(): Promise<void> {
    const { resourceVersion } = await this.client.list(this.type, {});
    void this.watch(resourceVersion);
  }

  /** The claim is applied now. */
  public begins(claim: KubernetesObject): void {
    this.begun.set(keyOf(claim), Date.now());
  }

  /** Until all claims have a condition. */
  public async all(condition: string, seconds: number, check: () => void): Promise<void> {
    try {
      await until(`all ${this.type.plural} are ${condition}`, () => {
        check();
        return this.missing(condition).length === 0;
      }, seconds);
    } catch (error) {
      const [first, ...others] = this.missing(condition);
      throw new Error(`${first} and ${others.length} more are not ${condition}: ${this.messages.get(`${condition} ${first}`)}`, { cause: error });
    }
  }

  public allReady(seconds: number, check: () => void): Promise<void> {
    return this.all('Ready', seconds, check);
  }

  /** Milliseconds from the apply to the condition. */
  public times(condition: string): number[] {
    return [...this.begun].map(([key, at]) => this.seen.get(`${condition} ${key}`)! - at);
  }

  public readyAt(claim: KubernetesObject): number {
    return this.seen.get(`Ready ${keyOf(claim)}`)!;
  }

  private missing(condition: string): string[] {
    return [...this.begun.keys()].filter((key) => !this.seen.has(`${condition} ${key}`));
  }

  private async watch(resourceVersion: string): Promise<void> {
    try {
      const events = this.client.watch(this.type, { resourceVersion, timeoutSeconds: WATCH_SECONDS }, new AbortController().signal);
      for await (const { object } of events) {
        for (const { type, status, reason, message } of object.status?.conditions ?? []) {
          const key = `${type} ${keyOf(object)}`;
          this.messages.set(key, `${reason}: ${message}`);
          if (status === 'True' && !this.seen.has(key)) this.seen.set(key, Date.now());
        }
      }
    } catch {
      // The cluster has ended.
    }
  }
}

function keyOf({ metadata: { namespace = '', name } }: KubernetesObject): string {
  return `${namespace}/${name}`;
}

export function timesOf(times: readonly number[]): { readonly median: number; readonly p99: number } {
  const sorted = [...times].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? NaN, p99: sorted[Math.floor(sorted.length * 0.99)] ?? NaN };
}
