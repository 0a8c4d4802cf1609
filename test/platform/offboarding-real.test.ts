// A user with every right in the team's namespace, all the time while the team is removed: on a real kube-apiserver, in every order.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { FIN, POLICY } from './guarded-team';
import { account, core } from './objects-of-team';
import { RESOURCE_ID } from '../../src/azure/annotations';
import { ControllerKinds } from '../../src/operator';
import { TeamOnboarding } from '../../src/platform/onboarding';
import { hasKubectl, kubectl } from '../e2e/cluster';
import { startReal, type RealCluster } from '../e2e/real-cluster';
import { describeWithRealKubernetes, realKubernetes } from '../e2e/real-kubernetes';
import { install } from '../operator/app';
import { installForReal, type Controller, type RealInstall } from '../operator/real-install';
import { until } from '../setup/until';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const NAMESPACE = FIN.namespace;
const [ADMISSION, RBAC] = ['/apis/admissionregistration.k8s.io/v1', 'rbac.authorization.k8s.io'];
const HOLD = 'example.com/hold';
const CLIENT_ID = '943310b3-beac-56fe-824f-a1d38be086cb';
const STORAGE = `/apis/storage.azure.com/v1api20230101/namespaces/${NAMESPACE}/storageaccounts`;

/** A request of the attacker, which must never succeed. */
interface Attempt {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const credential = core('Secret', 'aso-credential', { stringData: { AZURE_CLIENT_ID: CLIENT_ID, AZURE_TENANT_ID: 't', AZURE_SUBSCRIPTION_ID: 's' } });
const ATTEMPTS: readonly Attempt[] = [
  { what: 'a credential of the platform', method: 'POST', path: `/api/v1/namespaces/${NAMESPACE}/secrets`, body: credential },
  {
    what: 'the same in the Secret that is there',
    method: 'PATCH',
    path: `/api/v1/namespaces/${NAMESPACE}/secrets/aso-credential`,
    body: { stringData: { AZURE_CLIENT_ID: CLIENT_ID } },
  },
  {
    what: "the id of another team's resource",
    method: 'PATCH',
    path: `${STORAGE}/mine`,
    body: { metadata: { annotations: { [RESOURCE_ID]: '/subscriptions/s/resourceGroups/hr/providers/Microsoft.Storage/storageAccounts/theirs' } } },
  },
  { what: 'more than the quota', method: 'DELETE', path: `/api/v1/namespaces/${NAMESPACE}/resourcequotas/team` },
];

(hasKubectl && realKubernetes?.controllerManager ? describeWithRealKubernetes : describe.skip)('a team leaves a real cluster', () => {
  let cluster: RealCluster;
  let installed: RealInstall;
  let controller: Controller;
  let proxy: ChildProcess;
  let attacker: string;
  let onboarding: readonly Manifest[];
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-leaving-'));

  beforeAll(async () => {
    cluster = await startReal();
    installed = await installForReal(cluster, install({ kinds: ControllerKinds.of('storage.azure.com/StorageAccount') }).synth());
    controller = installed.start();
    const app = new App();
    const chart = new Chart(app, 'onboarding');
    new TeamOnboarding(chart, NAMESPACE, { team: FIN, policy: POLICY, clientId: CLIENT_ID, workloadClientId: 'de712ef4-797e-5591-bb0a-21d685538aa4' });
    onboarding = (chart.toJson() as Manifest[]).filter(({ metadata: { namespace } }) => namespace === undefined || namespace === NAMESPACE);
    proxy = spawn('kubectl', ['--kubeconfig', cluster.kubeconfig, '--as=mallory', 'proxy', '--port=0']);
    attacker = await new Promise((resolve) => {
      proxy.stdout!.on('data', (data: Buffer) => {
        const port = /127\.0\.0\.1:(\d+)/.exec(data.toString())?.[1];
        if (port) resolve(`http://127.0.0.1:${port}`);
      });
    });
    apply([{ apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name: 'all' }, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }]);
  });

  afterAll(async () => {
    proxy?.kill();
    rmSync(directory, { recursive: true, force: true });
    await installed?.close();
    await cluster?.close();
  });

  const file = (name: string, objects: readonly object[]): string => {
    const path = join(directory, name);
    writeFileSync(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    return path;
  };

  function apply(objects: readonly object[]): void {
    kubectl(cluster, 'apply', '--server-side', '--force-conflicts', '-f', file('apply.json', objects));
  }

  const get = (path: string) => cluster.connection.request({ method: 'GET', path });
  const hold = (finalizers: readonly string[] | null) => cluster.connection.request({
    method: 'PATCH', path: `${STORAGE}/mine`, contentType: 'application/merge-patch+json', body: JSON.stringify({ metadata: { finalizers } }),
  });
  const policies = () => onboarding.filter(({ apiVersion }) => apiVersion.startsWith('admissionregistration'));

  /** Sends an attempt; answers its status. */
  async function attempt({ method, path, body }: Attempt, query = ''): Promise<number> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await fetch(`${attacker}${path}${query}`, { method, ...(body && { body: JSON.stringify(body), headers: { 'content-type': contentType } }) });
    await answer.arrayBuffer();
    return answer.status;
  }

  /** The team with an object of its own, which keeps the Namespace until it is let go. */
  async function onboarded(): Promise<void> {
    apply(onboarding);
    const subject = { apiGroup: RBAC, kind: 'User', name: 'mallory' };
    const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'all' };
    apply([
      { apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata: { name: 'mallory', namespace: NAMESPACE }, roleRef, subjects: [subject] },
      account({}, { name: 'mine' }),
    ]);
    await hold([HOLD]);
    // Policies take effect a moment after they are made; until then nothing is really tried.
    await until('the policies refuse all', async () => (
      (await Promise.all(ATTEMPTS.map((one) => attempt(one, '?dryRun=All')))).every((status) => status === 403)));
  }

