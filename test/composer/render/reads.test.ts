import { boxOf, claimOf, type BoxOptions } from './bundles';
import type { FindObject } from '../../../composer/render/object-reads';
import { unknownState, type KubernetesObject } from '../../../engine/kubernetes';
import { WorkerPool } from '../../../engine/workers/worker-pool';
import { objectKeyOf } from '../../../src/object-id';

const READS = `reads: [
  { group: '', kind: 'ConfigMap' }, { group: '', kind: 'Namespace' }, { group: 'platform.example.com', kind: 'Box' },
],`;
const ask = (kind: string, name: string, more = '') => `claim.read({ group: '', kind: '${kind}', name: '${name}' ${more} })`;
const map = (name: string, more: object = {}, namespace = 'team-a') =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, uid: `uid-${name}`, resourceVersion: '7', managedFields: [{}] }, data: { next: `${name}x` }, ...more }) as KubernetesObject;

function cluster(...objects: KubernetesObject[]) {
  const asked: string[] = [];
  const find: FindObject = (name) => {
    asked.push(objectKeyOf(name));
    const object = objects.find(({ kind, metadata }) => kind === name.kind && metadata.name === name.name && (metadata.namespace ?? '') === name.namespace);
    return object ? { state: 'present', object } : { state: 'absent' };
  };
  return { find, asked };
}

const composed = (compose: string, find: FindObject | undefined, more: Omit<BoxOptions, 'compose'> = {}, twice = false) =>
  boxOf({ compose, more: READS, ...more }).compose(claimOf(), { ...(find && { find }), twice });
const outputs = (members: string) => `return { outputs: { ${members} } };`;

