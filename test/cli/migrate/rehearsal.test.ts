import { helmFindings } from '../../../cli/migrate/helm-findings';
import { minimalValue } from '../../../cli/migrate/minimal-value';
import { readinessFindings } from '../../../cli/migrate/readiness-findings';
import { Tries, unlessThere } from '../../../cli/migrate/rehearsal/tries';
import { removalFindings } from '../../../cli/migrate/removal-findings';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';

const asObject = (value: unknown) => value as KubernetesObject;
const clock = { sleep: async () => undefined };
const failing = (status: number, message: string) => async () => Promise.reject(new KubernetesError(status, 'Reason', message));

test('what the API server refuses is a finding; what takes no dry run is another', async () => {
  const tries = new Tries(clock);
  await tries.write('install', 'the Service n/s', async () => undefined);
  await tries.write('install', 'the Service n/t', failing(422, 'port: invalid'));
  // actions/actions-runner-controller #266, neuvector/neuvector #2691
  await tries.write('install', 'the Runner n/r', failing(400, 'admission webhook "x" does not support dry run'));
  await tries.write('rewrite-objects', 'the Rule n/u', failing(403, 'UPDATE denied in dry-run'));
  expect(tries.count).toBe(4);
  expect(tries.findings.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
    'stop install: the API server would refuse the Service n/t: port: invalid',
    'warning install: the Runner n/r cannot be tried: admission webhook "x" does not support dry run',
    'warning rewrite-objects: the Rule n/u cannot be tried: UPDATE denied in dry-run',
  ]);
  await expect(tries.write('install', 'x', failing(0, 'no answer'))).rejects.toThrow('no answer');
});

test('a webhook that is away for a moment is waited for', async () => {
  const tries = new Tries(clock);
  const answers = [failing(500, 'connection refused'), failing(503, 'away'), async () => undefined];
  await tries.write('rewrite-objects', 'the Thing n/t', async () => answers.shift()!());
  expect(tries.findings).toEqual([]);
  await tries.write('rewrite-objects', 'the Thing n/u', failing(500, 'connection refused'));
  expect(tries.findings).toHaveLength(1);
});

test('an object that is there already would have been created', async () => {
  await unlessThere(failing(409, 'already exists'));
  await expect(unlessThere(failing(422, 'invalid'))).rejects.toThrow('invalid');
});

const kind = { crd: 'c', group: 'g', kind: 'Thing', plural: 'things', from: 'v1', to: 'v1' };
const thing = (name: string, condition?: object, metadata: object = {}) => asObject({
  apiVersion: 'g/v1', kind: 'Thing', metadata: { name, namespace: 'n', ...metadata }, ...(condition && { status: { conditions: [{ type: 'Ready', ...condition }] } }),
});

test('objects that are not Ready are named by reason', () => {
  const objects = [
    thing('a', { status: 'True' }),
    thing('b', { status: 'False', severity: 'Error', reason: 'AzureError' }),
    thing('c', { status: 'False', severity: 'Warning', reason: 'WaitingForOwner' }),
    thing('d', { status: 'False', severity: 'Warning', reason: 'WaitingForOwner' }),
    thing('e'),
    thing('f', { status: 'False' }, { annotations: { 'serviceoperator.azure.com/poller-resume-token': '{}' } }),
    thing('g', { status: 'False' }, { deletionTimestamp: 'now' }),
  ];
  expect(readinessFindings([{ kind, objects }]).map(({ message }) => message)).toEqual([
    '1 object is not Ready (AzureError, and ASO has given up): Thing n/b',
    '2 objects are not Ready (WaitingForOwner): Thing n/c, Thing n/d',
    '1 object is not Ready (no condition): Thing n/e',
  ]);
});

test('Helm releases that are at work, or own what is replaced', async () => {
  const release = (name: string, namespace: string) => ({ 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': namespace });
  const record = (labels: object) => asObject({ metadata: { name: 's', namespace: 'n', labels: { owner: 'helm', name: 'aso', ...labels } } });
  const client = { list: async () => ({ resourceVersion: '1', items: [record({ status: 'deployed' }), record({ status: 'pending-upgrade' })] }) };
  const service: ResourceType = { group: '', version: 'v1', plural: 'services', kind: 'Service', namespaced: true };
  const removed = [
    { type: service, name: 'own', metadata: { name: 'own', namespace: 'n', annotations: release('aso', 'n') } },
    { type: service, name: 'other', metadata: { name: 'other', namespace: 'n', annotations: release('platform', 'n') } },
  ];
  const crds = [asObject({ metadata: { name: 'c', annotations: release('crds', 'm') } }), asObject({ metadata: { name: 'd' } })];
  const findings = await helmFindings(client, 'n', 'aso', crds, removed);
  expect(findings.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
    'stop Helm is at work on the release n/aso, or was interrupted: pending-upgrade',
    expect.stringContaining('stop the Helm release m/crds owns CRDs that are replaced: c; helm uninstall would delete them with all their objects'),
    'warning the Helm release n/platform owns objects that go: Service other',
  ]);
});

test('finalizers of others on what goes', () => {
  const type: ResourceType = { group: '', version: 'v1', plural: 'services', kind: 'Service', namespaced: true };
  const of = (metadata: object) => ({ type, name: 's', metadata: { name: 's', ...metadata } });
  expect(removalFindings([of({}), of({ finalizers: ['a/b'] }), of({ finalizers: ['a/b'], deletionTimestamp: 'now' })]).map(({ message }) => message)).toEqual([
    'the Service s would be held by a/b', 'the Service s is being deleted, and held by a/b',
  ]);
});

test('the smallest value of a schema', () => {
  expect(minimalValue({
    type: 'object',
    required: ['a', 'b', 'c', 'd', 'e', 'f'],
    properties: {
      a: { type: 'string', minLength: 3 },
      b: { type: 'string', enum: ['x', 'y'] },
      c: { type: 'array', minItems: 2, items: { type: 'integer', minimum: 4 } },
      d: { type: 'boolean' },
      e: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      f: { type: 'integer', default: 7 },
      g: { type: 'string' },
    },
  })).toEqual({ a: 'xxx', b: 'x', c: [4, 4], d: false, e: { name: 'x' }, f: 7 });
});
