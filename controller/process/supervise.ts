import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Parts } from './parts';
import type { RunOptions } from './run-options';
import { superviseInProcess, superviseInThread, type ShardData, type Supervision } from '../supervisor';

/** Starts the supervisor, which answers probes and renews the Lease: on a thread of its own if the options have one. */
export function supervise(options: RunOptions, parts: Parts): Supervision {
  const { access, logger, metrics, settings, userAgent, environment, sharding, version } = parts;
  const namespace = settings.podNamespace;
  const identity = `${hostname()}_${randomUUID()}`;
  const onRequest = metrics.kubernetesRequest.bind(metrics);
  const shards: ShardData | undefined = sharding && {
    namespace, identity: sharding.identity, userAgent, shards: sharding.shards, version, fence: sharding.fence.memory,
  };
  // The thread reads the kubeconfig itself: an access passed as a value has functions, which cannot cross threads.
  if (!options.supervisorThread || options.access) {
    return superviseInProcess({ ...options, access, logger, namespace, identity, userAgent, onRequest, shards });
  }
  const lease = options.enableLeaderElection && !shards ? { namespace, identity, userAgent } : undefined;
  const { kubeconfig, healthAddr } = options;
  return superviseInThread({ ...options.supervisorThread, kubeconfig, healthAddr, environment, lease, shards, onRequest });
}
