import {
  inspect,
  type Cause,
  type ControllerFacts,
  type EventFacts,
  type Inspection,
  type InspectionNode,
  type Snapshot,
  type StoreFacts,
  type Unread,
} from '../../../engine/inspect';
import type { Condition, KubernetesObject, ObjectMeta } from '../../../engine/kubernetes/types';
import { FINALIZER, OPERATOR_NAMESPACE, RESOURCE_ID } from '../../../src/azure/annotations';

export const NOW = Date.parse('2026-11-23T12:00:00Z');
const VERSIONS: Readonly<Record<string, string>> = {
  ResourceGroup: 'resources.azure.com/v1api20200601',
  StorageAccount: 'storage.azure.com/v1api20230101',
  StorageAccountsBlobService: 'storage.azure.com/v1api20230101',
  UserAssignedIdentity: 'managedidentity.azure.com/v1api20230131',
  FederatedIdentityCredential: 'managedidentity.azure.com/v1api20230131',
  RoleAssignment: 'authorization.azure.com/v1api20220401',
  VirtualNetwork: 'network.azure.com/v1api20201101',
  VirtualNetworksSubnet: 'network.azure.com/v1api20201101',
  NetworkInterface: 'network.azure.com/v1api20201101',
  FlexibleServer: 'dbforpostgresql.azure.com/v20250801',
};

/** A time so many seconds before `NOW`, as Kubernetes writes it. */
export function ago(seconds: number): string {
  return new Date(NOW - seconds * 1000).toISOString().replace('.000Z', 'Z');
}

export const READY: Partial<Condition> = { status: 'True', reason: 'Succeeded' };
export const RECONCILING: Partial<Condition> = { status: 'False', severity: 'Info', reason: 'Reconciling' };

export function warning(reason: string, message = ''): Partial<Condition> {
  return { status: 'False', severity: 'Warning', reason, message };
}

export function error(reason: string, message = ''): Partial<Condition> {
  return { status: 'False', severity: 'Error', reason, message };
}

export interface Given {
  readonly spec?: Record<string, unknown>;
  readonly metadata?: Partial<ObjectMeta>;
  readonly annotations?: Record<string, string>;
  /** Absent: no controller has looked at the object. */
  readonly ready?: Partial<Condition> | undefined;
  readonly namespace?: string;
}

/** An Azure object of namespace `shop`; one with a condition that waits for nothing is claimed and has an id. */
export function azure(
  kind: string, name: string, { spec = {}, metadata = {}, annotations = {}, ready, ...rest }: Given = {},
): KubernetesObject {
  const waits = ready === undefined || /NotFound|WaitingForOwner/.test(ready.reason ?? '');
  const condition = { type: 'Ready', lastTransitionTime: ago(300), observedGeneration: 1, ...ready } as Condition;
  return {
    apiVersion: VERSIONS[kind]!,
    kind,
    metadata: {
      name,
      namespace: rest.namespace ?? 'shop',
      uid: `uid-${kind}-${name}`,
      generation: 1,
      creationTimestamp: ago(600),
      ...(waits ? {} : { finalizers: [FINALIZER] }),
      ...metadata,
      annotations: {
        ...(ready ? { [OPERATOR_NAMESPACE]: 'azureserviceoperator-system' } : {}),
        ...(waits ? {} : { [RESOURCE_ID]: `/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/${name}` }),
        ...annotations,
      },
    },
    spec,
    ...(ready ? { status: { conditions: [condition] } } : {}),
  };
}

export function namespace(name: string, metadata: Partial<ObjectMeta> = {}): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...metadata } };
}

export const RUNNING: ControllerFacts = {
  namespace: 'azureserviceoperator-system',
  deployment: 'azureserviceoperator-controller-manager',
  product: 'cdk8s-aso',
  readyReplicas: 1,
  isRunning: true,
  reconciles: true,
};

export interface SnapshotParts {
  readonly objects: readonly KubernetesObject[];
  readonly namespaces?: readonly KubernetesObject[];
  readonly secrets?: readonly Partial<StoreFacts>[] | 'unknown';
  readonly configMaps?: readonly Partial<StoreFacts>[];
  readonly controllers?: readonly ControllerFacts[] | undefined;
  readonly notServed?: readonly string[];
  readonly unread?: readonly Unread[];
  readonly events?: ReadonlyMap<string, readonly EventFacts[]>;
}

export function snapshotOf(parts: SnapshotParts): Snapshot {
  const { objects, namespaces, secrets = [], configMaps = [], notServed = [], unread = [], events } = parts;
  const storeOf = (stores: readonly Partial<StoreFacts>[] | 'unknown') => (inNamespace: string, name: string) => {
    if (stores === 'unknown') return 'unknown';
    const found = stores.find((one) => one.name === name && (one.namespace ?? 'shop') === inNamespace);
    return found ? { namespace: inNamespace, name, keys: [], ...found } : 'absent';
  };
  return {
    now: NOW,
    objects,
    namespaces: namespaces ?? [namespace('shop')],
    stores: { secret: storeOf(secrets), configMap: storeOf(configMaps) },
    serves: (_group, kind) => !notServed.includes(kind),
    controllers: 'controllers' in parts ? parts.controllers : [RUNNING],
    unread,
    ...(events ? { events } : {}),
  };
}

export function inspected(parts: SnapshotParts): Inspection {
  return inspect(snapshotOf(parts));
}

export function nodeNamed(inspection: Inspection, name: string): InspectionNode {
  const node = inspection.nodes.find((one) => `${one.kind}/${one.name}` === name);
  if (!node) throw new Error(`${name} is not there`);
  return node;
}

/** The root cause of an object. */
export function causeOf(inspection: Inspection, name: string): Cause | undefined {
  const { cause } = nodeNamed(inspection, name);
  return inspection.causes.find(({ id }) => id === cause);
}
