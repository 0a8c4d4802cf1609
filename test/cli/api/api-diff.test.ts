import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { noteProject, writeNote } from './project';
import { runDefinition } from '../../../cli/api/desk/run-definition';
import { CONFIG_MAPS } from '../../../cli/cluster/resource-types';
import { runCommandLine } from '../../../cli/command-line';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes';
import { until } from '../../setup/until';
import { captured } from '../capture';
import { LiveCluster } from '../status/live-cluster';

const NOTES: ResourceType = { group: 'platform.example.com', version: 'v1', plural: 'notes', kind: 'Note', namespaced: true };
const SECRET = 'c0rrect-horse';
const note = (name: string, spec: Record<string, unknown>, labels: Record<string, string> = {}): KubernetesObject =>
  ({ apiVersion: 'platform.example.com/v1', kind: 'Note', metadata: { name, namespace: 'default', labels }, spec });

let cluster: LiveCluster;
let file: string;

/** Claims as a composer of the first revision has left them. */
beforeAll(async () => {
  cluster = await LiveCluster.start();
  file = noteProject('first');
  const stop = new AbortController();
  const options = { name: 'desk', installCrds: true, watch: false, verbose: false, output: 'text', kubeconfig: cluster.kubeconfig } as const;
  const running = runDefinition(file, options, captured(), { environment: {}, version: '1.2.3', signal: stop.signal });
  await until('the kind is served', () => cluster.client.create(NOTES, note('one', { lines: ['hello', 'world'] }, { team: 'a' })).then(() => true, () => false));
  await cluster.client.create(NOTES, note('two', { lines: ['two'], secret: SECRET }));
  await cluster.client.create(NOTES, note('three', { lines: ['bad'] }));
  await until('all are reconciled', async () => {
    const { items } = await cluster.client.list(NOTES, { namespace: 'default' });
    return items.every(({ status }) => status?.conditions?.some(({ type, reason }) => type === 'Synced' && reason !== 'Unknown') === true);
  });
  stop.abort();
  await running;
});
afterAll(async () => {
  await cluster.close();
  rmSync(dirname(file), { recursive: true });
});

async function diff(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(['api', 'diff', file, ...args, '--kubeconfig', cluster.kubeconfig], '1.2.3', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err };
}

test('the same definition changes nothing; what fails now is no news', async () => {
  writeNote(file, 'first');
  expect(await diff('--exit-code')).toEqual({
    status: 0,
    err: [],
    out: 'Note default/three: ComposeFailed: no bad lines (as now)\n3 claims: 0 changed, 2 as they are, 1 fail as now; 0 objects created, 0 changed, 0 deleted',
  });
});

test('objects are created, changed and deleted, claim by claim', async () => {
  writeNote(file, 'second', (source) => source.replace("claim.name + '-' + index", "claim.name + '-' + (index === 1 ? 'last' : index)"));
  const { status, out } = await diff('--exit-code');
  expect(status).toBe(1);
  expect(out).toContain('Note default/one: 1 created, 1 changed, 1 deleted\n');
  expect(out).toContain('  created ConfigMap default/one-last\n    + ---\n    + apiVersion: v1\n');
  expect(out).toMatch(/ {2}changed ConfigMap default\/one-0\n(.*\n)+ {4}- {3}text: first\n {4}\+ {3}text: second\n/);
  expect(out).toContain('  deleted ConfigMap default/one-1\n');
  expect(out).toMatch(/3 claims: 2 changed, 0 as they are, 1 fail as now; 1 object created, 2 changed, 1 deleted$/);
  expect((await cluster.client.get(CONFIG_MAPS, 'one-0', 'default'))!.data!.text).toBe('first');
  expect(await cluster.client.get(CONFIG_MAPS, 'one-last', 'default')).toBeUndefined();
  expect((await diff()).status).toBe(0);
});

test('claims by name, label, kind and namespace', async () => {
  writeNote(file, 'second');
  const claims = async (...args: string[]) => (JSON.parse((await diff('-o', 'json', ...args)).out) as { claims: { claim: string }[] }).claims.map(({ claim }) => claim);
  expect(await claims('two')).toEqual(['Note default/two']);
  expect(await claims('-l', 'team=a')).toEqual(['Note default/one']);
  expect(await claims('-n', 'nowhere')).toEqual([]);
  expect(await diff('nobody')).toMatchObject({ status: 1, err: ['there is no claim nobody'] });
  expect(await diff('--kind', 'Other')).toMatchObject({ status: 2, err: ['api diff: --kind Other: the definition has Note'] });
});

