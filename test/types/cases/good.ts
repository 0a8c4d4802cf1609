// Code that has to compile.
import { App, Chart } from 'cdk8s';
import { AzureReference, BuiltInRole, ConfigMapValue, Defaults, Principal, ReconcilePolicies, ReconcilePolicy, RemovalPolicy, SecretValue } from 'cdk8s-aso';
import { RoleAssignment } from 'cdk8s-aso/authorization';
import { FlexibleServer } from 'cdk8s-aso/dbforpostgresql';
import { FederatedIdentityCredential, UserAssignedIdentity } from 'cdk8s-aso/managedidentity';
import { DnsZone, DnsZonesTXTRecord } from 'cdk8s-aso/network';
import { ResourceGroup } from 'cdk8s-aso/resources';
import { DefaultAction, SkuName, StorageAccount, StorageAccountAccessTier, StorageAccountKind, MinimumTlsVersion, StorageAccountsBlobService } from 'cdk8s-aso/storage';

const chart = new Chart(new App(), 'team');
const group = new ResourceGroup(chart, 'group', { location: 'uksouth', metadata: { name: 'team' } });

const tier: StorageAccountAccessTier = StorageAccountAccessTier.COOL;
const account = new StorageAccount(chart, 'account', {
  owner: group,
  location: 'uksouth',
  kind: StorageAccountKind.STORAGE_V2,
  sku: { name: SkuName.STANDARD_LRS },
  minimumTlsVersion: MinimumTlsVersion.TLS1_2,
  networkAcls: { defaultAction: DefaultAction.DENY, ipRules: [{ value: '203.0.113.7' }] },
  tags: { team: 'ledger' },
  operatorSpec: { secrets: { key1: { name: 'account', key: 'key1' } } },
  reconcilePolicy: ReconcilePolicy.DETACH_ON_DELETE,
});

// An enum takes its members and the texts that Azure documents; a location a region that is newer than this release.
new StorageAccount(chart, 'literals', {
  owner: group,
  location: 'belgiumcentral',
  kind: 'StorageV2',
  sku: { name: 'Standard_ZRS' },
  accessTier: tier,
  networkAcls: { defaultAction: 'Deny', bypass: 'AzureServices' },
  reconcilePolicy: 'detach-on-delete',
  removalPolicy: RemovalPolicy.RETAIN,
  adopt: 'Never',
});
ReconcilePolicies.of(chart).apply('skip');
ReconcilePolicies.of(chart).apply(ReconcilePolicy.SKIP);

// The owner: a construct, a name or an ARM id of the kind.
new StorageAccountsBlobService(chart, 'blobs', { owner: account });
new StorageAccountsBlobService(chart, 'blobs by name', { owner: StorageAccount.fromName('shared') });
new StorageAccountsBlobService(chart, 'blobs by id', {
  owner: StorageAccount.fromArmId('/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a'),
});

// An output feeds a property; an extension resource takes whatever owner.
const identity = new UserAssignedIdentity(chart, 'identity', { owner: group, location: 'uksouth' });
new RoleAssignment(chart, 'reader', { owner: account, roleDefinitionReference: BuiltInRole.STORAGE_BLOB_DATA_READER, principalIdFromConfig: identity.outputs.principalId });
new RoleAssignment(chart, 'custom', {
  owner: group,
  roleDefinitionReference: AzureReference.fromArmId('/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/r'),
  principalIdFromConfig: ConfigMapValue.fromConfigMap('identity', 'principalId'),
});
new FederatedIdentityCredential(chart, 'federated', { owner: identity, audiences: ['api://AzureADTokenExchange'], issuer: 'https://issuer', subject: 'system:serviceaccount:team:default' });

// A secret goes in by reference, and comes out.
new FlexibleServer(chart, 'server', { owner: group, location: 'uksouth', administratorLogin: 'admin1', administratorLoginPassword: SecretValue.fromSecret('server', 'password') });
export const key: SecretValue = account.secretOutputs.key1;

// The spec's own metadata, and names that cannot be spelt.
const zone = new DnsZone(chart, 'zone', { owner: group, location: 'global' });
new DnsZonesTXTRecord(chart, 'text', { owner: zone, metadata: { name: 'text' }, metadataProperty: { purpose: 'test' }, ttl: 60, txtRecords: [{ value: ['x'] }] });

// Owners create their children; a singleton in between needs no mention.
account.addBlobService('blobs').addContainer('orders', { metadata: { name: 'orders' } });
account.queueService.addQueue('jobs');
zone.addTxtRecord('www', { ttl: 60, txtRecords: [{ value: ['x'] }] });
identity.addFederatedCredential('web', { audiences: ['api://AzureADTokenExchange'], issuer: 'https://issuer', subject: 'system:serviceaccount:team:default' });

// Values of scopes and owners are optional.
Defaults.of(chart).use({ location: 'uksouth', tags: { team: 'ledger' } });
new ResourceGroup(chart, 'other');
account.grant(BuiltInRole.STORAGE_BLOB_DATA_READER, identity);
account.grant(BuiltInRole.READER, Principal.fromObjectId('11111111-2222-3333-4444-555555555555'));
export const id: string = account.armId;
