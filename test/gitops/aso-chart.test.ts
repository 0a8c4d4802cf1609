import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Testing, type Chart } from 'cdk8s';
import { parse } from 'yaml';
import { CHART_VALUES } from './chart-values-table';
import {
  AsoArgoInstallation, AsoChartMode, AsoChartValues, AsoHelmChart, AsoHelmInstallation, AsoNodePool, CrdPattern, type AsoChartProps,
} from '../../src/gitops';
import { ResourceGroup } from '../../src/services/resources/resource-group';
import { blocksOf, documents } from '../docs/documents';

const REQUIRED = { version: '2.13.0', crdPattern: CrdPattern.fromGroups(['resources.azure.com']) };
const NONE = { azureTenantID: '', azureSubscriptionID: '', azureClientID: '', crdPattern: 'resources.azure.com/*' };
const ID = '7c1d6b0a-3a0b-4f57-9f38-52a1d6e0b9aa';
const credential = { tenantId: ID, subscriptionId: ID, clientId: ID };
const valuesOf = (props: Partial<AsoChartProps> = {}) => new AsoChartValues({ ...REQUIRED, ...props }).values;
const at = (value: any, path: string): unknown => path.split('.').reduce((found, key) => found?.[key], value);
/** The paths of values: as deep as the chart names them. */
function pathsOf(value: object, known: ReadonlySet<string>, prefix = ''): string[] {
  return Object.entries(value).flatMap(([key, one]) => {
    const path = `${prefix}${key}`;
    return known.has(path) || typeof one !== 'object' || one === null || Array.isArray(one) ? [path] : pathsOf(one as object, known, `${path}.`);
  });
}