test('values of Secrets are hidden, whichever way they are compared', async () => {
  writeNote(file, 'first', (source) => source.replace('value: claim.spec.secret', "value: claim.spec.secret + '-new', other: claim.spec.secret"));
  for (const way of [[], ['--local']]) {
    const { status, out } = await diff('two', ...way);
    expect(status).toBe(0);
    expect(out).toContain('-   value: (hidden)\n');
    expect(out).toContain('+   other: (hidden)\n');
    expect(out).toContain('+   value: (hidden, another value)');
    for (const form of [SECRET, Buffer.from(SECRET).toString('base64').slice(0, 8)]) expect(out).not.toContain(form);
  }
});

test('a claim that would fail has its reason and its place', async () => {
  writeNote(file, 'first', (source) => source.replace("includes('bad')", "includes('world')"));
  const { status, out } = await diff('one', '--exit-code');
  expect(status).toBe(2);
  expect(out).toMatch(/^Note default\/one: ComposeFailed: no bad lines\n {2}at .*note\.ts:12:\d+\n/);
  expect(out).toMatch(/1 would fail/);
});

test('an object of somebody else, and a kind that is not declared any more', async () => {
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one-mine', namespace: 'default' }, data: {} });
  writeNote(file, 'first', (source) => source.replace("claim.name + '-' + index", "claim.name + '-' + (index === 1 ? 'mine' : index)"));
  const { status, out } = await diff('one');
  expect(status).toBe(1);
  expect(out).toContain('  refused ConfigMap default/one-mine: it exists already, and the composer takes over nothing (default/one/line-1)');
  writeNote(file, 'first', (source) => source.replace(", { group: '', kind: 'Secret' }", '').replace('claim.spec.secret !== undefined', 'false'));
  expect((await diff('two')).out).toMatch(/KindNotDeclared: composes does not name Secret any more, and the claim has Secret default\/two/);
});

test('a schema that refuses claims, or has fewer fields', async () => {
  writeNote(file, 'first', (source) => source.replace('.max(20)).max(20), secret: z.string().max(20).optional()', '.max(20)).max(1)').replace(/if \(claim\.spec\.secret[^]*?\n {4}\}\n/, ''));
  const { status, out } = await diff('one', 'two');
  expect(status).toBe(1);
  expect(out).toMatch(/CustomResourceDefinition notes\.platform\.example\.com: changed\n/);
  expect(out).toMatch(/\n {2}- +maxItems: 20\n(.*\n)+ {2}\+ +maxItems: 1\n/);
  expect(out).toContain('Note default/one: InvalidSpec: spec.lines: Too many: 2: must have at most 1 item');
  expect(out).toContain('  the schema has no spec.secret any more: the API server drops it');
});

test('claims read objects of the cluster; what cannot be read stops the claim', async () => {
  const reading = (source: string) => source.replace('compose(scope, claim) {', "reads: [{ group: '', kind: 'Namespace' }],\n  compose(scope, claim) {")
    .replace("text: 'first'", "text: String(claim.read({ group: '', kind: 'Namespace', name: 'default' })?.metadata.name) + claim.read({ group: '', kind: 'Namespace', name: 'none' })");
  writeNote(file, 'first', reading);
  const { status, out } = await diff('two', '-o', 'json');
  expect([status, out]).toEqual([0, expect.stringContaining('+   text: defaultundefined')]);
  cluster.refuse('/namespaces?', '/api/v1/namespaces');
  const refused = await diff('two', '--kind', 'Note');
  cluster.intercept(() => undefined);
  expect([refused.status, refused.out]).toEqual([1, expect.stringMatching(/Note default\/two: CacheNotSynced: compose reads Namespace default, .*Namespace cannot be listed/)]);
});

test('without the right to patch, objects are compared here; what cannot be read is an error', async () => {
  writeNote(file, 'second');
  cluster.intercept(({ method, path, userAgent }) => (method === 'PATCH' && path.includes('/configmaps/') && !userAgent.startsWith('test')
    ? { code: 403, reason: 'Forbidden', message: 'configmaps "one-0" is forbidden: User "jane" cannot patch resource "configmaps" in API group "" in the namespace "default"' }
    : undefined));
  const local = await diff('one');
  expect([local.status, local.err]).toEqual([0, ['note: this user may not try all changes: such objects are compared here, and fields that go are not in their difference']]);
  expect(local.out).toContain('  changed ConfigMap default/one-0 (compared here)\n');
  cluster.refuse('/notes');
  const unread = await diff('--exit-code');
  expect([unread.status, unread.err]).toEqual([2, [
    expect.stringContaining('Note.platform.example.com cannot be listed: '),
    expect.stringContaining('the CRD notes.platform.example.com cannot be read, and is not compared: '),
  ]]);
  cluster.intercept(() => undefined);
});
