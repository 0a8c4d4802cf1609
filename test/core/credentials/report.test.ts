import { Platform, SUBSCRIPTION, twoTeams, WRITER } from './platform';
import {
  AzureResource,
  BuiltInRole,
  CredentialScopes,
  CredentialVerdict,
  CustomRole,
  GraphFormat,
  IdentityReach,
  OwnerGraph,
  ReconcilePolicy,
  RoleGrant,
  Rules,
} from '../../../src/core';
import { svgOfDot } from '../../cli/graph/graphviz';

const STRICT = { AZURE_SUBSCRIPTION_ID: '', AZURE_TENANT_ID: '', AZURE_CLIENT_ID: '', AZURE_WORKLOAD_IDENTITY_AUTH_MODE: 'strict' };
const team = { clientId: '3e9a7d51-c2b4-4680-9f1e-a8d0c6b25e73', strict: false };

test('the report of a platform with two teams', () => {
  expect(CredentialScopes.of(twoTeams().app).render(GraphFormat.TREE)).toMatchInlineSnapshot(`
"client 0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486  ⚠ any namespace can borrow it
│  to work, it has to trust the controller, which signs in for any namespace that names the client id (relaxed mode, the default)
├─ roles
│  ├─ Contributor on subscription 2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52  declared
│  └─ User Access Administrator on subscription 2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52  declared
└─ ⚿ platform/aso-credential  for its namespace, workload identity, subscription 2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52, written by the manifest
   ├─ ✓ ResourceGroup shared
   ├─ ✓ Namespace contosobus
   ├─ ✓ ResourceGroup harvest
   ├─ ✓ UserAssignedIdentity harvest-id
   ├─ ✓ FederatedIdentityCredential harvest-aso
   ├─ ✓ RoleAssignment harvest-contributor
   ├─ ✓ RoleAssignment harvest-writer
   ├─ ✓ ResourceGroup market
   ├─ ✓ UserAssignedIdentity market-id
   ├─ ✓ FederatedIdentityCredential market-aso
   ├─ ✓ RoleAssignment market-contributor
   └─ ✓ RoleAssignment market-writer

UserAssignedIdentity platform/harvest-id  ⚠ any namespace can borrow it
│  it trusts the controller, which signs in for any namespace that names the client id (relaxed mode, the default)
│  trusts system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default
├─ roles
│  ├─ Contributor on resource group harvest  RoleAssignment platform/harvest-contributor
│  └─ Service Bus writer on namespaces contosobus  RoleAssignment platform/harvest-writer
└─ ⚿ harvest/aso-credential  for its namespace, workload identity, subscription 2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52, written by the manifest
   ├─ ✓ StorageAccount harvestdata
   ├─ ✗ NamespacesQueue harvest-orders  needs Microsoft.ServiceBus/namespaces/queues/delete
   └─ ✓ NamespacesTopic harvest-events

UserAssignedIdentity platform/market-id  only for named namespaces
│  it trusts aso-workload of namespace market, not the controller; the controller has to be strict
│  trusts system:serviceaccount:market:aso-workload
├─ roles
│  ├─ Contributor on resource group market  RoleAssignment platform/market-contributor
│  └─ Service Bus writer on namespaces contosobus  RoleAssignment platform/market-writer
└─ ⚿ market/aso-credential  for its namespace, workload identity, subscription 2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52, written by the manifest
   ├─ ✓ StorageAccount marketdata
   ├─ ✓ NamespacesQueue market-orders
   └─ ✓ NamespacesTopic market-events

18 resources: 17 whose roles suffice, 1 whose roles are too narrow; 2 of 3 identities can be borrowed by any namespace"
`);
});

test('the same under a strict controller: only who trusts the namespace itself works, and nobody can be borrowed', () => {
  const { identities, resources } = CredentialScopes.of(twoTeams(STRICT).app);
  expect(identities.map(({ reach }) => reach)).toEqual([IdentityReach.UNKNOWN, IdentityReach.UNKNOWN, IdentityReach.NAMED_NAMESPACES]);
  const wrong = resources.filter(({ problems }) => problems.length > 0).map(({ namespace }) => namespace);
  expect([...new Set(wrong)]).toEqual(['harvest']);
});

test('one resource, by its construct', () => {
  const { app } = twoTeams();
  const queue = app.node.findAll().find(({ node }) => node.path.endsWith('harvest/orders')) as AzureResource;
  expect(CredentialScopes.of(app).resource(queue)).toEqual({
    resource: 'NamespacesQueue harvest/harvest-orders',
    group: 'servicebus.azure.com',
    kind: 'NamespacesQueue',
    name: 'harvest-orders',
    namespace: 'harvest',
    constructPath: 'harvest/orders',
    armId: `/subscriptions/${SUBSCRIPTION}/resourceGroups/shared/providers/Microsoft.ServiceBus/namespaces/contosobus/queues/harvest-orders`,
    level: 'namespace',
    why: 'the Secret aso-credential of its namespace',
    secret: 'harvest/aso-credential',
    principal: 'UserAssignedIdentity platform/harvest-id',
    subscriptionId: SUBSCRIPTION,
    verdict: 'too-narrow',
    neededActions: ['read', 'write', 'delete'].map((verb) => `Microsoft.ServiceBus/namespaces/queues/${verb}`),
    missingActions: ['Microsoft.ServiceBus/namespaces/queues/delete'],
    problems: [],
  });
});

