import { podReferenceFindings, podReferences } from '../../../cli/migrate/pod-references';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';

const asObject = (value: unknown) => value as KubernetesObject;
const deployment = (spec: object) => asObject({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd', namespace: 'n' }, spec: { template: { spec: { serviceAccountName: 'account', containers: [{ name: 'manager' }], ...spec } } } });
const account = asObject({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'account', namespace: 'n' } });
const env = (...env_: object[]) => ({ containers: [{ name: 'manager', env: env_ }] });
const fromSecret = (name: string, key: string, more: object = {}) => ({ name: key, valueFrom: { secretKeyRef: { name, key, ...more } } });

interface Cluster {
  readonly there?: Record<string, object>;
  readonly install?: KubernetesObject[];
  readonly removed?: string[];
}

async function lines(spec: object, { there = {}, install = [], removed = [] }: Cluster = {}) {
  const client = {
    get: async ({ kind }: ResourceType, name: string) => {
      if (name === 'forbidden') throw new KubernetesError(403, 'Forbidden', 'no right');
      return asObject(there[`${kind} ${name}`] && { kind, metadata: { name }, ...there[`${kind} ${name}`] });
    },
  };
  const findings = await podReferenceFindings(client, [deployment(spec), account, ...install], new Set(removed));
  return findings.map(({ severity, message }) => `${severity} ${message}`);
}

test('everything is there: in the cluster, in the manifests, or optional', async () => {
  const secret = asObject({ kind: 'Secret', metadata: { name: 'given', namespace: 'n' }, stringData: { a: 'x' } });
  const spec = { ...env(fromSecret('there', 'a'), fromSecret('given', 'a'), fromSecret('absent', 'a', { optional: true })), imagePullSecrets: [{ name: 'pull' }], priorityClassName: 'high' };
  const there = { 'Secret there': { data: { a: 'eA==' } }, 'Secret pull': { type: 'kubernetes.io/dockerconfigjson' }, 'PriorityClass high': {} };
  expect(await lines(spec, { there, install: [secret] })).toEqual([]);
});

test('manifests are applied over what is there: a key may be in either', async () => {
  const given = asObject({ kind: 'Secret', metadata: { name: 's', namespace: 'n' }, stringData: { a: 'x' } });
  expect(await lines(env(fromSecret('s', 'a'), fromSecret('s', 'b')), { install: [given], there: { 'Secret s': { data: { b: 'eA==' } } } })).toEqual([]);
});

test.each<[string, object, Parameters<typeof lines>[1], string]>([
  ['a Secret', env(fromSecret('client', 'secret')), {}, 'the Secret client of their environment: it is not there'],
  ['keys', env(fromSecret('s', 'a'), fromSecret('s', 'b')), { there: { 'Secret s': {} } }, 'the Secret s of their environment: it has not every key (2 keys: a, b)'],
  ['a Secret that goes', { volumes: [{ name: 'v', secret: { secretName: 'webhook-server-cert' } }] }, { there: { 'Secret webhook-server-cert': {} } }, 'the Secret webhook-server-cert of their volumes: it goes with the old controller'],
  ['a service account that goes', { serviceAccountName: 'old' }, { there: { 'ServiceAccount old': {} }, removed: ['ServiceAccount old'] }, 'the ServiceAccount old of their serviceAccountName: it goes with the old controller'],
  ['a Secret that is being deleted', { volumes: [{ name: 'v', secret: { secretName: 's' } }] }, { there: { 'Secret s': { metadata: { name: 's', deletionTimestamp: 'now' } } } }, 'it is being deleted'],
  ['a pull secret of another type', { imagePullSecrets: [{ name: 's' }] }, { there: { 'Secret s': { type: 'Opaque' } } }, 'it is no Secret of a registry'],
  ['a projected ConfigMap', { volumes: [{ name: 'v', projected: { sources: [{ configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } }] } }] }, {}, 'the ConfigMap c of their volumes: it is not there'],
  ['one of an init container', { initContainers: [{ name: 'i', envFrom: [{ secretRef: { name: 's' } }] }] }, {}, 'the Secret s of their environment: it is not there'],
])('%s', async (_, spec, cluster, text) => {
  const [only, ...others] = await lines(spec, cluster);
  expect(others).toEqual([]);
  expect(only).toContain('stop the pods of the Deployment n/d would not start: ');
  expect(only).toContain(text);
});

test('each missing object is named', async () => {
  const spec = { ...env(fromSecret('a', 'k'), fromSecret('a', 'l'), fromSecret('b', 'k')), priorityClassName: 'high', imagePullSecrets: [{ name: 'pull' }] };
  expect((await lines(spec)).map((line) => line.replace(/.*would not start: the (.*) of their.*/, '$1'))).toEqual(['Secret a', 'Secret b', 'Secret pull', 'PriorityClass high']);
});

test('what cannot be read is told', async () => {
  expect(await lines({ priorityClassName: 'forbidden' })).toEqual(['warning the Deployment n/d names the PriorityClass forbidden: it cannot be read: no right']);
});

test('a Certificate of the manifests makes its Secret', async () => {
  const certificate = asObject({ kind: 'Certificate', metadata: { name: 'c', namespace: 'n' }, spec: { secretName: 'webhook-server-cert' } });
  expect(await lines({ volumes: [{ name: 'v', secret: { secretName: 'webhook-server-cert' } }] }, { install: [certificate] })).toEqual([]);
  expect(podReferences(deployment({})).map(({ name }) => name)).toEqual(['account']);
});
