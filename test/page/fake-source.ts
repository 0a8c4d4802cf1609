import { eventFactsOf, inspect, type EventFacts, type Inspection, type InspectionNode } from '../../engine/inspect';
import type { Condition, KubernetesObject } from '../../engine/kubernetes/types';
import type { PageSource, ReadEvents, WirePlan } from '../../page';
import { EVENT_CODE, EVENT_REQUEST_ID, EVENT_STATUS, POLLER_TOKEN } from '../../src/azure/annotations';
import { groupOf } from '../../src/object-id';
import { azure, error, namespace, READY, RECONCILING, RUNNING, snapshotOf, warning } from '../engine/inspect/snapshots';

const MINUTE = 60_000;

/** A source of the page without a cluster: the test says what there is. */
export class FakeSource implements PageSource {
  public readonly title = 'production';
  public problem: string | undefined;
  public inspection: Inspection | undefined;
  private objects = new Map<string, KubernetesObject>();
  private readonly listeners = new Set<() => void>();

  public constructor(objects: readonly KubernetesObject[]) {
    this.set(...objects);
  }

  public onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  public object(node: InspectionNode): KubernetesObject | undefined {
    return this.objects.get(node.key);
  }

  public events(nodes: readonly InspectionNode[]): Promise<ReadEvents> {
    return Promise.resolve({ events: new Map(nodes.map(({ uid = '', state }) => [uid, state === 'Warning' || state === 'Error' ? [REFUSED] : []])), unread: [] });
  }

  public plan({ name }: InspectionNode): Promise<WirePlan> {
    return Promise.resolve({ text: `PUT /subscriptions/…/${name}?api-version=2023-01-01\n\n{}`, problems: [] });
  }

  /** Adds or replaces objects. */
  public set(...objects: readonly KubernetesObject[]): void {
    for (const one of objects) this.objects.set(keyOf(one), one);
    this.look();
  }

  public remove(kind: string, name: string): void {
    this.objects = new Map([...this.objects].filter(([, one]) => one.kind !== kind || one.metadata.name !== name));
    this.look();
  }

  public say(problem: string | undefined): void {
    this.problem = problem;
    for (const listener of this.listeners) listener();
  }

  private look(): void {
    const objects = [...this.objects.values()];
    const names = [...new Set(objects.map(({ metadata }) => metadata.namespace ?? ''))];
    this.inspection = inspect({ ...snapshotOf({ objects, namespaces: names.map((name) => namespace(name)), controllers: [{ ...RUNNING, version: '1.4.0' }] }), now: Date.now() });
    for (const listener of this.listeners) listener();
  }
}

export function keyOf(one: KubernetesObject): string {
  return `${groupOf(one)}/${one.kind}/${one.metadata.namespace}/${one.metadata.name}`;
}

const REFUSED: EventFacts = eventFactsOf({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: {
    name: 'refused',
    annotations: { [EVENT_REQUEST_ID]: '6f9619ff-8b86-d011-b42d-00cf4fc964ff', [EVENT_STATUS]: '403', [EVENT_CODE]: 'AuthorizationFailed' },
  },
  type: 'Warning',
  reason: 'CreateOrUpdateActionError',
  message: 'Reason: AuthorizationFailed, Severity: Warning, RetryClassification: RetryFast, Cause: The client has no authorization',
  count: 12,
  lastTimestamp: new Date(Date.now() - MINUTE).toISOString(),
} as never);

export const NO_RIGHT = "The client 'a3b1c2d4' with object id 'a3b1c2d4' does not have authorization to perform action 'Microsoft.Storage/storageAccounts/write' over scope '/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/shop'";

interface ObjectOptions {
  readonly minutes?: number;
  readonly inNamespace?: string;
  readonly spec?: Record<string, unknown>;
  readonly annotations?: Record<string, string>;
}

/** An object whose state began so many minutes ago. */
export function object(
  kind: string, name: string, ready: Partial<Condition> | undefined, { minutes = 30, inNamespace = 'shop', ...rest }: ObjectOptions = {},
): KubernetesObject {
  const at = new Date(Date.now() - minutes * MINUTE).toISOString();
  return azure(kind, name, {
    ...rest,
    namespace: inNamespace,
    metadata: { creationTimestamp: new Date(Date.now() - (minutes + 1) * MINUTE).toISOString() },
    ready: ready && { lastTransitionTime: at, ...ready },
  });
}

