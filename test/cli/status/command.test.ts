import { writeFileSync } from 'node:fs';
import { LiveCluster } from './live-cluster';
import { runCommandLine } from '../../../cli/command-line';
import { styleFor } from '../../../cli/output/terminal';
import { statusFilter } from '../../../cli/status/status-filter';
import type { StatusOptions } from '../../../cli/status/status-options';
import { watchStatus } from '../../../cli/status/watch-status';
import { azure, namespace, READY, warning } from '../../engine/inspect/snapshots';
import { until } from '../../setup/until';
import { captured, filesIn } from '../capture';

const owner = { name: 'group' };
const group = azure('ResourceGroup', 'group', { spec: { location: 'uksouth' }, ready: warning('AuthorizationFailed', 'no rights') });
const account = azure('StorageAccount', 'data', {
  spec: { owner, location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' } },
  ready: warning('WaitingForOwner', 'Owner "group" is not ready.'),
});

let cluster: LiveCluster;
beforeEach(async () => {
  cluster = await LiveCluster.start('ResourceGroup', 'StorageAccount');
  await cluster.apply(namespace('shop'), group, account);
});
afterEach(() => cluster.close());

async function status(...args: string[]) {
  const terminal = captured();
  const exit = await runCommandLine(['status', '--kubeconfig', cluster.kubeconfig, ...args], '0', terminal);
  return { exit, out: terminal.out.join('\n'), err: terminal.err.join('\n') };
}

test('a cluster: numbers, cause and tree; nothing but GET is sent', async () => {
  const methods = new Set<string>();
  cluster.intercept(({ method, userAgent }) => {
    if (userAgent.startsWith('cdk8s-aso-status')) methods.add(method);
    return undefined;
  });
  const { exit, out, err } = await status();
  expect(out).toContain('2 objects in 1 namespace: 1 Waiting, 1 Warning');
  expect(out).toContain('! 1 object waits for ResourceGroup shop/group: AuthorizationFailed: no rights');
  expect(out).toMatch(/└─ ! ResourceGroup group .*\n {3}└─ ○ StorageAccount data/);
  expect({ exit, err }).toEqual({ exit: 0, err: '' });
  expect([...methods]).toEqual(['GET']);
});

test('--exit-code: 1 where an object is not Ready, 0 where all that are shown are', async () => {
  expect((await status('--exit-code')).exit).toBe(1);
  await cluster.apply(azure('ResourceGroup', 'other', { spec: { location: 'uksouth' }, ready: READY }));
  expect((await status('--exit-code', '--state', 'Ready')).exit).toBe(0);
});

test('--output json', async () => {
  const { out } = await status('--output', 'json');
  expect(JSON.parse(out)).toMatchObject({ partial: false, states: { Waiting: 1, Warning: 1 }, causes: [{ reason: 'AuthorizationFailed' }] });
});

test('kinds that may not be read are said, and the result is partial', async () => {
  cluster.refuse('/resourcegroups', '/deployments', '/leases');
  const { exit, out, err } = await status();
  expect(exit).toBe(1);
  expect(out).toContain('1 object in 1 namespace: 1 Waiting; not everything could be read');
  expect(out).toContain('Controller: not known, since neither Deployments nor Leases may be read');
  expect(out).toContain('ResourceGroup shop/group could not be read: 403 Forbidden');
  expect(err).toContain('note: not read: ResourceGroup.resources.azure.com: 403 Forbidden: resourcegroups is forbidden');
  expect((await status('--exit-code')).exit).toBe(2);
});

test('rights on one namespace only: the way is told', async () => {
  cluster.intercept(({ path, userAgent }) => (userAgent.startsWith('test') || path.includes('/namespaces/shop') || !path.startsWith('/apis/') || path === '/apis'
    ? undefined
    : { code: 403, reason: 'Forbidden', message: 'cannot list it in all namespaces' }));
  const { exit, out, err } = await status();
  expect(exit).toBe(1);
  expect(out).toContain('0 objects in 0 namespaces; not everything could be read');
  expect(err).toContain('note: nothing may be read in all namespaces at once; -n NAMESPACE reads one');
  expect((await status('-n', 'shop')).out).toContain('2 objects in 1 namespace: 1 Waiting, 1 Warning');
});

test('Secrets that may not be read leave the result whole', async () => {
  cluster.refuse('/secrets');
  const { exit, err } = await status();
  expect(exit).toBe(0);
  expect(err).toContain('note: not read: Secret in namespace shop: 403 Forbidden');
});

test('a kind whose conversion webhook is down costs only itself', async () => {
  cluster.intercept(({ path }) => (path.includes('/resourcegroups')
    ? { code: 500, reason: 'InternalError', message: 'conversion webhook for resources.azure.com/v1api20200601, Kind=ResourceGroup failed: no endpoints available' }
    : undefined));
  const { out, exit } = await status();
  expect(exit).toBe(1);
  expect(out).toContain('1 object waits: ResourceGroup shop/group could not be read: 500 InternalError: conversion webhook');
});

describe('one clear sentence', () => {
  test('for a namespace that is not there', async () => {
    expect(await status('-n', 'nowhere')).toEqual({ exit: 1, out: '', err: 'the cluster has no namespace nowhere' });
  });

  test('for a context that is not there', async () => {
    const { exit, err } = await status('--context', 'prod');
    expect(exit).toBe(1);
    expect(err).toMatch(/^kubeconfig \S+ has no context "prod"$/);
  });

  test('for a cluster that does not answer', async () => {
    const { exit, err } = await status('--kubeconfig', `${filesIn({ kubeconfig: unreachable() })}/kubeconfig`);
    expect(exit).toBe(1);
    expect(err).toMatch(/127\.0\.0\.1:1\b/);
    expect(err.split('\n')).toHaveLength(1);
  });

  test('for a cluster without any CRD of ASO', async () => {
    const bare = await LiveCluster.start();
    try {
      const { exit, err } = await status('--kubeconfig', bare.kubeconfig);
      expect({ exit, err }).toEqual({ exit: 1, err: 'the cluster has no CRD of Azure Service Operator: install the controller (docs/operator.md), or choose another context' });
    } finally {
      await bare.close();
    }
  });

  test('for --watch in a namespace that is not there', async () => {
    expect(await status('--watch', '-n', 'shpo')).toMatchObject({ exit: 1, err: 'the cluster has no namespace shpo' });
  });

  test('for --watch with JSON', async () => {
    expect(await status('--watch', '--output', 'json')).toMatchObject({ exit: 2, err: 'status: --watch prints text; leave out --output json' });
  });
});

function unreachable(): string {
  return JSON.stringify({
    'apiVersion': 'v1',
    'kind': 'Config',
    'current-context': 'x',
    'clusters': [{ name: 'x', cluster: { server: 'http://127.0.0.1:1' } }],
    'contexts': [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
    'users': [{ name: 'x', user: {} }],
  });
}

describe('--watch', () => {
  const options = (): StatusOptions => ({ kubeconfig: cluster.kubeconfig, watch: true, kind: [], state: [], output: 'text', fold: true, exitCode: false });

  test('away from a terminal prints a line for each change, until it is ended', async () => {
    const terminal = captured();
    const stop = new AbortController();
    const ended = watchStatus(options(), statusFilter(options()), terminal, {}, { write: () => true }, stop.signal);
    await until('the first status is printed', () => terminal.out.length > 0);
    const ready = azure('ResourceGroup', 'group', { spec: { location: 'uksouth' }, ready: READY });
    await cluster.apply(ready);
    await until('the change is printed', () => terminal.out.some((line) => line.includes('ResourceGroup group  Warning (AuthorizationFailed) → Ready')));
    await cluster.delete(account);
    await until('the deletion is printed', () => terminal.out.some((line) => line.includes('StorageAccount data  deleted')));
    stop.abort();
    expect(await ended).toBe(0);
    expect(terminal.err).toEqual(['note: reading; Ctrl-C ends the watch']);
  });

  test('on a terminal redraws itself, no taller than the screen', async () => {
    const drawn: string[] = [];
    const screen = { isTTY: true, rows: 6, columns: 60, write: (text: string) => drawn.push(text) };
    const stop = new AbortController();
    const ended = watchStatus(options(), statusFilter(options()), captured(), { NO_COLOR: '1' }, screen, stop.signal);
    await until('it is drawn', () => drawn.some((text) => text.includes('1 Waiting, 1 Warning')));
    await cluster.apply(azure('ResourceGroup', 'group', { spec: { location: 'uksouth' }, ready: READY }));
    await until('it is drawn again', () => drawn.some((text) => text.includes('1 Ready, 1 Waiting')));
    stop.abort();
    expect(await ended).toBe(0);
    const frames = drawn.filter((text) => !text.startsWith('\u001b'));
    for (const frame of frames) {
      expect(frame.trimEnd().split('\n').length).toBeLessThan(6);
      for (const line of frame.split('\n')) expect(line.length).toBeLessThan(60);
    }
    expect(drawn.some((text) => /^\u001b\[\d+A/.test(text))).toBe(true);
    expect(styleFor(screen, {}).bold('x')).not.toBe('x');
  });
});

test('a kubeconfig that is none', async () => {
  const directory = filesIn({});
  writeFileSync(`${directory}/x`, '{');
  expect((await status('--kubeconfig', `${directory}/x`)).err).toMatch(/cannot be read: it is no YAML$/);
});
