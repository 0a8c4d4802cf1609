import { App, Chart } from 'cdk8s';
import { blue, environment, green, ledger, names, onboard, only, synthesized } from './onboarding-fixture';
import type { Manifest } from './onboarding-fixture';
import { BuiltInRole, RemovalPolicy, RoleAssignmentNaming } from 'cdk8s-aso';
import { UserAssignedIdentity } from 'cdk8s-aso/managedidentity';
import {
  ClusterMode, CredentialDelivery, DatabaseAdministrator, DefaultPlatformNaming, NetworkPolicyFlavour, OnboardingPart, PlatformCredential,
  PodSecurityLevel, SelfServicePolicy, SharedService,
  Team, TeamOnboarding, WorkloadIdentityMode,
} from 'cdk8s-aso/platform';
import { ResourceGroup } from 'cdk8s-aso/resources';
import { StorageAccount } from 'cdk8s-aso/storage';

const CLIENT_ID = 'de712ef4-797e-5591-bb0a-21d685538aa4';

describe('standard Kubernetes', () => {
  test('all objects', () => expect(onboard().objects()).toMatchSnapshot());

  test('they come in the order in which they need each other', () => {
    const order = ['Namespace', 'ResourceGroup', 'UserAssignedIdentity', 'FederatedIdentityCredential', 'RoleAssignment', 'ServiceAccount'];
    const kinds = onboard({ clientId: CLIENT_ID }).objects().map(({ kind, metadata }) => (metadata.name === 'aso-workload' ? 'aso-workload' : kind));
    expect(kinds.filter((kind, i) => order.includes(kind) && kinds[i - 1] !== kind)).toEqual(order);
    expect(kinds.indexOf('Secret')).toBeGreaterThan(kinds.lastIndexOf('RoleAssignment'));
    expect(kinds.indexOf('Secret')).toBeLessThan(kinds.lastIndexOf('ServiceAccount'));
  });

  test('what is the platform\'s is in its namespace, what is the team\'s in the team\'s', () => {
    for (const { apiVersion, kind, metadata } of onboard({ clientId: CLIENT_ID }).objects()) {
      expect([kind, metadata.namespace]).toEqual([kind, kind === 'Namespace' ? undefined : apiVersion.includes('.azure.com/') ? 'platform' : 'ledger']);
    }
  });

  test('names that differ from environment to environment where they are unique in the tenant', () => {
    const roles = (name: string) => onboard({ of: environment({ name }) }).objects().filter(({ kind }) => kind === 'RoleAssignment').map(({ metadata }) => metadata.name);
    expect(roles('dev').filter((name) => roles('prd').includes(name))).toEqual([]);
  });
});

