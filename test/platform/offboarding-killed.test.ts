// A team with objects of its own leaves while its controller is killed in the middle: all of it ends, and Azure keeps what is to stay.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { ISSUER, PLATFORM_GROUP, SERVICE_BUS, SUBSCRIPTION } from './guarded-team';
import { account, azure, GROUP, identity } from './objects-of-team';
import { Attacker, attemptsIn } from './offboarding/attacker';
import { Background, Deployer, type DeployedObject } from './offboarding/deployers';
import { Catalog } from '../../src/catalog';
import { hasKubectl, kubectl, startController, type LoggedRequest } from '../e2e/cluster';
import type { RunningProgram } from '../e2e/program';
import { startReal, type RealCluster } from '../e2e/real-cluster';
import { describeWithRealKubernetes, realKubernetes } from '../e2e/real-kubernetes';
import { until } from '../setup/until';
import { AzureReference, BuiltInRole } from 'cdk8s-aso';
import { Environment, Offboarding, SelfServicePolicy, SharedService, Team, TeamOnboarding } from 'cdk8s-aso/platform';

const TENANT = '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11';
const CLIENT_ID = '0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486';
const KINDS = ['ResourceGroup', 'UserAssignedIdentity', 'FederatedIdentityCredential', 'RoleAssignment', 'StorageAccount'];
const kinds = Catalog.default().allKinds.filter(({ kind, group }) => KINDS.includes(kind) && group.endsWith('.azure.com'));
const RBAC = 'rbac.authorization.k8s.io';
const bus = AzureReference.fromArmId(SERVICE_BUS);

interface Stored {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly conditions?: readonly object[] };
}

/** The objects of the platform for team `fin`. */
function onboarding(offboarding?: Offboarding): DeployedObject[] {
  const environment = new Environment({
    name: 'dev',
    subscriptionId: SUBSCRIPTION,
    tenantId: TENANT,
    location: 'uksouth',
    clusters: [{ name: 'one', oidcIssuerUrl: ISSUER }],
    platform: { namespace: 'platform', groups: [PLATFORM_GROUP] },
    shared: { services: [SharedService.serviceBus({ resource: bus, role: BuiltInRole.CONTRIBUTOR })] },
  });
  const team = new Team({ name: 'fin', resourceGroup: 'rg-fin-dev', uses: ['service-bus'], ...(offboarding && { offboarding }) }).in(environment);
  const policy = SelfServicePolicy.ofComponents({ locations: ['uksouth'], roles: [BuiltInRole.STORAGE_BLOB_DATA_READER] });
  const app = new App();
  const chart = new Chart(app, 'onboarding');
  new TeamOnboarding(chart, 'fin', { team, policy });
  app.synthYaml();
  return [...(chart.toJson() as DeployedObject[]), account({ azureName: 'stfindata' }, { name: 'data' })];
}

/** The objects that a member of the team has made, in this order. */
const BY_HAND: readonly DeployedObject[] = [
  account({ azureName: 'stfinmine' }, { name: 'mine' }),
  identity({ azureName: 'own', operatorSpec: { configMaps: { principalId: { name: 'own-ids', key: 'principalId' } } } }, { name: 'own' }),
  azure('authorization', 'RoleAssignment', {
    owner: { group: 'storage.azure.com', kind: 'StorageAccount', name: 'mine' },
    principalIdFromConfig: { name: 'own-ids', key: 'principalId' },
    principalType: 'ServicePrincipal',
    roleDefinitionReference: { wellKnownName: 'Storage Blob Data Reader' },
  }, { name: 'own-reads-mine' }),
];
/** In Azure: the resources of the team, and what gives access to them. */
const DATA = [GROUP.armId, `${GROUP.armId}/providers/Microsoft.Storage/storageAccounts/stfindata`, `${GROUP.armId}/providers/Microsoft.Storage/storageAccounts/stfinmine`];
const OWN_ACCESS = [`${GROUP.armId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/own`];

