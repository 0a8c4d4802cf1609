import { hasTarget, targetOf, type NodePath } from './arm-path';
import { AzureError } from './errors';
import { newElements } from './inline-children';
import { normalizedLocation } from './location';
import { isRecord } from '../../../src/util/records';
import type { Simulation } from '../model/simulation';
import { type Json, type Resource } from '../model/store';

/** The version and patch that a new cluster gets where it asks for none, as in recorded traffic. */
const DEFAULT_VERSION = '1.33';
const DEFAULT_PATCH = 5;

/** The version with its patch: `1.33.5` for `1.33`. */
function patchVersion(version: unknown): string {
  const text = typeof version === 'string' && version !== '' ? version : DEFAULT_VERSION;
  return /^\d+\.\d+$/.test(text) ? `${text}.${DEFAULT_PATCH}` : text;
}

/** Throws what the service says to a new pool in a PUT of a cluster that is there. https://github.com/Azure/bicep/issues/9644 */
export function checkPools(simulation: Simulation, nodes: NodePath, body: Json, existing: Resource | undefined): void {
  const { id, type } = targetOf(nodes);
  const added = newElements(simulation.store, { id, type }, body);
  if (existing && added.length > 0) {
    throw new AzureError(400, 'BadRequest',
      'A new agent pool was introduced. Adding agent pools to an existing cluster is not allowed through managed cluster operations. '
      + 'For agent pool specific change, please use per agent pool operations: https://aka.ms/agent-pool-rest-api');
  }
}

/** A cluster with its resource group of nodes, its address, its version, and the identity of the kubelets. */
export function completeCluster({ values, principals, clock }: Simulation, { id, name, incarnation, body }: Resource): Json {
  const location = normalizedLocation(body.location);
  const given = isRecord(body.properties) ? body.properties : {};
  const [, , subscription = '', , group = ''] = id.split('/');
  const nodes = given.nodeResourceGroup ?? `MC_${group}_${name}_${location}`;
  const uuid = (word: string) => values.uuid(id.toLowerCase(), incarnation, word);
  const objectId = uuid('kubelet principal');
  if (!principals.has(objectId)) principals.set(objectId, clock.now());
  const identities = `/subscriptions/${subscription}/resourceGroups/${String(nodes)}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
  const kubeletidentity = { clientId: uuid('kubelet'), objectId, resourceId: `${identities}/${name}-agentpool` };
  const computed = {
    kubernetesVersion: DEFAULT_VERSION,
    currentKubernetesVersion: patchVersion(given.kubernetesVersion),
    nodeResourceGroup: nodes,
    fqdn: `${String(given.dnsPrefix ?? name)}-${uuid('fqdn').slice(0, 8)}.hcp.${location}.azmk8s.io`,
    identityProfile: { kubeletidentity },
    powerState: { code: 'Running' },
  };
  return { ...body, properties: withMissing(given, computed) };
}

/** A pool with the versions that its nodes have: those of its cluster, where it has none of its own. */
export function completePool({ store }: Simulation, nodes: NodePath, { body }: Pick<Resource, 'body'>): Json {
  const given = isRecord(body.properties) ? body.properties : {};
  const above = nodes.slice(0, -1);
  const cluster = hasTarget(above) ? store.get(targetOf(above).id)?.body.properties : undefined;
  const version = given.orchestratorVersion ?? (isRecord(cluster) ? cluster.kubernetesVersion : undefined) ?? DEFAULT_VERSION;
  const computed = {
    count: 1,
    orchestratorVersion: version,
    currentOrchestratorVersion: patchVersion(version),
    powerState: { code: 'Running' },
  };
  return { ...body, properties: withMissing(given, computed) };
}

function withMissing(given: Json, computed: Json): Json {
  const missing = Object.entries(computed).filter(([property]) => given[property] === undefined || given[property] === null);
  return { ...given, ...Object.fromEntries(missing) };
}
