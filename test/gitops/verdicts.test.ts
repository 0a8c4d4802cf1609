import { Testing } from 'cdk8s';
import { describeWithEvaluators, verdictsOn } from './evaluators';
import { codesIn, namesIn, verdictRows } from './verdict-tables';
import { ArgoCdConfig, ArgoHealth, ArgoSkippedHealth, ArgoWarningHealth, CrdPattern, FluxHealth, FluxWarningHealth } from '../../src/gitops';
import type { ArgoHealthOptions, FluxHealthOptions } from '../../src/gitops';

interface Condition {
  readonly status: string;
  readonly severity?: string;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
}
const POLICY = 'serviceoperator.azure.com/reconcile-policy';
const ready: Condition = { status: 'True', reason: 'Succeeded', message: '', observedGeneration: 2 };
const failing = (reason: string, severity?: string): Condition => ({
  status: 'False', ...(severity !== undefined && { severity }), reason, message: `about ${reason}`, observedGeneration: 2,
});
const object = (condition: Condition | undefined, metadata: object = {}, status: object | null = { conditions: [] }) => ({
  apiVersion: 'storage.azure.com/v1api20230101',
  kind: 'StorageAccount',
  metadata: { name: 'data', namespace: 'shop', generation: 2, ...metadata },
  spec: {},
  ...(condition
    ? { status: { conditions: [{ type: 'Ready', lastTransitionTime: '2026-11-01T00:00:00Z', ...condition }] } }
    : status && { status }),
});
const policy = (name: string) => ({ annotations: { [POLICY]: name } });
const deleted = { deletionTimestamp: '2026-11-01T00:00:00Z', generation: 2, finalizers: ['serviceoperator.azure.com/finalizer'] };
const { observedGeneration: _, ...withoutGeneration } = ready;

/** The situations of the document. The verdicts are in its table. */
const SITUATIONS: Record<string, object> = {
  'new: no status': object(undefined, {}, null),
  'new: a status without `Ready`': object(undefined),
  'Ready': object(ready),
  'Ready, with the text of a drift that comes back': object({ ...ready, message: 'drift comes back' }),
  'Ready, the spec changed since (generation ahead)': object(ready, { generation: 3 }),
  'Error, the spec changed since': object(failing('InvalidTemplate', 'Error'), { generation: 3 }),
  'Error': object(failing('InvalidTemplate', 'Error')),
  'Ready is Unknown': object({ ...ready, status: 'Unknown', reason: 'Reconciling' }),
  'False without severity': object(failing('Failed')),
  'a condition without `observedGeneration`, Ready': object(withoutGeneration),
  'being deleted, was Ready': object(ready, deleted),
  'being deleted, Error': object(failing('InvalidTemplate', 'Error'), deleted),
  'policy `skip`, Ready': object(ready, policy('skip')),
  'policy `skip`, not in Azure': object(failing('AzureResourceNotFound', 'Warning'), policy('skip')),
  'policy `skip`, new': object(undefined, policy('skip'), null),
  'policy `detach-on-delete`, Ready': object(ready, policy('detach-on-delete')),
  'policy `manage`, Ready': object(ready, policy('manage')),
};

const situations = verdictRows('verdicts-by-situation');
/** Reason, severity and verdicts: a row for each reason of the table. */
const conditions = verdictRows('verdicts-by-condition').flatMap((row) => namesIn(row.Reason!).map((reason) => ({
  reason, severity: row.Severity!, argo: row['Argo CD']!, flux: row.Flux!,
})));
const objectOf = ({ reason, severity }: typeof conditions[number]) => object(severity === '–' ? ready : failing(reason, severity));

const statuses = (objects: readonly object[], argo: ArgoHealthOptions = {}, flux: FluxHealthOptions = {}) =>
  verdictsOn(objects, {
    configMap: ArgoHealth.settings(undefined, argo),
    expressions: [FluxHealth.expressionsFor('storage.azure.com/v1', 'StorageAccount', flux)],
  });

test('docs/gitops.md#verdicts-by-condition has every reason of the specification, and every code of Azure that it classifies', () => {
  const known = [
    ...codesIn('docs/spec/conditions.md#reasons', 1),
    ...codesIn('docs/credentials.md#errors', 1),
    ...codesIn('docs/spec/errors.md#classification', 2),
    'UnsafeResourceId',
  ];
  expect(known.length).toBeGreaterThan(60);
  expect(known.filter((reason) => !conditions.some((row) => row.reason === reason))).toEqual([]);
});

test('docs/gitops.md#verdicts-by-situation has the situations of this test', () => {
  expect(situations.map(({ Situation }) => Situation)).toEqual(Object.keys(SITUATIONS));
});

