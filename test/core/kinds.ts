import { App, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { AzureReference, AzureResource, AzureResourceProps, IAzureResourceRef } from '../../src/core';

export const SUBSCRIPTION = '4522538c-3f65-5b38-abd9-b80113019d32';
export const GROUP_ID = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shared`;

/** Props of JavaScript users, who can pass anything. */
export type Props = AzureResourceProps & Record<string, unknown>;

const kind = (group: string, name: string, version: string) =>
  class extends AzureResource {
    public static named(objectName: string): IAzureResourceRef {
      return AzureReference.fromName(`${group}.azure.com`, name, objectName);
    }

    public constructor(scope: Construct, id: string, props: Props = {}) {
      super(scope, id, { group: `${group}.azure.com`, kind: name, version }, { metadata: { name: id }, ...props });
    }
  };

// Written as the generated classes are, but with props that take anything.
export const ResourceGroup = kind('resources', 'ResourceGroup', 'v1api20200601');
export const Identity = kind('managedidentity', 'UserAssignedIdentity', 'v1api20230131');
export const FederatedCredential = kind('managedidentity', 'FederatedIdentityCredential', 'v1api20230131');
export const RoleAssignment = kind('authorization', 'RoleAssignment', 'v20220401');
export const StorageAccount = kind('storage', 'StorageAccount', 'v20250601');
export const BlobService = kind('storage', 'StorageAccountsBlobService', 'v20250601');
export const Container = kind('storage', 'StorageAccountsBlobServicesContainer', 'v20250601');
export const DataConnection = kind('kusto', 'DataConnection', 'v1api20240413');
export const PostgresUser = kind('dbforpostgresql', 'User', 'v1');
export const PostgresServer = kind('dbforpostgresql', 'FlexibleServer', 'v20250801');
export const PostgresAdministrator = kind('dbforpostgresql', 'FlexibleServersAdministrator', 'v20250801');
export const MetricAlert = kind('insights', 'MetricAlert', 'v1api20180301');
export const SecurityGroup = kind('entra', 'SecurityGroup', 'v1');
export const VirtualNetwork = kind('network', 'VirtualNetwork', 'v1api20240301');

/** A chart of an app of its own, in namespace `platform`; object names are ids. */
export function chart(namespace: string | undefined = 'platform', id = 'chart', app: App = Testing.app()): Chart {
  return new Chart(app, id, { namespace, disableResourceNameHashes: true });
}

export const account = (scope: Construct, id: string, owner: unknown, more: Record<string, unknown> = {}) =>
  new StorageAccount(scope, id, { owner, location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, ...more });

export const group = (scope: Construct, id = 'rg', more: Record<string, unknown> = {}) =>
  new ResourceGroup(scope, id, { location: 'uksouth', ...more });

export const identity = (scope: Construct, id: string, owner: unknown, more: Record<string, unknown> = {}) =>
  new Identity(scope, id, { owner, location: 'uksouth', ...more });

/** A property that takes references to any number of resources. */
export const using = (...references: unknown[]) => ({
  networkAcls: { defaultAction: 'Deny', resourceAccessRules: references.map((resourceReference) => ({ resourceReference })) },
});

/** The manifests of the chart. */
export const synth = (scope: Construct): any[] => Chart.of(scope).toJson();

/** Findings of the app's validation: one line per finding, in order. */
export function findings(scope: Construct): string[] {
  return scope.node.root.node.findAll().flatMap((construct) => construct.node.validate().map((text) => `[${construct.node.path}] ${text}`));
}
