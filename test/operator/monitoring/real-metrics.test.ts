import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alerts, hasPromtool, testRules, type Series } from './promtool';
import { DASHBOARD_ROWS } from '../../../src/operator/monitoring/dashboard-panels';
import { freePorts } from '../../e2e/servers';
import { until } from '../../e2e/until';
import { CredentialEnvironment, OPERATOR_NAMESPACE } from '../../engine/credentials/environment';

const CONTROLLER = join(__dirname, '../../../lib/controller/main.js');
const TARGET = `job="azureserviceoperator-controller-manager-metrics-service",namespace="${OPERATOR_NAMESPACE}",pod="controller-0"`;
const MINUTES = 90;
/** Labels of a target, which a metric of ours must not use: Prometheus would rename it. */
const RESERVED = ['job', 'instance', 'namespace', 'pod', 'service', 'container', 'endpoint'];

let environment: CredentialEnvironment;
let controller: ChildProcess | undefined;
let port: number;
beforeEach(async () => {
  environment = await CredentialEnvironment.start();
  for (const namespace of ['team', OPERATOR_NAMESPACE]) await environment.namespace(namespace);
});
afterEach(async () => {
  const ended = new Promise((resolve) => (controller ? controller.once('close', resolve) : resolve(undefined)));
  controller?.kill('SIGKILL');
  await ended;
  controller = undefined;
  await environment.close();
});

async function start(settings: Record<string, string> = {}): Promise<void> {
  const kubeconfig = join(mkdtempSync(join(tmpdir(), 'cdk8s-aso-metrics-')), 'kubeconfig');
  writeFileSync(kubeconfig, environment.cluster.kubeconfig());
  [port] = await freePorts(1) as [number];
  const args = ['--delay-scale', '20', `--metrics-addr=127.0.0.1:${port}`, '--secure-metrics=false', '--enable-leader-election'];
  const env = { PATH: process.env.PATH, ...environment.azure.env, POD_NAMESPACE: OPERATOR_NAMESPACE, KUBECONFIG: kubeconfig, ...settings };
  controller = spawn(process.execPath, [CONTROLLER, ...args], { env, stdio: 'ignore' });
}

async function scrape(): Promise<Map<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => {
    const [, name, labels, value] = /^([a-z_A-Z0-9:]+)(?:\{(.*)\})? (\S+)$/.exec(line)!;
    return [`${name}{${labels ? `${labels},` : ''}${TARGET}}`, Number(value)];
  }));
}

/** Two scrapes, as if the minutes that follow were as what lies between them. */
async function continued(betweenMs = 1_500): Promise<Series[]> {
  const first = await scrape();
  await new Promise((resolve) => setTimeout(resolve, betweenMs));
  const second = await scrape();
  return [
    { series: `up{${TARGET}}`, values: `1x${MINUTES}` },
    ...[...second].filter(([, value]) => Number.isFinite(value)).map(([series, value]) => {
      const step = isCounter(series) ? value - (first.get(series) ?? 0) : 0;
      return { series, values: `${value}${step < 0 ? step : `+${step}`}x${MINUTES}` };
    }),
  ];
}

function isCounter(series: string): boolean {
  return /^[a-z_]+(?:_total|_bucket|_sum|_count)\{/.test(series);
}

const ready = () => environment.reason('Succeeded', 'ResourceGroup', 'team', 'shop');

(hasPromtool ? describe : describe.skip)('the alerts on the metrics of the built controller', () => {
  test('peace: no alert, and every metric of alerts and dashboard is there', async () => {
    await start();
    await environment.object('ResourceGroup', 'team', 'shop');
    await ready();
    const input = await continued();
    testRules([{ input, minutes: MINUTES, firing: [] }]);
    const served = new Set(input.map(({ series }) => series.split('{')[0]!));
    const expressions = [
      ...alerts().groups[0]!.rules.map(({ expr }) => expr),
      ...DASHBOARD_ROWS.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr))),
    ];
    const used = new Set(expressions.flatMap((expr) => [...expr.matchAll(/([a-z_0-9]+)\{/g)].map(([, name]) => name!)));
    // These have no series before the first request, webhook or target that they count.
    const later = [
      'azure_failed_requests_total', 'controller_runtime_webhook_requests_total', 'controller_runtime_webhook_latency_seconds_bucket',
      'cdk8s_aso_worker_jobs_total', 'cdk8s_aso_credential_propagation_targets',
    ];
    expect([...used].filter((name) => !served.has(name) && !later.includes(name))).toEqual([]);
    const labels = input.filter(({ series }) => !series.startsWith('up{')).flatMap(({ series }) => [...series.replace(TARGET, '').matchAll(/([a-z_A-Z]+)="/g)].map(([, name]) => name!));
    expect([...new Set(labels)].filter((name) => RESERVED.includes(name))).toEqual([]);
  });

  test('a credential that is refused', async () => {
    await environment.secret('team', 'aso-credential', { ...environment.azure.env, AZURE_CLIENT_SECRET: 'wrong' });
    await start();
    await environment.object('ResourceGroup', 'team', 'shop');
    await until('a condition', async () => /Credential/.test((await environment.ready('ResourceGroup', 'team', 'shop'))?.reason ?? ''));
    testRules([{ input: await continued(), minutes: MINUTES, firing: ['AsoCredentialsFail'] }]);
  });

  test('an owner that is not there', async () => {
    await start();
    await environment.object('UserAssignedIdentity', 'team', 'worker', { owner: { name: 'nothing' } });
    await environment.reason('WaitingForOwner', 'UserAssignedIdentity', 'team', 'worker');
    testRules([{ input: await continued(), minutes: MINUTES, firing: ['AsoResourcesWait'] }]);
  });

  test('no Lease to be had, and a controller that is gone', async () => {
    await environment.client.create(
      { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true },
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'controllers-leader-election-azinfra-generated', namespace: OPERATOR_NAMESPACE },
        spec: { holderIdentity: 'another', leaseDurationSeconds: 3600, renewTime: new Date().toISOString().replace('Z', '000Z') },
      },
    );
    await start();
    await until('metrics', async () => (await scrape().catch(() => new Map())).size > 0);
    testRules([
      { input: await continued(), minutes: MINUTES, firing: ['AsoNoLeader'] },
      { input: [{ series: `up{${TARGET}}`, values: `0x${MINUTES}` }], minutes: MINUTES, firing: ['AsoControllerDown'] },
    ]);
  });
});
