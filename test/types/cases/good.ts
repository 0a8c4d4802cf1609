// Code that has to compile.
import { App, Chart } from 'cdk8s';
import { AzureReference, BuiltInRole, ConfigMapValue, ReconcilePolicy, SecretValue } from '../../../src/core';
import { RoleAssignment } from '../../../src/services/authorization';
import { FlexibleServer } from '../../../src/services/dbforpostgresql';
import { FederatedIdentityCredential, UserAssignedIdentity } from '../../../src/services/managedidentity';
import { DnsZone, DnsZonesTXTRecord } from '../../../src/services/network';
import { ResourceGroup } from '../../../src/services/resources';
import { DefaultAction, SkuName, StorageAccount, StorageAccountKind, MinimumTlsVersion, StorageAccountsBlobService } from '../../../src/services/storage';

const chart = new Chart(new App(), 'team');
const group = new ResourceGroup(chart, 'group', { location: 'uksouth', metadata: { name: 'team' } });

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
