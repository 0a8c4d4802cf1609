import { Counter, Gauge, type Registry } from 'prom-client';
import type { ShardedWork, ShardMove } from '../shards/sharded-work';
import type { SplitWish } from '../shards/split-namespaces';

/** Counts what a replica looks after. */
export class ShardMetrics {
  private readonly moves: Counter<'direction'>;
  private readonly fenced: Counter;

  public constructor(
    registry: Registry, shards: () => Pick<ShardedWork, 'members' | 'ownedNamespaces'> | undefined, split: () => SplitWish,
  ) {
    const registers = [registry];
    new Gauge({
      name: 'cdk8s_aso_shard_members',
      help: 'Replicas that share the namespaces, as this one was told last',
      registers,
      collect() {
        this.set(shards()?.members.length ?? 0);
      },
    });
    new Gauge({
      name: 'cdk8s_aso_shard_namespaces',
      help: 'Namespaces that this replica looks after',
      registers,
      collect() {
        this.set(shards()?.ownedNamespaces.length ?? 0);
      },
    });
    new Gauge({
      name: 'cdk8s_aso_shard_split_refused',
      help: 'Namespaces that are to be split by owner tree and are not, because they are more than 50',
      registers,
      collect() {
        this.set(split().refused.length);
      },
    });
    this.moves = new Counter({
      name: 'cdk8s_aso_shard_moves_total', help: 'Namespaces that have come to this replica (in) or gone to another one (out)', labelNames: ['direction'], registers,
    });
    this.fenced = new Counter({
      name: 'cdk8s_aso_shard_refused_writes_total', help: 'Requests that were not sent because another replica looks after the object', registers,
    });
    this.moves.inc({ direction: 'in' }, 0);
    this.moves.inc({ direction: 'out' }, 0);
  }

  public moved({ gained, lost }: ShardMove): void {
    this.moves.inc({ direction: 'in' }, gained);
    this.moves.inc({ direction: 'out' }, lost);
  }

  public refused(): void {
    this.fenced.inc();
  }
}
