import { StoredVersions } from '../../../composer/process/stored-versions';
import { KubernetesError, type KubernetesObject, type ObjectList } from '../../../engine/kubernetes';

const FACTS = {
  group: 'platform.example.com', kind: 'Box', plural: 'boxes', namespaced: true, versions: [{ name: 'v1', schema: {} }, { name: 'v1alpha1', schema: {} }],
} as const;
const NAMES = ['a', 'b', 'c'];

function environment(storage = 'v1') {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.platform.example.com', resourceVersion: '1' },
    spec: { versions: ['v1', 'v1alpha1'].map((name) => ({ name, storage: name === storage })) },
    status: { storedVersions: ['v1alpha1', 'v1'] },
  };
  const log: string[] = [];
  const answers = new Map<string, KubernetesError>();
  const write = (_: unknown, text: string) => void log.push(text);
  let now = 0;
  const versions = new StoredVersions({
    facts: [FACTS],
    now: () => now,
    logger: { info: write, warn: write } as never,
    client: {
      get: () => Promise.resolve(structuredClone(crd) as unknown as KubernetesObject),
      list: (_type, { continue: from = '0' }) => {
        const at = Number(from);
        const items = NAMES.slice(at, at + 2)
          .map((name) => ({ metadata: { name, namespace: 'team', uid: name, resourceVersion: '7' } }) as KubernetesObject);
        return Promise.resolve({ resourceVersion: '9', items, ...(at + 2 < NAMES.length && { continue: String(at + 2) }) } as ObjectList);
      },
      patch: (type, name, namespace, patch) => {
        log.push(`patch ${type.version} ${namespace}/${name} ${JSON.stringify(patch)}`);
        const refused = answers.get(name);
        return refused ? Promise.reject(refused) : Promise.resolve({} as KubernetesObject);
      },
      replaceStatus: (_type, object) => {
        log.push(`stored ${(object.status as unknown as { storedVersions: string[] }).storedVersions.join()}`);
        Object.assign(crd.status, object.status);
        return Promise.resolve(object);
      },
    },
  });
  return { crd, log, answers, versions, advance: (milliseconds: number) => void (now += milliseconds) };
}

const writes = NAMES.map((name) => `patch v1 team/${name} {"metadata":{"uid":"${name}","resourceVersion":"7"}}`);
const DONE = ['stored v1', 'all claims are stored in the version of the definition'];

test('all claims are written as they are, and then the older version is taken off', async () => {
  const { versions, log, advance, answers } = environment();
  await versions.look();
  expect(log).toEqual([]);
  advance(60_000);
  // Written by somebody else, and deleted, meanwhile.
  answers.set('a', new KubernetesError(409, 'Conflict', 'modified')).set('b', new KubernetesError(404, 'NotFound', 'gone'));
  await versions.look();
  expect(log).toEqual([...writes, ...DONE]);
  await versions.look();
  expect(log).toHaveLength(5);
});

test('a claim that cannot be written keeps the version, until it can', async () => {
  const { versions, log, advance, answers } = environment();
  await versions.look();
  advance(60_000);
  answers.set('b', new KubernetesError(422, 'Invalid', 'spec.size: Required value'));
  await versions.look();
  await versions.look();
  const warning = 'claims of boxes.platform.example.com stay in older stored versions for now: spec.size: Required value';
  expect(log).toEqual([...writes.slice(0, 2), warning]);
  advance(5 * 60_000);
  answers.clear();
  await versions.look();
  expect(log.slice(3)).toEqual([...writes, ...DONE]);
});

test('where the CRD stores another version than the definition, nothing is written', async () => {
  const { versions, log, advance } = environment('v1alpha1');
  await versions.look();
  advance(120_000);
  await versions.look();
  expect(log).toEqual([]);
});

test('stored versions that change meanwhile stay', async () => {
  const { versions, log, advance, crd } = environment();
  await versions.look();
  advance(60_000);
  const looking = versions.look();
  crd.status.storedVersions = [...crd.status.storedVersions, 'v1beta1'];
  await looking;
  expect(log).not.toContain('stored v1');
});
