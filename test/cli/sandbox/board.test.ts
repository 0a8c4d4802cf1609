import { graphOfManifests } from '../../../cli/graph/manifest-graph';
import { parseManifests } from '../../../cli/manifests/manifests';
import { clipped } from '../../../cli/output/screen';
import { styleFor } from '../../../cli/output/terminal';
import { inOrder } from '../../../cli/sandbox/apply';
import { Board } from '../../../cli/sandbox/board';
import { jsonOf, neededBy, QUIET, reasonsOf, verdictOf } from '../../../cli/sandbox/outcome';
import { ageText, treeText } from '../../../cli/sandbox/tree';
import type { Condition, KubernetesObject } from '../../../engine/kubernetes';

const plain = styleFor({ isTTY: false }, {});
const group = {
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { name: 'rg', namespace: 'a' },
  spec: { location: 'uksouth' },
};
const identity = {
  apiVersion: 'managedidentity.azure.com/v1api20230131',
  kind: 'UserAssignedIdentity',
  metadata: { name: 'id', namespace: 'a' },
  spec: { owner: { name: 'rg' } },
};

function withReady(
  object: KubernetesObject,
  status: Condition['status'],
  reason: string,
  more: Partial<Condition> = {},
  generation = 1,
): KubernetesObject {
  const condition: Condition = {
    type: 'Ready',
    status,
    reason,
    lastTransitionTime: '2026-01-01T00:00:00Z',
    observedGeneration: 1,
    ...more,
  };
  return { ...object, metadata: { ...object.metadata, generation }, status: { conditions: [condition] } };
}

function boardOf(...objects: KubernetesObject[]): { board: Board; tick: (ms: number) => void } {
  let now = 0;
  const board = new Board(() => now);
  for (const object of objects) board.expect(object);
  return { board, tick: (ms) => void (now += ms) };
}

test('states follow the Ready condition; one of an older generation says nothing', () => {
  const { board } = boardOf(group);
  const state = () => board.list()[0]!.state;
  expect(state()).toBe('working');
  for (const [status, reason, severity, wanted] of [
    ['False', 'Reconciling', 'Info', 'working'],
    ['False', 'WaitingForOwner', 'Warning', 'waiting'],
    ['False', 'QuotaExceeded', 'Warning', 'warning'],
    ['False', 'LocationRequired', 'Error', 'error'],
    ['True', 'Succeeded', undefined, 'ready'],
  ] as const) {
    board.see(withReady(group, status, reason, severity === undefined ? {} : { severity }));
    expect(state()).toBe(wanted);
  }
  board.see(withReady(group, 'True', 'Succeeded', {}, 2));
  expect(state()).toBe('working');
  // The controller sends the failed resource again.
  const sent = { ...group, metadata: { ...group.metadata, annotations: { 'serviceoperator.azure.com/poller-resume-token': '{}' } } };
  board.see(withReady(sent, 'False', 'SubscriptionMismatch', { severity: 'Error' }));
  expect(state()).toBe('working');
});

test('only what is new is reported, and objects of others are not', () => {
  const { board } = boardOf(group);
  expect(board.see(withReady(group, 'True', 'Succeeded'))).toMatchObject({ state: 'ready' });
  expect(board.see(withReady(group, 'True', 'Succeeded'))).toBeUndefined();
  expect(board.see(withReady(identity, 'True', 'Succeeded'))).toBeUndefined();
});

test('it ends when all are Ready, when nothing is retried, and when everybody waits for what does not come', () => {
  const { board } = boardOf(group, identity);
  expect(verdictOf(board.list(), 1e9)).toBe('going');
  board.see(withReady(identity, 'False', 'WaitingForOwner', { severity: 'Warning' }));
  board.see(withReady(group, 'False', 'LocationRequired', { severity: 'Error' }));
  expect(verdictOf(board.list(), QUIET - 1)).toBe('going');
  expect(verdictOf(board.list(), QUIET)).toBe('stuck');
  board.see(withReady(group, 'False', 'QuotaExceeded', { severity: 'Warning' }));
  expect(verdictOf(board.list(), QUIET)).toBe('going');
  board.see(withReady(group, 'True', 'Succeeded'));
  board.refuse(identity, 'Invalid', 'no');
  expect(verdictOf(board.list(), 0)).toBe('stuck');
  const second = boardOf(group).board;
  second.see(withReady(group, 'True', 'Succeeded'));
  expect(verdictOf(second.list(), 0)).toBe('ready');
});