describe('values', () => {
  const known = new Set(CHART_VALUES.map(([path]) => path));

  test('nothing but what the chart requires has a value by default', () => expect(valuesOf()).toEqual(NONE));

  test.each(CHART_VALUES.flatMap((row) => (row.length === 3 ? [row] : [])))('%s', (path, props, expected) => {
    const values = valuesOf(props);
    expect(at(values, path)).toEqual(expected);
    // No prop sets a value that the chart does not have.
    expect(pathsOf(values, known).filter((one) => !known.has(one))).toEqual([]);
  });

  test.each(CHART_VALUES.flatMap((row) => (row.length === 2 ? [row] : [])))('%s has no prop: %s', (path) => {
    const everything = CHART_VALUES.flatMap((row) => (row.length === 3 ? pathsOf(valuesOf(row[1]), known) : []));
    expect(everything).not.toContain(path);
  });

  test('docs/install-aso.md#values has each value, and those without a property', () => {
    const cells = documents.get('docs/install-aso.md')!.matchAll(/^\| `([\w.]+)` \| (`|none)/gm);
    expect([...cells].map(([, path, property]) => [path, property === 'none'])).toEqual(CHART_VALUES.map((row) => [row[0], row.length === 2]));
  });

  test('further values win, and are merged as Helm merges them', () => {
    expect(valuesOf({ metrics: { port: 1 }, values: { metrics: { secure: true }, newer: [1], azureTenantID: 'a' } })).toEqual({
      ...NONE, azureTenantID: 'a', metrics: { port: 1, secure: true }, newer: [1],
    });
    expect(valuesOf({ values: { crdPattern: 'sql.azure.com/*' } }).crdPattern).toBe('sql.azure.com/*');
  });
});

describe('what follows from a value', () => {
  test('a tenant installs no CRDs and no webhooks; the shared part has the CRDs', () => {
    expect(new AsoChartValues({ version: '2.13.0', mode: AsoChartMode.WATCHERS, targetNamespaces: ['a'], credential }).values).toMatchObject({
      azureOperatorMode: 'watchers', multitenant: { enable: true }, installCRDs: false, azureTargetNamespaces: ['a'],
    });
    const shared = valuesOf({ mode: AsoChartMode.WEBHOOKS });
    expect(shared).toMatchObject({ azureOperatorMode: 'webhooks', multitenant: { enable: true }, crdPattern: NONE.crdPattern });
    expect(shared).not.toHaveProperty('installCRDs');
    expect(valuesOf({ mode: AsoChartMode.ALL })).toEqual(NONE);
  });

  test('the system node pool: preferred anywhere, required where there is one; own settings stay', () => {
    const match = { weight: 100, preference: { matchExpressions: [{ key: 'kubernetes.azure.com/mode', operator: 'In', values: ['system'] }] } };
    const preferred = (list: unknown[]) => ({ nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: list } });
    const own = { key: 'own' };
    const affinity = { ...preferred([1]), podAffinity: {} };
    expect(valuesOf({ nodePool: AsoNodePool.SYSTEM_PREFERRED, tolerations: [own], affinity })).toEqual({
      ...NONE, tolerations: [own, { key: 'CriticalAddonsOnly', operator: 'Exists' }], affinity: { ...preferred([1, match]), podAffinity: {} },
    });
    expect(valuesOf({ nodePool: AsoNodePool.SYSTEM_REQUIRED, nodeSelector: { a: 'b' } }).nodeSelector)
      .toEqual({ 'a': 'b', 'kubernetes.azure.com/mode': 'system' });
  });

  test.each([['1Gi', '819MiB'], ['600Mi', '480MiB'], ['1000000000', '762MiB']])('a memory limit of %s: Go collects at %s', (memoryLimit, limit) => {
    expect(valuesOf({ resources: { memoryLimit } }).go).toEqual({ memLimit: limit });
    expect(valuesOf({ resources: { memoryLimit }, goMemoryLimit: '1MiB' }).go).toEqual({ memLimit: '1MiB' });
  });

  test('one replica has no disruption budget, with which no node could be drained', () => {
    expect(valuesOf({ replicas: 1 }).podDisruptionBudget).toEqual({ enabled: false });
    expect(valuesOf({ replicas: 2 })).not.toHaveProperty('podDisruptionBudget');
  });

  test('with a Secret of your own the chart gets no ids', () => {
    expect(valuesOf({ createSettingsSecret: false })).toEqual({ createAzureOperatorSecret: false, crdPattern: NONE.crdPattern });
  });

  test('pod identity is no workload identity', () => {
    expect(valuesOf({ credential, podIdentityResourceId: '/a' })).not.toHaveProperty('useWorkloadIdentityAuth');
  });
});

describe('refused', () => {
  test.each<[string, Partial<AsoChartProps>, RegExp]>([
    ['no version', { version: '' }, /version: required\. Give the version of the chart/],
    ['no exact version', { version: '*' }, /version: '\*' is no version/],
    ['labels that the chart ignores', { crdLabels: { a: 'b' }, version: '2.20.0' }, /crdLabels: needs a chart newer than 2\.20\.0/],
    ['no CRDs', { crdPattern: undefined as never }, /crdPattern: required\. Give CrdPattern\.fromGroups/],
    ['all CRDs', { values: { crdPattern: '*' } }, /values\.crdPattern: '\*' is for all kinds, and each takes 13 MB/],
    ['all CRDs, with more', { values: { crdPattern: 'sql.azure.com/*;*.azure.com/*' } }, /values\.crdPattern: /],
    ['all CRDs in a list', { values: { crdPattern: ['*/*'] } }, /values\.crdPattern: /],
    ['an id that is none', { credential: { ...credential, clientId: '' } }, /credential\.clientId: '' is no UUID/],
    ['a tenant that is none', { additionalTenants: ['a'] }, /additionalTenants: 'a' is no UUID/],
    ['a bad period', { syncPeriod: '1d' }, /syncPeriod: '1d' is no period/],
    ['a bad endpoint', { cloud: { authorityHost: 'a', resourceManagerEndpoint: 'https://a', resourceManagerAudience: 'https://a' } }, /cloud\.authorityHost: 'a' is no URL/],
    ['no workers', { maxConcurrentReconciles: 0 }, /maxConcurrentReconciles: 0 is too small/],
    ['no rate', { rateLimit: { qps: 0 } }, /rateLimit\.qps: 0 is no rate/],
    ['a bucket for nothing', { rateLimit: { bucketSize: 0.5 } }, /rateLimit\.bucketSize: 0\.5 is too small/],
    ['settings beside a Secret of your own', { createSettingsSecret: false, credential, rateLimit: {} }, /credential: is written to the Secret .*\n {2}rateLimit: is written/],
    ['no namespaces', { targetNamespaces: [] }, /targetNamespaces: is empty, which means all/],
    ['a bad namespace', { targetNamespaces: ['A'] }, /targetNamespaces\[0\]: 'A' is no namespace/],
    ['webhooks of some namespaces', { mode: AsoChartMode.WEBHOOKS, targetNamespaces: ['a'] }, /targetNamespaces: is for pods that reconcile/],
    ['webhooks with a credential', { mode: AsoChartMode.WEBHOOKS, credential }, /credential: is not used by AsoChartMode\.WEBHOOKS/],
    ['a tenant of all namespaces', { mode: AsoChartMode.WATCHERS }, /targetNamespaces: required with AsoChartMode\.WATCHERS/],
    ['a tenant with CRDs', { mode: AsoChartMode.WATCHERS, targetNamespaces: ['a'], installCrds: true }, /installCrds: is the work of/],
    ['no pods', { replicas: 0 }, /replicas: 0 is too small/],
    ['a budget of one', { replicas: 1, disruptionBudget: { enabled: true } }, /disruptionBudget\.enabled: with one replica keeps nodes/],
    ['a bad budget', { disruptionBudget: { minAvailable: 'half' } }, /disruptionBudget\.minAvailable: 'half' is no number/],
    ['no history', { revisionHistoryLimit: -1 }, /revisionHistoryLimit: -1 is too small/],
    ['no service account', { serviceAccount: { create: false } }, /serviceAccount\.name: required, because the chart creates none/],
    ['a bad service account', { serviceAccount: { name: 'A' } }, /serviceAccount\.name: 'A' is no name/],
    ['an image twice', { image: { repository: 'a:b', tag: 'c' } }, /image\.repository: is the whole image/],
    ['a variable of the chart', { environment: { DEFAULT_RECONCILE_POLICY: 'skip' } }, /environment\.DEFAULT_RECONCILE_POLICY: is set by the chart/],
    ['a label of the chart', { podLabels: { 'control-plane': 'a' } }, /podLabels\.control-plane: is a label of the chart/],
    ['bad memory', { resources: { memoryLimit: '1G i' } }, /resources\.memoryLimit: '1G i' is no quantity\. Write it like 512Mi/],
    ['bad CPU', { resources: { cpuRequest: 'one' } }, /resources\.cpuRequest: 'one' is no quantity\. Write it like 200m/],
    ['less memory than reserved', { resources: { memoryLimit: '128Mi' } }, /resources\.memoryLimit: 128Mi is below the 256Mi that are reserved/],
    ['more CPU reserved than allowed', { resources: { cpuRequest: '2' } }, /resources\.cpuLimit: 500m is below the 2 that are reserved/],
    ['a bad limit of Go', { goMemoryLimit: '400Mi' }, /goMemoryLimit: '400Mi' is no size of Go/],
    ['open profiles', { metrics: { profiling: true, secure: false } }, /metrics\.profiling: needs metrics\.secure/],
    ['a bad port', { webhook: { port: 70_000 } }, /webhook\.port: 70000 is no port/],
    ['one port twice', { webhook: { port: 8443 } }, /webhook\.port: 8443 is the port of metrics, too/],
    ['a bad range', { networkPolicies: { sqlCidr: '10.0.0.0' } }, /networkPolicies\.sqlCidr: '10\.0\.0\.0' is no range/],
  ])('%s', (_, props, message) => expect(() => valuesOf(props)).toThrow(message));

  test('all problems at once, with the class or the path', () => {
    expect(() => valuesOf({ version: '', replicas: 0 })).toThrow(/^AsoChartValues: version: .*\n {2}replicas: /);
    for (const Installation of [AsoArgoInstallation, AsoHelmChart]) {
      expect(() => new Installation(Testing.chart(), 'aso', { ...REQUIRED, replicas: 0 })).toThrow(/^\[test\/aso\] replicas: /);
    }
  });
});

describe('installations', () => {
  const props = { ...REQUIRED, credential, nodePool: AsoNodePool.SYSTEM_PREFERRED, resources: { memoryLimit: '1Gi' } };
  const { values } = new AsoChartValues(props);
  const synthesized = (make: (chart: Chart) => unknown): any[] => {
    const chart = Testing.chart();
    make(chart);
    return Testing.synth(chart);
  };

  test('Flux', () => {
    const [, release] = synthesized((chart) => new AsoHelmInstallation(chart, 'aso', {
      namespace: 'flux-system', ...props, valuesFrom: [{ name: 'aso-secrets' }], dependsOn: [{ name: 'cert-manager' }],
    }));
    expect(release.spec).toMatchObject({
      values,
      valuesFrom: [{ kind: 'ConfigMap', name: 'aso-secrets' }],
      dependsOn: [{ name: 'cert-manager' }],
      targetNamespace: 'azureserviceoperator-system',
    });
  });

  test('Argo CD', () => {
    const [application] = synthesized((chart) => new AsoArgoInstallation(chart, 'aso', props));
    expect(application).toMatchObject({
      metadata: { name: 'azure-service-operator', namespace: 'argocd' },
      spec: {
        project: 'default',
        source: {
          repoURL: 'https://raw.githubusercontent.com/Azure/azure-service-operator/main/v2/charts',
          chart: 'azure-service-operator',
          targetRevision: '2.13.0',
          helm: { releaseName: 'azure-service-operator', valuesObject: values },
        },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'azureserviceoperator-system' },
        syncPolicy: { automated: { prune: false, selfHeal: true }, syncOptions: ['ServerSideApply=true', 'CreateNamespace=true'] },
      },
    });
  });

  test('Argo CD with other names', () => {
    const [application] = synthesized((chart) => new AsoArgoInstallation(chart, 'aso', {
      ...props,
      metadata: { name: 'a', namespace: 'b' },
      project: 'c',
      server: 'https://d',
      syncPolicy: {},
      helm: { operatorNamespace: 'e', releaseName: 'f', repositoryUrl: 'https://g' },
    }));
    expect(application).toMatchObject({
      metadata: { name: 'a', namespace: 'b' },
      spec: { project: 'c', source: { repoURL: 'https://g', helm: { releaseName: 'f' } }, destination: { server: 'https://d', namespace: 'e' } },
    });
    expect(application.spec.syncPolicy).not.toHaveProperty('automated');
  });

  test('docs/install-aso.md#with-helm has the values of its app', () => {
    const aso = new AsoChartValues({
      version: '2.13.0',
      crdPattern: CrdPattern.of(['resources.azure.com/ResourceGroup']),
      credential: {
        tenantId: '66666666-7777-8888-9999-000000000000',
        subscriptionId: '11111111-2222-3333-4444-555555555555',
        clientId: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
      },
      nodePool: AsoNodePool.SYSTEM_PREFERRED,
    });
    expect(aso.toYaml()).toBe(blocksOf('docs/install-aso.md', 'yaml')[0]!.code);
    expect(documents.get('docs/install-aso.md')).toContain(`\`${aso.federatedSubject()}\``);
  });

  test('a file of values and a command', () => {
    const chart = new AsoChartValues(props);
    expect(parse(chart.toYaml())).toEqual(values);
    expect(chart.installCommand('aso-values.yaml')).toBe('helm upgrade --install azure-service-operator azure-service-operator --repo https://raw.githubusercontent.com/Azure/azure-service-operator/main/v2/charts --version 2.13.0 --namespace azureserviceoperator-system --create-namespace --values aso-values.yaml --wait');
    expect(chart.installCommand("it's here.yaml", { operatorNamespace: 'a', releaseName: 'b', repositoryUrl: 'https://c' }))
      .toBe("helm upgrade --install b azure-service-operator --repo https://c --version 2.13.0 --namespace a --create-namespace --values 'it'\\''s here.yaml' --wait");
    expect(chart.federatedSubject()).toBe('system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default');
    expect(new AsoChartValues({ ...props, serviceAccount: { name: 'mine' } }).federatedSubject('a')).toBe('system:serviceaccount:a:mine');
  });

  test('the kinds of an app, in each of them', () => {
    const synth = (make: (chart: Chart, crdPattern: CrdPattern) => unknown) => synthesized((chart) => {
      make(chart, CrdPattern.kindsIn(chart));
      new ResourceGroup(chart, 'group', { location: 'uksouth' });
    });
    const pattern = 'resources.azure.com/ResourceGroup';
    expect(synth((chart, crdPattern) => new AsoHelmInstallation(chart, 'a', { ...props, crdPattern, namespace: 'f' }))[1].spec.values.crdPattern).toBe(pattern);
    const [application] = synth((chart, crdPattern) => new AsoArgoInstallation(chart, 'a', { ...props, crdPattern }));
    expect(application.spec.source.helm.valuesObject.crdPattern).toBe(pattern);
  });

  test('Helm renders the chart, with the values and the version', () => {
    const directory = mkdtempSync(join(tmpdir(), 'helm-'));
    try {
      const helmExecutable = join(directory, 'helm');
      // Keeps the values, which cdk8s writes into a file, and answers with one object.
      writeFileSync(helmExecutable, `#!/bin/sh
echo "$@" > '${directory}/arguments'
while [ $# -gt 0 ]; do [ "$1" = -f ] && cat "$2" > '${directory}/values'; shift; done
printf 'apiVersion: apps/v1\\nkind: Deployment\\nmetadata:\\n  name: aso\\n'
`);
      chmodSync(helmExecutable, 0o755);
      const objects = synthesized((chart) => new AsoHelmChart(chart, 'aso', { ...props, helmExecutable }));
      expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(['Namespace azureserviceoperator-system', 'Deployment aso']);
      expect(parse(readFileSync(join(directory, 'values'), 'utf8'))).toEqual(values);
      expect(readFileSync(join(directory, 'arguments'), 'utf8')).toMatch(
        /^template .*--repo https:\/\/raw\.githubusercontent\.com\S+ --version 2\.13\.0 --namespace azureserviceoperator-system azure-service-operator azure-service-operator$/m,
      );
      const own = synthesized((chart) => new AsoHelmChart(chart, 'aso', { ...props, helmExecutable, createNamespace: false }));
      expect(own.map(({ kind }) => kind)).toEqual(['Deployment']);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test('without Helm it says so', () => {
    expect(() => new AsoHelmChart(Testing.chart(), 'aso', { ...props, helmExecutable: '/nowhere/helm' })).toThrow(/Is it installed on your system/);
  });
});
