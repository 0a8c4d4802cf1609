import { App, Chart } from 'cdk8s';
import { environment, onboard, only, synthesized, type Manifest } from './onboarding-fixture';
import { environment as withServices, objectOf as objectIn, role, serviceOf, shared } from './service-fixture';
import { Rules } from 'cdk8s-aso';
import { UserAssignedIdentity } from 'cdk8s-aso/managedidentity';
import {
  Offboarding, PlatformCredential, SelfServicePolicy, Service, SharedService, StorageRole, Team, TeamIdentities, TeamOnboarding,
  type TeamOverrides,
} from 'cdk8s-aso/platform';

const CLIENT_ID = 'de712ef4-797e-5591-bb0a-21d685538aa4';
const SUBSCRIPTION = '4522538c-3f65-5b38-abd9-b80113019d32';
const identityOf = (name: string, subscription = SUBSCRIPTION) => UserAssignedIdentity.fromArmId(
  `/subscriptions/${subscription}/resourceGroups/rg-identities/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`,
);
const POLICY = 'serviceoperator.azure.com/reconcile-policy';

function objectsOf(overrides: TeamOverrides): Manifest[] {
  return onboard({ overrides }).objects();
}

describe('several resource groups', () => {
  const groups: TeamOverrides = { resourceGroups: [{ name: 'rg-ledger-West', location: 'ukwest' }, { name: 'rg-old', existing: true }] };

  test('are made in their regions, but for those that exist', () => {
    const made = objectsOf(groups).filter(({ kind }) => kind === 'ResourceGroup');
    expect(made.map(({ metadata, spec }) => [metadata.name, spec.azureName ?? metadata.name, spec.location])).toEqual([
      ['rg-ledger-dev', 'rg-ledger-dev', 'uksouth'],
      ['rg-ledger-west', 'rg-ledger-West', 'ukwest'],
    ]);
  });

  test('the team gets its role on each', () => {
    const { onboarding, objects } = onboard({ overrides: groups });
    const roles = objects().filter(({ kind, spec }) => kind === 'RoleAssignment' && /b24988ac/.test(spec.roleDefinitionReference.armId));
    expect(roles.map(({ metadata, spec }) => [metadata.name, spec.owner.name ?? spec.owner.armId])).toEqual([
      ['dev-id-ledger-dev-group', 'rg-ledger-dev'],
      ['dev-id-ledger-dev-group-rg-ledger-west', 'rg-ledger-west'],
      ['dev-id-ledger-dev-group-rg-old', `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-old`],
    ]);
    expect(onboarding.resourceGroups).toHaveLength(3);
    expect(onboarding.roleAssignment('group:rg-old')).toBeDefined();
  });

  test('the first may exist, and be in another region', () => {
    const objects = objectsOf({ resourceGroup: 'rg-old', existingResourceGroup: true, location: 'ukwest' });
    expect(objects.filter(({ kind }) => kind === 'ResourceGroup')).toEqual([]);
    const identities = objects.filter(({ kind }) => kind === 'UserAssignedIdentity').map(({ spec }) => [spec.owner.armId, spec.location]);
    expect(new Set(identities.map(String))).toEqual(new Set([`/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-old,ukwest`]));
  });

  test('no two teams share one', () => {
    const app = new App();
    const chart = new Chart(app, 'chart');
    const of = (name: string) => new Team({ name, resourceGroups: [{ name: 'rg-both' }] }).in(environment());
    new TeamOnboarding(chart, 'one', { team: of('one') });
    expect(() => new TeamOnboarding(chart, 'two', { team: of('two') })).toThrow(/resourceGroups\[0\]: 'rg-both' is that of team 'one'/);
  });

  test("a service's account is in the group that it names, and in its region", () => {
    const env = withServices({ shared: {} });
    const team = new Team({ name: 'ledger', ...groups }).in(env);
    const { app } = serviceOf({ team, storageAccounts: [{ name: 'docs', resourceGroup: 'rg-ledger-west' }] }, env);
    const { spec } = objectIn(app, 'StorageAccount');
    expect([spec.owner.armId, spec.location]).toEqual([`/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-ledger-West`, 'ukwest']);
    expect(() => serviceOf({ team, storageAccounts: [{ name: 'docs', resourceGroup: 'rg-ledger-est' }] }, env)).toThrow(
      "storageAccounts[0].resourceGroup: 'rg-ledger-est' is no resource group of team 'ledger'. Did you mean 'rg-ledger-West'?",
    );
  });

  test('the guard rails take the regions of the groups for granted', () => {
    const team = new Team({ name: 'ledger', ...groups }).in(environment());
    expect(SelfServicePolicy.ofComponents()._for(team).locations).toEqual(['uksouth', 'ukwest']);
    expect(SelfServicePolicy.ofComponents({ locations: ['uksouth'] })._for(team).locations).toEqual(['uksouth']);
  });

  test.each<[TeamOverrides, string]>([
    [{ resourceGroups: [{ name: '' }] }, 'resourceGroups[0].name: required'],
    [{ resourceGroups: [{ name: 'a/b' }] }, "resourceGroups[0].name: 'a/b' is no name of a resource group"],
    [{ resourceGroups: [{ name: 'RG-Ledger-Dev' }] }, "resourceGroups[0].name: 'RG-Ledger-Dev' is another group of the team too"],
  ])('refuses %j', (overrides, message) => expect(() => objectsOf(overrides)).toThrow(message));

  test('a workspace has a group of its own only', () => {
    const workspace = new Team({ name: 'ledger', ...groups }).workspace('alice').in(environment());
    expect(workspace.resourceGroups.map(({ name }) => name)).toEqual(['rg-ledger-alice-dev']);
  });
});

