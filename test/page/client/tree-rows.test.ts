import { neighbourhood } from '../../../page/client/neighbourhood';
import { nodeFilter, valuesOf } from '../../../page/client/node-filter';
import { listRows, pathTo, treeRows, type Row } from '../../../page/client/tree-rows';
import { fragmentOf, isFiltered, NOTHING_CHOSEN, readViewState } from '../../../page/client/view-state';
import type { WireDetail, WireNode } from '../../../page/wire';

const node = (name: string, owner?: string, more: Partial<WireNode> = {}): WireNode => ({
  key: name, group: 'storage.azure.com', kind: 'StorageAccount', namespace: 'shop', name, state: 'Ready', reason: '', message: '', owner, ...more,
});
const all = () => true;
const textOf = (rows: readonly Row[]) => rows.map(({ level, node: one, title, isOpen }) => {
  const sign = isOpen === undefined ? '' : isOpen ? '- ' : '+ ';
  return `${'  '.repeat(level - 1)}${sign}${one?.name ?? title}`;
});
const tree = (nodes: readonly WireNode[], options: Partial<Parameters<typeof treeRows>[1]> = {}) =>
  treeRows(nodes, { matches: all, opened: new Map(), isFiltered: false, ...options });

describe('the tree', () => {
  test('has namespaces, and objects below their owners', () => {
    const rows = tree([node('b', 'a'), node('a'), node('c', 'b'), node('other', undefined, { namespace: 'billing' })]);
    expect(textOf(rows)).toEqual(['- billing', '  other', '- shop', '  - a', '    - b', '      c']);
    expect(rows.at(2)).toMatchObject({ position: 2, siblings: 2, below: 3, unsettledBelow: 0 });
  });

  test('a filter keeps the owners of what matches, which it marks', () => {
    const rows = tree([node('a'), node('b', 'a'), node('c', 'b'), node('d', 'a')], { matches: ({ name }) => name === 'c', isFiltered: true });
    expect(textOf(rows)).toEqual(['- shop', '  - a', '    - b', '      c']);
    expect(rows.map(({ isMatch }) => isMatch)).toEqual([true, false, false, true]);
  });

  test('of many, only what leads to something that is not Ready is open, and what the user has opened', () => {
    const healthy = Array.from({ length: 200 }, (_, index) => node(`child${index}`, 'healthy'));
    const nodes = [node('healthy'), ...healthy, node('ill'), node('waits', 'ill', { state: 'Waiting' })];
    expect(textOf(tree(nodes))).toEqual(['- shop', '  + healthy', '  - ill', '    waits']);
    expect(tree(nodes, { opened: new Map([['node:healthy', true], ['node:ill', false]]) })).toHaveLength(203);
  });

  test('a cycle of owners, and a chain of thousands, have all their rows', () => {
    expect(textOf(tree([node('a', 'b'), node('b', 'a')]))).toEqual(['- shop', '  - a', '    b']);
    const chain = Array.from({ length: 5_000 }, (_, index) => node(`n${index}`, index === 0 ? undefined : `n${index - 1}`));
    expect(tree(chain, { isFiltered: true })).toHaveLength(5_001);
  });

  test('an owner that was not read makes its object a root', () => {
    expect(textOf(tree([node('a', 'unread')]))).toEqual(['- shop', '  a']);
  });
});

test('the list has the most urgent first, and of those the oldest', () => {
  const rows = listRows([node('ready'), node('new', undefined, { state: 'Error', since: 2 }), node('old', undefined, { state: 'Error', since: 1 })], all);
  expect(rows.map(({ node: one }) => one?.name)).toEqual(['old', 'new', 'ready']);
});

test('the path to an object has its owners, and ends in a cycle', () => {
  const [a, b, c] = [node('a', 'b'), node('b', 'a'), node('c', 'b')];
  const byKey = new Map([a, b, c].map((one) => [one.key, one]));
  expect(pathTo(c, byKey)).toEqual(['namespace:shop', 'node:a', 'node:b']);
});

test('all words of a search have to be there, whatever their case', () => {
  const one = node('orders', undefined, { message: 'No RIGHT', state: 'Warning' });
  const matches = (search: string) => nodeFilter({ ...NOTHING_CHOSEN, search })(one);
  expect([matches('ORDERS right'), matches('storageaccount/orders'), matches('orders blue'), matches('.*')]).toEqual([true, true, false, false]);
  expect(nodeFilter({ ...NOTHING_CHOSEN, states: ['Ready'] })(one)).toBe(false);
  expect(valuesOf([one, node('b'), node('c', undefined, { kind: 'A' })], ({ kind }) => kind)).toEqual([['A', 1], ['StorageAccount', 2]]);
});

test('what is chosen is in the address, and comes back from it', () => {
  const view = { ...NOTHING_CHOSEN, search: 'a b&c=#', states: ['Error', 'Waiting'] as const, node: 'g/K/ns/n', tab: 'yaml' as const, view: 'list' as const };
  expect(readViewState(fragmentOf(view))).toEqual(view);
  expect(fragmentOf(NOTHING_CHOSEN)).toBe('');
  expect(readViewState('#state=Nothing,Error&view=x&tab=__proto__')).toEqual({ ...NOTHING_CHOSEN, states: ['Error'] });
  expect([isFiltered(NOTHING_CHOSEN), isFiltered(view)]).toEqual([false, true]);
});

test('a drawing has what does not fit as a number, and what is not settled first', () => {
  const children = Array.from({ length: 30 }, (_, index) => ({ title: `StorageAccount shop/n${index}`, key: `n${index}`, state: index === 29 ? 'Error' as const : 'Ready' as const }));
  const detail = { node: node('a'), owners: [], references: [], children, moreChildren: 5, usedBy: [], moreUsedBy: 0 } as unknown as WireDetail;
  const { boxes, lines } = neighbourhood(detail);
  expect(boxes.map(({ title }) => title)).toEqual(['StorageAccount a', 'StorageAccount n29', ...Array.from({ length: 6 }, (_, index) => `StorageAccount n${index}`), '28 more']);
  expect(lines).toHaveLength(8);
});
