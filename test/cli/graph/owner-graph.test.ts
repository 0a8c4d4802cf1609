import { ApiObject, App, JsonPatch, Lazy, ResolutionContext, Testing } from 'cdk8s';
import { fixture, graphOf } from './manifests';
import { ManifestLookup } from '../../../cli/manifests/manifest-lookup';
import { parseManifests } from '../../../cli/manifests/manifests';
import { armIdOf, versionOf } from '../../../engine/resolve';
import { dev1 } from '../../../examples/onboarding/environment';
import { onboard } from '../../../examples/onboarding/onboarding';
import {
  AsoAuthentication,
  AsoCredential,
  AzureReference,
  BuiltInRole,
  ConfigMapValue,
  GraphEdge,
  GraphFormat,
  GraphRelation,
  GraphRole,
  OwnerGraph,
} from '../../../src/core';
import { graphObjectOf } from '../../../src/core/graph/manifest-object';
import { treeText } from '../../../src/core/graph/render/tree';
import {
  account,
  BlobService,
  chart,
  Container,
  group,
  GROUP_ID,
  identity,
  PostgresServer,
  ResourceGroup,
  RoleAssignment,
  SUBSCRIPTION,
  using,
} from '../../core/kinds';

const edgesOf = (graph: OwnerGraph, relation: GraphRelation) =>
  graph.edges.filter((edge) => edge.relation === relation).map(({ from, to, path }) => [from, path, to]);
const key = (kind: string, name: string, namespace = 'platform') => `${kind}/${namespace}/${name}`;
const SA = 'storage.azure.com/StorageAccount';
const RG = 'resources.azure.com/ResourceGroup';
const ID = 'managedidentity.azure.com/UserAssignedIdentity';

test('every built-in role has its name, by its id and by its name', () => {
  const role = (reference: object) => graphObjectOf({
    apiVersion: 'authorization.azure.com/v1api20220401',
    kind: 'RoleAssignment',
    metadata: { name: 'grant', namespace: 'shop' },
    spec: { owner: { armId: GROUP_ID }, roleDefinitionReference: reference },
  })!.builtInRoles;
  const id = '/providers/Microsoft.Authorization/roleDefinitions/8B9BEB50-e28c-4879-8472-24c9d328085f';
  expect(role({ armId: `/subscriptions/${SUBSCRIPTION}${id}` })).toEqual(['AI Model Scanner Operator']);
  expect(role({ wellKnownName: 'ai model scanner operator' })).toEqual(['AI Model Scanner Operator']);
});

test('the onboarding example is the same graph as constructs and as files', () => {
  const app: App = Testing.app();
  onboard(app, dev1);
  const graph = JSON.parse(OwnerGraph.of(app).render(GraphFormat.JSON));
  const files = JSON.parse(JSON.stringify(graphOf(app.synthYaml())));
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
  // Files say neither which construct an object is nor which scopes its values are from.
  interface ConstructNode { readonly constructPath?: string; readonly defaults?: object; readonly external: boolean }
  const withoutPath = graph.nodes.map(({ constructPath, defaults: _, ...node }: ConstructNode) => {
    expect(constructPath === undefined).toBe(node.external);
    return node;
  });
  expect(withoutPath.sort(byKey)).toEqual(files.nodes.sort(byKey));
  const text = (edge: GraphEdge) => JSON.stringify(Object.entries(edge).sort());
  expect(graph.edges.map(text).sort()).toEqual(files.edges.map(text).sort());
  expect(graph.cycles).toEqual([]);
  expect(graph.order).toHaveLength(graph.nodes.filter((node: { external: boolean }) => !node.external).length);
});

