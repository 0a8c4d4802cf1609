import type { ObservedState } from './baseline-store';
import { bodyShape } from '../../engine/compare';
import { CredentialError, type CredentialSource, type ResolvedCredential } from '../../engine/credentials/types';
import type { ExpressionEngine } from '../../engine/export/cel';
import { configMapDestinations, expressions, secretDestinations } from '../../engine/export/destinations';
import { secretCallsNeeded } from '../../engine/export/secret-values';
import { hooksOf } from '../../engine/kinds';
import { findOrUnknown, UnknownStateError } from '../../engine/kubernetes/cache-state';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { annotation } from '../../engine/objects/annotations';
import { lastAppliedOf } from '../../engine/objects/last-applied';
import { pollerOf } from '../../engine/objects/poller';
import { allowsModification, type ReconcilePolicy } from '../../engine/objects/reconcile-policy';
import { versionOf } from '../../engine/resolve/kind-of';
import { RESOURCE_ID } from '../../src/azure/annotations';
import { parseArmId } from '../../src/azure/arm-id';
import { resourceGraphTableOf } from '../../src/azure/resource-graph-tables';
import type { KindVersion } from '../../src/catalog';
import type { ObjectId } from '../../src/object-id';
import type { Cluster } from '../reconcile/cluster';
import { policyFor } from '../reconcile/observe';
import { resolveDesired } from '../reconcile/resolve-desired';
import { isUnsettled } from '../reconcile/triggers';

/** The source of a resource's rows. */
export type Source =
  /** A table of Azure Resource Graph. */
  | { readonly of: 'table'; readonly table: string; readonly subscriptionId: string }
  /** The list of the collection that the resource is in. */
  | { readonly of: 'list'; readonly url: string; readonly apiVersion: string };

/** The part of a credential that a query needs. */
export type CredentialOfQuery = Pick<ResolvedCredential, 'client' | 'tenantId' | 'clientId' | 'source'>;

/** An object that drift detection can check instead of a reconcile. */
export interface Subject extends ObservedState {
  readonly credential: CredentialOfQuery;
  readonly source: Source;
}

export interface SubjectContext {
  readonly cluster: Cluster;
  readonly credentials: CredentialSource;
  readonly defaultPolicy: ReconcilePolicy;
  /** Has the expressions that a reconcile has checked; other expressions need a reconcile. Default: compiles them. */
  readonly engine?: ExpressionEngine | undefined;
}

/**
 * The state of an object for drift detection; undefined where the object needs a reconcile, because there may be work besides the read of
 * the resource. There is none if the object is Ready, no operation runs, its spec resolves to the body that was sent (references and
 * imported values included), and no keys have to be requested.
 */
export function subjectOf(key: ObjectId, context: SubjectContext): Subject | undefined {
  const subject = findOrUnknown(() => knownSubjectOf(key, context));
  return subject instanceof UnknownStateError ? undefined : subject;
}

function knownSubjectOf(key: ObjectId, { cluster, credentials, defaultPolicy, engine }: SubjectContext): Subject | undefined {
  const watched = cluster.typeOf(key.group, key.kind);
  const object = watched?.store.get(key.namespace, key.name);
  const version = object && versionOf(object);
  // An object stored in another version than the watched one is read once more by a reconcile.
  if (!watched || !object || !version || object.apiVersion !== `${watched.type.group}/${watched.type.version}`) return undefined;
  const armId = annotation(object, RESOURCE_ID);
  if (!armId || object.metadata.deletionTimestamp !== undefined || isUnsettled(object) || pollerOf(object)) return undefined;
  if (!version.isArm || !version.supports('GET') || !canWaitForExports(object, version, engine)) return undefined;
  const source = sourceOf(armId, version);
  const credential = source && credentialOf(object, credentials);
  if (!source || !credential) return undefined;
  const { subscriptionId } = credential.client;
  const { policy } = policyFor(object, cluster, defaultPolicy);
  const { uid, resourceVersion } = object.metadata;
  if (allowsModification(policy) && !wantsWhatWasSent(object, version, cluster, subscriptionId)) return undefined;
  return {
    armId,
    credential,
    source,
    shape: bodyShape(version),
    sentAt: Date.parse(lastAppliedOf(object)?.at ?? '') || 0,
    fingerprint: JSON.stringify([policy, uid, resourceVersion, subscriptionId, ...exported(object, version, cluster)]),
  };
}

/**
 * Keys change without the resource: objects that export them request them in every sync. Rows do not show values of other resources either.
 */
function canWaitForExports(object: KubernetesObject, version: KindVersion, engine?: ExpressionEngine): boolean {
  const { group, kind } = version.kind;
  if (hooksOf(group, kind).configMapValues && configMapDestinations(version, object.spec).length > 0) return false;
  try {
    return secretCallsNeeded(version, object.spec, engine).length === 0;
  } catch {
    return false;
  }
}

/** Whether a PUT now would send the same body as the last one. */
function wantsWhatWasSent(object: KubernetesObject, version: KindVersion, cluster: Cluster, subscriptionId: string): boolean {
  const record = lastAppliedOf(object);
  if (!record?.answered || record.digest === '') return false;
  try {
    const { desired } = resolveDesired(object, version, cluster.lookup(), subscriptionId);
    return desired.digest === record.digest && desired.hidden === record.hidden;
  } catch {
    return false;
  }
}

/** The Secrets and ConfigMaps that the object exports: another party may have changed or removed them. */
function exported(object: KubernetesObject, version: KindVersion, cluster: Cluster): string[] {
  const { spec } = object;
  const names = (kind: 'Secret' | 'ConfigMap', found: readonly string[]) => [...new Set(found)].sort().map((name) => {
    const metadata = cluster.findMetadata({ group: '', kind, namespace: object.metadata.namespace ?? '', name });
    return `${kind}/${name} ${metadata?.uid ?? ''}@${metadata?.resourceVersion ?? ''}`;
  });
  const destinations = (listed: [string, { readonly name: string }][], property: 'secretExpressions' | 'configMapExpressions') =>
    [...listed.map(([, { name }]) => name), ...expressions(spec, property).map(({ name }) => name)];
  return [
    ...names('Secret', destinations(secretDestinations(version, spec), 'secretExpressions')),
    ...names('ConfigMap', destinations(configMapDestinations(version, spec), 'configMapExpressions')),
  ];
}

function credentialOf(object: KubernetesObject, credentials: CredentialSource): CredentialOfQuery | undefined {
  try {
    return credentials.resolve(object);
  } catch (error) {
    if (error instanceof CredentialError) return undefined;
    throw error;
  }
}

/** Undefined: resources above subscriptions are read one by one. */
function sourceOf(armId: string, version: KindVersion): Source | undefined {
  const subscriptionId = parseArmId(armId)?.subscriptionId?.toLowerCase();
  if (subscriptionId === undefined) return undefined;
  const { type, apiVersion } = version.facts.arm!;
  const table = resourceGraphTableOf(type);
  if (table !== undefined) return { of: 'table', table, subscriptionId };
  return { of: 'list', url: armId.slice(0, armId.lastIndexOf('/')), apiVersion };
}