test.each([
  ['for a Ready owner goes on, however long the news takes', 'rg', 'going'],
  ['for an owner that the files do not have is stuck', 'none', 'stuck'],
])('what waits %s', (_, name, wanted) => {
  const child = { ...identity, spec: { owner: { name } } };
  const { graph } = graphOfManifests([group, child].map((object) => ({ object, file: '', line: 1, lineOf: () => 1 })));
  const { board } = boardOf(group, child);
  board.see(withReady(group, 'True', 'Succeeded'));
  board.see(withReady(child, 'False', 'WaitingForOwner', { severity: 'Warning' }));
  expect(verdictOf(board.list(), 1e9, (key) => neededBy(graph, key))).toBe(wanted);
});

test('JSON and reasons name object, reason, message and what to do', () => {
  const { board } = boardOf(group, identity);
  board.see(withReady(group, 'True', 'Succeeded'));
  board.see(withReady(identity, 'False', 'WaitingForOwner', { severity: 'Warning', message: 'Owner\n"rg"' }));
  expect(jsonOf(board.list())).toEqual([
    { apiVersion: group.apiVersion, kind: 'ResourceGroup', namespace: 'a', name: 'rg', ready: true, reason: 'Succeeded', message: '' },
    {
      apiVersion: identity.apiVersion,
      kind: 'UserAssignedIdentity',
      namespace: 'a',
      name: 'id',
      ready: false,
      reason: 'WaitingForOwner',
      message: 'Owner\n"rg"',
    },
  ]);
  expect(reasonsOf(board.list())).toEqual([
    expect.stringMatching(/^UserAssignedIdentity a\/id: WaitingForOwner: Owner "rg"; add the owner/),
  ]);
});

test('the tree follows owners, whatever the order, and survives cycles', () => {
  const { board, tick } = boardOf(identity, group);
  tick(3000);
  board.see(withReady(group, 'True', 'Succeeded'));
  tick(2000);
  expect(treeText(board.list(), plain, 5000)).toEqual([
    'a',
    '└─ ✓ ResourceGroup rg            Ready 3s',
    '   └─ … UserAssignedIdentity id  Pending 5s',
  ]);
  const network = {
    apiVersion: 'network.azure.com/v1api20240301',
    kind: 'VirtualNetwork',
    metadata: { name: 'net', namespace: 'a' },
    spec: { azureName: 'shop-net', owner: { name: 'rg' }, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
  };
  expect(treeText(boardOf(network).board.list(), plain, 0)).toEqual(['a', '└─ … VirtualNetwork net (shop-net, 10.0.0.0/16)  Pending 0s']);
  const cycle = (name: string, owner: string) => ({
    apiVersion: 'network.azure.com/v1api20240301',
    kind: 'VirtualNetworksSubnet',
    metadata: { name, namespace: 'a' },
    spec: { owner: { name: owner } },
  });
  const own = {
    ...cycle('x', 'x'),
    apiVersion: 'eventgrid.azure.com/v1api20200601',
    kind: 'EventSubscription',
    spec: { owner: { group: 'eventgrid.azure.com', kind: 'EventSubscription', name: 'x' } },
  };
  expect(treeText(boardOf(own).board.list(), plain, 0)).toHaveLength(2);
});

test('namespaces, Secrets and ConfigMaps are applied first', () => {
  const yaml = ['ResourceGroup', 'ConfigMap', 'Secret', 'Namespace', 'ServiceAccount']
    .map((kind) => `apiVersion: ${kind === 'ResourceGroup' ? group.apiVersion : 'v1'}\nkind: ${kind}\nmetadata: {name: x}\n`)
    .join('---\n');
  expect(inOrder(parseManifests(yaml, 'f').manifests).map(({ object }) => object.kind)).toEqual([
    'Namespace',
    'Secret',
    'ConfigMap',
    'ResourceGroup',
    'ServiceAccount',
  ]);
});

test('lines are clipped to the screen without cutting colours', () => {
  expect(clipped('\u001b[32mabcdef\u001b[39m', 4)).toBe('\u001b[32mabc\u001b[39m');
  expect([ageText(900), ageText(61_000)]).toEqual(['1s', '1m1s']);
});