test('an object as it is in the cluster, without what changes with each write; undefined where there is none', async () => {
  const { find, asked } = cluster(map('one', { status: { used: 3 } }), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a', labels: { tier: 'gold' } } });
  const { rendered, reads } = await composed(`
    const [one, place, none] = [${ask('ConfigMap', 'one')}, ${ask('Namespace', 'team-a', ", namespace: 'ignored'")}, ${ask('ConfigMap', 'one', ", namespace: 'other'")}];
    return { outputs: {
      data: one.data.next, used: one.status.used, members: Object.keys(one.metadata).join(), tier: place.metadata.labels.tier, none: typeof none,
      same: one === ${ask('ConfigMap', 'one')}, frozen: [one, one.data, one.metadata.labels, one.status].every(Object.isFrozen),
    } };`, find);
  expect(rendered!.outputs).toEqual({
    data: { value: 'onex' },
    used: { value: 3 },
    members: { value: 'name,namespace,uid,labels,annotations' },
    tier: { value: 'gold' },
    none: { value: 'undefined' },
    same: { value: true },
    frozen: { value: true },
  });
  expect(asked).toEqual(['/ConfigMap/team-a/one', '/Namespace//team-a', '/ConfigMap/other/one']);
  expect(reads.map(({ name, namespace, digest, statusDigest }) => [name, namespace, digest === 'absent', statusDigest !== undefined])).toEqual([
    ['one', 'team-a', false, true], ['team-a', '', false, false], ['one', 'other', true, false],
  ]);
});

test('runs follow a chain of objects; those of the last time are known at once', async () => {
  const { find } = cluster(map('a'), map('ax'), map('axx'));
  const box = boxOf({
    module: 'let runs = 0;',
    compose: `console.log('run'); let name = 'a'; for (let at; (at = claim.read({ group: '', kind: 'ConfigMap', name })); name = at.data.next); ${outputs('name')}`,
    more: READS,
  });
  const first = await box.compose(claimOf(), { find });
  expect(first.rendered!.outputs).toEqual({ name: { value: 'axxx' } });
  expect(first.reads.map(({ name }) => name)).toEqual(['a', 'ax', 'axx', 'axxx']);
  const second = await box.compose(claimOf(), { find, expected: first.reads });
  expect({ ...second, rendered: { ...second.rendered, logs: [] } }).toEqual({ ...first, rendered: { ...first.rendered, logs: [] } });
  // An object that was read the last time only is no part of the result.
  expect((await box.compose(claimOf(), { find, expected: [...first.reads, { group: '', kind: 'ConfigMap', namespace: 'team-a', name: 'old' }] })).reads).toEqual(first.reads);
});

test('compose that runs twice reads the same', async () => {
  const { find } = cluster(map('one'));
  expect(await composed(`const one = ${ask('ConfigMap', 'one')}; ${outputs('next: one.data.next')}`, find, {}, true)).toMatchObject({ rendered: { outputs: { next: { value: 'onex' } } } });
});

test('an error that the definition catches does not hide that an object is needed', async () => {
  const { find } = cluster(map('one'));
  const { rendered } = await composed(`let next = 'none'; try { next = ${ask('ConfigMap', 'one')}.data.next; } catch {} ${outputs('next')}`, find);
  expect(rendered!.outputs).toEqual({ next: { value: 'onex' } });
});

test('an object that is read while constructs are rendered', async () => {
  const { find } = cluster(map('one'));
  const { rendered } = await composed(`configMap(scope, 'a', { data: { next: Lazy.any({ produce: () => ${ask('ConfigMap', 'one')}.data.next }) } });`, find);
  expect(rendered!.objects[0]!.manifest.data).toEqual({ next: 'onex' });
});

test.each<[string, string, string]>([
  ['a kind that is not declared', "claim.read({ group: 'apps', kind: 'Deployment', name: 'x' });", "claim.read: reads of the definition does not list Deployment of group 'apps': the composer does not watch it"],
  ['a Secret', ask('Secret', 'x'), "claim.read: reads of the definition does not list Secret of group '': the composer does not watch it"],
  ['no name', "claim.read({ group: '', kind: 'ConfigMap' });", 'claim.read: name is no text: give { group, kind, name }'],
  ['nothing', 'claim.read();', 'claim.read: group is no text: give { group, kind, name }'],
  ['itself', "claim.read({ group: 'platform.example.com', kind: 'Box', name: claim.name });", 'claim.read: a claim cannot read itself: its spec is claim.spec, and its status depends on compose'],
  ['a hostile object', ask('ConfigMap', 'hostile'), 'claim.read: ConfigMap team-a/hostile.data.__proto__: a member must not have this name'],
  ['a frozen object changed', `'use strict'; ${ask('ConfigMap', 'one')}.data.next = 'x';`, "Cannot assign to read only property 'next' of object '#<Object>'"],
])('%s: an error', async (_, compose, message) => {
  const { find } = cluster(map('one'), map('hostile', { data: JSON.parse('{"__proto__": {"polluted": "yes"}}') }));
  expect((await composed(compose, find)).problem).toMatchObject({ reason: 'ComposeFailed', message });
});

test('a name that no object can have is the name of no object', async () => {
  const { find } = cluster();
  expect((await composed(outputs(`empty: typeof ${ask('ConfigMap', '')}, long: typeof claim.read({ group: '', kind: 'ConfigMap', name: 'x'.repeat(300) })`), find)).rendered!.outputs)
    .toEqual({ empty: { value: 'undefined' }, long: { value: 'undefined' } });
});

test('an object that is not known ends the composition, whatever the definition would make of it', async () => {
  const compose = `try { ${ask('ConfigMap', 'one')}; } catch {} configMap(scope, 'a');`;
  expect(await composed(compose, (name) => unknownState(name, 'the list failed: 403'))).toEqual({
    problem: { reason: 'CacheNotSynced', message: 'compose reads ConfigMap team-a/one, and nothing of this claim is written: the list failed: 403' }, reads: [],
  });
  expect((await composed(compose, (name) => unknownState(name, 'install its CRD', 'KindNotWatched'))).problem).toMatchObject({ reason: 'KindNotServed' });
  expect((await composed(compose, undefined)).problem).toMatchObject({ reason: 'KindNotServed' });
});

test('too many objects, and too large ones', async () => {
  const { find, asked } = cluster(map('large', { data: { text: 'x'.repeat(4_000_000) } }));
  const many = await composed('for (let id = 0; ; id += 1) claim.read({ group: "", kind: "ConfigMap", name: "m" + id });', find);
  expect(many.problem).toEqual({ reason: 'TooManyReads', message: 'compose reads more than 50 objects' });
  expect(asked).toHaveLength(51);
  expect((await composed(ask('ConfigMap', 'large'), find)).problem)
    .toEqual({ reason: 'TooManyReads', message: 'the objects that compose reads have together more than 4 million characters' });
});

test('all runs together have the time of the limits', async () => {
  const { find } = cluster();
  const compose = 'for (let id = 0; ; id += 1) { claim.read({ group: "", kind: "ConfigMap", name: "m" + id }); for (let at = 0; at < 5e7; at += 1); }';
  const run = jest.spyOn(WorkerPool.prototype, 'run');
  expect((await composed(compose, find, { more: `${READS} limits: { seconds: 0.5 },` })).problem).toMatchObject({ reason: 'TooSlow' });
  const deadlines = run.mock.calls.filter(([job]) => job === 'compose').map(([, , { deadlineMs }]) => deadlineMs);
  run.mockRestore();
  expect(deadlines.length).toBeGreaterThan(1);
  expect(deadlines[0]).toBe(500);
  // Each run has what the runs before have left.
  expect(deadlines).toEqual([...new Set(deadlines)].sort((a, b) => b - a));
});