describe('each option has its effect', () => {
  const spec = (object: Manifest) => object.spec;

  test('clientId: credential and service account have it, and nothing is fed', () => {
    const objects = onboard({ clientId: CLIENT_ID }).objects();
    expect(only(objects, 'Secret')).toMatchObject({
      metadata: { name: 'aso-credential', namespace: 'ledger' },
      stringData: { AZURE_CLIENT_ID: CLIENT_ID, AZURE_SUBSCRIPTION_ID: expect.any(String), AZURE_TENANT_ID: expect.any(String), USE_WORKLOAD_IDENTITY_AUTH: 'true' },
    });
    expect(objects.find(({ metadata }) => metadata.name === 'ledger' && metadata.annotations)).toMatchObject({ kind: 'ServiceAccount', metadata: { annotations: { 'azure.workload.identity/client-id': CLIENT_ID } } });
    expect(JSON.stringify(objects)).not.toContain('feeds');
  });

  test('by default the controller delivers: no Secret, an identity that feeds and a namespace that accepts', () => {
    const objects = onboard().objects();
    expect(objects.some(({ kind }) => kind === 'Secret')).toBe(false);
    expect(only(objects, 'UserAssignedIdentity').metadata.annotations).toEqual({ 'aso.cdk8s.io/feeds': 'Secret/ledger/aso-credential,ServiceAccount/ledger/ledger' });
    expect(only(objects, 'Namespace').metadata.annotations).toEqual({ 'aso.cdk8s.io/accepts-credentials-from': 'platform/id-ledger-dev' });
  });

  test('delivery: another way', () => {
    const objects = onboard({ delivery: CredentialDelivery.externalSecrets() }).objects();
    expect(only(objects, 'UserAssignedIdentity').spec.operatorSpec.secretExpressions).toHaveLength(1);
    expect(objects.map(({ kind }) => kind)).toContain('ExternalSecret');
  });

  test('without a part: just that is gone', () => {
    const all = names(onboard({ clientId: CLIENT_ID }).objects());
    for (const [part, gone] of [
      [OnboardingPart.NAMESPACE, ['Namespace/ledger']],
      [OnboardingPart.QUOTAS, ['LimitRange/team', 'ResourceQuota/team']],
      [OnboardingPart.NETWORK_POLICY, ['NetworkPolicy/allow-own-namespace']],
      [OnboardingPart.RESOURCE_GROUP, ['ResourceGroup/rg-ledger-dev']],
      [OnboardingPart.IDENTITY, ['UserAssignedIdentity/id-ledger-dev']],
      [OnboardingPart.OPERATOR_FEDERATION, ['FederatedIdentityCredential/id-ledger-dev-aks-blue-operator']],
      [OnboardingPart.WORKLOAD_FEDERATION, ['FederatedIdentityCredential/id-ledger-dev-aks-blue-workload', 'ServiceAccount/aso-workload']],
      [OnboardingPart.TEAM_FEDERATION, ['FederatedIdentityCredential/id-ledger-dev-aks-blue-team']],
      [OnboardingPart.RESOURCE_GROUP_ROLE, ['RoleAssignment/dev-id-ledger-dev-group']],
      [OnboardingPart.SERVICE_BUS_ROLE, ['RoleAssignment/dev-id-ledger-dev-service-bus']],
      [OnboardingPart.CREDENTIAL, ['Secret/aso-credential']],
      [OnboardingPart.TEAM_SERVICE_ACCOUNT, ['ServiceAccount/ledger']],
    ] as const) {
      const left = names(onboard({ clientId: CLIENT_ID, without: [part] }).objects());
      expect([part, all.filter((name) => !left.includes(name)).sort()]).toEqual([part, [...gone]]);
      expect(left.filter((name) => !all.includes(name))).toEqual([]);
    }
  });

  test('only some parts: the others are referred to by their names', () => {
    const objects = onboard({ only: [OnboardingPart.RESOURCE_GROUP_ROLE, OnboardingPart.TEAM_FEDERATION] }).objects();
    expect(names(objects)).toEqual(['FederatedIdentityCredential/id-ledger-dev-aks-blue-team', 'RoleAssignment/dev-id-ledger-dev-group']);
    expect(spec(objects[0]).owner).toEqual({ name: 'id-ledger-dev' });
    expect(spec(objects[1])).toMatchObject({ owner: { kind: 'ResourceGroup', name: 'rg-ledger-dev' }, principalIdFromConfig: { name: 'id-ledger-dev-ids', key: 'principalId' } });
  });

  test.each([
    [WorkloadIdentityMode.RELAXED, ['operator', 'team'], 0],
    [WorkloadIdentityMode.STRICT, ['workload', 'team'], 1],
    [WorkloadIdentityMode.BOTH, ['operator', 'workload', 'team'], 1],
  ])('workloadIdentity %s', (workloadIdentity, purposes, accounts) => {
    const objects = onboard({ of: environment({ workloadIdentity }) }).objects();
    expect(objects.filter(({ kind }) => kind === 'FederatedIdentityCredential').map(({ metadata }) => metadata.name)).toEqual(purposes.map((purpose) => `id-ledger-dev-aks-blue-${purpose}`));
    expect(objects.filter(({ metadata }) => metadata.name === 'aso-workload')).toHaveLength(accounts);
  });

  test('every cluster is trusted, whichever the objects are for; on a passive one they only watch', () => {
    const of = environment({ clusters: [blue, { ...green, mode: ClusterMode.PASSIVE }] });
    const [active, passive] = [onboard({ of }).objects(), onboard({ of, cluster: green.name }).objects()];
    expect(names(passive)).toEqual(names(active));
    expect(passive.map(spec)).toEqual(active.map(spec));
    expect(active.filter(({ kind }) => kind === 'FederatedIdentityCredential').map((one) => one.spec.issuer).sort())
      .toEqual([blue, blue, blue, green, green, green].map(({ oidcIssuerUrl }) => oidcIssuerUrl));
    for (const { apiVersion, metadata } of passive) {
      if (apiVersion.includes('.azure.com/')) expect(metadata.annotations).toMatchObject({ 'serviceoperator.azure.com/reconcile-policy': 'skip' });
    }
    expect(JSON.stringify(active)).not.toContain('skip');
  });

  test('groupRemoval', () => {
    const policy = (groupRemoval?: RemovalPolicy) => only(onboard({ of: environment({ groupRemoval }) }).objects(), 'ResourceGroup').metadata.annotations;
    expect(policy()).toEqual({ 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' });
    expect(policy(RemovalPolicy.DESTROY)).toEqual({ 'serviceoperator.azure.com/reconcile-policy': 'manage' });
  });

  test('tags of the environment and of the team', () => {
    const team = new Team({ name: 'ledger', tags: { team: 'ledger', stage: 'own' } });
    const objects = onboard({ team: team.in(environment({ tags: { stage: 'dev' } })) }).objects();
    for (const kind of ['ResourceGroup', 'UserAssignedIdentity']) expect(only(objects, kind).spec.tags).toEqual({ team: 'ledger', stage: 'own' });
  });

  test('quotas of the team, where the environment does not say otherwise', () => {
    const team = new Team({ name: 'ledger', quotas: { cpu: '4', pods: 10 } });
    const objects = onboard({ team: team.in(environment(), { quotas: { pods: 20, containerMaxMemory: '2Gi' } }) }).objects();
    expect(only(objects, 'ResourceQuota').spec.hard).toEqual({ cpu: '4', memory: '5000Mi', pods: '20' });
    expect(only(objects, 'LimitRange').spec.limits[0].max).toEqual({ cpu: '500m', memory: '2Gi' });
  });

  test('network: who may come, and where pods may go', () => {
    const network = { fromNamespaces: ['ingress-nginx'], to: [{ cidr: '10.20.0.0/16', ports: [5432] }, { cidr: '10.30.0.0/16' }] };
    expect(only(onboard({ network }).objects(), 'NetworkPolicy').spec).toMatchSnapshot();
    const of = environment({ conventions: { networkPolicy: NetworkPolicyFlavour.CALICO } });
    expect(only(onboard({ of, network }).objects(), 'NetworkPolicy')).toMatchObject({ apiVersion: 'projectcalico.org/v3', spec: expect.anything() });
    expect(only(onboard({ of, network }).objects(), 'NetworkPolicy').spec).toMatchSnapshot();
    expect(only(onboard({ network: { to: [] } }).objects(), 'NetworkPolicy').spec.egress).toHaveLength(2);
    const closed = only(onboard({ of, network: { to: [] } }).objects(), 'NetworkPolicy').spec;
    expect(closed.egress).toHaveLength(3);
  });

  test('pod security and labels', () => {
    const labels = (podSecurity?: PodSecurityLevel) => only(onboard({ of: environment({ conventions: { podSecurity } }), namespaceLabels: { a: 'b' } }).objects(), 'Namespace').metadata.labels;
    expect(labels()).toEqual({ 'pod-security.kubernetes.io/enforce': 'restricted', 'a': 'b' });
    expect(labels(PodSecurityLevel.BASELINE)).toEqual({ 'pod-security.kubernetes.io/enforce': 'baseline', 'a': 'b' });
    expect(labels(PodSecurityLevel.CLUSTER_DEFAULT)).toEqual({ a: 'b' });
  });

  test('principalTypes', () => {
    const types = (principalTypes?: boolean) => new Set(onboard({ of: environment({ conventions: { principalTypes } }) }).objects().filter(({ kind }) => kind === 'RoleAssignment').map((one) => one.spec.principalType));
    expect(types()).toEqual(new Set(['ServicePrincipal']));
    expect(types(false)).toEqual(new Set([undefined]));
  });

  test('roleAssignmentNaming: UUIDs that the environment makes differ', () => {
    const ids = (name: string, subscriptionId = '4522538c-3f65-5b38-abd9-b80113019d32') => onboard({ of: environment({ name, subscriptionId }), roleAssignmentNaming: RoleAssignmentNaming.tenantUnique({ subscriptionId }) })
      .objects().filter(({ kind }) => kind === 'RoleAssignment').map((one) => one.spec.azureName);
    expect(ids('dev')).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(ids('dev').filter((id) => ids('prd').includes(id))).toEqual([]);
  });

  test('policy: guard rails', () => {
    const { onboarding, objects } = onboard({ policy: SelfServicePolicy.modelPlatform() });
    expect(onboarding.guardRails).toBeDefined();
    expect(objects().map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Role', 'ValidatingAdmissionPolicy']));
    expect(onboard().onboarding.guardRails).toBeUndefined();
  });
});

describe('what is there can be replaced and extended', () => {
  test('grants: those of the team, and more', () => {
    const on = StorageAccount.fromArmId('/subscriptions/4522538c-3f65-5b38-abd9-b80113019d32/resourceGroups/x/providers/Microsoft.Storage/storageAccounts/shared');
    const team = new Team({ name: 'ledger', grants: [{ id: 'files', on, role: BuiltInRole.READER, condition: 'true' }] });
    const { onboarding, objects } = onboard({ team: team.in(environment()) });
    const added = onboarding.grant({ id: 'blobs', on, role: BuiltInRole.STORAGE_BLOB_DATA_READER, name: 'blobs-of-ledger' });
    expect(onboarding.roleAssignment('blobs')).toBe(added);
    expect(onboarding.roleAssignment('group')).toBeDefined();
    const roles = objects().filter(({ kind }) => kind === 'RoleAssignment');
    expect(roles.map(({ metadata }) => metadata.name)).toEqual(['dev-id-ledger-dev-group', 'dev-id-ledger-dev-files', 'blobs-of-ledger']);
    expect(roles[1].spec).toMatchObject({ condition: 'true', conditionVersion: '2.0' });
    expect(() => onboarding.grant({ id: 'blobs', on, role: BuiltInRole.READER })).toThrow('grant \'blobs\'');
  });

  test('a grant on a construct of another namespace is by ARM id, on one of the platform\'s by object', () => {
    const { chart, onboarding, objects } = onboard();
    const account = (id: string, namespace: string) => new StorageAccount(chart, id, {
      metadata: { name: id, namespace }, azureName: id, owner: ResourceGroup.fromArmId(`/subscriptions/${environment().subscriptionId}/resourceGroups/x`), location: 'uksouth', kind: 'StorageV2' as never, sku: { name: 'Standard_LRS' as never },
    });
    const [theirs, ours] = [account('theirs', 'market'), account('ours', 'platform')];
    onboarding.grant({ id: 'theirs', on: theirs, role: BuiltInRole.READER });
    onboarding.grant({ id: 'ours', on: ours, role: BuiltInRole.READER });
    const owner = (id: string) => objects().find(({ metadata }) => metadata.name === `dev-id-ledger-dev-${id}`).spec.owner;
    expect(owner('theirs')).toEqual({ armId: `/subscriptions/${environment().subscriptionId}/resourceGroups/x/providers/Microsoft.Storage/storageAccounts/theirs` });
    expect(owner('ours')).toEqual({ group: 'storage.azure.com', kind: 'StorageAccount', name: 'ours' });
  });

  test('a resource group of one\'s own, and one with capitals', () => {
    const given = onboard({ resourceGroup: ResourceGroup.fromName('by-hand') }).objects();
    expect(given.some(({ kind }) => kind === 'ResourceGroup')).toBe(false);
    expect(only(given, 'UserAssignedIdentity').spec.owner).toEqual({ name: 'by-hand' });
    const capitals = only(onboard({ overrides: { resourceGroup: 'RG-Ledger' } }).objects(), 'ResourceGroup');
    expect([capitals.metadata.name, capitals.spec.azureName]).toEqual(['rg-ledger', 'RG-Ledger']);
  });

  test('an identity of one\'s own', () => {
    const app = new App();
    const chart = new Chart(app, 'chart');
    const identity = new UserAssignedIdentity(chart, 'own', {
      metadata: { name: 'own', namespace: 'platform' }, owner: ResourceGroup.fromName('rg-ledger-dev'), location: 'uksouth',
    });
    new TeamOnboarding(chart, 'ledger', { team: ledger.in(environment()), identity });
    const objects = synthesized(app);
    expect(only(objects, 'UserAssignedIdentity').metadata).toMatchObject({ name: 'own', annotations: { 'aso.cdk8s.io/feeds': expect.stringContaining('Secret/ledger') } });
    expect(only(objects, 'Namespace').metadata.annotations).toEqual({ 'aso.cdk8s.io/accepts-credentials-from': 'platform/own' });
    for (const { kind, spec } of objects) {
      if (kind === 'FederatedIdentityCredential') expect(spec.owner).toEqual({ name: 'own' });
      if (kind === 'RoleAssignment') expect(spec.principalIdFromConfig).toEqual({ name: 'own-outputs', key: 'principalId' });
    }
  });

  test('platform credential and database administrator in standard Kubernetes', () => {
    const id = '/subscriptions/4522538c-3f65-5b38-abd9-b80113019d32/resourceGroups/x/providers/Microsoft.ManagedIdentity/userAssignedIdentities/dba';
    const of = environment({
      clusters: [blue, { ...green, mode: ClusterMode.PASSIVE }],
      platform: { identityClientId: CLIENT_ID, databaseAdministrator: 'dba', databaseAdministratorClientId: CLIENT_ID, databaseAdministratorIdentity: UserAssignedIdentity.fromArmId(id) },
    });
    const app = new App();
    const chart = new Chart(app, 'chart');
    new PlatformCredential(chart, 'credential', { environment: of });
    new DatabaseAdministrator(chart, 'administrator', { environment: of, cluster: green.name });
    const objects = synthesized(app);
    expect(names(objects)).toEqual(['Secret/aso-credential', 'FederatedIdentityCredential/dba-dev-aks-blue', 'FederatedIdentityCredential/dba-dev-aks-green', 'ServiceAccount/dba']);
    expect(new Set(objects.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['platform']));
    expect(objects[1]).toMatchObject({ metadata: { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' } }, spec: { owner: { armId: id }, subject: 'system:serviceaccount:platform:dba' } });
  });

  test('a workspace of a developer is a team of its own', () => {
    const app = new App();
    const chart = new Chart(app, 'chart');
    for (const team of [ledger, ledger.workspace('alice'), ledger.workspace('bob', { quotas: { pods: 5 } })]) new TeamOnboarding(chart, team.name, { team: team.in(environment()) });
    const objects = synthesized(app);
    expect(objects.filter(({ kind }) => kind === 'ResourceGroup').map(({ metadata }) => metadata.name)).toEqual(['rg-ledger-dev', 'rg-ledger-alice-dev', 'rg-ledger-bob-dev']);
    expect(objects.find(({ kind, metadata }) => kind === 'ResourceQuota' && metadata.namespace === 'ledger-bob').spec.hard.pods).toBe('5');
  });

  test('a namespace for each environment of a cluster', () => {
    const app = new App();
    const chart = new Chart(app, 'chart');
    const naming = new DefaultPlatformNaming({ namespacePerEnvironment: true });
    for (const name of ['dev', 'tst']) new TeamOnboarding(chart, name, { team: ledger.in(environment({ name, naming })) });
    expect(synthesized(app).filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name)).toEqual(['ledger-dev', 'ledger-tst']);
  });

  test('names that would be too long keep apart what differs', () => {
    const long = (end: string) => new Team({ name: `${'a-very-long-name-of-a-team-'.repeat(2)}${end}`.slice(0, 63) }).in(environment({ name: 'x'.repeat(70) }));
    const [one, other] = [long('one'), long('two')];
    const naming = new DefaultPlatformNaming();
    for (const name of ['teamIdentity', 'groupRole'] as const) {
      expect(naming[name](one).length).toBeLessThanOrEqual(120);
      expect(naming[name](one)).not.toBe(naming[name](other));
    }
    expect(one.resourceGroup.length).toBeLessThanOrEqual(90);
    expect(one.resourceGroup).not.toBe(other.resourceGroup);
    expect(SharedService.SERVICE_BUS).toBe('service-bus');
  });
});
