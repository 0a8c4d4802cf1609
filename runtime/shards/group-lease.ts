import { momentOf, type Clocks, type Fence, type Moment } from './fence';
import { isConflict, type ShardClient } from './requests';
import { LEASE_MS } from './timing';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { SHARD_RENEWED_BY } from '../../src/azure/annotations';
import { setNewest } from '../../src/util/set-newest';
import { LEASE_NAME } from '../leader';
import { LEASES, leaseWith, microTime, newLease, recordOf, type LeaseRecord } from '../leader/lease';

/** The holder of leader election's Lease while replicas share the work. */
export const GROUP_HOLDER = 'cdk8s-aso-shards';

/** Members that the annotation names. In 15 s, the Lease is written some eight times. */
const MOST_OTHERS = 50;
const MOST_REMEMBERED = 1_000;
const MAX_NAME = 253;

/** The Lease as it was read or written, and the moment before the request was sent. */
interface Observation {
  readonly lease: KubernetesObject;
  readonly text: string;
  readonly sent: Moment;
  /** When the answer had arrived that had it like this for the first time. */
  readonly sinceMs: number;
}

/**
 * The Lease of leader election, held by all members together, so that no controller without shards works beside them. Others take it over
 * when they have seen it unchanged for 15 s. So it gives a term to have written it, and also to see that another member has written it
 * after the last read: its change is later than the moment before that read. The members together write about once in a turn. Each says in
 * an annotation that it was the one, and who was before: so a member is known whose own Lease was deleted by hand.
 */
export class GroupLease {
  private seen: Observation | undefined;
  /** Other member → when it was last seen to have written the Lease, or first heard of. */
  private readonly others = new Map<string, number>();
  private hasRead = false;
  /** Of turns and releases: a turn that was given up while it read must not take the Lease after a release. */
  private calls = 0;

  public constructor(
    private readonly client: ShardClient,
    private readonly namespace: string,
    private readonly member: string,
    private readonly clocks: Clocks,
    private readonly fence: Fence,
  ) {}

  /** Whether the Lease has been read, or made, since the start of this process. */
  public get isKnown(): boolean {
    return this.hasRead;
  }

  /** Other members that have held the Lease and may still act. */
  public get otherMembers(): readonly string[] {
    const now = this.clocks.elapsed();
    return [...this.others].filter(([, atMs]) => now - atMs < LEASE_MS).map(([member]) => member).slice(-MOST_OTHERS);
  }

  /** Extends the term, or ends it when another controller holds the Lease. Resolves with that holder; empty: there is none. */
  public async turn(): Promise<string> {
    const call = (this.calls += 1);
    const sent = momentOf(this.clocks);
    const lease = await this.client.get(LEASES, LEASE_NAME, this.namespace);
    if (call !== this.calls) throw new Error(`the turn at Lease ${this.namespace}/${LEASE_NAME} was given up while it read`);
    this.hasRead = true;
    if (!lease) {
      await this.write(undefined);
      return '';
    }
    this.notice(lease);
    const before = this.seen;
    const seen = this.see(lease, sent);
    const { holderIdentity } = recordOf(lease);
    if (holderIdentity === GROUP_HOLDER) {
      if (before && before.text !== seen.text && recordOf(before.lease).holderIdentity === GROUP_HOLDER) {
        this.fence.renew('group', before.sent);
        return '';
      }
    } else if (holderIdentity !== '' && this.mayBeHeld(seen)) {
      this.fence.end('group');
      return holderIdentity;
    }
    await this.write(lease);
    return '';
  }

  /** Empties the Lease, so that another controller need not wait, unless `hasOthers` says that a member may be alive. */
  public async release(hasOthers: () => Promise<boolean>): Promise<void> {
    this.calls += 1;
    const lease = await this.client.get(LEASES, LEASE_NAME, this.namespace);
    if (!lease || recordOf(lease).holderIdentity !== GROUP_HOLDER) return;
    // In this order: a member that came after the list has changed the Lease since, or sees that it is empty.
    if (await hasOthers()) return;
    const now = microTime(this.clocks.now());
    const { leaseTransitions } = recordOf(lease);
    try {
      const record: LeaseRecord = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions };
      await this.client.replace(LEASES, leaseWith(lease, record));
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }

  private async write(lease: KubernetesObject | undefined): Promise<void> {
    const sent = momentOf(this.clocks);
    try {
      const written = lease
        ? await this.client.replace(LEASES, this.signed(leaseWith(lease, this.record(recordOf(lease)))))
        : await this.client.create(LEASES, this.signed(newLease(this.namespace, LEASE_NAME, this.record())));
      this.renewed(written, sent);
    } catch (error) {
      // Another member has written it, which the next read shows.
      if (!isConflict(error)) throw error;
    }
  }

  private signed(lease: KubernetesObject): KubernetesObject {
    const { metadata } = lease;
    const names = [this.member, ...this.otherMembers].join();
    return { ...lease, metadata: { ...metadata, annotations: { ...metadata.annotations, [SHARD_RENEWED_BY]: names } } };
  }

  private notice(lease: KubernetesObject): void {
    // The same renewal says nothing new.
    if (recordOf(lease).holderIdentity !== GROUP_HOLDER || this.seen?.text === textOf(lease)) return;
    const [writer, ...heardOf] = (lease.metadata.annotations?.[SHARD_RENEWED_BY] ?? '').split(',').slice(0, MOST_OTHERS);
    // To hear of a member again is no news of it: otherwise members would remind each other without end.
    for (const member of heardOf) if (!this.others.has(member)) this.remember(member);
    this.remember(writer);
  }

  private remember(member: string | undefined): void {
    if (!member || member === this.member || member.length > MAX_NAME) return;
    setNewest(this.others, member, this.clocks.elapsed(), MOST_REMEMBERED);
  }

  private renewed(lease: KubernetesObject, sent: Moment): void {
    this.seen = { lease, text: textOf(lease), sent, sinceMs: this.clocks.elapsed() };
    this.fence.renew('group', sent);
  }

  private see(lease: KubernetesObject, sent: Moment): Observation {
    const text = textOf(lease);
    const sinceMs = this.seen?.text === text ? this.seen.sinceMs : this.clocks.elapsed();
    this.seen = { lease, text, sent, sinceMs };
    return this.seen;
  }

  /** Whether the other controller may still believe that it leads. */
  private mayBeHeld({ lease, sent, sinceMs }: Observation): boolean {
    return sent.elapsed - sinceMs < recordOf(lease).leaseDurationSeconds * 1_000;
  }

  private record(before?: LeaseRecord): LeaseRecord {
    const now = this.clocks.now();
    const renewTime = microTime(microTime(now) === before?.renewTime ? now + 1 : now);
    const stays = before?.holderIdentity === GROUP_HOLDER;
    return {
      holderIdentity: GROUP_HOLDER,
      leaseDurationSeconds: LEASE_MS / 1_000,
      acquireTime: (stays ? before.acquireTime : undefined) ?? renewTime,
      renewTime,
      leaseTransitions: before ? before.leaseTransitions + (stays ? 0 : 1) : 0,
    };
  }
}

/** The members of a Lease that other controllers compare. */
function textOf(lease: KubernetesObject): string {
  return JSON.stringify([recordOf(lease), lease.metadata.uid]);
}
