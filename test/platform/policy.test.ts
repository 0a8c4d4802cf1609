import { ApiObject, App, Chart } from 'cdk8s';
import { deputy } from './deputy-objects';
import { FIN, FRONT_DOOR, HR, POLICY, SERVICE_BUS, SUBSCRIPTION } from './guarded-team';
import { account, azure, core, federation, grant, identity, queue, type TeamObject } from './objects-of-team';
import { AzureReference, BuiltInRole, ReconcilePolicy } from '../../src/core';
import { ClusterMode } from '../../src/platform/model/cluster';
import { Environment } from '../../src/platform/model/environment';
import { Team } from '../../src/platform/model/team';
import { KindUse } from '../../src/platform/policy/catalogue-entry';
import { brokenBy } from '../../src/platform/policy/limit';
import { SelfServiceGuardRails } from '../../src/platform/policy/self-service-guard-rails';
import type { SelfServicePolicyProps } from '../../src/platform/policy/self-service-options';
import { SelfServicePolicy } from '../../src/platform/policy/self-service-policy';
import { QueueRole } from '../../src/platform/service/roles';
import { Service } from '../../src/platform/service/service';
import { ResourceGroup } from '../../src/services/resources/resource-group';
import { SkuName, StorageAccount, StorageAccountKind } from '../../src/services/storage/storage-account';

const STORAGE = { group: 'storage.azure.com', kind: 'StorageAccount' };

/** Ids of the limits that an object breaks, without what they have in common. */
function broken(policy: SelfServicePolicy, object: unknown, team = FIN): string[] {
  return brokenBy(policy._limits(team), object).map(({ id }) => id.replace('self-service-', ''));
}

