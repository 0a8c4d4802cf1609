import { ObjectSet } from './object-set';
import { FoundAt, ofEach, ofSet } from './rule';
import { AzureObject, SetObject, titleOf } from './set-object';
import { ARGO_SYNC_OPTIONS, ASO_PREFIX, FLUX_PRUNE, HELM_RESOURCE_POLICY, RECONCILE_POLICY, REMOVAL_POLICY } from '../../azure/annotations';
import { isDataBearing } from '../../azure/data-bearing-kinds';

/** Annotations that declare that an object is not to be deleted, or whether its resource is kept. */
const KEEP: readonly [key: string, value: RegExp][] = [
  [ARGO_SYNC_OPTIONS, /(^|,)\s*(Prune|Delete)=(false|confirm)\s*(,|$)/i],
  [REMOVAL_POLICY, /./],
  [HELM_RESOURCE_POLICY, /^keep$/i],
  [FLUX_PRUNE, /^disabled$/i],
];

const FIX = `annotate ${RECONCILE_POLICY}: detach-on-delete (or manage, if it may go); in code removalPolicy: RemovalPolicy.RETAIN (or DESTROY), `
  + 'for all in a scope RemovalPolicies.of(app).applyToDataBearing(RemovalPolicy.RETAIN)';

/**
 * A kind that holds data has no reconcile policy (own or of its Namespace), no removal policy, no user-defined finalizer, and no annotation
 * for Argo CD, Helm or Flux that keeps it.
 */
export const dataUnprotected = ofEach((object, set) => {
  if (!isData(object) || set.policyOf(object) !== undefined || isKept(object)) return [];
  return [{ message: 'holds data and nothing says what becomes of it', fix: FIX }];
});

/** Data is kept, but one of its owners in Azure is deleted together with its object. */
export const ownerUnprotected = ofSet(ownersOfKept);

function isData({ group, kind }: SetObject): boolean {
  return isDataBearing(group, kind);
}

/** Whether an object has a user-defined finalizer, or an annotation that keeps deployers from deleting it. */
function isKept({ manifest, annotations }: SetObject): boolean {
  const { finalizers } = manifest.metadata;
  if (Array.isArray(finalizers) && finalizers.some((finalizer) => typeof finalizer === 'string' && !finalizer.startsWith(ASO_PREFIX))) {
    return true;
  }
  return Object.entries(annotations).some(([key, value]) => KEEP.some(([kept, pattern]) => kept === key && pattern.test(value)));
}

/** Owners whose deletion would delete data that is to be kept. */
function ownersOfKept(set: ObjectSet): FoundAt[] {
  const reported = new Set<SetObject>();
  return set.azure.flatMap((object): FoundAt[] => {
    if (!isData(object) || !detached(object, set)) return [];
    const found: FoundAt[] = [];
    const seen = new Set<AzureObject>([object]);
    for (let owner = set.ownerOf(object); owner && !seen.has(owner); owner = set.ownerOf(owner)) {
      seen.add(owner);
      if (detached(owner, set) || isKept(owner) || reported.has(owner)) continue;
      reported.add(owner);
      found.push({
        object: owner,
        message: `owns ${titleOf(object)}, which is to be kept, but is deleted itself`,
        fix: 'give it the same policy',
      });
    }
    return found;
  });
}

function detached(object: SetObject, set: ObjectSet): boolean {
  return ['detach-on-delete', 'skip'].includes(set.policyOf(object) ?? '');
}
