import type { Cluster } from './cluster';
import { isReady } from './core/conditions';
import { warning } from './core/failure';
import type { CredentialState, KindTraits, OwnerState, UsualOperationTimes } from './core/observed';
import { CredentialError, type CredentialSource, type ResolvedCredential } from '../../engine/credentials/types';
import { hooksOf } from '../../engine/kinds';
import type { ExternalKind } from '../../engine/kinds/external';
import { operationTimeoutMs, usualOperationMs } from '../../engine/kinds/operation-times';
import { findOrUnknown, UnknownStateError } from '../../engine/kubernetes/cache-state';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { annotation } from '../../engine/objects/annotations';
import { effectivePolicy, type EffectivePolicy, type ReconcilePolicy } from '../../engine/objects/reconcile-policy';
import { describeOwner, ownerOf } from '../../engine/resolve/owner';
import type { ObjectLookup } from '../../engine/resolve/types';
import { RECONCILE_POLICY } from '../../src/azure/annotations';
import type { KindVersion } from '../../src/catalog';

/** The traits of a kind from the catalog, as decisions need them. */
export function traitsOf(version: KindVersion, external?: ExternalKind, now = 0, timeScale = 1): KindTraits {
  const { group, kind } = version.kind;
  const armType = version.facts.arm?.type ?? '';
  const timeoutMs = (method: 'PUT' | 'DELETE') => operationTimeoutMs(armType, method) / timeScale;
  return {
    group,
    kind,
    isArm: version.isArm,
    armApiVersion: version.facts.arm?.apiVersion ?? '',
    ...(version.facts.arm ? { armType: version.facts.arm.type } : {}),
    canDelete: version.supports('DELETE'),
    canCompare: version.isArm && version.supports('GET'),
    timeScale,
    operationTimeoutMs: { put: timeoutMs('PUT'), delete: timeoutMs('DELETE') },
    usualOperationMs: usualTimesOf(armType, timeScale),
    hasPreChecks: hooksOf(group, kind).preCheck !== undefined,
    ...(external ? externalTraits(version, external, now) : {}),
  };
}

const USUAL = [['create', 'PUT'], ['update', 'UPDATE'], ['delete', 'DELETE']] as const;

function usualTimesOf(armType: string, timeScale: number): UsualOperationTimes {
  return Object.fromEntries(USUAL.flatMap(([name, operation]) => {
    const usualMs = usualOperationMs(armType, operation);
    return usualMs === undefined ? [] : [[name, usualMs / timeScale]];
  }));
}

function externalTraits(version: KindVersion, external: ExternalKind, now: number): Partial<KindTraits> {
  const { intent, initialStatus, takesOwnerByArmId, outlivesOwner } = external;
  return {
    isExternal: true,
    needsOwner: !takesOwnerByArmId && version.facts.owner !== null && version.facts.owner !== undefined,
    hasExports: Object.keys(version.facts.exports?.configMaps ?? {}).length > 0,
    ...(outlivesOwner ? { outlivesOwner } : {}),
    ...(initialStatus ? { initialStatus } : {}),
    ...(intent ? { intent: (object: KubernetesObject) => intent(object, now) } : {}),
  };
}

/** The owner's state in the cluster. A malformed owner counts as none: the resolution reports it. */
export function ownerState(object: KubernetesObject, version: KindVersion, cluster: Cluster, lookup: ObjectLookup): OwnerState {
  const owner = namedOwner(object, version);
  if (!owner) return { kind: 'none' };
  const text = describeOwner(owner);
  const found = findOrUnknown(() => lookup.find(owner.group, owner.kind, object.metadata.namespace ?? 'default', owner.name));
  if (found instanceof UnknownStateError) return { kind: 'unknown', text, error: found };
  const watched = cluster.typeOf(owner.group, owner.kind);
  if (!found || !watched) return { kind: 'missing', text };
  if (!isReady(found)) return { kind: 'notReady', text };
  return {
    kind: 'ready',
    text,
    name: owner.name,
    groupKind: `${owner.kind}.${owner.group}`,
    reference: {
      apiVersion: `${watched.type.group}/${watched.type.version}`,
      kind: owner.kind,
      name: owner.name,
      uid: found.metadata.uid!,
    },
  };
}

/** The owner that the spec names. */
export function namedOwner(object: KubernetesObject, version: KindVersion) {
  try {
    const owner = ownerOf(object, version);
    return owner?.by === 'name' ? owner : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The policy that applies to an object.
 * @throws UnknownStateError where the annotation of its Namespace applies and is not known
 */
export function policyFor(object: KubernetesObject, cluster: Cluster, byDefault: ReconcilePolicy): EffectivePolicy {
  const key = { group: '', kind: 'Namespace', namespace: '', name: object.metadata.namespace ?? '' };
  return effectivePolicy(object, annotation(object, RECONCILE_POLICY) === undefined ? cluster.find(key) : undefined, byDefault);
}

/** The credential, as decisions need it. */
export function credentialOf(
  object: KubernetesObject, source: CredentialSource,
): { readonly state: CredentialState; readonly resolved?: ResolvedCredential; readonly unknown?: UnknownStateError } {
  try {
    const resolved = source.resolve(object);
    return { resolved, state: { source: resolved.source, subscriptionId: resolved.subscriptionId, endpoint: resolved.client.endpoint } };
  } catch (error) {
    if (error instanceof UnknownStateError) {
      return { unknown: error, state: { failure: warning(error.unknown.reason, error.message, 'fast') } };
    }
    if (!(error instanceof CredentialError)) throw error;
    return { state: { failure: warning(error.problem, error.message) } };
  }
}
