import { KubernetesError, type ListOptions, type ObjectList, type ResourceType } from '../../../engine/kubernetes/types';
import { oneLine } from '../../output/problem';
import type { ClusterFacts, CrdFacts } from '../facts';
import type { Finding } from '../finding';

/** The part of a client that lists objects. */
export interface Lister {
  list(type: ResourceType, options: ListOptions): Promise<ObjectList>;
}

/** Words of the API server about a conversion by webhook that failed. */
const FAILED = /conversion webhook/i;

/** Has one object of a kind converted for each server of conversions: the only way to see that it answers. Nothing is written. */
export async function conversionFindings(lister: Lister, { crds, objects }: ClusterFacts): Promise<Finding[]> {
  const tried = new Set<string>();
  const found: Finding[] = [];
  for (const crd of crds) {
    const { conversion, group, kind } = crd;
    const service = conversion && `${conversion.namespace}/${conversion.service}`;
    const version = otherVersion(crd);
    const has = objects.some((object) => object.kind === kind && object.apiVersion.startsWith(`${group}/`));
    if (service === undefined || version === undefined || !has || tried.has(service)) continue;
    tried.add(service);
    try {
      await lister.list({ group, version, plural: crd.plural, kind, namespaced: true }, { limit: 1 });
    } catch (error) {
      if (!(error instanceof KubernetesError) || !FAILED.test(error.message)) continue;
      found.push({
        id: 'webhook-fails',
        severity: 'error',
        object: `Service ${service}`,
        message: `does not convert ${crd.name} to ${version}: ${oneLine(error.message)}`,
        cure: 'start the controller that serves it, and see its log; until then garbage collection and the deletion of namespaces stand still',
      });
    }
  }
  return found;
}

/** A version that is served and not stored, so that reading it needs a conversion. */
function otherVersion({ versions }: CrdFacts): string | undefined {
  return versions.find(({ served, storage }) => served && !storage)?.name;
}
