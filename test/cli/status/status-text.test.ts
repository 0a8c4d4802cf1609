import { styleFor } from '../../../cli/output/terminal';
import { statusFilter } from '../../../cli/status/status-filter';
import { statusJson } from '../../../cli/status/status-json';
import { statusLines, unreadLines, type StatusTextOptions } from '../../../cli/status/status-text';
import { changes } from '../../../cli/status/watch-status';
import { RECONCILE_POLICY } from '../../../src/azure/annotations';
import { ago, azure, error, inspected, READY, RECONCILING, warning, type SnapshotParts } from '../../engine/inspect/snapshots';

const style = styleFor({}, {});
const owner = { name: 'group' };
const WAITS = warning('WaitingForOwner', 'Owner "group" is not ready.');

function lines(parts: SnapshotParts, options: Partial<StatusTextOptions> = {}): string[] {
  return statusLines(inspected(parts), { style, wide: false, shows: () => true, ...options });
}

const shop = [
  azure('ResourceGroup', 'group', { ready: warning('AuthorizationFailed', 'The client has no rights.') }),
  azure('StorageAccount', 'data', { spec: { owner }, ready: WAITS }),
  azure('StorageAccountsBlobService', 'blobs', { spec: { owner: { name: 'data' } }, ready: WAITS }),
  azure('ResourceGroup', 'other', { ready: READY, annotations: { [RECONCILE_POLICY]: 'skip' } }),
];

test('numbers, controllers, causes, and the owner graph with state, reason and age', () => {
  expect(lines({ objects: shop })).toEqual([
    '4 objects in 1 namespace: 1 Suspended, 2 Waiting, 1 Warning',
    'Controller: cdk8s-aso in azureserviceoperator-system, 1 pod ready',
    '',
    '! 2 objects wait for ResourceGroup shop/group: AuthorizationFailed: The client has no rights. (5m)',
    '',
    'shop',
    '├─ ! ResourceGroup group                    Warning (AuthorizationFailed) 5m',
    '│  └─ ○ StorageAccount data                 Waiting (WaitingForOwner) 5m',
    '│     └─ ○ StorageAccountsBlobService blobs  Waiting (WaitingForOwner) 5m',
    '└─ = ResourceGroup other                    Suspended 5m',
  ].map((line) => expect.stringMatching(new RegExp(`^${line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ {2,}/g, ' +')}$`)) as string));
});

test('by cause: each cause with its objects', () => {
  expect(lines({ objects: shop }, { groupBy: 'cause' }).slice(3)).toEqual([
    '! 2 objects wait for ResourceGroup shop/group: AuthorizationFailed: The client has no rights. (5m)',
    '    ○ StorageAccount shop/data 5m',
    '    ○ StorageAccountsBlobService shop/blobs 5m',
  ]);
});

test('by namespace: no causes', () => {
  expect(lines({ objects: shop }, { groupBy: 'namespace' }).join('\n')).not.toContain('wait for');
});

test('what is healthy is counted where there is much of it', () => {
  const many = Array.from({ length: 200 }, (_, index) => azure('StorageAccount', `data${index}`, { spec: { owner }, ready: READY }));
  const objects = [azure('ResourceGroup', 'group', { ready: READY }), ...many, azure('StorageAccount', 'new', { spec: { owner }, ready: RECONCILING })];
  expect(lines({ objects }).slice(2)).toEqual([
    '',
    'shop',
    '└─ ✓ ResourceGroup group   Ready 5m',
    '   ├─ … StorageAccount new  Reconciling 5m',
    '   └─ ✓ 200 more Ready',
  ].map((line) => expect.stringMatching(new RegExp(`^${line.replace(/ {2,}/g, ' +')}$`)) as string));
  expect(lines({ objects }, { folds: false })).toHaveLength(206);
  expect(lines({ objects: objects.slice(0, -1) }).slice(2)).toEqual(['', 'shop', '└─ ✓ 201 Ready']);
});

test('many causes of one reason are one line', () => {
  const objects = Array.from({ length: 40 }, (_, index) => azure('ResourceGroup', `group${index}`, { ready: error('LocationRequired', 'No location.') }));
  expect(lines({ objects })[3]).toBe('✗ LocationRequired: 40 causes of 40 objects: ResourceGroup shop/group0, ResourceGroup shop/group1, ResourceGroup shop/group10 and 37 more; the first: ResourceGroup shop/group0: LocationRequired: No location.');
});

test('wide has messages and ARM ids', () => {
  expect(lines({ objects: shop.slice(0, 1) }, { wide: true }).at(-1)).toContain('The client has no rights.  /subscriptions/');
});

test('a cycle of owners is drawn once', () => {
  const objects = ['a', 'b'].map((name) => azure('RoleAssignment', name, {
    spec: { owner: { group: 'authorization.azure.com', kind: 'RoleAssignment', name: name === 'a' ? 'b' : 'a' } },
    ready: warning('WaitingForOwner'),
  }));
  const text = lines({ objects });
  expect(text.filter((line) => line.includes('RoleAssignment a'))).toHaveLength(1);
  expect(text).toContain('! Objects wait for each other: RoleAssignment shop/a → RoleAssignment shop/b → RoleAssignment shop/a (5m)');
});