describe('as findings of the rules', () => {
  const found = (platform: Platform) =>
    Rules.check(platform.app)
      .filter(({ rule }) => rule.startsWith('credential-'))
      .map(({ rule, severity, constructPath, message, fix }) => [rule, severity, constructPath, message, fix]);

  test('a role that may not delete is found, with what to do', () => {
    const platform = new Platform();
    platform.team('harvest', team);
    expect(found(platform)).toEqual([[
      'credential-role-too-narrow',
      'warning',
      'harvest/orders',
      'the credential harvest/aso-credential acts as UserAssignedIdentity platform/harvest-id, whose roles do not give Microsoft.ServiceBus/namespaces/queues/delete',
      'give it a role that has the action, or annotate serviceoperator.azure.com/reconcile-policy: detach-on-delete',
    ]]);
  });

  test('the policy that keeps the queue, or a role that may delete it, is the cure', () => {
    const kept = new Platform();
    kept.team('harvest', { ...team, queuePolicy: ReconcilePolicy.DETACH_ON_DELETE });
    expect(found(kept)).toEqual([]);

    const more = new Platform();
    more.team('harvest', team);
    const identity = more.chart.node.findChild('harvest-identity') as AzureResource;
    new RoleGrant(more.chart, 'owner', { on: more.bus, role: BuiltInRole.SERVICE_BUS_DATA_OWNER, to: identity.output('principalId') });
    expect(found(more)).toEqual([]);
  });

  test('a suppression with a reason is heard', () => {
    const platform = new Platform();
    platform.team('harvest', team);
    const queue = platform.app.node.findAll().find(({ node }) => node.path === 'harvest/orders') as AzureResource;
    Rules.suppress(queue, 'credential-role-too-narrow', 'the platform deletes queues by hand');
    expect(found(platform)).toEqual([]);
  });

  test('an app that says nothing of roles hears nothing', () => {
    const platform = new Platform();
    for (const construct of platform.app.node.findAll()) {
      if (construct.node.path === 'platform/credential/Resource') {
        (construct as AzureResource).metadata.addAnnotation('aso.cdk8s.io/credential-roles', '');
      }
    }
    expect(found(platform).length).toBeGreaterThan(0);
    const silent = new Platform();
    silent.chart.node.tryRemoveChild('credential');
    expect(found(silent)).toEqual([]);
  });
});

describe('as pictures', () => {
  const report = () => CredentialScopes.of(twoTeams().app);

  test('JSON has all that the report has', () => {
    const scopes = report();
    const { resources, credentials, identities } = scopes;
    expect(JSON.parse(scopes.render(GraphFormat.JSON))).toEqual(JSON.parse(JSON.stringify({ resources, credentials, identities })));
  });

  test('Graphviz draws it', async () => {
    const svg = (await svgOfDot(report().render(GraphFormat.DOT))).replace(/&#45;/g, '-');
    expect(svg).toMatch(/^<svg[\s\S]*<\/svg>$/);
    for (const text of [
      'harvest/aso-credential',
      'harvest-orders',
      'any namespace can borrow it',
      'Service Bus writer on namespaces contosobus',
    ]) {
      expect(svg).toContain(text);
    }
  });

  test('Mermaid has a node for each of them', () => {
    const text = report().render(GraphFormat.MERMAID);
    expect(text.split('\n')[0]).toBe('flowchart LR');
    expect(text.match(/:::(good|bad|open)$/gm)).toHaveLength(18);
    expect(text.match(/:::bad$/gm)).toHaveLength(1);
    expect(text.match(/:::borrowable$/gm)).toHaveLength(2);
    expect((text.match(/^ {2}subgraph/gm) ?? []).length).toBe((text.match(/^ {2}end$/gm) ?? []).length);
  });

  test('names cannot get out of their place', () => {
    const platform = new Platform();
    const role = CustomRole.of({ id: '5c6f4f0e-7e6d-4f0a-9a8b-0d1e2f3a4b5d', name: '"]:::x <b>&\u001b[31m', actions: ['*'] });
    platform.team('harvest', team);
    const identity = platform.chart.node.findChild('harvest-identity') as AzureResource;
    new RoleGrant(platform.chart, 'evil', { metadata: { name: 'evil' }, on: platform.group, role, to: identity.output('principalId') });
    const scopes = CredentialScopes.of(platform.app);
    expect(scopes.render(GraphFormat.MERMAID)).not.toContain('"]:::x');
    for (const format of [GraphFormat.TREE, GraphFormat.DOT, GraphFormat.MERMAID]) expect(scopes.render(format)).not.toContain('\u001b');
    expect(scopes.render(GraphFormat.DOT)).not.toContain('<b>');
  });

  test('nothing is something', () => {
    const scopes = CredentialScopes.of(new Platform().newChart('empty'));
    expect(scopes.render(GraphFormat.TREE)).toBe('0 resources');
    expect(scopes.render(GraphFormat.DOT)).toContain('0 resources');
    expect([scopes.resources, scopes.credentials, scopes.identities]).toEqual([[], [], []]);
  });
});

test('annotations for reports change no owner graph', () => {
  expect(OwnerGraph.of(twoTeams().app).cycles).toEqual([]);
  expect(WRITER.azureResourceRef.armId).toContain(WRITER.roleDefinitionId);
  const { resources } = CredentialScopes.of(twoTeams().app, { strictWorkloadIdentity: true });
  expect(resources.every(({ verdict }) => verdict !== CredentialVerdict.NO_CREDENTIAL)).toBe(true);
});
