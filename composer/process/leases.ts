import type { KubernetesClient } from '../../engine/kubernetes';
import { LeaderElector, type Leadership, type LeaderElectorOptions } from '../../runtime/leader';
import type { Logger } from '../../runtime/log/log';
import type { ClaimKind } from '../reconcile/types';

export interface LeasesOptions {
  readonly client: Pick<KubernetesClient, 'get' | 'create' | 'replace'>;
  readonly namespace: string;
  readonly identity: string;
  readonly kinds: readonly ClaimKind[];
  readonly logger: Logger;
  readonly timing?: LeaderElectorOptions['timing'];
}

/** The Lease of a kind: two composers that share a kind cannot both work on it, whatever else they compose. */
export function leaseName({ plural, group }: Pick<ClaimKind, 'plural' | 'group'>): string {
  return `composer-${plural}.${group}`.slice(0, 253);
}

/** The Leases of all kinds of a definition: held together, lost together. */
export class Leases {
  private readonly held: Leadership[] = [];
  private readonly ended = new AbortController();

  public constructor(private readonly options: LeasesOptions) {}

  /** Resolves when this process holds all of them. Rejects only when the signal aborts. */
  public async acquire(signal: AbortSignal): Promise<void> {
    const { client, namespace, identity, kinds, logger, timing } = this.options;
    // In one order for all: two composers with several kinds in common would otherwise wait for each other.
    for (const name of kinds.map(leaseName).sort()) {
      const elector = new LeaderElector({
        client,
        namespace,
        name,
        identity,
        ...(timing && { timing }),
        onLeader: (leader) => {
          if (leader !== '' && leader !== identity) logger.info({ lease: `${namespace}/${name}`, leader }, 'waits: another composer works on this kind');
        },
        onError: (error) => logger.warn({ err: error, lease: `${namespace}/${name}` }, 'leader election'),
      });
      const leadership = await elector.acquire(signal);
      leadership.lost.addEventListener('abort', () => this.ended.abort(leadership.lost.reason), { once: true });
      this.held.push(leadership);
    }
    logger.info({ namespace, identity }, 'leads');
  }

  /** Whether this process may write now. */
  public get isCurrent(): boolean {
    return this.held.length === this.options.kinds.length && this.held.every((leadership) => leadership.isCurrent);
  }

  /** Aborts when a Lease is lost. */
  public get lost(): AbortSignal {
    return this.ended.signal;
  }

  public async release(): Promise<void> {
    await Promise.all(this.held.map((leadership) => leadership.release()));
  }
}
