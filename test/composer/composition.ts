import { CLAIMS, ENVIRONMENTS } from './fake-cluster';
import type { ClaimKind, ClaimRenderer } from '../../composer/reconcile/types';
import { ObjectReads } from '../../composer/render/object-reads';
import type { ComposeResult, RenderedObject } from '../../composer/render/types';
import type { KubernetesObject } from '../../engine/kubernetes';
import { type ObjectId, objectKeyOf } from '../../src/object-id';

/** The spec of the tests' claims. */
export interface ServiceSpec {
  readonly accounts?: readonly string[];
  readonly tier?: string;
  readonly settings?: boolean;
  /** A ConfigMap of a name that several claims compose. */
  readonly shared?: boolean;
  readonly broken?: string;
  /** The name of an Environment in the claim's namespace: its location is that of the group, the used part of its status an output. */
  readonly environment?: string;
}

export const SERVICES: ClaimKind = {
  group: CLAIMS.group,
  kind: CLAIMS.kind,
  plural: CLAIMS.plural,
  version: CLAIMS.version,
  namespaced: true,
  composes: [
    { group: 'resources.azure.com', kind: 'ResourceGroup' }, { group: 'storage.azure.com', kind: 'StorageAccount' }, { group: '', kind: 'ConfigMap' },
  ],
  reads: [{ group: ENVIRONMENTS.group, kind: ENVIRONMENTS.kind }],
};

const object = (apiVersion: string, kind: string, namespace: string, name: string, body: object, wave: number): RenderedObject => ({
  manifest: { apiVersion, kind, metadata: { name, namespace }, ...body }, path: `${namespace}/${name}`, wave,
});

/** The objects of a claim: what `compose` of a definition would build. `found` is the Environment that the claim names. */
export function composed(
  { metadata: { name, namespace = '' }, spec }: KubernetesObject, revision = 'r1', found?: KubernetesObject,
): Omit<ComposeResult, 'reads'> {
  const { accounts = [], tier = 'Hot', settings, shared, broken, environment: wanted } = (spec ?? {}) as ServiceSpec;
  const failed = (message: string) => ({ problem: { reason: 'ComposeFailed', message, path: `${namespace}/${name}` } as const });
  if (broken === revision || broken === 'always') return failed('TypeError: no region');
  if (wanted !== undefined && !found) return failed(`there is no Environment ${wanted}`);
  const location = (found?.spec?.location ?? 'westeurope') as string;
  const used = found?.status?.used as number | undefined;
  const objects = [
    object('resources.azure.com/v1', 'ResourceGroup', namespace, name, { spec: { location, tags: { revision } } }, 0),
    ...accounts.map((account) =>
      object('storage.azure.com/v1', 'StorageAccount', namespace, `${name}-${account}`, { spec: { accessTier: tier, owner: { name } } }, 1)),
    ...(settings ? [object('v1', 'ConfigMap', namespace, `${name}-settings`, { data: { tier } }, 0)] : []),
    ...(shared ? [object('v1', 'ConfigMap', namespace, 'shared', { data: { of: name } }, 0)] : []),
  ];
  const outputs = { tier: { value: tier }, ...(used !== undefined && { used: { value: used } }) };
  return { rendered: { objects, outputs, links: { portal: 'https://portal.example.com' }, logs: [] } };
}

export function environmentOf({ metadata: { namespace = '' }, spec }: KubernetesObject): ObjectId | undefined {
  const { environment: name } = (spec ?? {}) as ServiceSpec;
  return name === undefined ? undefined : { group: ENVIRONMENTS.group, kind: ENVIRONMENTS.kind, namespace, name };
}

export function renderer(revision = 'r1', onCompose: () => void | Promise<void> = () => undefined): ClaimRenderer {
  return {
    compose: async (claim, { find }) => {
      const reads = new ObjectReads(find, SERVICES.reads);
      const name = environmentOf(claim);
      const problem = name && reads.add([name]);
      if (problem) return { problem, reads: reads.reads() };
      const found = name && find(name);
      await onCompose();
      const used = name === undefined ? [] : [{ key: objectKeyOf(name), status: true }];
      return { ...composed(claim, revision, found?.state === 'present' ? found.object : undefined), reads: reads.reads(used) } as ComposeResult;
    },
  };
}

export function environment(name: string, location: string, namespace = 'shop'): KubernetesObject {
  return { apiVersion: `${ENVIRONMENTS.group}/v1`, kind: ENVIRONMENTS.kind, metadata: { name, namespace }, spec: { location } };
}

export function service(name: string, spec: ServiceSpec, namespace = 'shop'): KubernetesObject {
  return { apiVersion: 'platform.example.com/v1', kind: 'Service', metadata: { name, namespace }, spec: { ...spec } };
}
