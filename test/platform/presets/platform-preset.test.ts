import { BuiltInRole, RemovalPolicy } from 'cdk8s-aso';
import {
  DefaultPlatformNaming, FluxTenantLabels, NetworkPolicyFlavour, PlatformPreset, PodSecurityLevel, PrefixedPlatformNaming, Team,
  TeamIdentities, WorkloadIdentityMode,
} from 'cdk8s-aso/platform';

const DEV = {
  name: 'dev',
  subscriptionId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52',
  tenantId: '7c1d6b0a-3a0b-4f57-9f38-52a1d6e0b9aa',
  location: 'uksouth',
  clusters: [{ name: 'aks', oidcIssuerUrl: 'https://issuer.example/dev/' }],
};
const PREFIXED = PlatformPreset.prefixedNames({ identityPrefix: 'devmid1401', sharedResourceGroup: 'devrg1401' });

test('the standard preset is what an environment has by default', () => {
  const environment = PlatformPreset.standard().environment(DEV);
  expect(environment.naming).toBeInstanceOf(DefaultPlatformNaming);
  expect(environment).toMatchObject({
    conventions: {},
    apiVersions: {},
    workloadIdentity: WorkloadIdentityMode.BOTH,
    teamIdentities: TeamIdentities.SEPARATE,
    groupRemoval: RemovalPolicy.RETAIN,
  });
});

test('Flux tenants: teams and platform have the label', () => {
  const environment = PlatformPreset.fluxTenants().environment(DEV);
  const { labels } = environment.conventions;
  expect(labels).toBeInstanceOf(FluxTenantLabels);
  const team = new Team({ name: 'ledger' }).in(environment);
  const tenant = { 'toolkit.fluxcd.io/tenant': team.team.displayName };
  expect([labels?.namespace(team), labels?.quotas(team), labels?.serviceAccount(team)]).toEqual([tenant, tenant, tenant]);
  expect(labels?.platformServiceAccount(environment)).toEqual({ 'toolkit.fluxcd.io/tenant': 'platform' });
});

test('names with prefixes: names, API versions and conventions of the charts', () => {
  const environment = PREFIXED.environment(DEV);
  expect(environment.naming).toBeInstanceOf(PrefixedPlatformNaming);
  expect(environment.apiVersionOf('resources.azure.com', 'ResourceGroup')).toBe('v1api20200601');
  expect(environment).toMatchObject({
    conventions: { networkPolicy: NetworkPolicyFlavour.CALICO, podSecurity: PodSecurityLevel.CLUSTER_DEFAULT, azureNames: false },
    workloadIdentity: WorkloadIdentityMode.RELAXED,
    teamIdentities: TeamIdentities.SHARED,
  });
});

test('an environment replaces single conventions, roles and API versions, and whole values', () => {
  const environment = PREFIXED.environment({
    ...DEV,
    conventions: { networkPolicy: NetworkPolicyFlavour.KUBERNETES },
    apiVersions: { 'resources.azure.com/ResourceGroup': 'v1api20240301' },
    teamIdentities: TeamIdentities.SEPARATE,
  });
  expect(environment.conventions).toMatchObject({ networkPolicy: NetworkPolicyFlavour.KUBERNETES, azureNames: false });
  expect(environment.apiVersions).toMatchObject({
    'resources.azure.com/ResourceGroup': 'v1api20240301', 'storage.azure.com/StorageAccount': 'v1api20220901',
  });
  expect(environment.teamIdentities).toBe(TeamIdentities.SEPARATE);
});

test('a preset made from another leaves the other as it was', () => {
  const own = PREFIXED.extend({ roles: { storageDataReader: BuiltInRole.READER }, groupRemoval: RemovalPolicy.DESTROY });
  expect(own.environment(DEV)).toMatchObject({
    roles: { storageDataReader: BuiltInRole.READER }, groupRemoval: RemovalPolicy.DESTROY, workloadIdentity: WorkloadIdentityMode.RELAXED,
  });
  expect(PREFIXED.environment(DEV)).toMatchObject({ roles: {}, groupRemoval: RemovalPolicy.RETAIN });
});

test('a prefix that is empty or too long is refused', () => {
  expect(() => PlatformPreset.prefixedNames({ identityPrefix: '' })).toThrow('identityPrefix: required');
  expect(() => PlatformPreset.prefixedNames({ identityPrefix: 'id', storageAccountPrefix: 'sixteencharacter' })).toThrow('storageAccountPrefix');
});