test('texts of the cluster cannot control the terminal', () => {
  const objects = [azure('ResourceGroup', 'group', { ready: error('Bad\u001b[2J', 'a\u001b]0;x\u0007\nb\u202e') })];
  // eslint-disable-next-line no-control-regex
  expect(lines({ objects }, { wide: true }).join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});

test('unread kinds are told once for each cause, and the result is partial', () => {
  const unread = ['ResourceGroup', 'RoleAssignment'].map((kind) => ({
    group: `${kind.toLowerCase()}.azure.com`, kind, why: `403 Forbidden: "${kind}" is forbidden`,
  }));
  const inspection = inspected({ objects: shop, unread: [...unread, { group: '', kind: 'Secret', namespace: 'shop', why: '403 Forbidden' }] });
  expect(unreadLines(inspection)).toEqual([
    'not read: ResourceGroup.resourcegroup.azure.com, RoleAssignment.roleassignment.azure.com: 403 Forbidden: "ResourceGroup" is forbidden',
    'not read: Secret in namespace shop: 403 Forbidden',
  ]);
  expect(statusLines(inspection, { style, wide: false, shows: () => true })[0]).toContain('not everything could be read');
});

describe('filters', () => {
  const labelled = azure('StorageAccount', 'labelled', { ready: READY, metadata: { labels: { team: 'shop' } } });
  const { nodes } = inspected({ objects: [...shop, labelled] });
  const namesOf = (kind: string[], state: string[], selector?: string) =>
    nodes.filter(statusFilter({ kind, state, selector })).map(({ name }) => name);

  test.each<[string, string[], string[], string | undefined, string[]]>([
    ['a kind', ['StorageAccount'], [], undefined, ['data', 'labelled']],
    ['a plural', ['storageaccounts'], [], undefined, ['data', 'labelled']],
    ['an abbreviation', ['rg'], [], undefined, ['group', 'other']],
    ['a kind with its group', ['storageaccounts.storage.azure.com', 'ResourceGroup.resources'], [], undefined, ['group', 'other', 'data', 'labelled']],
    ['a state', [], ['waiting', 'Suspended'], undefined, ['other', 'data', 'blobs']],
    ['labels', [], [], 'team in (shop),!tier', ['labelled']],
    ['all together', ['StorageAccount'], ['Ready'], 'team=shop', ['labelled']],
  ])('%s', (_title, kind, state, selector, expected) => expect(namesOf(kind, state, selector).sort()).toEqual(expected.sort()));

  test.each<[string[], string[], string | undefined, string]>([
    [['StorageAcount'], [], undefined, "--kind StorageAcount: there is no such kind. Did you mean 'StorageAccount'?"],
    [[], ['Redy'], undefined, "--state Redy: there is no such state. Did you mean 'Ready'? The states are"],
    [[], [], 'a=(', '--selector a=(: unable to parse requirement'],
  ])('%j %j %s is a mistake', (kind, state, selector, message) => {
    expect(() => statusFilter({ kind, state, selector })).toThrow(message);
  });

  test('count what is shown', () => {
    expect(lines({ objects: shop }, { shows: statusFilter({ kind: ['rg'], state: [] }) })[0]).toBe('2 objects in 1 namespace (of 4): 1 Suspended, 1 Warning');
  });
});

test('JSON has objects, causes, states and what could not be read', () => {
  const json = JSON.parse(JSON.stringify(statusJson(inspected({ objects: shop }), () => true))) as Record<string, unknown>;
  expect(json).toMatchObject({
    partial: false,
    states: { Waiting: 2, Warning: 1, Suspended: 1, Ready: 0 },
    causes: [{ code: 'Condition', reason: 'AuthorizationFailed', object: { kind: 'ResourceGroup', name: 'group' }, objects: ['ResourceGroup shop/group', 'StorageAccount shop/data', 'StorageAccountsBlobService shop/blobs'] }],
    controllers: [{ product: 'cdk8s-aso' }],
    unread: [],
  });
  expect(json.objects).toHaveLength(4);
  expect((json.objects as object[])[2]).toMatchObject({ kind: 'StorageAccount', state: 'Waiting', reason: 'WaitingForOwner', since: ago(300).replace('Z', '.000Z'), cause: (json.causes as { id: string }[])[0]!.id });
});

test('changes are one line each, with the numbers where they differ', () => {
  const before = inspected({ objects: shop });
  const after = inspected({ objects: [azure('ResourceGroup', 'group', { ready: READY }), shop[1]!, shop[3]!] });
  expect(changes(before, after, () => true, style)).toEqual([
    '12:00:00 ✓ shop ResourceGroup group  Warning (AuthorizationFailed) → Ready',
    '12:00:00 - shop StorageAccountsBlobService blobs  deleted',
    '12:00:00   3 objects in 1 namespace: 1 Ready, 1 Suspended, 1 Waiting',
  ]);
  expect(changes(after, after, () => true, style)).toEqual([]);
});
