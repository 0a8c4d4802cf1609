import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { MIGRATION } from './journal';
import type { Clock } from '../../engine/clock';
import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../engine/kubernetes/types';
import { LEASES } from '../cluster/resource-types';

const DURATION_SECONDS = 10;
const RENEW_MS = 3_000;
const POLL_MS = 500;

/** Another process migrates the same cluster. */
export class LeaseHeldError extends Error {
  public constructor(holder: string) {
    super(`another process migrates this cluster: ${holder} holds the Lease ${MIGRATION}`);
    this.name = 'LeaseHeldError';
  }
}

/**
 * The right to migrate a cluster. The lease of a process that was killed expires: it counts as free when nobody has renewed it for its
 * duration, measured on this machine's clock alone, since clocks differ.
 */
export class MigrationLease {
  /** @throws LeaseHeldError where another process renews the lease */
  public static async acquire(
    client: KubernetesClient, namespace: string, clock: Clock, onWait: (holder: string) => void,
  ): Promise<MigrationLease> {
    const holder = `${hostname()}_${process.pid}_${randomUUID().slice(0, 8)}`;
    let seen: string | undefined;
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const found = await client.get(LEASES, MIGRATION, namespace);
      const { holderIdentity: other, renewTime } = specOf(found);
      if (found && other) {
        if (seen !== undefined && seen !== `${other} ${renewTime}`) throw new LeaseHeldError(other);
        if (seen === undefined) onWait(other);
        seen = `${other} ${renewTime}`;
        if (waitedMs < DURATION_SECONDS * 1000) {
          await clock.sleep(POLL_MS);
          continue;
        }
      }
      try {
        // As for renewals: others count from the write, which comes before its answer.
        const at = clock.now();
        return new MigrationLease(client, clock, holder, await written(client, namespace, found, holder, at), at);
      } catch (error) {
        if (!(error instanceof KubernetesError) || error.status !== 409) throw error;
        throw new LeaseHeldError('a process that began at the same moment');
      }
    }
  }

  private stopped = false;
  private readonly ending = new AbortController();
  private running: Promise<void> = Promise.resolve();

  private constructor(
    private readonly client: KubernetesClient,
    private readonly clock: Clock,
    private readonly holder: string,
    private object: KubernetesObject,
    private renewedAt: number,
  ) {}

  /** Whether this process may still write. */
  public get isHeld(): boolean {
    return !this.stopped && this.clock.now() - this.renewedAt < DURATION_SECONDS * 1000;
  }

  /** Renews the lease until it is released. Never rejects. */
  public keep(): void {
    this.running = (async () => {
      while (!this.stopped) {
        await this.clock.sleep(RENEW_MS, this.ending.signal).catch(() => undefined);
        if (this.stopped) return;
        const at = this.clock.now();
        try {
          this.object = await written(this.client, this.object.metadata.namespace!, this.object, this.holder, at);
          this.renewedAt = at;
        } catch (error) {
          if (error instanceof KubernetesError && error.status === 409) await this.lookAgain();
        }
      }
    })();
  }

  /** Whether another process has it, or it was released. */
  public get isLost(): boolean {
    return this.stopped;
  }

  /** A renewal whose answer was lost has changed the lease, too. */
  private async lookAgain(): Promise<void> {
    const found = await this.client.get(LEASES, MIGRATION, this.object.metadata.namespace).catch(() => this.object);
    if (found && specOf(found).holderIdentity === this.holder) this.object = found;
    else this.stopped = true;
  }

  /** Ends the renewal and frees the lease. */
  public async release(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    this.ending.abort();
    await this.running;
    const spec = { ...this.object.spec, holderIdentity: '' };
    await this.client.replace(LEASES, { ...this.object, spec }).catch(() => undefined);
  }
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly renewTime?: string;
}

function specOf(lease: KubernetesObject | undefined): LeaseSpec {
  return (lease?.spec ?? {}) as LeaseSpec;
}

/** `renewTime` is of microseconds. */
function written(
  client: KubernetesClient, namespace: string, before: KubernetesObject | undefined, holderIdentity: string, now: number,
): Promise<KubernetesObject> {
  const renewTime = new Date(now).toISOString().replace('Z', '000Z');
  const spec = { holderIdentity, leaseDurationSeconds: DURATION_SECONDS, renewTime };
  if (before) return client.replace(LEASES, { ...before, spec: { ...before.spec, ...spec } });
  const metadata = { name: MIGRATION, namespace };
  return client.create(LEASES, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: { ...spec, acquireTime: renewTime } });
}