describe('each option has an effect', () => {
  const model = (props: Parameters<typeof SelfServicePolicy.ofComponents>[0]) => SelfServicePolicy.ofComponents(props);
  const anywhere = AzureReference.fromArmId(`/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-other`).azureResourceRef.armId!;
  const annotated = (key: string, value: string) => account({}, { annotations: { [key]: value } });
  const base = { azureName: 'sb-fin', owner: { armId: FIN.resourceGroupId }, location: 'uksouth' };
  const rows: readonly [option: string, refusedBy: string, object: TeamObject, without: SelfServicePolicy, with_: SelfServicePolicy][] = [
    ['locations', 'location', account({ location: 'westeurope' }), model({}), model({ locations: ['westeurope'] })],
    [
      'skus',
      'sku',
      account({ sku: { name: 'Premium_LRS' } }),
      model({ skus: { StorageAccount: ['Standard_LRS'] } }),
      model({ skus: { 'storage.azure.com/StorageAccount': ['Premium_LRS'] } }),
    ],
    ['grantedScopes', 'owner', account({ owner: { armId: anywhere } }), model({}), model({ grantedScopes: [{ armId: anywhere }] })],
    [
      'grantedScopes.namePrefix',
      'name-prefix',
      account({ owner: { armId: anywhere } }),
      model({ grantedScopes: [{ armId: anywhere, namePrefix: 'sthr' }] }),
      model({ grantedScopes: [{ armId: anywhere, kinds: ['StorageAccount'], namePrefix: 'stfin' }] }),
    ],
    [
      'grantedScopes.kinds',
      'owner',
      account({ owner: { armId: anywhere } }),
      model({ grantedScopes: [{ armId: anywhere, kinds: ['UserAssignedIdentity'] }] }),
      model({ grantedScopes: [{ armId: anywhere, kinds: ['StorageAccount'], namePrefix: '' }] }),
    ],
    ['sharedNamePrefix', 'name-prefix', queue({ azureName: 'finance-orders' }), model({}), model({ sharedNamePrefix: 'Finance-' })],
    [
      'sharedReferences',
      'reference',
      azure('cdn', 'Route', {
        azureName: 'fin--web', owner: { armId: `${FRONT_DOOR}/afdEndpoints/edge` }, originGroup: { reference: { armId: `${FRONT_DOOR}/originGroups/all` } },
      }),
      model({}),
      model({ sharedReferences: [`${FRONT_DOOR}/originGroups/all`] }),
    ],
    [
      'otherNamePrefixes',
      'name-prefix',
      queue({ azureName: 'fin--ledger--orders' }),
      model({ otherNamePrefixes: ['fin--ledger--', 'fin--', 'hr--'] }),
      model({}),
    ],
    [
      'credentials',
      'credential',
      annotated('serviceoperator.azure.com/credential-from', 'extra'),
      model({}),
      model({ credentials: ['extra'] }),
    ],
    [
      'reconcilePolicies',
      'reconcile-policy',
      annotated('serviceoperator.azure.com/reconcile-policy', 'skip'),
      model({ reconcilePolicies: [] }),
      model({ reconcilePolicies: [ReconcilePolicy.SKIP] }),
    ],
    ['roles', 'role', grant(), model({ roles: [] }), model({ roles: [BuiltInRole.SERVICE_BUS_DATA_SENDER] })],
    ['principals', 'principal', withPrincipal(), model({}), model({ principals: ['99999999-8888-4777-8666-555555555555'] })],
    [
      'principalConfigMaps',
      'principal',
      grant(),
      model({ principalConfigMaps: ['others'] }),
      model({ principalConfigMaps: ['one-outputs'] }),
    ],
    ['federatedSubjects', 'subject', federation({ subject: 'repo:fin' }), model({}), model({ federatedSubjects: ['repo:fin'] })],
    ['federatedIssuers', 'issuer', federation({ issuer: 'https://other/' }), model({}), model({ federatedIssuers: ['https://other/'] })],
    ['platformObjects', 'config-map', core('ConfigMap', 'certificates'), model({ platformObjects: ['certificates'] }), model({})],
    [
      'protectedIdentities',
      'operator-identity',
      federation({ owner: { armId: `${FIN.resourceGroupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/other` } }),
      model({ protectedIdentities: [`${FIN.resourceGroupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/Other/`] }),
      model({}),
    ],
    [
      'platformIdentities',
      'platform-identity',
      identity({ azureName: 'mid-postings-fin' }),
      model({ platformIdentities: ['MID-*-fin'] }),
      model({ platformIdentities: ['mid-*-hr', 'mid-posting'] }),
    ],
    [
      'annotations',
      'annotation',
      annotated('aso.cdk8s.io/propagate-credentials-to', 'x'),
      model({}),
      model({ annotations: ['aso.cdk8s.io/propagate-credentials-to'] }),
    ],
    [
      'resourceGroups',
      'reference-only',
      azure('resources', 'ResourceGroup', { azureName: 'rg-fin-dev', location: 'uksouth' }),
      model({}),
      model({ resourceGroups: { selfService: true } }),
    ],
    [
      'databases',
      'reference-only',
      azure('dbforpostgresql', 'FlexibleServer', base),
      model({}),
      model({ databases: { managesBaseComponent: true } }),
    ],
    ['managedIdentities', 'reference-only', federation(), model({ managedIdentities: { selfService: false } }), model({})],
    ['storageAccounts', 'reference-only', account(), model({ storageAccounts: { managesBaseComponent: false } }), model({})],
    ['serviceBus.selfService', 'reference-only', queue(), model({ serviceBus: { selfService: false } }), model({})],
    [
      'serviceBus.managesBaseComponent',
      'reference-only',
      azure('servicebus', 'Namespace', base),
      model({}),
      model({ serviceBus: { managesBaseComponent: true } }),
    ],
    ['roleAssignments', 'reference-only', grant(), model({ roleAssignments: { selfService: false } }), model({})],
    [
      'frontDoor',
      'reference-only',
      azure('cdn', 'Profile', { ...base, location: 'global' }),
      model({}),
      model({ frontDoor: { managesBaseComponent: true } }),
    ],
    ['catalogue.locations', 'location', account(), policyOf({ locations: ['ukwest'] }), policyOf({ locations: ['uksouth'] })],
    ['catalogue.skus', 'sku', account(), policyOf({ skus: ['Premium_LRS'] }), policyOf({ skus: ['Standard_LRS'] })],
    [
      'catalogue.skuProperty',
      'sku',
      account({ accessTier: 'Hot' }),
      policyOf({ skus: ['Hot'] }),
      policyOf({ skus: ['Hot'], skuProperty: 'accessTier' }),
    ],
    [
      'catalogue.properties',
      'property',
      account({ publicNetworkAccess: 'Enabled' }),
      policyOf({ properties: [{ property: 'publicNetworkAccess', allowed: ['Disabled'] }] }),
      policyOf({ properties: [{ property: 'publicNetworkAccess', allowed: ['Enabled'] }] }),
    ],
    [
      'catalogue.properties.required',
      'property',
      account(),
      policyOf({ properties: [{ property: 'publicNetworkAccess', allowed: ['Disabled'], required: true }] }),
      policyOf({ properties: [{ property: 'publicNetworkAccess', allowed: ['Disabled'] }] }),
    ],
    ['catalogue.use', 'reference-only', account(), policyOf({ use: KindUse.REFERENCE }), policyOf({ use: KindUse.CREATE })],
    ['catalogue', 'kind', queue(), policyOf({}), model({})],
  ];

  it.each(rows)('%s', (_, limit, object, refuses, passes) => {
    expect(broken(refuses, object)[0]).toBe(limit);
    expect(broken(passes, object)).toEqual([]);
  });

  function withPrincipal(): TeamObject {
    const { principalIdFromConfig, ...spec } = grant().spec as Record<string, unknown>;
    return { ...grant(), spec: { ...spec, principalId: '99999999-8888-4777-8666-555555555555' } };
  }

  function policyOf(entry: Partial<SelfServicePolicyProps['catalogue'][number]>): SelfServicePolicy {
    return new SelfServicePolicy({ catalogue: [{ ...STORAGE, ...entry }] });
  }

  it('changedBy stands in every message', () => {
    const app = new App();
    const chart = new Chart(app, 'c', { namespace: 'fin' });
    new ApiObject(chart, 'a', account({ location: 'mars' }) as never);
    SelfServicePolicy.ofComponents({ changedBy: '#platform-help' }).applyTo(chart, FIN);
    expect(() => app.synthYaml()).toThrow(
      "Only #platform-help may change this: 'locations' of the SelfServicePolicy of team 'fin' in 'dev'. It is 'mars'.",
    );
  });

  it('where a kind is not in the catalogue, nothing is an owner by its name', () => {
    const policy = new SelfServicePolicy({ catalogue: [STORAGE, { group: 'servicebus.azure.com', kind: 'NamespacesQueue' }] });
    expect(broken(policy, account({ owner: { name: 'group' } }))).toEqual(['owner-kind']);
    expect(broken(policy, queue({ owner: { name: 'shared' } }))).toEqual(['owner-kind']);
  });

  it('a team that makes its own namespace calls queues there what it likes, but not in the shared one', () => {
    const policy = model({ serviceBus: { managesBaseComponent: true } });
    expect(broken(policy, queue({ azureName: 'orders', owner: { name: 'own' } }))).toEqual([]);
    expect(broken(policy, queue({ azureName: 'orders' }))).toEqual(['name-prefix']);
  });

  it('a principal may be written where the team grants no roles', () => {
    const config = core('ConfigMap', 'mine', { data: { principalId: 'x' } });
    expect(broken(model({}), config)).toEqual(['config-map-principal']);
    expect(broken(model({ roleAssignments: { selfService: false } }), config)).toEqual([]);
  });

  it('watching is allowed where a cluster is passive', () => {
    const clusters = [FIN.environment.clusters[0]!, { name: 'two', oidcIssuerUrl: 'https://two/', mode: ClusterMode.PASSIVE }];
    const { subscriptionId, tenantId, location } = FIN.environment;
    const team = new Team({ name: 'fin', resourceGroup: 'rg-fin-dev' }).in(
      new Environment({ name: 'dev', subscriptionId, tenantId, location, clusters }),
    );
    const policy = model({ reconcilePolicies: [ReconcilePolicy.MANAGE] });
    const watched = annotated('serviceoperator.azure.com/reconcile-policy', 'skip');
    expect(broken(policy, watched)).toEqual(['reconcile-policy']);
    expect(broken(policy, watched, team)).toEqual([]);
  });
});

