import { PassThrough } from 'node:stream';
import { logReconcile, logReconcileError } from '../../../controller/process/log-lines';
import type { ReconcileReport } from '../../../controller/reconcile/reconciler-options';
import { KubernetesError } from '../../../engine/kubernetes';
import { createLogger } from '../../../runtime/log/log';

const ASO = 'serviceoperator.azure.com';
const KEY = { group: 'storage.azure.com', kind: 'StorageAccount', namespace: 'team', name: 'files' };
const CONDITION = { type: 'Ready', status: 'True', reason: 'Succeeded', lastTransitionTime: '2026-01-01T00:00:00Z' } as const;
const OWNER = { apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', name: 'rg', uid: 'u0' };
const OBJECT = {
  apiVersion: 'storage.azure.com/v1api20230101',
  kind: 'StorageAccount',
  metadata: {
    name: 'files',
    namespace: 'team',
    generation: 3,
    resourceVersion: '77',
    uid: 'u1',
    ownerReferences: [OWNER],
    labels: { secret: 'label' },
    annotations: {
      [`${ASO}/reconcile-policy`]: 'skip',
      [`${ASO}/resource-id`]: '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/azurefiles',
      [`${ASO}/poller-resume-token`]: '{"pollUrl":"https://x/?s=signed"}',
      [`${ASO}/bi-poller-resume-token`]: 'signed',
      // Of a newer ASO than this project knows.
      [`${ASO}/watcher-start-resume-token`]: 'signed',
      'kubectl.kubernetes.io/last-applied-configuration': '{"spec":"foreign"}',
      'notserviceoperator.azure.com/x': 'foreign',
    },
  },
  spec: { owner: { name: 'rg' }, location: 'speclocation' },
  status: { conditions: [CONDITION], sku: 'statusbody' },
};

function logged(verbosity: number, act: (logger: ReturnType<typeof createLogger>) => void, json = true): string[] {
  const output = new PassThrough();
  act(createLogger({ verbosity, json, output }));
  return String(output.read() ?? '').split('\n').filter(Boolean);
}

const report = (more: object = {}) =>
  ({
    key: KEY,
    object: OBJECT,
    actions: ['resolve', 'put'],
    result: { kind: 'success' },
    nextIn: 3_600_000,
    ...more,
  }) as unknown as ReconcileReport;
const parsed = (lines: string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

describe('docs/spec/metrics.md#logging', () => {
  test('fields per reconcile: logger, namespace, name, azureName', () => {
    const [line] = parsed(logged(2, (logger) => logReconcile(logger, report())));
    expect(line).toMatchObject({
      level: 'info',
      msg: 'reconciled',
      logger: 'storageazurecom_storageaccount',
      namespace: 'team',
      name: 'files',
      azureName: 'azurefiles',
      result: 'success',
      nextInSeconds: 3600,
    });
    expect(Object.keys(line!).slice(0, 6)).toEqual(['level', 'time', 'logger', 'namespace', 'name', 'azureName']);
    expect(line?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('the object at level 3: only own annotations, without the token; no spec, no status, no labels', () => {
    const lines = logged(3, (logger) => logReconcile(logger, report()));
    const { level, msg, ...fields } = parsed(lines)[1]!;
    expect({ level, msg }).toEqual({ level: 'debug', msg: 'object' });
    expect(fields).toEqual({
      time: expect.any(String),
      logger: 'storageazurecom_storageaccount',
      namespace: 'team',
      name: 'files',
      azureName: 'azurefiles',
      generation: 3,
      resourceVersion: '77',
      uid: 'u1',
      ownerReferences: [OWNER],
      annotations: {
        [`${ASO}/reconcile-policy`]: 'skip',
        [`${ASO}/resource-id`]: OBJECT.metadata.annotations[`${ASO}/resource-id`],
        [`${ASO}/poller-resume-token`]: 'REDACTED',
        [`${ASO}/bi-poller-resume-token`]: 'REDACTED',
        [`${ASO}/watcher-start-resume-token`]: 'REDACTED',
      },
      conditions: [CONDITION],
      owner: { name: 'rg' },
    });
    expect(lines.join()).not.toMatch(/signed|foreign|speclocation|statusbody|label/);
  });

  test('a name in Azure of a ConfigMap, of the spec, of the id; none before the claim', () => {
    const named = (annotations: Record<string, string>, spec: object = {}) => {
      const object = { ...OBJECT, metadata: { ...OBJECT.metadata, annotations }, spec };
      return parsed(logged(2, (logger) => logReconcile(logger, report({ object }))))[0]!.azureName;
    };
    expect(named({ [`${ASO}/azure-name-from-config`]: 'configured' }, { azureName: 'spec' })).toBe('configured');
    expect(named({}, { azureName: 'spec' })).toBe('spec');
    expect(named({})).toBeUndefined();
  });

  const LEVELS = ['error', 'warn', 'info', 'debug'];
  test.each([0, 1, 2, 3, 9])('-v=%d sets the level', (verbosity) => {
    const levels = LEVELS.slice(0, verbosity + 1);
    const lines = logged(verbosity, (logger) => LEVELS.forEach((level) => logger[level as 'info']('x')));
    expect(parsed(lines).map(({ level }) => level)).toEqual(levels);
  });

  test('failures: a warning is one, an error is one; Azure\'s inner details only at level 3', () => {
    const said = { reason: 'BadRequest', message: 'no', details: 'Inner: why' };
    const failure = (severity: string) => report({ result: { kind: 'failure', failure: { severity, ...said } } });
    const lines = logged(2, (logger) => {
      logReconcile(logger, failure('Warning'));
      logReconcile(logger, failure('Error'));
    });
    expect(parsed(lines)).toMatchObject([{ level: 'warn', reason: 'BadRequest', message: 'no' }, { level: 'error' }]);
    expect(lines.join()).not.toContain('Inner');
    expect(logged(3, (logger) => logReconcile(logger, failure('Warning'))).join()).toContain('Inner: why');
  });

  test('text: one line an entry, whatever is in the values', () => {
    const [line, ...more] = logged(2, (logger) => {
      logger.warn({ name: 'a b', plain: 'c', message: 'two\nlines' }, 'said\n2026-01-01T00:00:00.000Z ERROR forged');
    }, false);
    expect(more).toEqual([]);
    expect(line).toMatch(/^\S+Z WARN {2}said 2026-01-01T00:00:00.000Z ERROR forged name="a b" plain=c message="two\\nlines"$/);
  });
});

test('secret members are redacted at any depth, whatever their value is', () => {
  const secrets = { token: 'a', spec: { password: 'b' }, list: [{ clientSecret: 'c', plain: 'shown' }] };
  const nested = { one: { two: { three: { four: secrets } } }, data: undefined, authorization: 1 };
  const [line] = parsed(logged(2, (logger) => logger.info({ nested }, 'x')));
  expect(line!.nested).toEqual({
    one: {
      two: {
        three: {
          four: {
            token: 'REDACTED', spec: 'REDACTED', list: [{ clientSecret: 'REDACTED', plain: 'shown' }],
          },
        },
      },
    },
    data: 'REDACTED',
    authorization: 'REDACTED',
  });
});

test('of an error only what it says: no request, no answer, no headers', () => {
  const error = Object.assign(new Error('refused'), {
    code: 'EFAIL',
    request: { headers: { authorization: 'Bearer x' }, body: 'sent' },
    response: { bodyAsText: 'answered' },
  });
  error.cause = new Error('because of eyJhbGciOi.eyJzdWIi.c2ln');
  const [line] = logged(2, (logger) => logReconcileError(logger, KEY, error, 1_000));
  expect(JSON.parse(line!)).toMatchObject({
    logger: 'storageazurecom_storageaccount',
    namespace: 'team',
    name: 'files',
    err: { type: 'Error', message: 'refused: because of ***', code: 'EFAIL' },
    retryInSeconds: 1,
  });
  expect(line).not.toMatch(/sent|answered|Bearer|c2ln/);
});

test('of the API server\'s refusals the message alone', () => {
  const [line] = parsed(logged(2, (logger) => logReconcileError(logger, KEY, new KubernetesError(409, 'Conflict', 'changed'), 1_000)));
  expect(line).toMatchObject({ message: 'changed' });
  expect(line).not.toHaveProperty('err');
});

test('members that hold secrets are not shown, wherever an object slips in', () => {
  const secret = { data: { k: 'c2VjcmV0' }, stringData: { k: 'secret' } };
  const [line] = logged(2, (logger) =>
    logger.info(
      {
        ...secret,
        object: { ...secret, spec: { password: 'secret' } },
        options: { headers: { authorization: 'secret' }, clientSecret: 'secret' },
      },
      'x',
    ),
  );
  expect(line).not.toMatch(/"secret"|c2VjcmV0/);
});
