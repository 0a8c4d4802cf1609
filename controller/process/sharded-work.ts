import type { WatchersOptions } from './watchers-options';
import type { Ownership } from '../../runtime/shards/ownership';
import { ShardedWork } from '../shards/sharded-work';
import { ShardMetrics } from '../telemetry/shard-metrics';

/** The share of this replica, with its metrics and log lines. */
export function createShardedWork(
  { clock, logger, metrics, settings: { podNamespace } }: Pick<WatchersOptions, 'clock' | 'logger' | 'metrics' | 'settings'>,
  ownership: Ownership,
): ShardedWork {
  const shards: ShardedWork = new ShardedWork({
    ownership,
    clock,
    operatorNamespace: podNamespace,
    onMoved: (move) => {
      counted.moved(move);
      const { members, owned, gained, lost } = move;
      logger.info({ replicas: members.length, namespaces: owned, gained, lost }, 'the share of this replica has changed');
    },
    onFenced: () => counted.refused(),
  });
  const counted = new ShardMetrics(metrics.registry, () => shards);
  return shards;
}
