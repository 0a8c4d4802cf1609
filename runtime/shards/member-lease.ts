import { publicationText, type Publication } from './publication';
import { isConflict, isNotFound, type ShardClient } from './requests';
import { LEASE_NAME_PREFIX } from './roster';
import { LEASE_MS } from './timing';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import { SHARD_LABEL, SHARD_VIEW } from '../../src/azure/annotations';
import { LEASES, microTime, newLease, recordOf } from '../leader/lease';

/** Of a Lease's name. */
const MAX_IDENTITY = 200;

/**
 * The identity of one start of a process, which is also the end of its Lease's name.
 * @param random unique to the start, lower-case letters and digits
 */
export function shardIdentity(podName: string, random: string): string {
  const readable = podName.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-').replaceAll(/\.{2,}|\.-|-\./g, '-');
  const trimmed = readable.slice(0, MAX_IDENTITY - random.length - 1).replaceAll(/^[.-]+|[.-]+$/g, '');
  return trimmed === '' ? random : `${trimmed}-${random}`;
}

/** The Lease of this process: its term, and what it publishes. */
export class MemberLease {
  public readonly name: string;
  /** When this process came, for the order of replicas. */
  public acquireTime = '';
  private lease: KubernetesObject | undefined;
  private renewTime = '';
  /** Of calls: one that was given up must send nothing any more, since it would publish what is outdated. */
  private calls = 0;

  public constructor(
    private readonly client: ShardClient,
    private readonly namespace: string,
    private readonly identity: string,
    private readonly now: () => number,
  ) {
    this.name = `${LEASE_NAME_PREFIX}${identity}`;
  }

  public async create(publication: Publication): Promise<void> {
    const call = (this.calls += 1);
    const time = this.nextTime();
    this.acquireTime = time;
    const lease = newLease(this.namespace, this.name, this.record(this.identity, time));
    const metadata = { ...lease.metadata, labels: { [SHARD_LABEL]: 'true' }, annotations: { [SHARD_VIEW]: publicationText(publication) } };
    try {
      const created = await this.client.create(LEASES, { ...lease, metadata });
      if (call === this.calls) this.lease = created;
    } catch (error) {
      if (call !== this.calls || !(error instanceof KubernetesError && error.reason === 'AlreadyExists')) throw error;
      // An earlier try whose answer was lost.
      await this.write(publication);
    }
  }

  /** Renews and publishes. Resolves when the API server has acknowledged it. Throws LeaseTakenError when the Lease is not ours any more. */
  public async write(publication: Publication): Promise<void> {
    await this.replace(publication, this.identity);
  }

  /** Says that the process has ended: others need not wait for its term. The Lease stays until all have seen that. */
  public async release(publication: Publication): Promise<void> {
    await this.replace(publication, '');
  }

  /** Whether a list has the Lease as it was acknowledged: then the list is not older than the publication. */
  public isIn(leases: readonly KubernetesObject[], publication: Publication): boolean {
    const listed = leases.find(({ metadata }) => metadata.name === this.name);
    return (
      listed?.metadata.uid === this.lease?.metadata.uid &&
      listed?.metadata.annotations?.[SHARD_VIEW] === publicationText(publication) &&
      recordOf(listed).holderIdentity === this.identity
    );
  }

  private async replace(publication: Publication, holder: string): Promise<void> {
    const call = (this.calls += 1);
    for (let tries = 0; tries < 3; tries += 1) {
      const lease = this.lease ?? await this.read();
      if (call !== this.calls) throw new Error('the write of the Lease of this replica was given up: a newer one follows');
      const { labels, annotations } = lease.metadata;
      const metadata = {
        ...lease.metadata,
        labels: { ...labels, [SHARD_LABEL]: 'true' },
        annotations: { ...annotations, [SHARD_VIEW]: publicationText(publication) },
      };
      try {
        const spec = { ...lease.spec, ...this.record(holder, this.nextTime()) };
        const replaced = await this.client.replace(LEASES, { ...lease, metadata, spec });
        if (call === this.calls) this.lease = replaced;
        return;
      } catch (error) {
        if (call !== this.calls) throw error;
        if (isNotFound(error)) throw new LeaseTakenError('its Lease was deleted');
        // The Lease was changed by somebody else, or by an earlier write of ours whose answer was lost.
        if (!isConflict(error)) throw error;
        this.lease = undefined;
      }
    }
    throw new KubernetesError(409, 'Conflict', `the Lease ${this.name} changes all the time`);
  }

  private async read(): Promise<KubernetesObject> {
    const lease = await this.client.get(LEASES, this.name, this.namespace);
    if (!lease) throw new LeaseTakenError('its Lease was deleted');
    const { holderIdentity } = recordOf(lease);
    if (holderIdentity !== this.identity) throw new LeaseTakenError(`its Lease has the holder "${holderIdentity.slice(0, MAX_IDENTITY)}"`);
    return lease;
  }

  private record(holderIdentity: string, renewTime: string) {
    return { holderIdentity, leaseDurationSeconds: LEASE_MS / 1_000, acquireTime: this.acquireTime, renewTime, leaseTransitions: 0 };
  }

  /** Others look for a change: after a jump of the wall clock the same time must not come again at once. */
  private nextTime(): string {
    const time = microTime(this.now());
    this.renewTime = time === this.renewTime ? microTime(this.now() + 1) : time;
    return this.renewTime;
  }
}

/** The process is no member any more. */
export class LeaseTakenError extends Error {
  public constructor(public readonly why: string) {
    super(why);
    this.name = 'LeaseTakenError';
  }
}
