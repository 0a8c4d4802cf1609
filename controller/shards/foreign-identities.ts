import type { ForeignObjects } from './foreign-objects';
import type { ShardedWork } from './sharded-work';
import type { ForeignIdentities } from '../credential-propagation/propagation-cache';

/** The identities of other replicas' namespaces, for credential propagation. */
export function foreignIdentities(foreign: ForeignObjects, shards: Pick<ShardedWork, 'keeps'>): ForeignIdentities {
  return {
    keeps: (namespace) => shards.keeps(namespace),
    get identityState() {
      return foreign.identityState;
    },
    identities: () => foreign.identities(),
  };
}