describe('existing identities', () => {
  const identities = { operator: identityOf('id-ops'), workload: identityOf('id-pods') };

  test('are watched: their ids are exported under the usual names, and nothing of them is changed', () => {
    const objects = objectsOf({ identities });
    const watched = objects.filter(({ kind }) => kind === 'UserAssignedIdentity');
    expect(watched.map(({ metadata, spec }) => [metadata.name, spec.azureName, spec.owner.armId, metadata.annotations[POLICY]])).toEqual([
      ['id-ledger-dev', 'id-ops', `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-identities`, 'skip'],
      ['id-ledger-dev-workload', 'id-pods', `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-identities`, 'skip'],
    ]);
    const exported = watched.map(({ spec }) => spec.operatorSpec.configMaps.principalId.name);
    expect(exported).toEqual(['id-ledger-dev-ids', 'id-ledger-dev-workload-ids']);
    expect(objects.filter(({ kind }) => kind === 'FederatedIdentityCredential').map(({ spec }) => spec.owner.name)).toContain('id-ledger-dev');
  });

  test.each(Object.values(Offboarding))('stay when the team leaves (%s)', (offboarding) => {
    const left = objectsOf({ identities, offboarding }).filter(({ kind }) => kind === 'UserAssignedIdentity');
    expect(left.map(({ metadata }) => metadata.annotations[POLICY])).toEqual(['skip', 'skip']);
  });

  test("the operator's is protected by the guard rails", () => {
    const team = new Team({ name: 'ledger', identities }).in(environment());
    const [first] = SelfServicePolicy.ofComponents()._for(team).protectedIdentities;
    expect(first).toBe(identities.operator.azureResourceRef.armId!.toLowerCase());
  });

  test("the name of the pods' is reserved by the guard rails", () => {
    const team = new Team({ name: 'ledger', identities }).in(environment());
    expect(SelfServicePolicy.ofComponents()._for(team).reservedNames.identities).toContain('id-pods');
  });

  test.each<[string, TeamOverrides, string]>([
    ['a name', { identities: { operator: UserAssignedIdentity.fromName('x') } }, 'identities.operator: is no identity by its ARM id'],
    [
      'another subscription',
      { identities: { operator: identityOf('x', '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52') } },
      'identities.operator: is in another subscription',
    ],
    ['one for both', { identities: { operator: identityOf('x'), workload: identityOf('X') } }, "identities.workload: is the operator's identity"],
  ])('refuses %s', (_what, overrides, message) => expect(() => objectsOf(overrides)).toThrow(message));

  test('refuses one for pods where identities are shared', () => {
    const of = environment({ teamIdentities: TeamIdentities.SHARED });
    expect(() => onboard({ of, overrides: { identities: { workload: identityOf('x') } } })).toThrow("identities.workload: the environment's identities are shared");
    const objects = onboard({ of, overrides: { identities: { operator: identityOf('id-ops') } } }).objects();
    expect(only(objects, 'UserAssignedIdentity').spec.azureName).toBe('id-ops');
  });
});