describe('nodes', () => {
  test('have names, construct paths and ARM ids', () => {
    const scope = chart();
    const sa = account(scope, 'data', group(scope), { azureName: 'data1' });
    const blobs = new BlobService(scope, 'blobs', { owner: sa });
    new Container(scope, 'logs', { owner: blobs });
    const graph = OwnerGraph.of(scope, { subscriptionId: SUBSCRIPTION });
    const account1 = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/data1`;
    expect(Object.fromEntries(graph.nodes.map(({ name, armId }) => [name, armId]))).toEqual({
      rg: `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg`,
      data: account1,
      blobs: `${account1}/blobServices/default`,
      logs: `${account1}/blobServices/default/containers/logs`,
    });
    expect(graph.nodeOf(sa)).toEqual({
      key: key(SA, 'data'),
      role: GraphRole.RESOURCE,
      location: 'uksouth',
      external: false,
      group: 'storage.azure.com',
      kind: 'StorageAccount',
      namespace: 'platform',
      name: 'data',
      azureName: 'data1',
      armType: 'Microsoft.Storage/storageAccounts',
      armId: account1,
      constructPath: 'chart/data',
    });
    expect(graph.roots.map(({ name }) => name)).toEqual(['rg']);
    expect(OwnerGraph.of(scope).nodes.every(({ armId }) => armId === undefined)).toBe(true);
  });

  test('take the subscription from the credential in the app, whatever the option says', () => {
    const scope = chart();
    const other = SUBSCRIPTION.replace(/^./, '5');
    new AsoCredential(scope, 'cred', {
      subscriptionId: SUBSCRIPTION,
      tenantId: SUBSCRIPTION,
      authentication: AsoAuthentication.workloadIdentity(SUBSCRIPTION),
    });
    const rg = group(scope);
    expect(OwnerGraph.of(scope, { subscriptionId: other }).nodeOf(rg)!.armId).toBe(`/subscriptions/${SUBSCRIPTION}/resourceGroups/rg`);
  });

  test('two objects of one name are two nodes', () => {
    const scope = chart();
    group(scope, 'a', { metadata: { name: 'same' } });
    group(scope, 'b', { metadata: { name: 'same' } });
    expect(new Set(OwnerGraph.of(scope).nodes.map((node) => node.key)).size).toBe(2);
  });

  test('untyped objects and patched ones are as in the manifest', () => {
    const scope = chart();
    const sa = account(scope, 'data', ResourceGroup.named('before'));
    sa.addJsonPatch(JsonPatch.replace('/spec/owner/name', 'after'));
    new ApiObject(scope, 'plain', {
      apiVersion: 'storage.azure.com/v1api20230101',
      kind: 'StorageAccount',
      metadata: { name: 'plain' },
      spec: { owner: { name: 'after' } },
    });
    expect(edgesOf(OwnerGraph.of(scope), GraphRelation.OWNS)).toEqual([
      [key(RG, 'after'), 'spec.owner', key(SA, 'data')],
      [key(RG, 'after'), 'spec.owner', key(SA, 'plain')],
    ]);
  });
});

describe('edges', () => {
  test('own, refer, feed and sign in', () => {
    const scope = chart();
    const credential = new AsoCredential(scope, 'cred', {
      metadata: { name: 'special' },
      subscriptionId: SUBSCRIPTION,
      tenantId: SUBSCRIPTION,
      authentication: AsoAuthentication.workloadIdentity(SUBSCRIPTION),
    });
    const rg = group(scope);
    const id = identity(scope, 'id', rg);
    account(scope, 'data', rg, { ...using(id), credential: credential.reference });
    new RoleAssignment(scope, 'role', {
      owner: rg,
      principalIdFromConfig: id.output('principalId'),
      roleDefinitionReference: BuiltInRole.READER,
    });
    const graph = OwnerGraph.of(scope);
    expect(edgesOf(graph, GraphRelation.REFERENCES)).toEqual([
      [key(SA, 'data'), 'spec.networkAcls.resourceAccessRules[0].resourceReference', key(ID, 'id')],
    ]);
    expect(graph.edges.find(({ relation }) => relation === GraphRelation.FEEDS)).toEqual({
      relation: GraphRelation.FEEDS,
      from: key(ID, 'id'),
      to: key('authorization.azure.com/RoleAssignment', 'role'),
      path: 'spec.principalIdFromConfig',
      waits: true,
      store: 'ConfigMap',
      storeName: 'id-outputs',
      storeKey: 'principalId',
    });
    expect(edgesOf(graph, GraphRelation.AUTHENTICATES_WITH)).toEqual([
      [key(SA, 'data'), "metadata.annotations['serviceoperator.azure.com/credential-from']", 'Secret/platform/special'],
    ]);
    expect(graph.nodes.find(({ kind }) => kind === 'RoleAssignment')!.builtInRole).toBe('Reader');
    expect(graph.nodes.find(({ kind }) => kind === 'Secret')!.role).toBe(GraphRole.CREDENTIAL);
  });

  test('a credential is the one that the app writes, whoever makes it of what', () => {
    const said = (app: App, value: unknown) => {
      const scope = chart('platform', 'chart', app);
      account(scope, 'data', ResourceGroup.named('rg'), {
        metadata: { name: 'data', annotations: { 'serviceoperator.azure.com/credential-from': value as string } },
      });
      return edgesOf(OwnerGraph.of(scope), GraphRelation.AUTHENTICATES_WITH).map(([, , to]) => to);
    };
    const other = { resolve: (context: ResolutionContext) => (context.value === 'special' ? context.replaceValue('other') : undefined) };
    expect(said(new App(), 'special')).toEqual(['Secret/platform/special']);
    expect(said(new App(), Lazy.any({ produce: () => ({ resolve: () => 'late' }) }))).toEqual(['Secret/platform/late']);
    expect(said(new App(), { resolve: () => undefined })).toEqual([]);
    expect(said(new App({ resolvers: [other] }), 'special')).toEqual(['Secret/platform/other']);
  });

  test('what is said twice is one edge', () => {
    const source = '{ configMapKeyRef: { name: made, key: x } }';
    const graph = graphOf(`
apiVersion: managedidentity.azure.com/v1api20230131
kind: UserAssignedIdentity
metadata: { name: id, namespace: platform }
spec: { location: uksouth, owner: { name: rg }, operatorSpec: { configMapExpressions: [{ name: made, key: x, value: self.status.id }] } }
---
apiVersion: v1
kind: Pod
metadata: { name: reader, namespace: platform }
spec: { a: { b: ${source} }, a.b: ${source}, c: ${source} }
`);
    expect(graph.edges.filter(({ relation }) => relation === GraphRelation.FEEDS).map(({ from, path }) => [from, path])).toEqual([
      [key(ID, 'id'), 'spec.a.b.configMapKeyRef'],
      [key(ID, 'id'), 'spec.c.configMapKeyRef'],
    ]);
  });

  test('values are found by name, and come from outside where nobody here writes them', () => {
    const scope = chart();
    identity(scope, 'id', ResourceGroup.named('rg'), { operatorSpec: { configMapExpressions: [{ name: 'made', value: '{}' }] } });
    const role = (id: string, name: string) =>
      new RoleAssignment(scope, id, {
        owner: AzureReference.fromArmId(GROUP_ID),
        principalIdFromConfig: ConfigMapValue.fromConfigMap(name, 'x'),
        roleDefinitionReference: BuiltInRole.READER,
      });
    role('a', 'made');
    role('b', 'elsewhere');
    const graph = OwnerGraph.of(scope);
    expect(edgesOf(graph, GraphRelation.FEEDS).map(([from]) => from)).toEqual([key(ID, 'id'), 'ConfigMap/platform/elsewhere']);
    expect(graph.nodes.filter(({ external }) => external).map((node) => node.key)).toEqual([
      key(RG, 'rg'),
      GROUP_ID,
      'ConfigMap/platform/elsewhere',
    ]);
  });

  test('an ARM id of something in the app is that thing, and nobody waits for it', () => {
    const app: App = Testing.app();
    const [one, two] = [chart('one', 'one', app), chart('two', 'two', app)];
    group(one, 'rg', { azureName: 'shared' });
    account(two, 'data', AzureReference.fromArmId(GROUP_ID.toUpperCase()));
    const graph = OwnerGraph.of(app, { subscriptionId: SUBSCRIPTION });
    expect(graph.edges).toEqual([
      { relation: GraphRelation.OWNS, from: key(RG, 'rg', 'one'), to: key(SA, 'data', 'two'), path: 'spec.owner', waits: false },
    ]);
    expect(graph.nodes).toHaveLength(2);
    expect(graph.criticalPath().steps).toBe(1);
  });

  test('what is outside of the scope is external', () => {
    const app: App = Testing.app();
    const [one, two] = [chart('one', 'one', app), chart('one', 'two', app)];
    account(two, 'data', group(one));
    expect(OwnerGraph.of(two).nodes.map(({ name, external }) => [name, external])).toEqual([['data', false], ['rg', true]]);
    expect(OwnerGraph.of(app).nodes.map(({ external }) => external)).toEqual([false, false]);
  });
});

describe('what follows', () => {
  test('the critical path by steps and by seconds', () => {
    const scope = chart();
    const rg = group(scope);
    new BlobService(scope, 'blobs', { owner: account(scope, 'data', rg) });
    new PostgresServer(scope, 'db', { owner: rg, location: 'uksouth' });
    const graph = OwnerGraph.of(scope);
    const path = (seconds?: { [kind: string]: number }) => graph.criticalPath(seconds && { seconds, otherwise: 1 });
    expect(path().nodes.map(({ name }) => name)).toEqual(['rg', 'data', 'blobs']);
    expect(path({ FlexibleServer: 300, [SA]: 20 })).toMatchObject({ steps: 2, seconds: 301, nodes: [{ name: 'rg' }, { name: 'db' }] });
    expect(path({ FlexibleServer: 300, [key('dbforpostgresql.azure.com/FlexibleServer', 'db')]: 2 }).seconds).toBe(3);
  });

  test('cycles, with the path', () => {
    const scope = chart();
    account(scope, 'a', ResourceGroup.named('rg'), using(AzureReference.fromName('storage.azure.com', 'StorageAccount', 'b')));
    account(scope, 'b', ResourceGroup.named('rg'), using(AzureReference.fromName('storage.azure.com', 'StorageAccount', 'a')));
    account(scope, 'c', ResourceGroup.named('rg'), using(AzureReference.fromName('storage.azure.com', 'StorageAccount', 'a')));
    const graph = OwnerGraph.of(scope);
    const property = 'spec.networkAcls.resourceAccessRules[0].resourceReference';
    expect(graph.cycles.map(({ description }) => description)).toEqual([
      `StorageAccount platform/a (${property}) → StorageAccount platform/b (${property}) → StorageAccount platform/a`,
    ]);
    expect(graph.order).toEqual([]);
    expect(graph.dependenciesOf(graph.nodes[2]!).map(({ name }) => name)).toEqual(['rg', 'a']);
  });
});

test.each(['onboarding', 'features'])('%s: ARM ids are those that the controller will ask for', (name) => {
  const text = name === 'features' ? fixture('features.yaml') : onboarding();
  const { manifests } = parseManifests(text, name);
  const lookup = new ManifestLookup(manifests);
  const { nodes } = graphOf(text, { subscriptionId: dev1.subscriptionId });
  let compared = 0;
  for (const node of nodes.filter(({ external, role }) => !external && role === GraphRole.RESOURCE)) {
    const object = lookup.find(node.group!, node.kind, node.namespace!, node.name)!;
    expect(node.armId).toBe(armIdOf(object, versionOf(object)!, lookup, dev1.subscriptionId));
    compared += 1;
  }
  expect(compared).toBeGreaterThan(8);
});

function onboarding(): string {
  const app: App = Testing.app();
  onboard(app, dev1);
  return app.synthYaml();
}

test('what is malformed says nothing', () => {
  const spec = { owner: 7, location: [], operatorSpec: { configMaps: 'x', configMapExpressions: [null, 3, { name: 4 }] } };
  expect(
    graphObjectOf({ apiVersion: 'managedidentity.azure.com/v1api20230131', kind: 'UserAssignedIdentity', metadata: { name: 'x' }, spec }),
  ).toMatchObject({ owner: undefined, references: [], reads: [], writes: [] });
  expect(graphObjectOf({ apiVersion: 'storage.azure.com/v9', kind: 'Unheard', metadata: { name: 'x' }, spec })).toMatchObject({
    kind: 'Unheard',
    references: [],
  });
  expect(graphObjectOf({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec })).toBeUndefined();
});

test('the tree has the name in Azure where it is another one than the object\'s, addresses, and no UUIDs', () => {
  const tree = treeText(graphOf(`
apiVersion: network.azure.com/v1api20240301
kind: VirtualNetwork
metadata: { name: net, namespace: platform }
spec: { azureName: vnet-shop, addressSpace: { addressPrefixes: [10.20.0.0/16] } }
---
apiVersion: storage.azure.com/v1api20230101
kind: StorageAccount
metadata: { name: files, namespace: platform }
spec: { azureName: files }
---
apiVersion: authorization.azure.com/v1api20220401
kind: RoleAssignment
metadata: { name: reader, namespace: platform }
spec: { azureName: 0d0c1f3c-2f2b-4c47-9d5e-5a3c5a8d6f10 }
`));
  expect(tree).toContain('VirtualNetwork net (vnet-shop, 10.20.0.0/16)');
  expect(tree).toMatch(/StorageAccount files$/m);
  expect(tree).toMatch(/RoleAssignment reader$/m);
});
