import { Gauge, type Registry } from 'prom-client';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { objectIdOf } from '../../src/object-id';
import { mayBeInCatalog } from '../../src/util/api-groups';
import type { WatchedType } from '../reconcile/cluster';
import { readyOf } from '../reconcile/core/conditions';
import type { WorkShare } from '../reconcile/fence';

/**
 * Number of objects of each kind, by their Ready condition, for alerts. Counted at each scrape.
 * @param share the objects that this replica looks after. Default: all
 */
export function resourceGauge(registry: Registry, watched: () => readonly WatchedType[], share?: WorkShare): void {
  new Gauge({
    name: 'cdk8s_aso_resources',
    help: 'Azure objects by kind and by status and reason of their condition Ready',
    labelNames: ['kind', 'ready', 'reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { type, store } of watched()) {
        if (!mayBeInCatalog(type.group)) continue;
        for (const object of store.list()) {
          if (share?.owns(objectIdOf(object)) === false) continue;
          this.inc({ kind: `${type.kind}.${type.group}`, ...readinessOf(object) });
        }
      }
    },
  });
}

function readinessOf(object: KubernetesObject): { ready: string; reason: string } {
  const ready = readyOf(object);
  return { ready: ready?.status ?? 'Unknown', reason: ready?.reason || (ready?.status === 'True' ? 'Succeeded' : 'None') };
}
