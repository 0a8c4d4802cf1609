// A user with every right in the team's namespace, all the time while the team is removed: on a real kube-apiserver, in every order.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { FIN, POLICY } from './guarded-team';
import { account } from './objects-of-team';
import { Attacker, attemptsIn } from './offboarding/attacker';
import { Background, Deployer, type DeployedObject } from './offboarding/deployers';
import { ControllerKinds } from '../../src/operator';
import { TeamOnboarding } from '../../src/platform/onboarding';
import { hasKubectl, kubectl } from '../e2e/cluster';
import { isOk } from '../e2e/http';
import { startReal, type RealCluster } from '../e2e/real-cluster';
import { describeWithRealKubernetes, realKubernetes } from '../e2e/real-kubernetes';
import { install } from '../operator/app';
import { installForReal, type Controller, type RealInstall } from '../operator/real-install';
import { until } from '../setup/until';

const NAMESPACE = FIN.namespace;
const [ADMISSION, RBAC] = ['/apis/admissionregistration.k8s.io/v1', 'rbac.authorization.k8s.io'];
const HOLD = 'example.com/hold';
const CLIENT_ID = '943310b3-beac-56fe-824f-a1d38be086cb';
const ACCOUNT = `/apis/storage.azure.com/v1api20230101/namespaces/${NAMESPACE}/storageaccounts/mine`;
const isGuardRail = ({ apiVersion }: DeployedObject): boolean => apiVersion.startsWith('admissionregistration');

(hasKubectl && realKubernetes?.controllerManager ? describeWithRealKubernetes : describe.skip)('a team leaves a real cluster', () => {
  let cluster: RealCluster;
  let installed: RealInstall;
  let controller: Controller;
  let attacker: Attacker;
  let deployer: Deployer;
  let onboarding: readonly DeployedObject[];
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-leaving-'));

  beforeAll(async () => {
    cluster = await startReal();
    installed = await installForReal(cluster, install({ kinds: ControllerKinds.of('storage.azure.com/StorageAccount') }).synth());
    controller = installed.start();
    const app = new App();
    const chart = new Chart(app, 'onboarding');
    new TeamOnboarding(chart, NAMESPACE, { team: FIN, policy: POLICY, clientId: CLIENT_ID, workloadClientId: 'de712ef4-797e-5591-bb0a-21d685538aa4' });
    const all = chart.toJson() as DeployedObject[];
    onboarding = all.filter(({ metadata: { namespace } }) => namespace === undefined || namespace === NAMESPACE);
    attacker = await Attacker.of(cluster, 'mallory', attemptsIn(NAMESPACE, { clientId: CLIENT_ID, account: ACCOUNT }));
    deployer = new Deployer(cluster.connection);
    apply([{ apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name: 'all' }, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }]);
    // Its webhooks are called for the team's object.
    await until('the controller is ready', () => isOk(`http://127.0.0.1:${installed.ports.health}/readyz`));
  });

  afterAll(async () => {
    attacker?.close();
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
  const isGone = async () => (await get(`/api/v1/namespaces/${NAMESPACE}`)).status === 404;
  const hold = (finalizers: readonly string[] | null) => cluster.connection.request({
    method: 'PATCH', path: ACCOUNT, contentType: 'application/merge-patch+json', body: JSON.stringify({ metadata: { finalizers } }),
  });

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
    await until('the policies refuse all', () => attacker.isRefused());
  }

  const remove = (name: string, objects: readonly object[]) => kubectl(cluster, 'delete', '--wait=false', '--ignore-not-found', '-f', file(name, objects));
  const ORDERS: readonly [string, () => void | Promise<void>][] = [
    ['kubectl delete -f', () => void remove('all.json', onboarding)],
    ['the policies a while before all else', async () => {
      remove('policies.json', onboarding.filter(isGuardRail));
      await attacker.try(60);
      remove('all.json', onboarding);
    }],
    ['the namespace alone, then the policies', async () => {
      kubectl(cluster, 'delete', '--wait=false', 'namespace', NAMESPACE);
      await attacker.try(40);
      remove('all.json', onboarding);
    }],
    ['as Flux prunes', () => deployer.pruneAsFlux(onboarding)],
    ['as Argo CD deletes an Application', () => deployer.deleteAsArgo(onboarding)],
    // With PruneLast on the guard rails a sync that prunes does the same.
    ['as Argo CD deletes one with the guard rails in a wave before', () => deployer.deleteAsArgo(onboarding, (object) => (isGuardRail(object) ? 0 : 1))],
  ];

  test.each(ORDERS)('%s: nothing passes, and nothing is left', async (_, removeAll) => {
    await onboarded();
    attacker.begin();
    const removal = new Background(Promise.resolve(removeAll()));
    await attacker.try(80);
    await hold(null);
    await attacker.try(4_000, async () => removal.check() && (await isGone()));
    expect([attacker.passed, await isGone()]).toEqual([[], true]);
    expect(attacker.count).toBeGreaterThan(80);
    await until('the policies are gone', async () => (
      (await Promise.all(onboarding.filter(isGuardRail).map((object) => deployer.isThere(object)))).every((isThere) => !isThere)));
  });

  test('a controller that does not run holds nothing up: the policies go when it comes back', async () => {
    await onboarded();
    await hold(null);
    // Its finalizer would wait for the controller.
    await cluster.connection.request({ method: 'DELETE', path: ACCOUNT });
    await until('the account is gone', async () => (await get(ACCOUNT)).status === 404);
    await controller.kill();
    remove('all.json', onboarding);
    await until('the namespace is gone', isGone);
    const left = async () => (JSON.parse((await get(`${ADMISSION}/validatingadmissionpolicies`)).text) as { items: unknown[] }).items.length;
    expect(await left()).toBeGreaterThan(0);
    controller = installed.start();
    await until('the policies are gone', async () => (await left()) === 0);
  });
});