describe('applyTo', () => {
  function synth(build: (chart: Chart) => void, policy = POLICY): string {
    const app = new App();
    const chart = new Chart(app, 'ledger', { namespace: FIN.namespace });
    build(chart);
    policy.applyTo(chart, FIN);
    try {
      app.synthYaml();
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  }

  it('checks typed resources as they will stand in the manifest', () => {
    const said = synth((chart) => {
      const owner = ResourceGroup.fromArmId(HR.resourceGroupId);
      new StorageAccount(chart, 'data', {
        owner,
        location: 'uksouth',
        azureName: 'stfin',
        kind: StorageAccountKind.STORAGE_V2,
        sku: { name: SkuName.STANDARD_LRS },
      });
    });
    expect(said).toContain(
      '[ledger] ledger/data (StorageAccount ledger-data-c8199973) [self-service-owner] spec.owner: has to be in the resource group rg-fin-dev or rg-fin-West, or in ',
    );
    expect(said).toContain(`It is '${HR.resourceGroupId}'.`);
  });

  it('knows what may have been added later, by patches too', () => {
    const said = synth((chart) => {
      const data = new StorageAccount(chart, 'data', {
        owner: ResourceGroup.fromArmId(FIN.resourceGroupId),
        location: 'uksouth',
        azureName: 'stfin',
        kind: StorageAccountKind.STORAGE_V2,
        sku: { name: SkuName.STANDARD_LRS },
      });
      data.metadata.addAnnotation('serviceoperator.azure.com/credential-from', 'platform');
    });
    expect(said).toContain('[self-service-credential]');
  });

  it('refuses objects in other namespaces, and says whose the platform\'s is', () => {
    const said = synth((chart) => {
      new ApiObject(chart, 'a', { ...account(), metadata: { name: 'a', namespace: 'platform' } } as never);
      new ApiObject(chart, 'b', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', namespace: 'hr' } });
    });
    expect(said).toContain("ledger/a (StorageAccount a) [self-service-namespace] metadata.namespace: has to be fin: the team has no other. Only the platform team may make objects elsewhere. It is 'platform', the platform's.");
    expect(said).toContain("ledger/b (ConfigMap b) [self-service-namespace] metadata.namespace: has to be fin: the team has no other. Only the platform team may make objects elsewhere. It is 'hr'.");
  });

  it("passes by what the platform's bundles make, with all below them", () => {
    expect(synth((chart) => {
      const bundle = new Chart(chart, 'bundle', { namespace: 'platform' });
      new ApiObject(bundle, 'a', { ...account(), metadata: { name: 'a', namespace: 'platform' } } as never);
      SelfServicePolicy.madeByPlatform(bundle);
      new SelfServiceGuardRails(chart, 'guards', { team: FIN, policy: POLICY });
    })).toBe('');
  });

  it('says only that a kind is not for the team, where it is not', () => {
    const said = synth((chart) => new ApiObject(chart, 'a', azure('keyvault', 'Vault', { location: 'mars' }) as never));
    expect(said.match(/\[self-service-[a-z-]+\]/g)).toEqual(['[self-service-kind]']);
  });

  it('finds nothing in a service but what the team asked for beyond its limits', () => {
    const service = (region?: string) => synth((chart) => {
      new Service(chart, 'service', {
        team: FIN,
        name: 'ledger',
        queues: [{ name: 'orders', on: 'service-bus', roles: [QueueRole.SENDER] }],
        topics: [{ name: 'postings', on: 'orders-bus', subscriptions: [{ name: 'audit', rules: [{ name: 'all', sqlExpression: '1=1' }] }] }],
        database: { name: 'ledger', charset: 'UTF8', collation: 'en_US.utf8' },
        storageAccounts: [{ name: 'papers', containers: [{ name: 'invoices' }], ...(region === undefined ? {} : { location: region }) }],
      });
    }, SelfServicePolicy.ofComponents());
    expect(service()).toBe('');
    expect(service('westeurope')).toMatch(/\(StorageAccount \S+\) \[self-service-location\] .* It is 'westeurope'\.$/);
  });

  it('lets no object suppress a limit', () => {
    const annotations = { 'aso.cdk8s.io/ignore-rules': 'self-service-location: because' };
    expect(synth((chart) => new ApiObject(chart, 'a', account({ location: 'mars' }, { annotations }) as never))).toContain(
      '[self-service-location]',
    );
  });
});

describe('bad input names the field and the cure', () => {
  const rows: readonly [field: string, props: SelfServicePolicyProps, said: string][] = [
    ['catalogue', { catalogue: [] }, 'catalogue: required. Give at least one kind'],
    [
      'an unknown kind',
      { catalogue: [{ group: 'storage.azure.com', kind: 'StorageAcount' }] },
      "catalogue[0].kind: 'storage.azure.com/StorageAcount' is no kind of Azure Service Operator.",
    ],
    ['a kind twice', { catalogue: [STORAGE, STORAGE] }, "catalogue[1].kind: 'storage.azure.com/StorageAccount' is there twice."],
    [
      'a property that is not there',
      { catalogue: [{ ...STORAGE, properties: [{ property: 'tier', allowed: ['Hot'] }] }] },
      "catalogue[0].properties[0].property: 'tier' is no property of StorageAccount with a value of its own. Write e.g. accessTier",
    ],
    [
      'a property with parts',
      { catalogue: [{ ...STORAGE, properties: [{ property: 'sku', allowed: ['x'] }] }] },
      "catalogue[0].properties[0].property: 'sku' is no property of StorageAccount with a value of its own. Write e.g. sku.name",
    ],
    [
      'no value of a property',
      { catalogue: [{ ...STORAGE, properties: [{ property: 'allowSharedKeyAccess', allowed: ['no'] }] }] },
      "catalogue[0].properties[0].property: 'no' is no value of 'allowSharedKeyAccess', which is a boolean.",
    ],
    [
      'a SKU property that is not there',
      { catalogue: [{ ...STORAGE, skus: ['x'], skuProperty: 'sku.size' }] },
      "catalogue[0].skuProperty: 'sku.size' is no property of StorageAccount",
    ],
    [
      'SKUs of a kind that has its SKU elsewhere',
      { catalogue: [{ group: 'keyvault.azure.com', kind: 'Vault', skus: ['standard'] }] },
      "catalogue[0].skus: skuProperty of the catalogue's entry: 'sku.name' is no property of Vault with a value of its own. Write e.g. properties.sku.name",
    ],
    [
      'the same by kind',
      { catalogue: [{ group: 'keyvault.azure.com', kind: 'Vault' }], skus: { Vault: ['standard'] } },
      "skus.Vault: skuProperty of the catalogue's entry: 'sku.name' is no property of Vault",
    ],
    ['a scope', { catalogue: [STORAGE], grantedScopes: [{ armId: 'rg-x' }] }, "grantedScopes[0].armId: 'rg-x' is no ARM id."],
    [
      'a subscription',
      { catalogue: [STORAGE], grantedScopes: [{ armId: `/subscriptions/${SUBSCRIPTION}` }] },
      'grantedScopes[0].armId: is a whole subscription',
    ],
    [
      'kinds of a scope',
      { catalogue: [STORAGE], grantedScopes: [{ armId: SERVICE_BUS, kinds: ['Queue'] }] },
      "grantedScopes[0].kinds: 'Queue' is no kind of the catalogue.",
    ],
    [
      'the name of an identity by its id',
      { catalogue: [STORAGE], platformIdentities: [`${FIN.resourceGroupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/x`] },
      'platformIdentities[0]: \'/subscriptions/',
    ],
    ['every name', { catalogue: [STORAGE], platformIdentities: ['id-x', '*'] }, "platformIdentities[1]: '*' is no name of an identity in Azure."],
    [
      'a path of a deputy',
      { catalogue: [STORAGE], deputies: [{ group: 'example.com', kind: 'Copy', secrets: ['spec.to[*].name'] }] },
      "deputies[0].secrets[0]: 'spec.to[*].name' is no path of an object.",
    ],
    ['SKUs', { catalogue: [STORAGE], skus: { Storage: ['x'] } }, 'skus.Storage: is no kind of the catalogue.'],
    ['a role', { catalogue: [STORAGE], roles: [AzureReference.wellKnown('Reader')] }, 'roles[0]: is no role that is known by its id.'],
  ];

  it.each(rows)('%s', (_, props, said) => {
    expect(() => new SelfServicePolicy(props)).toThrow(`SelfServicePolicy: ${said}`);
  });

  it('all at once', () => {
    expect(() => new SelfServicePolicy({ catalogue: [{ group: 'a', kind: 'b' }], skus: { c: [] } })).toThrow(
      /catalogue\[0\]\.kind: .*\n  skus\.c: /,
    );
  });
});

describe('guard rails', () => {
  function manifests(props: Partial<ConstructorParameters<typeof SelfServiceGuardRails>[2]> = {}): any[] {
    const chart = new Chart(new App(), 'guards');
    new SelfServiceGuardRails(chart, 'fin', { team: FIN, policy: POLICY, ...props });
    return chart.toJson();
  }

  it('are these objects', () => {
    expect(manifests()).toMatchSnapshot();
  });

  it('have no wildcard in what the team may do', () => {
    expect(JSON.stringify(manifests().filter(({ kind }) => kind === 'Role'))).not.toContain('*');
  });

  it('are named and bound as asked', () => {
    const made = manifests({
      name: 'fin-self-service',
      admissionPolicyName: 'limits-of-fin',
      serviceAccounts: ['deployer'],
      clusterRoles: ['edit'],
    });
    // Rights come last.
    expect(made.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'ValidatingAdmissionPolicy limits-of-fin',
      'ValidatingAdmissionPolicyBinding limits-of-fin',
      'ValidatingAdmissionPolicyBinding limits-of-fin-namespaces',
      'ValidatingAdmissionPolicy limits-of-fin-platform',
      'ValidatingAdmissionPolicyBinding limits-of-fin-platform',
      'ValidatingAdmissionPolicyBinding limits-of-fin-platform-namespaces',
      'Role fin-self-service', 'RoleBinding fin-self-service', 'RoleBinding fin-self-service-edit',
    ]);
    expect(made[7].subjects).toEqual([
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'entra-fin' },
      { kind: 'ServiceAccount', name: 'deployer', namespace: 'fin' },
    ]);
  });

  it('exempt nobody but those who are named, and no namespace of service accounts', () => {
    const exempted = JSON.stringify(
      manifests()
        .filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
        .map(({ spec }) => spec.matchConditions),
    );
    expect(exempted).not.toMatch(/system:serviceaccounts|system:authenticated|system:nodes/);
    expect([...exempted.matchAll(/system:serviceaccount:[^"\\]+/g)].map(([name]) => name).sort()).toEqual(
      [
        ...new Set(
          [
            'azureserviceoperator-system:azureserviceoperator-default',
            'flux-system:kustomize-controller',
            ...[
              'namespace-controller',
              'generic-garbage-collector',
              'resourcequota-controller',
              'root-ca-cert-publisher',
              'service-account-controller',
            ].map((name) => `kube-system:${name}`),
          ].map((name) => `system:serviceaccount:${name}`),
        ),
        'system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default',
        'system:serviceaccount:flux-system:kustomize-controller',
      ].sort(),
    );
  });

  it('protect a network policy of the team only where it may write some', () => {
    const protection = (policy: SelfServicePolicy) =>
      manifests({ policy })
        .find(({ metadata }) => metadata.name === 'self-service-fin-platform')
        .spec.variables.find(({ name }: { name: string }) => name === 'isProtected').expression;
    expect(protection(POLICY)).toContain('"networking.k8s.io/networkpolicies",');
    const own = protection(SelfServicePolicy.ofComponents({ networkPolicies: true }));
    expect(own).not.toContain('"networking.k8s.io/networkpolicies",');
    expect(own).toContain('"networking.k8s.io/networkpolicies/allow-own-namespace"');
  });

  it('do without an admission policy, and without bindings of nobody', () => {
    const nobody = new Team({ name: 'fin', resourceGroup: 'rg-fin-dev' }).in(FIN.environment);
    expect(manifests({ team: nobody, admission: false }).map(({ kind }) => kind)).toEqual(['Role']);
  });

  it('say that a team could take over what another one calls its own', () => {
    const synth = (prefix: string, policy: Parameters<typeof SelfServicePolicy.ofComponents>[0] = {}) => {
      const app = new App();
      const chart = new Chart(app, 'guards');
      new SelfServiceGuardRails(chart, 'fin', {
        team: FIN,
        policy: SelfServicePolicy.ofComponents({ sharedNamePrefix: 'fin-', ...policy }),
      });
      new SelfServiceGuardRails(chart, 'hr', { team: HR, policy: SelfServicePolicy.ofComponents({ sharedNamePrefix: prefix }) });
      return app.synthYaml();
    };
    expect(() => synth('fin-hr-')).toThrow(/\[guards\/fin\] \[self-service-name-prefix\] sharedNamePrefix: what team 'hr' \(guards\/hr\) calls its own in .* begins with 'fin-' too, so team 'fin' could take it over\./);
    expect(() => synth('hr-')).not.toThrow();
    expect(() => synth('fin-hr-', { otherNamePrefixes: ['fin-hr-'] })).not.toThrow();
  });

  it('compare names of one resource alone', () => {
    const bus = (name: string) => `/subscriptions/${FIN.environment.subscriptionId}/resourceGroups/rg-shared/providers/Microsoft.ServiceBus/namespaces/${name}`;
    const synth = (finsBus: string, hrsBus: string) => {
      const app = new App();
      const chart = new Chart(app, 'guards');
      for (const [team, armId, namePrefix] of [[FIN, bus(finsBus), 'fin-'], [HR, bus(hrsBus), 'fin-hr-']] as const) {
        const policy = SelfServicePolicy.ofComponents({ grantedScopes: [{ armId, kinds: ['NamespacesQueue'], namePrefix }] });
        new SelfServiceGuardRails(chart, team.team.name, { team, policy });
      }
      return app.synthYaml();
    };
    expect(() => synth('one', 'one')).toThrow('[self-service-name-prefix]');
    expect(() => synth('one', 'two')).not.toThrow();
  });
});

test('a deputy writes no ConfigMap whose principals role assignments trust', () => {
  const provider = deputy('azconfig.io', 'AzureAppConfigurationProvider', { endpoint: 'https://x.azconfig.io', target: { configMapName: 'ids' } });
  expect(broken(SelfServicePolicy.ofComponents({ principalConfigMaps: ['ids'] }), provider)).toEqual(['deputy']);
  expect(broken(SelfServicePolicy.ofComponents(), provider)).toEqual([]);
});

describe('self-service role assignments need a role of the operator that may write them', () => {
  const subscription = '/subscriptions/2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';
  const KEY_VAULT = `${subscription}/resourceGroups/rg-shared/providers/Microsoft.KeyVault/vaults/kv`;

  function synth(given: { readonly role?: BuiltInRole; readonly grant?: BuiltInRole }): string {
    const environment = new Environment({
      name: 'dev',
      subscriptionId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52',
      tenantId: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11',
      location: 'uksouth',
      clusters: [{ name: 'one', oidcIssuerUrl: 'https://uksouth.oic.prod-aks.azure.com/one/' }],
      ...(given.role && { roles: { resourceGroup: given.role } }),
    });
    const grants = given.grant ? [{ id: 'vault', on: AzureReference.fromArmId(KEY_VAULT), role: given.grant }] : [];
    const team = new Team({ name: 'ledger', grants }).in(environment);
    const app = new App();
    const chart = new Chart(app, 'ledger', { namespace: team.namespace });
    const { spec } = grant({ owner: { armId: team.resourceGroupId } });
    new ApiObject(chart, 'role', { apiVersion: 'authorization.azure.com/v1api20220401', kind: 'RoleAssignment', metadata: { name: 'one' }, spec } as never);
    SelfServicePolicy.ofComponents().applyTo(chart, team);
    try {
      app.synthYaml();
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  }

  it.each([
    ['Contributor, as by default', {}],
    ['another role that is known', { role: BuiltInRole.READER }],
    ['a role on something else', { grant: BuiltInRole.KEY_VAULT_SECRETS_USER }],
  ])('%s: said at synth', (_, given) => {
    expect(synth(given)).toMatch(/\[self-service-role-right\] kind: no role of the operator's identity for team 'ledger' in 'dev'/);
  });

  it.each([
    ['a role that may', { role: BuiltInRole.OWNER }],
    ['a further role that may', { grant: BuiltInRole.ROLE_BASED_ACCESS_CONTROL_ADMINISTRATOR }],
    ['a role whose actions are not known', { role: BuiltInRole.custom('5fbfd215-41c7-542f-85f6-b582020fc3e3') }],
  ])('%s: nothing to say', (_, given) => {
    expect(synth(given)).toBe('');
  });
});