  const ORDERS: readonly [string, () => void | Promise<void>][] = [
    ['kubectl delete -f', () => void kubectl(cluster, 'delete', '--wait=false', '-f', file('all.json', onboarding))],
    ['kubectl delete -f, from the end to the start', () => void kubectl(cluster, 'delete', '--wait=false', '-f', file('all.json', [...onboarding].reverse()))],
    ['the policies a while before all else', async () => {
      kubectl(cluster, 'delete', '--wait=false', '-f', file('policies.json', policies()));
      await attemptsFor(60);
      kubectl(cluster, 'delete', '--wait=false', '--ignore-not-found', '-f', file('all.json', onboarding));
    }],
    ['the namespace alone, then the policies', async () => {
      kubectl(cluster, 'delete', '--wait=false', 'namespace', NAMESPACE);
      await attemptsFor(40);
      kubectl(cluster, 'delete', '--wait=false', '--ignore-not-found', '-f', file('all.json', onboarding));
    }],
    ['as a tool that prunes does: one object after the other, in the foreground', () => {
      for (const { apiVersion, kind, metadata: { name, namespace } } of onboarding) {
        const type = `${kind.toLowerCase()}.${apiVersion.includes('/') ? apiVersion.replace(/^(.*)\/(.*)$/, '$2.$1') : `${apiVersion}.`}`;
        kubectl(cluster, 'delete', '--wait=false', '--ignore-not-found', '--cascade=foreground', type, name, ...(namespace ? ['-n', namespace] : []));
      }
    }],
  ];

  let passed: string[] = [];
  let count = 0;

  /** So many attempts, one after the other. */
  async function attemptsFor(most: number, isOver: () => Promise<boolean> = () => Promise.resolve(false)): Promise<void> {
    for (let index = 0; index < most && !(await isOver()); index += 1) {
      const next = ATTEMPTS[index % ATTEMPTS.length]!;
      const status = await attempt(next);
      count += 1;
      if (status < 300) passed.push(`${next.what}: ${status}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  test.each(ORDERS)('%s: nothing passes, and nothing is left', async (_, remove) => {
    await onboarded();
    [passed, count] = [[], 0];
    await remove();
    await attemptsFor(80);
    await hold(null);
    const isGone = async () => (await get(`/api/v1/namespaces/${NAMESPACE}`)).status === 404;
    await attemptsFor(4_000, isGone);
    expect([passed, await isGone()]).toEqual([[], true]);
    expect(count).toBeGreaterThan(80);
    for (const { kind, metadata: { name } } of policies()) {
      const plural = kind === 'ValidatingAdmissionPolicy' ? 'validatingadmissionpolicies' : 'validatingadmissionpolicybindings';
      await until(`${kind} ${name} is gone`, async () => (await get(`${ADMISSION}/${plural}/${name}`)).status === 404);
    }
  });

  test('a controller that does not run holds nothing up: the policies go when it comes back', async () => {
    await onboarded();
    await hold(null);
    // Its finalizer would wait for the controller.
    await cluster.connection.request({ method: 'DELETE', path: `${STORAGE}/mine` });
    await until('the account is gone', async () => (await get(`${STORAGE}/mine`)).status === 404);
    await controller.kill();
    kubectl(cluster, 'delete', '--wait=false', '-f', file('all.json', onboarding));
    await until('the namespace is gone', async () => (await get(`/api/v1/namespaces/${NAMESPACE}`)).status === 404);
    const left = async () => (JSON.parse((await get(`${ADMISSION}/validatingadmissionpolicies`)).text) as { items: unknown[] }).items.length;
    expect(await left()).toBeGreaterThan(0);
    controller = installed.start();
    await until('the policies are gone', async () => (await left()) === 0);
  });
});
