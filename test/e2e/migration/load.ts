import { ApiError } from '../api';
import type { AsoCluster, LeftObject } from './aso-cluster';
import { kindOf, pathOf } from './objects';

/** A writer that edits objects all the time, each in the version in which it was applied. */
export class Load {
  /** By path, the value of the last write that the API server has taken. */
  public readonly accepted = new Map<string, string>();
  public readonly refusals = new Set<string>();
  public writes = 0;
  private stopped = false;
  private running: Promise<void> | undefined;

  /**
   * @param annotated get another annotation
   * @param tagged get another tag, which has to reach Azure
   */
  public constructor(
    private readonly aso: AsoCluster, private readonly annotated: readonly LeftObject[], private readonly tagged: readonly LeftObject[],
  ) {}

  public start(): void {
    this.running = (async () => {
      for (let i = 0; !this.stopped; i += 1) {
        const isTag = this.annotated.length === 0 || (this.tagged.length > 0 && i % 5 === 0);
        const target = isTag ? this.tagged[Math.floor(i / 5) % this.tagged.length]! : this.annotated[i % this.annotated.length]!;
        await this.write(target, isTag, `n${i}`);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    })();
  }

  public async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async write({ named }: LeftObject, isTag: boolean, value: string): Promise<void> {
    try {
      await this.aso.api.send('PATCH', pathOf(named), isTag ? { spec: { tags: { edited: value } } } : { metadata: { annotations: { note: value } } });
      this.accepted.set(pathOf(named), value);
      this.writes += 1;
    } catch (error) {
      // Between the two webhooks nothing converts.
      if (!(error instanceof ApiError)) throw error;
      this.refusals.add(error.message.replace(/.*(cdk8s-aso migrates.*)/, '$1').slice(0, 60));
    }
  }
}

/** Whether an object was applied in the version that is stored. */
export function isStoredVersion({ named }: LeftObject): boolean {
  return named.apiVersion.endsWith(`/${kindOf(named).facts.storageVersion}`);
}
