import { parsePublication, type Publication } from './publication';
import type { Rival } from './snapshot';
import { GARBAGE_MS, LEASE_MS, RELEASED_GARBAGE_MS, SUSPECT_MS } from './timing';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { SHARD_VIEW } from '../../src/azure/annotations';
import { recordOf } from '../leader/lease';

export const LEASE_NAME_PREFIX = 'cdk8s-aso-shard-';

/** Another member, as the last list had it. */
interface Observation {
  readonly name: string;
  readonly member: string;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly acquireTime: string;
  /** Absent: not to be understood, or the Lease has disappeared. */
  readonly publication?: Publication;
  readonly isReleased: boolean;
  readonly isGone: boolean;
  readonly durationMs: number;
  /** When the answer arrived that had it like this for the first time, by the monotonic clock. */
  readonly sinceMs: number;
  /** For how long it has been seen unchanged. */
  readonly unchangedMs: number;
}

/** A member that may act, and whose publication is understood. */
export interface LiveMember {
  readonly member: string;
  readonly acquireTime: string;
  readonly publication: Publication;
  /** Its renewals are missing: it seems to be gone, and may act nevertheless. */
  readonly isSuspect: boolean;
}

export interface GarbageLease {
  readonly name: string;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/**
 * The other members, from lists. It compares no time of another machine with its own clock: a member may act until its Lease has been seen
 * unchanged for the duration of the Lease.
 */
export class Roster {
  private observations = new Map<string, Observation>();

  public constructor(private readonly ownName: string) {}

  /**
   * @param requestedMs before the list was requested, `answeredMs` when all of it had arrived, by the monotonic clock
   * @param others members that may act, whether they have a Lease or not
   */
  public observe(leases: readonly KubernetesObject[], requestedMs: number, answeredMs: number, others: readonly string[] = []): void {
    const seen = new Map<string, Observation>();
    for (const lease of leases) {
      const { name } = lease.metadata;
      if (name !== this.ownName) seen.set(name, this.observed(lease, requestedMs, answeredMs));
    }
    const members = [...seen.values()].filter(isValid).flatMap(({ publication }) => publication?.view.members ?? []);
    const named = new Set([...members, ...others].map((member) => `${LEASE_NAME_PREFIX}${member}`));
    for (const name of new Set([...this.observations.keys(), ...named])) {
      if (seen.has(name) || name === this.ownName) continue;
      const missing = missed(name, this.observations.get(name), requestedMs, answeredMs);
      if (isValid(missing) || named.has(name)) seen.set(name, missing);
    }
    this.observations = seen;
  }

  /** Members that may act for something. */
  public rivals(): Rival[] {
    return this.valid().flatMap(({ member, publication }) => {
      if (!publication) return [{ member }];
      return publication.view.members.includes(member) ? [{ member, view: publication.view }] : [];
    });
  }

  public live(): LiveMember[] {
    return this.valid().flatMap(({ member, acquireTime, publication, unchangedMs }) => (
      publication ? [{ member, acquireTime, publication, isSuspect: unchangedMs >= SUSPECT_MS }] : []
    ));
  }

  /** Members whose Lease was deleted, and that may act nevertheless. */
  public missing(): string[] {
    return this.valid().filter(({ isGone }) => isGone).map(({ member }) => member);
  }

  /** Whether any other member may act, now or later. */
  public get hasOthers(): boolean {
    return this.valid().length > 0;
  }

  public garbage(): GarbageLease[] {
    return [...this.observations.values()].filter(({ isGone, isReleased, unchangedMs }) => (
      !isGone && unchangedMs >= (isReleased ? RELEASED_GARBAGE_MS : GARBAGE_MS)
    ));
  }

  private valid(): Observation[] {
    return [...this.observations.values()].filter(isValid);
  }

  private observed(lease: KubernetesObject, requestedMs: number, answeredMs: number): Observation {
    const { name, uid, resourceVersion, annotations } = lease.metadata;
    const before = this.observations.get(name);
    if (before && !before.isGone && before.uid === uid && before.resourceVersion === resourceVersion) {
      return { ...before, unchangedMs: Math.max(requestedMs - before.sinceMs, 0) };
    }
    const { holderIdentity, leaseDurationSeconds, acquireTime = '' } = recordOf(lease);
    const member = name.startsWith(LEASE_NAME_PREFIX) ? name.slice(LEASE_NAME_PREFIX.length) : name;
    // Only the holder itself empties the Lease. One with another holder is none of this protocol.
    const publication = holderIdentity === member ? parsePublication(annotations?.[SHARD_VIEW]) : undefined;
    return {
      name,
      member,
      uid,
      resourceVersion,
      acquireTime,
      ...(publication ? { publication } : {}),
      isReleased: lease.spec?.holderIdentity === '',
      isGone: false,
      durationMs: Math.min(Math.max(leaseDurationSeconds * 1_000, LEASE_MS), GARBAGE_MS),
      sinceMs: answeredMs,
      unchangedMs: 0,
    };
  }
}

/** Whether the member may act. */
function isValid({ isReleased, unchangedMs, durationMs }: Observation): boolean {
  return !isReleased && unchangedMs < durationMs;
}

/**
 * A Lease that has disappeared without a release was deleted by hand. Its holder may have renewed and published just before, so it may act
 * for anything until a term from now is over. That holds for a Lease, too, that this process has never seen, and another member names.
 */
function missed(name: string, before: Observation | undefined, requestedMs: number, answeredMs: number): Observation {
  if (before && !isValid(before)) return { ...before, isGone: true };
  if (before?.isGone === true) return { ...before, unchangedMs: Math.max(requestedMs - before.sinceMs, 0) };
  return {
    name,
    member: name.slice(LEASE_NAME_PREFIX.length),
    uid: before?.uid,
    resourceVersion: undefined,
    acquireTime: '',
    isReleased: false,
    isGone: true,
    durationMs: before?.durationMs ?? LEASE_MS,
    sinceMs: answeredMs,
    unchangedMs: 0,
  };
}
