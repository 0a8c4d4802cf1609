import { App, Chart } from 'cdk8s';
import { blue, environment, green, identitiesOf, ledger, names, onboard, only, synthesized } from './onboarding-fixture';
import type { Manifest } from './onboarding-fixture';
import { quantity } from '../../src/platform/model/quantities';
import { AzureReference, BuiltInRole, RemovalPolicy, RoleAssignmentNaming } from 'cdk8s-aso';
import { UserAssignedIdentity } from 'cdk8s-aso/managedidentity';
import {
  ClusterMode, CredentialDelivery, DatabaseAdministrator, DefaultPlatformNaming, NetworkPolicyFlavour, OnboardingPart, PlatformCredential,
  PodSecurityLevel, SelfServicePolicy, SharedService,
  Team, TeamIdentities, TeamIdentity, TeamOnboarding, WorkloadIdentityMode,
} from 'cdk8s-aso/platform';
import type { Quotas, TeamInEnvironment } from 'cdk8s-aso/platform';
import { ResourceGroup } from 'cdk8s-aso/resources';
import { StorageAccount } from 'cdk8s-aso/storage';

const CLIENT_ID = 'de712ef4-797e-5591-bb0a-21d685538aa4';
const POD_CLIENT_ID = '0ab2a4bb-2ab4-4b8b-9d34-5a2b87c0a5f1';

describe('standard Kubernetes', () => {
  test('all objects', () => expect(onboard().objects()).toMatchSnapshot());

  test('they come in the order in which they need each other', () => {
    const order = ['Namespace', 'ResourceGroup', 'UserAssignedIdentity', 'FederatedIdentityCredential', 'RoleAssignment', 'ServiceAccount'];
    const kinds = onboard({ clientId: CLIENT_ID })
      .objects()
      .map(({ kind, metadata }) => (metadata.name === 'aso-workload' ? 'aso-workload' : kind));
    expect(kinds.filter((kind, i) => order.includes(kind) && kinds[i - 1] !== kind)).toEqual(order);
    expect(kinds.indexOf('Secret')).toBeGreaterThan(kinds.lastIndexOf('RoleAssignment'));
    expect(kinds.indexOf('Secret')).toBeLessThan(kinds.lastIndexOf('ServiceAccount'));
  });

  test('what is the platform\'s is in its namespace, what is the team\'s in the team\'s', () => {
    for (const { apiVersion, kind, metadata } of onboard({ clientId: CLIENT_ID }).objects()) {
      expect([kind, metadata.namespace]).toEqual([
        kind,
        kind === 'Namespace' ? undefined : apiVersion.includes('.azure.com/') ? 'platform' : 'ledger',
      ]);
    }
  });

  test('names that differ from environment to environment where they are unique in the tenant', () => {
    const roles = (name: string) =>
      onboard({ of: environment({ name }) })
        .objects()
        .filter(({ kind }) => kind === 'RoleAssignment')
        .map(({ metadata }) => metadata.name);
    expect(roles('dev').filter((name) => roles('prd').includes(name))).toEqual([]);
  });
});

