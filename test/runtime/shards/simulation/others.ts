import type { Claimant } from './journal';
import { Machine } from './machine';
import type { Environment } from './replica';
import type { KubernetesObject } from '../../../../engine/kubernetes/types';
import { LeaderElector, type Leadership } from '../../../../runtime/leader';

/** The holder of a Lease that was deleted has ended, or has a new Lease, after this time. */
const HIDDEN_MS = 15_000;
const GROUP = 'controllers-leader-election-azinfra-generated';

/** A controller without shards, such as ASO: leader election by the group's Lease. It takes everything for its own. */
export class SingleController implements Claimant {
  private readonly machine: Machine;
  private leadership: Leadership | undefined;

  public constructor(public readonly name: string, private readonly environment: Environment) {
    this.machine = new Machine(environment.scheduler, environment.random, 0);
  }

  public get isRunning(): boolean {
    return this.machine.isRunning;
  }

  public start(): void {
    const { api, journal } = this.environment;
    journal.enter(this);
    const elector = new LeaderElector({
      client: api.clientOf({ trouble: 'none' }, this.machine.deliver),
      namespace: 'aso',
      identity: this.name,
      time: this.machine.time(),
    });
    elector.acquire(new AbortController().signal).then((leadership) => {
      this.leadership = leadership;
      journal.look(this);
    }, () => undefined);
  }

  public says(): boolean {
    return this.leadership?.isCurrent === true;
  }

  public async stop(): Promise<void> {
    await this.leadership?.release();
    this.kill();
  }

  public kill(): void {
    this.machine.kill();
    this.environment.journal.leave(this);
  }
}

/**
 * A replica of another version, whose view nobody understands. It takes everything for its own if it has found nobody else when its own
 * Lease was written.
 */
export class UnknownReplica implements Claimant {
  private isAlive = true;
  private ownsAll = false;

  public constructor(public readonly name: string, private readonly environment: Environment, private readonly annotation: string) {}

  public get isRunning(): boolean {
    return this.isAlive;
  }

  public start(): void {
    const { journal, api } = this.environment;
    journal.enter(this);
    this.renew();
    const others = [...api.leases.values()].filter(({ metadata, spec }) => (
      metadata.labels?.['aso.cdk8s.io/shard'] === 'true' && metadata.name !== this.leaseName && spec?.holderIdentity !== ''
    ));
    // The holder of a Lease that was deleted by hand may still act, and nothing tells a newcomer (docs/sharding.md, bad input).
    const isNobodyHidden = this.environment.scheduler.time - api.deletedAt > HIDDEN_MS;
    this.ownsAll = others.length === 0 && this.mayHoldGroup && isNobodyHidden;
    journal.look(this);
  }

  public says(): boolean {
    return this.isAlive && this.ownsAll;
  }

  public kill(): void {
    this.isAlive = false;
    this.environment.journal.leave(this);
  }

  private get mayHoldGroup(): boolean {
    return [undefined, '', 'cdk8s-aso-shards'].includes(this.environment.api.leases.get(GROUP)?.spec?.holderIdentity as string | undefined);
  }

  private get leaseName(): string {
    return `cdk8s-aso-shard-${this.name}`;
  }

  private renew(): void {
    if (!this.isAlive) return;
    const { scheduler } = this.environment;
    const renewTime = new Date(1_700_000_000_000 + scheduler.time).toISOString();
    this.put(this.leaseName, { labels: { 'aso.cdk8s.io/shard': 'true' }, annotations: { 'aso.cdk8s.io/shard-view': this.annotation } }, {
      holderIdentity: this.name, leaseDurationSeconds: 15, renewTime,
    });
    if (this.mayHoldGroup) this.put(GROUP, {}, { holderIdentity: 'cdk8s-aso-shards', leaseDurationSeconds: 15, renewTime });
    scheduler.after(2_000, () => this.renew());
  }

  private put(name: string, metadata: Partial<KubernetesObject['metadata']>, spec: Record<string, unknown>): void {
    const { leases } = this.environment.api;
    const version = `${this.name}-${this.environment.scheduler.happened}`;
    const uid = leases.get(name)?.metadata.uid ?? version;
    leases.set(name, {
      apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { ...metadata, name, namespace: 'aso', uid, resourceVersion: version }, spec,
    });
  }
}
