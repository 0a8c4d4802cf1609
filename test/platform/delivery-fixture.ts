import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { ApiObject, App, Chart, YamlOutputType } from 'cdk8s';
import { parse } from 'yaml';
import { exportsOf, NO_SECRET_VALUES, type Exports } from '../../engine/export';
import { Catalog } from '../../src/catalog';
import { Environment, Team } from '../../src/platform';
import type { CredentialTarget, DeliveredCredential, ICredentialDelivery } from '../../src/platform';
import { UserAssignedIdentity } from '../../src/services/managedidentity/user-assigned-identity';
import { ResourceGroup } from '../../src/services/resources/resource-group';

export const SUBSCRIPTION = '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';
export const TENANT = '7c1d6b0a-3a0b-4f57-9f38-52a1d6e0b9aa';
export const CLIENT = '0d5e8f7a-1b2c-4d3e-8f90-a1b2c3d4e5f6';
export const IDENTITY = 'id-ledger-dev';

export const environment = new Environment({
  name: 'dev',
  subscriptionId: SUBSCRIPTION,
  tenantId: TENANT,
  location: 'uksouth',
  clusters: [{ name: 'one', oidcIssuerUrl: 'https://issuer.example/one/' }],
});
export const team = new Team({ name: 'ledger' }).in(environment);
export const app = () => new App({ yamlOutputType: YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE });

export interface Delivered {
  readonly result: DeliveredCredential;
  readonly identity: UserAssignedIdentity;
  readonly namespace: ApiObject;
}

/** A team's identity and Namespace, and what a delivery makes of them. */
export function deliverIn(chart: Chart, delivery: ICredentialDelivery, more: Partial<CredentialTarget> = {}): Delivered {
  const target: CredentialTarget = {
    team,
    identityName: IDENTITY,
    serviceAccounts: [{ name: 'ledger', labels: { app: 'ledger' } }],
    ...more,
  };
  const namespace = new ApiObject(chart, `Namespace-${target.team.namespace}`, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: target.team.namespace },
  });
  const identity = new UserAssignedIdentity(chart, `Identity-${target.identityName}`, {
    metadata: { name: target.identityName, namespace: environment.platformNamespace },
    owner: ResourceGroup.fromArmId(target.team.resourceGroupId),
    location: environment.location,
    operatorSpec: { ...delivery.identityExports(target) },
  });
  return { identity, namespace, result: delivery.deliver(chart, { ...target, identity, namespace }) };
}

/** All that an app writes: folder → objects. */
export function written(of: App): Record<string, any[]> {
  const folder = mkdtempSync(join(tmpdir(), 'delivery-'));
  try {
    Object.assign(of, { outdir: folder });
    of.synth();
    return Object.fromEntries(readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory())
      .map((name) => [name, readdirSync(join(folder, name)).sort().map((file) => parse(readFileSync(join(folder, name, file), 'utf8')))]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The operator's exports of an identity with some status. */
export function exported(identity: any, status: object): Exports {
  const kind = Catalog.default().kind('managedidentity.azure.com', 'UserAssignedIdentity')!;
  return exportsOf(
    kind.version(identity.apiVersion.split('/')[1])!,
    { ...identity, metadata: { ...identity.metadata, uid: 'uid-1' }, status },
    NO_SECRET_VALUES,
  );
}

export const READY = {
  id: `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-ledger-dev/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${IDENTITY}`,
  clientId: CLIENT,
  principalId: '5e1f0c9d-8b7a-4c3d-9e2f-1a0b9c8d7e6f',
  tenantId: TENANT,
};
export const CREDENTIAL = {
  AZURE_CLIENT_ID: CLIENT,
  AZURE_TENANT_ID: TENANT,
  AZURE_SUBSCRIPTION_ID: SUBSCRIPTION,
  USE_WORKLOAD_IDENTITY_AUTH: 'true',
};
/** All that Azure may not have said yet. */
export const INCOMPLETE: readonly (readonly [string, object])[] = [
  ['nothing', {}],
  ['no client id', { ...READY, clientId: undefined }],
  ['an empty client id', { ...READY, clientId: '' }],
];
