import { elect, type ElectOptions } from './elect';
import { joinShards } from './join-shards';
import type { ShardData } from './messages';
import { monotonicMs } from './shared-state';
import type { Supervision } from './supervision';
import { serveHealth } from '../../runtime/http/health';
import { systemElectionTime } from '../../runtime/leader';
import { Fence } from '../../runtime/shards/fence';
import type { EndpointOptions } from '../process/endpoints';

/** Supervises on the controller's own thread, for programs that run a controller in their process. */
export function superviseInProcess(
  { shards, ...options }: EndpointOptions & ElectOptions & { readonly shards?: ShardData | undefined },
): Supervision {
  const time = { ...systemElectionTime, elapsed: monotonicMs };
  return {
    serveHealth: (notReady) => serveHealth(options, { notLive: () => undefined, notReady }),
    lead: (signal) => elect(options, signal),
    join: (peer, signal) => {
      if (!shards) throw new Error('this process has no shards');
      return joinShards({ ...options, ...shards, time, peer, fence: new Fence(time, shards.fence) }, signal);
    },
    close: async () => undefined,
  };
}
