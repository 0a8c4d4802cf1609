import type { WatchersOptions } from './watchers-options';
import type { Ownership } from '../../runtime/shards/ownership';
import { OwnerRoots } from '../shards/owner-roots';
import { ShardedWork } from '../shards/sharded-work';
import { SplitNamespaces } from '../shards/split-namespaces';
import { ShardMetrics } from '../telemetry/shard-metrics';

/** Namespaces that a log line names. */
const MOST_NAMED = 20;

/** The share of this replica, the trees of objects in namespaces that are split, and the namespaces that are to be split. */
export interface Shards {
  readonly work: ShardedWork;
  readonly roots: OwnerRoots;
  readonly split: SplitNamespaces;
}

/** The share of this replica, with its metrics and log lines. */
export function createShards(
  { clock, elapsed, logger, metrics, settings: { podNamespace }, onSplit }:
  Pick<WatchersOptions, 'clock' | 'elapsed' | 'logger' | 'metrics' | 'settings' | 'onSplit'>,
  ownership: Ownership,
): Shards {
  const roots = new OwnerRoots({ clock, ...(elapsed && { elapsed }), isSplit: (namespace) => ownership.isSplit(namespace) });
  const split = new SplitNamespaces({
    clock,
    onChange: ({ namespaces, refused }) => {
      logger.info({ namespaces }, 'namespaces are to be split by owner tree');
      if (refused.length > 0) logger.warn({ count: refused.length, namespaces: refused.slice(0, MOST_NAMED) }, 'too many to be split');
      onSplit?.(namespaces);
    },
  });
  const shards: ShardedWork = new ShardedWork({
    ownership,
    clock,
    operatorNamespace: podNamespace,
    roots,
    onMoved: (move) => {
      counted.moved(move);
      const { members, owned, gained, lost } = move;
      logger.info({ replicas: members.length, namespaces: owned, gained, lost }, 'the share of this replica has changed');
    },
    onFenced: () => counted.refused(),
  });
  const counted = new ShardMetrics(metrics.registry, () => shards, () => split.current);
  return { work: shards, roots, split };
}
