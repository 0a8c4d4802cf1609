import { CacheFreshnessGuard } from './cache-freshness-guard';
import { CacheWaits } from './cache-waits';
import { CreatedResources } from './created-resources';
import { LostResources } from './lost-resources';
import { ObjectMemories } from './object-memories';
import { ParentWriteLocks } from './parent-locks/parent-write-locks';
import type { ReconcilerOptions } from './reconciler-options';
import { refusedStatusEvent, RefusedStatuses } from './refused-writes';
import { ReleasedObjects } from './released-objects';
import { ResourceIds } from './resource-ids';
import { ValidationCache } from './validation-cache';
import { ObjectWriter } from './writer';
import type { KubernetesError, KubernetesObject } from '../../engine/kubernetes/types';

/** State of all objects that the reconciler keeps from one reconcile to the next. */
export interface ReconcilerState {
  readonly memories: ObjectMemories;
  readonly released: ReleasedObjects;
  readonly validations: ValidationCache;
  readonly writer: ObjectWriter;
  readonly parentLocks: ParentWriteLocks;
  readonly ids: ResourceIds;
  readonly freshness: CacheFreshnessGuard;
  readonly cacheWaits: CacheWaits;
  readonly created: CreatedResources;
  readonly lost: LostResources;
}

export function newReconcilerState(options: ReconcilerOptions): ReconcilerState {
  const { client, clock, events, expressions, fence } = options;
  const onRefused = (object: KubernetesObject, error: KubernetesError) => events.record(object, refusedStatusEvent(object, error));
  const freshness = new CacheFreshnessGuard(options);
  const ids = new ResourceIds();
  return {
    memories: new ObjectMemories(() => freshness.moment),
    released: new ReleasedObjects(),
    validations: new ValidationCache(expressions),
    writer: new ObjectWriter(client, new RefusedStatuses(() => clock.now()), onRefused, fence),
    parentLocks: new ParentWriteLocks(clock),
    ids,
    lost: new LostResources(ids),
    freshness,
    cacheWaits: new CacheWaits(),
    created: new CreatedResources(() => clock.now()),
  };
}
