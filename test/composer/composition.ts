import { CLAIMS } from './fake-cluster';
import type { ClaimKind, ClaimRenderer } from '../../composer/reconcile/types';
import type { ComposeResult, RenderedObject } from '../../composer/render/types';
import type { KubernetesObject } from '../../engine/kubernetes';

/** The spec of the tests' claims. */
export interface ServiceSpec {
  readonly accounts?: readonly string[];
  readonly tier?: string;
  readonly settings?: boolean;
  /** A ConfigMap of a name that several claims compose. */
  readonly shared?: boolean;
  readonly broken?: string;
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
};

const object = (apiVersion: string, kind: string, namespace: string, name: string, body: object, wave: number): RenderedObject => ({
  manifest: { apiVersion, kind, metadata: { name, namespace }, ...body }, path: `${namespace}/${name}`, wave,
});

/** The objects of a claim: what `compose` of a definition would build. */
export function composed({ metadata: { name, namespace = '' }, spec }: KubernetesObject, revision = 'r1'): ComposeResult {
  const { accounts = [], tier = 'Hot', settings, shared, broken } = (spec ?? {}) as ServiceSpec;
  if (broken === revision || broken === 'always') {
    return { problem: { reason: 'ComposeFailed', message: 'TypeError: no region', path: `${namespace}/${name}` } };
  }
  const objects = [
    object('resources.azure.com/v1', 'ResourceGroup', namespace, name, { spec: { location: 'westeurope', tags: { revision } } }, 0),
    ...accounts.map((account) =>
      object('storage.azure.com/v1', 'StorageAccount', namespace, `${name}-${account}`, { spec: { accessTier: tier, owner: { name } } }, 1)),
    ...(settings ? [object('v1', 'ConfigMap', namespace, `${name}-settings`, { data: { tier } }, 0)] : []),
    ...(shared ? [object('v1', 'ConfigMap', namespace, 'shared', { data: { of: name } }, 0)] : []),
  ];
  return { rendered: { objects, outputs: { tier: { value: tier } }, links: { portal: 'https://portal.example.com' }, logs: [] } };
}

export function renderer(revision = 'r1'): ClaimRenderer {
  return { compose: (claim) => Promise.resolve(composed(claim, revision)) };
}

export function service(name: string, spec: ServiceSpec, namespace = 'shop'): KubernetesObject {
  return { apiVersion: 'platform.example.com/v1', kind: 'Service', metadata: { name, namespace }, spec: { ...spec } };
}