describe('a subscription of its own', () => {
  const OTHER = '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';
  const SECRET = `aso-credential-${OTHER}`;
  const vault = SharedService.keyVault({ resource: shared('Microsoft.KeyVault/vaults/kv') });
  const bus = SharedService.serviceBus({ resource: shared('Microsoft.ServiceBus/namespaces/bus'), role });
  const env = withServices({
    shared: { services: [vault, bus], privateAccess: { subnet: shared('Microsoft.Network/virtualNetworks/v/subnets/s') } },
    platform: { identityClientId: CLIENT_ID },
  });
  const team = new Team({ name: 'ledger', subscriptionId: OTHER, uses: ['key-vault'], resourceGroups: [{ name: 'rg-old', existing: true }] }).in(env);

  function app(): App {
    const made = new App();
    const platform = new Chart(made, 'platform');
    new PlatformCredential(platform, 'credential', { environment: env });
    new PlatformCredential(platform, 'other', { environment: env, subscriptionId: OTHER });
    new TeamOnboarding(new Chart(made, 'onboarding'), 'team', { team, clientId: CLIENT_ID, workloadClientId: CLIENT_ID });
    new Service(new Chart(made, 'service'), 'service', {
      team,
      name: 'postings',
      storageAccounts: [{ name: 'docs', roles: [StorageRole.DATA_READER], containers: [{ name: 'letters' }] }],
      keyVaultSecrets: ['key'],
    });
    return made;
  }

  test('each object has the credential of the subscription that its resource is in', () => {
    const objects = synthesized(app());
    const ofPlatform = objects.filter(({ apiVersion, metadata }) => /azure\.com/.test(apiVersion) && metadata.namespace === 'platform');
    const inShared = ofPlatform.filter(({ spec }) => spec.owner?.armId?.includes(SUBSCRIPTION));
    expect(inShared.map(({ kind, spec }) => [kind, spec.owner.armId.split('/').slice(-3)])).toEqual([
      ['RoleAssignment', ['kv', 'secrets', 'ledger--postings--key']],
    ]);
    const named = (object: Manifest) => object.metadata.annotations?.['serviceoperator.azure.com/credential-from'];
    expect(ofPlatform.filter((object) => named(object) !== SECRET)).toEqual(inShared);
    expect(new Set(ofPlatform.map(({ kind }) => kind))).toEqual(new Set([
      'ResourceGroup', 'UserAssignedIdentity', 'FederatedIdentityCredential', 'RoleAssignment', 'PrivateEndpoint',
    ]));
    const ids = objects.filter(({ kind }) => kind === 'Secret').map(({ metadata, stringData }) => [
      `${metadata.namespace}/${metadata.name}`, stringData.AZURE_SUBSCRIPTION_ID,
    ]);
    expect(ids).toEqual([['platform/aso-credential', SUBSCRIPTION], [`platform/${SECRET}`, OTHER], ['ledger/aso-credential', OTHER]]);
  });

  test('the rule about credentials and subscriptions finds nothing', () => {
    const found = Rules.check(app()).filter(({ rule }) => rule === 'credential-subscription');
    expect(found).toEqual([]);
  });

  test('the guard rails are for its groups there', () => {
    const ids = SelfServicePolicy.ofComponents()._for(team).groupIds;
    expect(ids).toEqual([`/subscriptions/${OTHER}/resourcegroups/rg-ledger-dev`, `/subscriptions/${OTHER}/resourcegroups/rg-old`]);
  });

  test.each<[TeamOverrides, string]>([
    [{ uses: ['service-bus'] }, `uses: 'service-bus' is in subscription ${SUBSCRIPTION}, and the team in ${OTHER}`],
    [{ subscriptionId: 'mine' }, "subscriptionId: 'mine' is no UUID"],
    [{ identities: { operator: identityOf('x') } }, 'identities.operator: is in another subscription than the team'],
  ])('refuses %j', (overrides, message) => {
    expect(() => new Team({ name: 'ledger', subscriptionId: OTHER }).in(env, overrides)).toThrow(message);
  });
});

test('all is valid', () => {
  const app = new App();
  const team = new Team({ name: 'ledger', identities: { operator: identityOf('a') }, resourceGroups: [{ name: 'b' }] }).in(environment());
  new TeamOnboarding(new Chart(app, 'chart'), 'one', { team, policy: SelfServicePolicy.ofComponents() });
  expect(synthesized(app).length).toBeGreaterThan(10);
});
