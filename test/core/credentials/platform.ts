import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import {
  AsoAuthentication,
  AsoCredential,
  BuiltInRole,
  CustomRole,
  IAzureResourceRef,
  ReconcilePolicy,
  RoleGrant,
} from '../../../src/core';
import { FederatedIdentityCredential, UserAssignedIdentity } from '../../../src/services/managedidentity';
import { ResourceGroup } from '../../../src/services/resources';
import { Namespace, NamespacesQueue, NamespacesTopic, SBSkuName, SBSkuTier } from '../../../src/services/servicebus';
import { SkuName, StorageAccount, StorageAccountKind } from '../../../src/services/storage';

export const SUBSCRIPTION = '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';
export const TENANT = '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11';
export const PLATFORM_CLIENT = '0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486';
export const ISSUER = 'https://uksouth.oic.prod-aks.azure.com/7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11/5d0e9b7c-1a2f-4c38-b6d4-93e8f7a0c2d6/';

/** A custom role for writing queues and topics: it may not delete queues and topics. */
export const WRITER = CustomRole.of({
  id: '5c6f4f0e-7e6d-4f0a-9a8b-0d1e2f3a4b5c',
  name: 'Service Bus writer',
  actions: [
    'Microsoft.ServiceBus/namespaces/queues/read', 'Microsoft.ServiceBus/namespaces/queues/write',
    'Microsoft.ServiceBus/namespaces/topics/read', 'Microsoft.ServiceBus/namespaces/topics/write',
    'Microsoft.ServiceBus/namespaces/topics/subscriptions/*', 'Microsoft.Authorization/roleAssignments/*',
  ],
});

export interface TeamOptions {
  readonly clientId: string;
  /** Its identity trusts the controller, or the service account of its namespace. */
  readonly strict: boolean;
  readonly queuePolicy?: ReconcilePolicy;
}

/** A platform with a namespace of its own and shared services, and teams below it. */
export class Platform {
  public readonly app: App = Testing.app();
  public readonly chart: Chart;
  public readonly group: ResourceGroup;
  public readonly bus: Namespace;

  public constructor(settings?: Record<string, string>) {
    this.chart = this.newChart('platform');
    new AsoCredential(this.chart, 'credential', {
      subscriptionId: SUBSCRIPTION,
      tenantId: TENANT,
      authentication: AsoAuthentication.workloadIdentity(PLATFORM_CLIENT),
      grantedRoles: [
        { role: BuiltInRole.CONTRIBUTOR, scope: `/subscriptions/${SUBSCRIPTION}` },
        { role: BuiltInRole.USER_ACCESS_ADMINISTRATOR, scope: `/subscriptions/${SUBSCRIPTION}` },
      ],
    });
    this.group = new ResourceGroup(this.chart, 'shared', { metadata: { name: 'shared' }, location: 'uksouth' });
    this.bus = new Namespace(this.chart, 'bus', {
      metadata: { name: 'contosobus' },
      owner: this.group,
      location: 'uksouth',
      sku: { name: SBSkuName.STANDARD, tier: SBSkuTier.STANDARD },
    });
    if (settings) {
      const chart = this.newChart('azureserviceoperator-system');
      new ApiObject(chart, 'settings', {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'aso-controller-settings' },
        stringData: settings,
      });
    }
  }

  public team(name: string, { clientId, strict, queuePolicy }: TeamOptions): void {
    const { chart, group: shared, bus } = this;
    const group = new ResourceGroup(chart, `${name}-group`, { metadata: { name }, location: 'uksouth' });
    const identity = new UserAssignedIdentity(chart, `${name}-identity`, {
      metadata: { name: `${name}-id` },
      owner: shared,
      location: 'uksouth',
    });
    new FederatedIdentityCredential(chart, `${name}-federation`, {
      metadata: { name: `${name}-aso` },
      owner: identity,
      issuer: ISSUER,
      subject: `system:serviceaccount:${strict ? `${name}:aso-workload` : 'azureserviceoperator-system:azureserviceoperator-default'}`,
      audiences: ['api://AzureADTokenExchange'],
    });
    const grant = (on: IAzureResourceRef, role: IAzureResourceRef, id: string) =>
      new RoleGrant(chart, `${name}-${id}`, { metadata: { name: `${name}-${id}` }, on, role, to: identity.outputs.principalId });
    grant(group, BuiltInRole.CONTRIBUTOR, 'contributor');
    grant(bus, WRITER, 'writer');
    this.services(name, clientId, identity, queuePolicy);
  }

  private services(name: string, clientId: string, identity: UserAssignedIdentity, reconcilePolicy?: ReconcilePolicy): void {
    const chart = this.newChart(name);
    const groups = `/subscriptions/${SUBSCRIPTION}/resourceGroups`;
    new AsoCredential(chart, 'credential', {
      subscriptionId: SUBSCRIPTION,
      tenantId: TENANT,
      authentication: AsoAuthentication.workloadIdentity(clientId),
      identity,
    });
    new StorageAccount(chart, 'data', {
      metadata: { name: `${name}data` },
      owner: ResourceGroup.fromArmId(`${groups}/${name}`),
      location: 'uksouth',
      kind: StorageAccountKind.STORAGE_V2,
      sku: { name: SkuName.STANDARD_LRS },
      operatorSpec: { secrets: { key1: { name: `${name}-data`, key: 'key1' } } },
    });
    const owner = Namespace.fromArmId(`${groups}/shared/providers/Microsoft.ServiceBus/namespaces/contosobus`);
    new NamespacesQueue(chart, 'orders', { metadata: { name: `${name}-orders` }, owner, ...(reconcilePolicy && { reconcilePolicy }) });
    new NamespacesTopic(chart, 'events', {
      metadata: { name: `${name}-events` },
      owner,
      reconcilePolicy: ReconcilePolicy.DETACH_ON_DELETE,
    });
  }

  public newChart(namespace: string, scope: Construct = this.app): Chart {
    return new Chart(scope, namespace, { namespace, disableResourceNameHashes: true });
  }
}

/** Two teams: the one of the relaxed, the other of the strict kind. */
export function twoTeams(settings?: Record<string, string>): Platform {
  const platform = new Platform(settings);
  platform.team('harvest', { clientId: '3e9a7d51-c2b4-4680-9f1e-a8d0c6b25e73', strict: false });
  platform.team('market', {
    clientId: '91c4e8b6-5d7f-4a23-8b0c-f2e6a9d13b58',
    strict: true,
    queuePolicy: ReconcilePolicy.DETACH_ON_DELETE,
  });
  return platform;
}