describeWithEvaluators('verdicts of the tools themselves', () => {
  test('on each reason, as docs/gitops.md#verdicts-by-condition has it', () => {
    const verdicts = statuses(conditions.map(objectOf));
    expect(conditions.map((row, index) => ({ ...row, argo: verdicts[index]!.argo.status, flux: verdicts[index]!.flux.status })))
      .toEqual(conditions);
  });

  test('the message is that of the condition, with its reason', () => {
    const rows = conditions.filter(({ severity }) => severity !== '–');
    const verdicts = statuses(rows.map(objectOf));
    expect(verdicts.map(({ argo }) => argo.message)).toEqual(rows.map(({ reason }) => `${reason}: about ${reason}`));
  });

  test('on each situation, as docs/gitops.md#verdicts-by-situation has it', () => {
    const verdicts = statuses(Object.values(SITUATIONS));
    expect(Object.keys(SITUATIONS).map((name, index) => ({
      'Situation': name,
      'Argo CD': verdicts[index]!.argo.status,
      'Flux': verdicts[index]!.flux.status,
      'Flux without expressions': verdicts[index]!.kstatus.status,
    }))).toEqual(situations);
    expect(verdicts[0]!.flux.message).toContain('no such attribute(s): status');
  });

  test('without configuration Argo CD has no health for the objects, and Flux has that of kstatus', () => {
    const [ofError] = verdictsOn([SITUATIONS.Error!], {});
    expect([ofError!.argo.status, ofError!.flux.status, ofError!.kstatus.status]).toEqual(['none', 'InProgress', 'InProgress']);
  });

  test.each([[ArgoWarningHealth.PROGRESSING, 'Progressing'], [ArgoWarningHealth.DEGRADED, 'Degraded']])(
    'the option %s is for every Warning, and for nothing else', (warning, status) => {
      const verdicts = statuses(conditions.map(objectOf), { warning });
      expect(verdicts.map(({ argo }) => argo.status))
        .toEqual(conditions.map(({ severity, argo }) => (severity === 'Warning' ? status : argo)));
    });

  test('FluxWarningHealth.FAILED is for every Warning, and for nothing else', () => {
    const verdicts = statuses(conditions.map(objectOf), {}, { warning: FluxWarningHealth.FAILED });
    expect(verdicts.map(({ flux }) => flux.status))
      .toEqual(conditions.map(({ severity, flux }) => (severity === 'Warning' ? 'Failed' : flux)));
  });

  test('an object that is skipped can count as healthy', () => {
    const [verdict] = statuses([SITUATIONS['policy `skip`, Ready']!], { skipped: ArgoSkippedHealth.HEALTHY });
    expect(verdict!.argo.status).toBe('Healthy');
  });

  test.each([
    ['every group', undefined],
    ['one group', CrdPattern.fromGroups(['storage.azure.com'])],
    ['single kinds', CrdPattern.of(['storage.azure.com/StorageAccount', 'network.azure.com/VirtualNetwork'])],
    ['a group and a kind', CrdPattern.of(['network.azure.com/*', 'storage.azure.com/StorageAccount'])],
  ])('Argo CD finds the check for %s', (__, kinds) => {
    const [verdict] = verdictsOn([SITUATIONS.Error!], { configMap: ArgoHealth.settings(kinds) });
    expect(verdict!.argo.status).toBe('Degraded');
  });

  test.each<[object | undefined, string]>([
    [{ health: { status: 'Degraded', message: 'an object is' } }, 'Degraded'],
    [{ health: { status: 'Healthy' } }, 'Healthy'],
    [{ health: {} }, 'Progressing'],
    [{ sync: {} }, 'Progressing'],
    [undefined, 'Progressing'],
  ])('an Application with the status %j is %s, if it is asked for', (status, expected) => {
    const chart = Testing.chart();
    new ArgoCdConfig(chart, 'config', { applications: true });
    const [{ data }] = Testing.synth(chart) as [{ data: Record<string, string> }];
    const application = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'shop' }, ...(status && { status }) };
    expect(verdictsOn([application], { configMap: data })[0]!.argo.status).toBe(expected);
    expect(verdictsOn([application], { configMap: ArgoHealth.settings() })[0]!.argo.status).toBe('none');
  });

  test('Argo CD finds no check for kinds of other groups of azure.com', () => {
    const [verdict] = verdictsOn([{ ...SITUATIONS.Error!, apiVersion: 'karpenter.azure.com/v1beta1', kind: 'AKSNodeClass' }], {
      configMap: ArgoHealth.settings(),
    });
    expect(verdict!.argo.status).toBe('none');
  });
});
