import { SERVICES } from '../../../cli/cluster/resource-types';
import type { ClusterState } from '../../../cli/migrate/cluster-state';
import { helmFindings } from '../../../cli/migrate/helm-findings';
import { minimalValue } from '../../../cli/migrate/minimal-value';
import { readinessFindings } from '../../../cli/migrate/readiness-findings';
import { rehearseFromAso } from '../../../cli/migrate/rehearsal/from-aso';
import { rehearseObjects } from '../../../cli/migrate/rehearsal/objects';
import { rehearseToAso } from '../../../cli/migrate/rehearsal/to-aso';
import { Tries, unlessGone, unlessOvertaken, unlessThere } from '../../../cli/migrate/rehearsal/tries';
import { removalFindings } from '../../../cli/migrate/removal-findings';
import type { RestClient } from '../../../engine/kubernetes';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import { Catalog } from '../../../src/catalog';

const asObject = (value: unknown) => value as KubernetesObject;
const clock = { sleep: async () => undefined };
const failing = (status: number, message: string) => async () => Promise.reject(new KubernetesError(status, 'Reason', message));

const kind = { crd: 'c', group: 'g', kind: 'Thing', plural: 'things', from: 'v1', to: 'v1' };
const thing = (name: string, condition?: object, metadata: object = {}) => asObject({
  apiVersion: 'g/v1', kind: 'Thing', metadata: { name, namespace: 'n', ...metadata }, ...(condition && { status: { conditions: [{ type: 'Ready', ...condition }] } }),
});

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

test('another writer who is faster is no refusal', async () => {
  await unlessOvertaken(failing(409, 'the object has been modified'));
  await unlessOvertaken(failing(404, 'not found'));
  await expect(unlessOvertaken(failing(422, 'invalid'))).rejects.toThrow('invalid');
  await unlessGone(failing(404, 'not found'));
  await expect(unlessGone(failing(403, 'denied'))).rejects.toThrow('denied');
});

describe('every write of a check', () => {
  const removed = [{ type: SERVICES, name: 's', metadata: { name: 's' } }];
  const deployment = asObject({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd', namespace: 'n' }, spec: { template: { spec: { containers: [] } } } });
  const client = {
    asDryRun: () => client,
    create: failing(409, 'already exists'),
    get: async () => deployment,
    replace: failing(409, 'the object has been modified'),
    delete: failing(404, 'not found'),
    list: async () => ({ resourceVersion: '1', items: [] }),
    discovery: async () => ({ types: [], incomplete: [] }),
  } as unknown as RestClient;

  test('from ASO, and to it, takes changes of others meanwhile', async () => {
    const state = { crds: { migrated: [], unknown: [], foreign: [] }, kinds: [], installed: new Map() } as unknown as ClusterState;
    const options = { client, namespace: 'n', deployment, install: [], removed };
    const from = await rehearseFromAso({ ...options, catalog: Catalog.default(), state, now: () => 0 });
    const to = await rehearseToAso({ ...options, kinds: [] });
    expect([...from, ...to].map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      'note 3 later writes were tried as dry runs', 'note 3 later writes were tried as dry runs',
    ]);
  });
});

describe('webhooks that do not answer', () => {
  const objects = Array.from({ length: 100 }, (_, index) => thing(`o${index}`));
  const rehearsed = async (more: object) => {
    let writes = 0;
    const client = {
      get: async (_: unknown, name: string) => thing(name),
      replace: async () => {
        writes += 1;
        throw new KubernetesError(500, 'InternalError', 'failed calling webhook');
      },
    } as unknown as RestClient;
    const tries = new Tries(clock);
    const state = { crds: { migrated: [kind], unknown: [], foreign: [] }, kinds: [{ kind, objects, ...more }] };
    await rehearseObjects(tries, client, { catalog: Catalog.default(), state, now: () => 0 });
    return { writes, findings: tries.findings };
  };

  test('are waited for with a few objects', async () => {
    const { writes, findings } = await rehearsed({});
    expect(writes).toBeLessThanOrEqual(4 * 12);
    expect(findings.at(-1)?.message).toMatch(/^rewrite-objects: (8|9)\d objects were not tried, since webhooks do not answer$/);
    expect(findings.length).toBeGreaterThan(3);
  });

  test('are asked for nothing where they do not convert', async () => {
    const { writes, findings } = await rehearsed({ conversionError: 'no answer' });
    expect([writes, findings.map(({ message }) => message)]).toEqual([0, ['rewrite-objects: 100 objects were not tried, since webhooks do not answer']]);
  });
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