describe('each option has its effect', () => {
  const spec = (object: Manifest) => object.spec;

  test('clientId: credential and service account have it, and nothing is propagated', () => {
    const objects = onboard({ clientId: CLIENT_ID }).objects();
    expect(only(objects, 'Secret')).toMatchObject({
      metadata: { name: 'aso-credential', namespace: 'ledger' },
      stringData: {
        AZURE_CLIENT_ID: CLIENT_ID,
        AZURE_SUBSCRIPTION_ID: expect.any(String),
        AZURE_TENANT_ID: expect.any(String),
        USE_WORKLOAD_IDENTITY_AUTH: 'true',
      },
    });
    expect(JSON.stringify(objects)).not.toContain('Secret/ledger');
    const pods = (props: Parameters<typeof onboard>[0]) =>
      onboard(props)
        .objects()
        .find(({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === 'ledger').metadata.annotations;
    expect(pods({ clientId: CLIENT_ID })).toBeUndefined();
    expect(pods({ clientId: CLIENT_ID, workloadClientId: POD_CLIENT_ID })).toEqual({ 'azure.workload.identity/client-id': POD_CLIENT_ID });
    expect(pods({ clientId: CLIENT_ID, of: environment({ teamIdentities: TeamIdentities.SHARED }) })).toEqual({
      'azure.workload.identity/client-id': CLIENT_ID,
    });
    expect(JSON.stringify(onboard({ clientId: CLIENT_ID, workloadClientId: POD_CLIENT_ID }).objects())).not.toContain('feeds');
  });

  test('by default the controller delivers: no Secret, an identity that propagates and a namespace that accepts', () => {
    const objects = onboard().objects();
    expect(objects.some(({ kind }) => kind === 'Secret')).toBe(false);
    expect(identitiesOf(objects).map(({ metadata }) => metadata.annotations['aso.cdk8s.io/propagate-credentials-to'])).toEqual([
      'Secret/ledger/aso-credential',
      'ServiceAccount/ledger/ledger',
    ]);
    expect(only(objects, 'Namespace').metadata.annotations['aso.cdk8s.io/accepts-credentials-from']).toBe(
      'platform/id-ledger-dev,platform/id-ledger-dev-workload',
    );
  });

  test('delivery: another way', () => {
    const objects = onboard({ delivery: CredentialDelivery.externalSecrets() }).objects();
    for (const identity of identitiesOf(objects)) expect(identity.spec.operatorSpec.secretExpressions).toHaveLength(1);
    // Pods never take the client id from the operator's credential.
    expect(objects.filter(({ kind }) => kind === 'ExternalSecret').map(({ metadata }) => metadata.name)).toEqual([
      'aso-credential',
      'id-ledger-dev-workload',
    ]);
  });

  test('without a part: just that is gone', () => {
    const all = names(onboard({ clientId: CLIENT_ID, workloadClientId: POD_CLIENT_ID }).objects());
    for (const [part, gone] of [
      [OnboardingPart.NAMESPACE, ['Namespace/ledger']],
      [OnboardingPart.QUOTAS, ['LimitRange/team', 'ResourceQuota/team']],
      [OnboardingPart.NETWORK_POLICY, ['NetworkPolicy/allow-own-namespace']],
      [OnboardingPart.RESOURCE_GROUP, ['ResourceGroup/rg-ledger-dev']],
      [OnboardingPart.IDENTITY, ['UserAssignedIdentity/id-ledger-dev']],
      [OnboardingPart.WORKLOAD_IDENTITY, ['UserAssignedIdentity/id-ledger-dev-workload']],
      [OnboardingPart.OPERATOR_FEDERATION, ['FederatedIdentityCredential/id-ledger-dev-aks-blue-operator']],
      [OnboardingPart.WORKLOAD_FEDERATION, ['FederatedIdentityCredential/id-ledger-dev-aks-blue-workload', 'ServiceAccount/aso-workload']],
      [OnboardingPart.TEAM_FEDERATION, ['FederatedIdentityCredential/id-ledger-dev-workload-aks-blue-team']],
      [OnboardingPart.RESOURCE_GROUP_ROLE, ['RoleAssignment/dev-id-ledger-dev-group']],
      [OnboardingPart.SHARED_SERVICE_ROLES, ['RoleAssignment/dev-id-ledger-dev-service-bus']],
      [OnboardingPart.CREDENTIAL, ['Secret/aso-credential']],
      [OnboardingPart.TEAM_SERVICE_ACCOUNT, ['ServiceAccount/ledger']],
    ] as const) {
      const left = names(onboard({ clientId: CLIENT_ID, workloadClientId: POD_CLIENT_ID, without: [part] }).objects());
      expect([part, all.filter((name) => !left.includes(name)).sort()]).toEqual([part, [...gone]]);
      expect(left.filter((name) => !all.includes(name))).toEqual([]);
    }
  });

  test('only some parts: the others are referred to by their names', () => {
    const objects = onboard({ only: [OnboardingPart.RESOURCE_GROUP_ROLE, OnboardingPart.TEAM_FEDERATION] }).objects();
    expect(names(objects)).toEqual([
      'FederatedIdentityCredential/id-ledger-dev-workload-aks-blue-team',
      'RoleAssignment/dev-id-ledger-dev-group',
    ]);
    expect(spec(objects[0]).owner).toEqual({ name: 'id-ledger-dev-workload' });
    expect(spec(objects[1])).toMatchObject({
      owner: { kind: 'ResourceGroup', name: 'rg-ledger-dev' },
      principalIdFromConfig: { name: 'id-ledger-dev-ids', key: 'principalId' },
    });
  });

  test.each([
    [WorkloadIdentityMode.RELAXED, ['operator', 'team'], 0],
    [WorkloadIdentityMode.STRICT, ['workload', 'team'], 1],
    [WorkloadIdentityMode.BOTH, ['operator', 'workload', 'team'], 1],
  ])('workloadIdentity %s', (workloadIdentity, purposes, accounts) => {
    const objects = onboard({ of: environment({ workloadIdentity }) }).objects();
    const of = (purpose: string) => (purpose === 'team' ? 'id-ledger-dev-workload' : 'id-ledger-dev');
    expect(
      objects
        .filter(({ kind }) => kind === 'FederatedIdentityCredential')
        .map(({ metadata, spec: { owner } }) => [metadata.name, owner.name]),
    ).toEqual(purposes.map((purpose) => [`${of(purpose)}-aks-blue-${purpose}`, of(purpose)]));
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
      if (apiVersion.includes('.azure.com/')) {
        expect(metadata.annotations).toMatchObject({ 'serviceoperator.azure.com/reconcile-policy': 'skip' });
      }
    }
    expect(JSON.stringify(active)).not.toContain('skip');
  });

  test('groupRemoval', () => {
    const policy = (groupRemoval?: RemovalPolicy) =>
      only(onboard({ of: environment(groupRemoval === undefined ? {} : { groupRemoval }) }).objects(), 'ResourceGroup').metadata.annotations;
    expect(policy()).toEqual({ 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' });
    expect(policy(RemovalPolicy.DESTROY)).toEqual({ 'serviceoperator.azure.com/reconcile-policy': 'manage' });
  });

  test('tags of the environment and of the team', () => {
    const team = new Team({ name: 'ledger', tags: { team: 'ledger', stage: 'own' } });
    const objects = onboard({ team: team.in(environment({ tags: { stage: 'dev' } })) }).objects();
    for (const object of [only(objects, 'ResourceGroup'), ...identitiesOf(objects)]) {
      expect(object.spec.tags).toEqual({ team: 'ledger', stage: 'own' });
    }
  });

  test('quotas of the team, where the environment does not say otherwise', () => {
    const team = new Team({ name: 'ledger', quotas: { cpu: '4', pods: 10 } });
    const objects = onboard({ team: team.in(environment(), { quotas: { pods: 20, containerMaxMemory: '2Gi' } }) }).objects();
    expect(only(objects, 'ResourceQuota').spec.hard).toMatchObject({ cpu: '4', memory: '16Gi', pods: '20' });
    expect(only(objects, 'LimitRange').spec.limits[0].max).toEqual({ cpu: '4', memory: '2Gi' });
  });

  test('network: who may come, and where pods may go', () => {
    const network = { fromNamespaces: ['ingress-nginx'], to: [{ cidr: '10.20.0.0/16', ports: [5432] }, { cidr: '10.30.0.0/16' }] };
    expect(only(onboard({ network }).objects(), 'NetworkPolicy').spec).toMatchSnapshot();
    const of = environment({ conventions: { networkPolicy: NetworkPolicyFlavour.CALICO } });
    expect(only(onboard({ of, network }).objects(), 'NetworkPolicy')).toMatchObject({
      apiVersion: 'projectcalico.org/v3',
      spec: expect.anything(),
    });
    expect(only(onboard({ of, network }).objects(), 'NetworkPolicy').spec).toMatchSnapshot();
    expect(only(onboard({ network: { to: [] } }).objects(), 'NetworkPolicy').spec.egress).toHaveLength(2);
    const closed = only(onboard({ of, network: { to: [] } }).objects(), 'NetworkPolicy').spec;
    expect(closed.egress).toHaveLength(3);
  });

  test('pod security and labels', () => {
    const labels = (podSecurity?: PodSecurityLevel) =>
      only(onboard({ of: environment({ conventions: { ...(podSecurity === undefined ? {} : { podSecurity }) } }), namespaceLabels: { a: 'b' } }).objects(), 'Namespace').metadata
        .labels;
    expect(labels()).toEqual({ 'pod-security.kubernetes.io/enforce': 'restricted', 'a': 'b' });
    expect(labels(PodSecurityLevel.BASELINE)).toEqual({ 'pod-security.kubernetes.io/enforce': 'baseline', 'a': 'b' });
    expect(labels(PodSecurityLevel.CLUSTER_DEFAULT)).toEqual({ a: 'b' });
  });

  test('principalTypes', () => {
    const types = (principalTypes?: boolean) =>
      new Set(
        onboard({ of: environment({ conventions: { ...(principalTypes === undefined ? {} : { principalTypes }) } }) })
          .objects()
          .filter(({ kind }) => kind === 'RoleAssignment')
          .map((one) => one.spec.principalType),
      );
    expect(types()).toEqual(new Set(['ServicePrincipal']));
    expect(types(false)).toEqual(new Set([undefined]));
  });

  test('roleAssignmentNaming: UUIDs that the environment makes differ', () => {
    const ids = (name: string, subscriptionId = '4522538c-3f65-5b38-abd9-b80113019d32') =>
      onboard({ of: environment({ name, subscriptionId }), roleAssignmentNaming: RoleAssignmentNaming.tenantUnique({ subscriptionId }) })
        .objects()
        .filter(({ kind }) => kind === 'RoleAssignment')
        .map((one) => one.spec.azureName);
    expect(ids('dev')).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(ids('dev').filter((id) => ids('prd').includes(id))).toEqual([]);
  });

  test('policy: guard rails', () => {
    const { onboarding, objects } = onboard({ policy: SelfServicePolicy.ofComponents() });
    expect(onboarding.guardRails).toBeDefined();
    expect(objects().map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Role', 'ValidatingAdmissionPolicy']));
    expect(onboard().onboarding.guardRails).toBeUndefined();
  });
});

describe('the identity of the operator is not that of the pods', () => {
  const on = StorageAccount.fromArmId(
    '/subscriptions/4522538c-3f65-5b38-abd9-b80113019d32/resourceGroups/x/providers/Microsoft.Storage/storageAccounts/shared',
  );

  test.each(Object.values(WorkloadIdentityMode))(
    'whatever the mode (%s): it trusts no service account that pods of the team can have',
    (workloadIdentity) => {
      const objects = onboard({
        of: environment({ workloadIdentity, platform: { databaseAdministrator: 'dba' } }),
        team: new Team({ name: 'ledger', uses: ['postgres'] }).in(
          environment({ workloadIdentity, platform: { databaseAdministrator: 'dba' } }),
        ),
      }).objects();
      const trusted = objects
        .filter(({ kind, spec }) => kind === 'FederatedIdentityCredential' && spec.owner.name === 'id-ledger-dev')
        .map(({ spec }) => spec.subject);
      for (const subject of trusted) {
        expect([
          'system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default',
          'system:serviceaccount:ledger:aso-workload',
        ]).toContain(subject);
      }
      const others = objects
        .filter(({ kind, spec }) => kind === 'FederatedIdentityCredential' && spec.owner.name !== 'id-ledger-dev')
        .map(({ spec }) => spec.subject);
      expect(others).toEqual(['system:serviceaccount:ledger:ledger', 'system:serviceaccount:platform:dba']);
    },
  );

  test('roles on what the operator makes are its own, what pods read is theirs', () => {
    const of = environment({
      shared: {
        services: [
          ...environment().shared.services!,
          SharedService.appConfiguration({
            resource: AzureReference.fromArmId(
              '/subscriptions/4522538c-3f65-5b38-abd9-b80113019d32/resourceGroups/x/providers/Microsoft.AppConfiguration/configurationStores/c',
            ),
          }),
        ],
      },
    });
    const team = new Team({
      name: 'ledger',
      uses: ['service-bus', 'app-configuration'],
      grants: [
        { id: 'files', on, role: BuiltInRole.READER },
        { id: 'blobs', on, role: BuiltInRole.STORAGE_BLOB_DATA_READER, to: TeamIdentity.WORKLOAD },
      ],
    });
    const roles = onboard({ team: team.in(of) })
      .objects()
      .filter(({ kind }) => kind === 'RoleAssignment')
      .map(({ metadata, spec }) => [metadata.name, spec.principalIdFromConfig.name]);
    expect(roles).toEqual([
      ['dev-id-ledger-dev-group', 'id-ledger-dev-ids'],
      ['dev-id-ledger-dev-service-bus', 'id-ledger-dev-ids'],
      ['dev-id-ledger-dev-workload-app-configuration', 'id-ledger-dev-workload-ids'],
      ['dev-id-ledger-dev-files', 'id-ledger-dev-ids'],
      ['dev-id-ledger-dev-workload-blobs', 'id-ledger-dev-workload-ids'],
    ]);
  });

  test('there is none for pods where nothing uses it', () => {
    const without = [OnboardingPart.TEAM_FEDERATION, OnboardingPart.TEAM_SERVICE_ACCOUNT];
    expect(identitiesOf(onboard({ without }).objects()).map(({ metadata }) => metadata.name)).toEqual(['id-ledger-dev']);
    const team = new Team({ name: 'ledger', grants: [{ id: 'blobs', on, role: BuiltInRole.READER, to: TeamIdentity.WORKLOAD }] }).in(
      environment(),
    );
    expect(identitiesOf(onboard({ team, without }).objects())).toHaveLength(2);
  });

  test('shared: one identity for both', () => {
    const objects = onboard({ of: environment({ teamIdentities: TeamIdentities.SHARED }) }).objects();
    expect(
      identitiesOf(objects).map(({ metadata }) => [metadata.name, metadata.annotations['aso.cdk8s.io/propagate-credentials-to']]),
    ).toEqual([['id-ledger-dev', 'Secret/ledger/aso-credential,ServiceAccount/ledger/ledger']]);
    expect(objects.filter(({ kind }) => kind === 'FederatedIdentityCredential').map(({ spec }) => spec.owner.name)).toEqual([
      'id-ledger-dev',
      'id-ledger-dev',
      'id-ledger-dev',
    ]);
    expect(objects.filter(({ kind }) => kind === 'FederatedIdentityCredential').map(({ metadata }) => metadata.name)).toContain(
      'id-ledger-dev-aks-blue-team',
    );
  });

  test('the Namespace requires a credential of its own, unless the conventions say otherwise', () => {
    const mark = (credentialRequired?: boolean) =>
      only(onboard({ of: environment({ conventions: { ...(credentialRequired === undefined ? {} : { credentialRequired }) } }) }).objects(), 'Namespace').metadata.annotations[
        'aso.cdk8s.io/credential-required'
      ];
    expect([mark(), mark(true), mark(false)]).toEqual(['true', 'true', undefined]);
  });
});

describe('what is there can be replaced and extended', () => {
  test('grants: those of the team, and more', () => {
    const on = StorageAccount.fromArmId(
      '/subscriptions/4522538c-3f65-5b38-abd9-b80113019d32/resourceGroups/x/providers/Microsoft.Storage/storageAccounts/shared',
    );
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
    const account = (id: string, namespace: string) =>
      new StorageAccount(chart, id, {
        metadata: { name: id, namespace },
        azureName: id,
        owner: ResourceGroup.fromArmId(`/subscriptions/${environment().subscriptionId}/resourceGroups/x`),
        location: 'uksouth',
        kind: 'StorageV2' as never,
        sku: { name: 'Standard_LRS' as never },
      });
    const [theirs, ours] = [account('theirs', 'market'), account('ours', 'platform')];
    onboarding.grant({ id: 'theirs', on: theirs, role: BuiltInRole.READER });
    onboarding.grant({ id: 'ours', on: ours, role: BuiltInRole.READER });
    const owner = (id: string) => objects().find(({ metadata }) => metadata.name === `dev-id-ledger-dev-${id}`).spec.owner;
    expect(owner('theirs')).toEqual({
      armId: `/subscriptions/${environment().subscriptionId}/resourceGroups/x/providers/Microsoft.Storage/storageAccounts/theirs`,
    });
    expect(owner('ours')).toEqual({ group: 'storage.azure.com', kind: 'StorageAccount', name: 'ours' });
  });

  test('a resource group of one\'s own, and one with capitals', () => {
    const given = onboard({ resourceGroup: ResourceGroup.fromName('by-hand') }).objects();
    expect(given.some(({ kind }) => kind === 'ResourceGroup')).toBe(false);
    expect(identitiesOf(given).map((one) => one.spec.owner)).toEqual([{ name: 'by-hand' }, { name: 'by-hand' }]);
    const capitals = only(onboard({ overrides: { resourceGroup: 'RG-Ledger' } }).objects(), 'ResourceGroup');
    expect([capitals.metadata.name, capitals.spec.azureName]).toEqual(['rg-ledger', 'RG-Ledger']);
  });

  test('identities of one\'s own', () => {
    const app = new App();
    const chart = new Chart(app, 'chart');
    const identity = new UserAssignedIdentity(chart, 'own', {
      metadata: { name: 'own', namespace: 'platform' }, owner: ResourceGroup.fromName('rg-ledger-dev'), location: 'uksouth',
    });
    const workloadIdentity = new UserAssignedIdentity(chart, 'pods', {
      metadata: { name: 'pods', namespace: 'platform' }, owner: ResourceGroup.fromName('rg-ledger-dev'), location: 'uksouth',
    });
    new TeamOnboarding(chart, 'ledger', { team: ledger.in(environment()), identity, workloadIdentity });
    const objects = synthesized(app);
    expect(
      identitiesOf(objects).map(({ metadata }) => [metadata.name, metadata.annotations['aso.cdk8s.io/propagate-credentials-to']]),
    ).toEqual([
      ['own', 'Secret/ledger/aso-credential'],
      ['pods', 'ServiceAccount/ledger/ledger'],
    ]);
    expect(only(objects, 'Namespace').metadata.annotations).toMatchObject({
      'aso.cdk8s.io/accepts-credentials-from': 'platform/own,platform/pods',
    });
    for (const { kind, spec, metadata } of objects) {
      if (kind === 'FederatedIdentityCredential') expect(spec.owner).toEqual({ name: metadata.name.endsWith('-team') ? 'pods' : 'own' });
      if (kind === 'RoleAssignment') expect(spec.principalIdFromConfig).toEqual({ name: 'own-outputs', key: 'principalId' });
    }
  });

  test('platform credential and database administrator in standard Kubernetes', () => {
    const id =
      '/subscriptions/4522538c-3f65-5b38-abd9-b80113019d32/resourceGroups/x/providers/Microsoft.ManagedIdentity/userAssignedIdentities/dba';
    const of = environment({
      clusters: [blue, { ...green, mode: ClusterMode.PASSIVE }],
      platform: {
        identityClientId: CLIENT_ID,
        databaseAdministrator: 'dba',
        databaseAdministratorClientId: CLIENT_ID,
        databaseAdministratorIdentity: UserAssignedIdentity.fromArmId(id),
      },
    });
    const app = new App();
    const chart = new Chart(app, 'chart');
    new PlatformCredential(chart, 'credential', { environment: of });
    new DatabaseAdministrator(chart, 'administrator', { environment: of, cluster: green.name });
    const objects = synthesized(app);
    expect(names(objects)).toEqual([
      'Secret/aso-credential',
      'ServiceAccount/aso-workload',
      'FederatedIdentityCredential/dba-dev-aks-blue',
      'FederatedIdentityCredential/dba-dev-aks-green',
      'ServiceAccount/dba',
    ]);
    expect(new Set(objects.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['platform']));
    expect(objects[2]).toMatchObject({
      metadata: { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' } },
      spec: { owner: { armId: id }, subject: 'system:serviceaccount:platform:dba' },
    });
  });

  test.each([
    [WorkloadIdentityMode.RELAXED, 0],
    [WorkloadIdentityMode.STRICT, 1],
    [WorkloadIdentityMode.BOTH, 1],
  ])('the platform namespace has the service account that a %s operator needs', (workloadIdentity, count) => {
    const app = new App();
    const { serviceAccount } = new PlatformCredential(new Chart(app, 'chart'), 'credential', {
      environment: environment({ workloadIdentity, platform: { identityClientId: CLIENT_ID } }),
    });
    const accounts = synthesized(app).filter(({ kind }) => kind === 'ServiceAccount');
    expect(accounts.map(({ metadata }) => [metadata.namespace, metadata.name])).toEqual(count === 0 ? [] : [['platform', 'aso-workload']]);
    expect(serviceAccount === undefined).toBe(count === 0);
  });

  test('a workspace of a developer is a team of its own', () => {
    const app = new App();
    const chart = new Chart(app, 'chart');
    for (const team of [ledger, ledger.workspace('alice'), ledger.workspace('bob', { quotas: { pods: 5 } })]) {
      new TeamOnboarding(chart, team.name, { team: team.in(environment()) });
    }
    const objects = synthesized(app);
    expect(objects.filter(({ kind }) => kind === 'ResourceGroup').map(({ metadata }) => metadata.name)).toEqual([
      'rg-ledger-dev',
      'rg-ledger-alice-dev',
      'rg-ledger-bob-dev',
    ]);
    expect(objects.find(({ kind, metadata }) => kind === 'ResourceQuota' && metadata.namespace === 'ledger-bob').spec.hard.pods).toBe('5');
  });

  test('a namespace for each environment of a cluster', () => {
    const app = new App();
    const chart = new Chart(app, 'chart');
    const naming = new DefaultPlatformNaming({ namespacePerEnvironment: true });
    for (const name of ['dev', 'tst']) new TeamOnboarding(chart, name, { team: ledger.in(environment({ name, naming })) });
    expect(
      synthesized(app)
        .filter(({ kind }) => kind === 'Namespace')
        .map(({ metadata }) => metadata.name),
    ).toEqual(['ledger-dev', 'ledger-tst']);
  });

  test('names that would be too long keep apart what differs', () => {
    const long = (end: string) =>
      new Team({ name: `${'a-very-long-name-of-a-team-'.repeat(2)}${end}`.slice(0, 63) }).in(environment({ name: 'x'.repeat(70) }));
    const [one, other] = [long('one'), long('two')];
    const naming = new DefaultPlatformNaming();
    const groupRole = (team: TeamInEnvironment) => naming.groupRole(team, team.resourceGroup);
    for (const name of [(team: TeamInEnvironment) => naming.teamIdentity(team), groupRole]) {
      expect(name(one).length).toBeLessThanOrEqual(120);
      expect(name(one)).not.toBe(name(other));
    }
    expect(one.resourceGroup.length).toBeLessThanOrEqual(90);
    expect(one.resourceGroup).not.toBe(other.resourceGroup);
  });
});

describe('quotas', () => {
  const of = (quotas: Quotas | undefined, own: Quotas = {}) => {
    const team = new Team({ name: 'ledger', quotas: own }).in(environment(quotas ? { quotas } : {}));
    const objects = onboard({ team }).objects();
    return { hard: only(objects, 'ResourceQuota').spec.hard, limit: only(objects, 'LimitRange').spec.limits[0] };
  };

  test('those of an environment replace the defaults as a whole', () => {
    const { hard, limit } = of({ pods: 30, containerMaxCpu: '2' });
    expect(hard).toEqual({ pods: '30' });
    expect(limit).toEqual({ type: 'Container', default: { cpu: '2' }, defaultRequest: {}, max: { cpu: '2' }, min: { cpu: '10m', memory: '10Mi' } });
  });

  test('those of a team replace single ones', () => {
    expect(of(undefined, { loadBalancers: 2, nodePorts: 4 }).hard).toMatchObject({ 'services.loadbalancers': '2', 'services.nodeports': '4', 'pods': '50' });
    expect(of({ pods: 30 }, { cpuLimit: '40' }).hard).toEqual({ 'pods': '30', 'limits.cpu': '40' });
  });

  test('defaults: all pods fit with the defaults of their containers', () => {
    const { hard, limit } = of(undefined);
    const pods = Number(hard.pods);
    expect(pods * quantity(limit.defaultRequest.cpu)!).toBeLessThanOrEqual(quantity(hard.cpu)!);
    expect(pods * quantity(limit.defaultRequest.memory)!).toBeLessThanOrEqual(quantity(hard.memory)!);
    expect(pods * quantity(limit.default.memory)!).toBeLessThanOrEqual(quantity(hard['limits.memory'])!);
    expect([hard['services.loadbalancers'], hard['services.nodeports']]).toEqual(['0', '0']);
  });

  test('each quota of the type has its effect', () => {
    const all: Required<Quotas> = {
      cpu: '1',
      memory: '1Gi',
      cpuLimit: '2',
      memoryLimit: '2Gi',
      pods: 3,
      persistentVolumeClaims: 4,
      storage: '5Gi',
      loadBalancers: 6,
      nodePorts: 7,
      containerCpu: '80m',
      containerMemory: '90Mi',
      containerCpuLimit: '100m',
      containerMemoryLimit: '110Mi',
      containerMaxCpu: '120m',
      containerMaxMemory: '130Mi',
    };
    const { hard, limit } = of(all);
    const { type: _type, min: _min, ...limits } = limit;
    const written = JSON.stringify([hard, limits]);
    for (const value of Object.values(all)) expect(written).toContain(`"${value}"`);
  });
});