(hasKubectl && realKubernetes?.controllerManager ? describeWithRealKubernetes : describe.skip)('the controller is killed while a team leaves', () => {
  let cluster: RealCluster;
  let controller: RunningProgram;
  let attacker: Attacker;
  let deployer: Deployer;
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-killed-'));
  const start = () => (controller = startController(cluster));

  beforeAll(async () => {
    cluster = await startReal({
      kinds,
      issuer: ISSUER,
      azureFlags: ['--allow-foreign-scopes', '--existing', SERVICE_BUS],
    });
    deployer = new Deployer(cluster.connection);
    const { apiVersion, metadata } = BY_HAND[0]!;
    attacker = await Attacker.of(cluster, 'mallory', attemptsIn('fin', {
      clientId: CLIENT_ID, account: `/apis/${apiVersion}/namespaces/${metadata.namespace}/storageaccounts/${metadata.name}`,
    }));
    const credential = { AZURE_SUBSCRIPTION_ID: SUBSCRIPTION, AZURE_TENANT_ID: TENANT, AZURE_CLIENT_ID: CLIENT_ID };
    apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'platform' } },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aso-credential', namespace: 'platform' }, stringData: credential },
      { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name: 'all' }, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
    ]);
    start();
  });
  afterAll(async () => {
    attacker?.close();
    rmSync(directory, { recursive: true, force: true });
    await controller?.kill();
    await cluster?.close();
  });

  function apply(objects: readonly object[], ...more: string[]): void {
    const file = join(directory, 'apply.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    kubectl(cluster, 'apply', '--server-side', '--force-conflicts', '-f', file, ...more);
  }

  const stored = (): Promise<readonly Stored[]> => cluster.api.list(...kinds.map(({ group, facts }) => `/apis/${group}/${facts.storageVersion}/${facts.plural}`));
  const inAzure = async () => ((await cluster.azure('/__resources')) as { value: { id: string }[] }).value.map(({ id }) => id.toLowerCase());
  const deletions = async () => (
    ((await cluster.azure('/__requests')) as { requests: LoggedRequest[] }).requests.filter(({ method }) => method === 'DELETE'));
  const isGone = async () => (await cluster.connection.request({ method: 'GET', path: '/api/v1/namespaces/fin' })).status === 404;

  async function onboarded(): Promise<void> {
    apply(onboarding());
    apply([{
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'mallory', namespace: 'fin' },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'all' },
      subjects: [{ apiGroup: RBAC, kind: 'User', name: 'mallory' }],
    }]);
    apply(BY_HAND, '--as=mallory');
    await until('the policies refuse all', () => attacker.isRefused());
    let states: readonly (readonly [name: string, conditions: string])[] = [];
    await until('all is Ready', async () => {
      states = (await stored()).map(({ metadata: { name }, status }) => [name, JSON.stringify(status?.conditions)]);
      return states.every(([, conditions]) => conditions?.includes('"reason":"Succeeded"'));
    }).catch((error: Error) => {
      throw new Error(`${error.message}: ${states.join('\n')}`);
    });
  }

  const lower = (ids: readonly string[]) => ids.map((id) => id.toLowerCase()).sort();

  test.each<[Offboarding, string, (objects: readonly DeployedObject[]) => Promise<void>, readonly string[]]>([
    [Offboarding.RETAIN, 'Flux prunes', (objects) => deployer.pruneAsFlux(objects), [...DATA, ...OWN_ACCESS]],
    [Offboarding.DELETE, 'Argo CD deletes the Application', (objects) => deployer.deleteAsArgo(objects), []],
  ])('%s, and %s', async (offboarding, _, remove, kept) => {
    await onboarded();
    const leaving = onboarding(offboarding);
    apply(leaving);
    const before = (await deletions()).length;
    const count = (await stored()).length;
    attacker.begin();
    const removal = new Background(remove(leaving));
    for (const most of [count - 1, Math.floor(count / 2)]) {
      await attacker.try(4_000, async () => {
        removal.check();
        return (await stored()).length <= most;
      });
      await controller.kill();
      await attacker.try(20);
      start();
    }
    await attacker.try(4_000, async () => removal.check() && (await isGone()));
    expect([attacker.passed, await isGone()]).toEqual([[], true]);
    await until('all objects are gone', async () => {
      const isThere = await Promise.all(leaving.map((object) => deployer.isThere(object)));
      return (await stored()).length === 0 && !isThere.includes(true);
    });
    const left = (await inAzure()).filter((id) => !id.includes('microsoft.servicebus') || id.includes('roleassignments'));
    expect(left.filter((id) => !id.includes('roleassignments')).sort()).toEqual(expect.arrayContaining(lower(kept)));
    expect(left.filter((id) => id.startsWith(GROUP.armId.toLowerCase()) && !id.includes('roleassignments')).sort()).toEqual(lower(kept));
    // Under RETAIN the team's role on its data stays with its identity: docs/offboarding.md#access-that-stays
    expect(left.filter((id) => id.includes('roleassignments')).map((id) => id.includes('stfinmine'))).toEqual(kept.length > 0 ? [true] : []);
    const paths = (await deletions()).slice(before).map(({ path }) => path.toLowerCase());
    expect(paths.filter((path) => lower(kept).includes(path.split('?')[0]!))).toEqual([]);
  });
});