const owned = (owner: string) => ({ owner: { name: owner } });

/** A shop whose storage account is refused, with all that waits for it, and some other troubles. */
export function shop(): KubernetesObject[] {
  return [
    object('ResourceGroup', 'shop', READY, { minutes: 4_000 }),
    object('StorageAccount', 'shopdata', warning('AuthorizationFailed', NO_RIGHT), {
      minutes: 12,
      spec: { ...owned('shop'), kind: 'StorageV2', location: 'westeurope', sku: { name: 'Standard_LRS' } },
      annotations: { [POLLER_TOKEN]: 'https://management.azure.com/operations/1?sig=verysecret' },
    }),
    object('StorageAccountsBlobService', 'blobs', warning('WaitingForOwner', 'Owner "StorageAccount shop/shopdata" is not ready'), { minutes: 12, spec: owned('shopdata') }),
    object('UserAssignedIdentity', 'orders', READY, { minutes: 4_000, spec: owned('shop') }),
    object('FederatedIdentityCredential', 'orders-cluster', READY, { minutes: 3_990, spec: owned('orders') }),
    object('RoleAssignment', 'orders-reads-data', warning('WaitingForOwner', 'Owner "StorageAccount shop/shopdata" is not ready'), {
      minutes: 11, spec: { owner: { group: 'storage.azure.com', kind: 'StorageAccount', name: 'shopdata' } },
    }),
    object('VirtualNetwork', 'shop-network', RECONCILING, { minutes: 1, spec: owned('shop') }),
    object('VirtualNetworksSubnet', 'frontend', READY, { minutes: 200, spec: owned('shop-network') }),
    object('VirtualNetworksSubnet', 'backend', RECONCILING, { minutes: 1, spec: owned('shop-network') }),
    object('NetworkInterface', 'frontend-nic', READY, {
      minutes: 100,
      spec: { ...owned('shop'), ipConfigurations: [{ name: 'one', subnet: { reference: { group: 'network.azure.com', kind: 'VirtualNetworksSubnet', name: 'frontend' } } }] },
    }),
    object('FlexibleServer', 'orders-db', error('InvalidParameterValue', "Invalid value given for parameter 'administratorLoginPassword'. Specify a valid parameter value."), {
      minutes: 45, spec: owned('shop'),
    }),
    object('ResourceGroup', 'billing', READY, { minutes: 9_000, inNamespace: 'billing' }),
    object('StorageAccount', 'invoices', READY, { minutes: 8_000, inNamespace: 'billing', spec: owned('billing') }),
    object('StorageAccountsBlobService', 'default', READY, { minutes: 8_000, inNamespace: 'billing', spec: owned('invoices') }),
    object('StorageAccount', 'archive', warning('ReferenceNotFound', 'couldn\'t resolve reference'), { minutes: 3, inNamespace: 'billing', spec: owned('biling') }),
  ];
}

/** So many objects in twenty namespaces: a tenth of the storage accounts is refused, and their services wait. */
export function many(count: number): KubernetesObject[] {
  return Array.from({ length: Math.ceil(count / 10) }, (_, group) => {
    const inNamespace = `team-${group % 20}`;
    const isRefused = group % 10 === 0;
    const name = `group-${group}`;
    return [
      object('ResourceGroup', name, READY, { inNamespace, minutes: 5_000 }),
      object('VirtualNetwork', `network-${group}`, READY, { inNamespace, spec: owned(name) }),
      ...Array.from({ length: 4 }, (_unused, index) => object('StorageAccount', `data-${group}-${index}`, isRefused ? warning('AuthorizationFailed', NO_RIGHT) : READY, {
        inNamespace, spec: owned(name),
      })),
      ...Array.from({ length: 4 }, (_unused, index) => object('StorageAccountsBlobService', `blobs-${group}-${index}`, isRefused ? warning('WaitingForOwner') : READY, {
        inNamespace, spec: owned(`data-${group}-${index}`),
      })),
    ];
  }).flat().slice(0, count);
}
