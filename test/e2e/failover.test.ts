import { anonymousAccess, Connection, RestClient, type KubernetesObject } from '../../engine/kubernetes';
import { RemovalPolicies, RemovalPolicy, RoleAssignmentNaming } from '../../src/core';
import { ClusterMode, Environment, OnboardingPart, Platform, Team, TeamOnboarding } from '../../src/platform';
import { ResourceGroup } from '../../src/services/resources';
import { CredentialEnvironment } from '../engine/credentials/environment';
import { until } from '../setup/until';

const POLICY = 'serviceoperator.azure.com/reconcile-policy';
const [BLUE, GREEN] = ['aks-blue', 'aks-green'] as const;
type Name = typeof BLUE | typeof GREEN;

const prd = new Environment({
  name: 'prd',
  subscriptionId: '00000000-0000-0000-0000-000000000000',
  tenantId: '7c1d6b0a-3a0b-4f57-9f38-52a1d6e0b9aa',
  location: 'uksouth',
  clusters: [
    { name: BLUE, oidcIssuerUrl: 'https://issuer.example/blue/' },
    { name: GREEN, oidcIssuerUrl: 'https://issuer.example/green/', mode: ClusterMode.PASSIVE },
  ],
});
const team = new Team({ name: 'ledger' });

/** The manifests of each cluster, as by `cdk8s synth`: a team, and a group whose deletion is never one in Azure. */
function synthesized(active: Name, change: string): Readonly<Record<string, KubernetesObject[]>> {
  const platform = new Platform({ environments: [prd.withActive(active)], teams: [{ team }] });
  for (const cluster of platform.clusters) {
    RoleAssignmentNaming.tenantUnique({ subscriptionId: prd.subscriptionId }).applyTo(cluster.app);
    new TeamOnboarding(cluster.chart('onboarding'), 'onboarding', {
      team: cluster.teams[0]!,
      cluster: cluster.cluster.name,
      only: [
        OnboardingPart.RESOURCE_GROUP, OnboardingPart.IDENTITY, OnboardingPart.WORKLOAD_IDENTITY, OnboardingPart.OPERATOR_FEDERATION,
        OnboardingPart.TEAM_FEDERATION, OnboardingPart.RESOURCE_GROUP_ROLE,
      ],
    });
    const archive = new ResourceGroup(cluster.chart('archive', 'platform'), 'archive', {
      azureName: 'archive', location: 'uksouth', tags: { change },
    });
    RemovalPolicies.of(archive).apply(RemovalPolicy.RETAIN);
  }
  return Object.fromEntries(platform.clusters.map(({ app, cluster }) => {
    app.synthYaml();
    return [cluster.name, app.charts.flatMap((chart) => chart.toJson() as KubernetesObject[])];
  }));
}

/** A cluster with the built controller. */
class TestCluster {
  public static async start(shared?: TestCluster): Promise<TestCluster> {
    const environment = await CredentialEnvironment.start({}, {}, shared?.environment.azure);
    await environment.namespace('platform');
    environment.startController();
    return new TestCluster(environment);
  }

  private objects: readonly KubernetesObject[] = [];
  private readonly connection: Connection;
  private readonly deployer: RestClient;

  private constructor(public readonly environment: CredentialEnvironment) {
    this.connection = new Connection(anonymousAccess(environment.cluster.url), { userAgent: 'deployer' });
    this.deployer = new RestClient(this.connection, { fieldManager: 'deployer' });
  }

  /** As `kubectl apply --server-side`. */
  public async apply(objects: readonly KubernetesObject[]): Promise<void> {
    this.objects = objects;
    const types = await this.deployer.discover();
    for (const object of objects) {
      const [group, version] = object.apiVersion.split('/');
      const type = types.find((each) => each.kind === object.kind && each.group === group && each.version === version)!;
      await this.deployer.patch(type, object.metadata.name, object.metadata.namespace, object, 'application/apply-patch+yaml');
    }
  }

  /** @param change what the status shows; absent where the cluster has read it before the other one wrote */
  public async ready(change?: string): Promise<void> {
    for (const { kind, metadata: { name, namespace } } of this.objects) {
      await until(`${kind} ${name} is Ready`, async () => {
        const object = await this.environment.get(kind, namespace!, name);
        const ready = object?.status?.conditions?.find(({ type }) => type === 'Ready');
        return ready?.status === 'True' && ready.observedGeneration === object!.metadata.generation;
      }).catch(async (error: unknown) => {
        throw new Error(`${(error as Error).message}: ${JSON.stringify(await this.environment.ready(kind, namespace!, name))}`);
      });
    }
    if (change === undefined) return;
    await until(`the status has ${change}`, async () => {
      const archive = await this.environment.get('ResourceGroup', 'platform', this.archive());
      return (archive?.status as { tags?: { change?: string } } | undefined)?.tags?.change === change;
    });
  }

  /** Policies of the stored objects, `undefined` for none. */
  public async policies(): Promise<Set<string | undefined>> {
    const stored = this.objects.map(({ kind, metadata: { namespace, name } }) => this.environment.get(kind, namespace!, name));
    return new Set((await Promise.all(stored)).map((object) => object!.metadata.annotations?.[POLICY]));
  }

  /** ConfigMaps that the identities export. */
  public async exported(): Promise<unknown[]> {
    const maps = await this.environment.client.list(this.environment.typeOf('ConfigMap'), { namespace: 'platform' });
    return maps.items.map(({ metadata: { name }, data }) => ({ name, data }));
  }

  public async deleteArchive(): Promise<void> {
    await this.environment.delete('ResourceGroup', 'platform', this.archive());
    await until('the object is gone', async () => !(await this.environment.get('ResourceGroup', 'platform', this.archive())));
  }

  public async close(): Promise<void> {
    await this.connection.close();
    await this.environment.close();
  }

  private archive(): string {
    return this.objects.find(({ metadata }) => metadata.name.includes('archive'))!.metadata.name;
  }
}

const MANAGES = new Set([undefined, 'detach-on-delete']);
const READS = new Set(['skip']);
let clusters: Readonly<Record<Name, TestCluster>>;
let azure: CredentialEnvironment['azure'];
beforeEach(async () => {
  const blue = await TestCluster.start();
  azure = blue.environment.azure;
  clusters = { [BLUE]: blue, [GREEN]: await TestCluster.start(blue) };
});
// The first cluster has the Azure of both.
afterEach(async () => {
  await clusters[GREEN].close();
  await clusters[BLUE].close();
});

function writes() {
  const sent = azure.log().filter(({ method, poll }) => !['GET', 'HEAD'].includes(method) && !poll);
  return { PUT: sent.filter(({ method }) => method === 'PUT').length, others: sent.filter(({ method }) => method !== 'PUT').length };
}

/** The documented order: the manifests of the cluster that reads, then those of the cluster that manages. */
async function activate(active: Name, change: string): Promise<void> {
  const passive = active === BLUE ? GREEN : BLUE;
  const manifests = synthesized(active, change);
  await clusters[passive].apply(manifests[passive]!);
  const before = writes();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(writes()).toEqual(before);
  await clusters[active].apply(manifests[active]!);
  await clusters[active].ready(change);
  await clusters[passive].ready();
  expect([await clusters[active].policies(), await clusters[passive].policies()]).toEqual([MANAGES, READS]);
}

test('failover and fail-back send nothing where nothing differs, and only the active cluster writes', async () => {
  await activate(BLUE, 'a');
  const created = writes();
  expect(created).toEqual({ PUT: azure.resources().length, others: 0 });
  expect(created.PUT).toBeGreaterThan(6);
  expect((await clusters[GREEN].exported()).length).toBeGreaterThan(0);
  expect(await clusters[GREEN].exported()).toEqual(await clusters[BLUE].exported());

  await activate(GREEN, 'a');
  expect(writes()).toEqual(created);
  await activate(GREEN, 'b');
  expect(writes()).toEqual({ PUT: created.PUT + 1, others: 0 });
  // An edit that came while the cluster was passive is sent once: a read does not show whether a property that it removes is gone.
  await activate(BLUE, 'b');
  expect(writes()).toEqual({ PUT: created.PUT + 2, others: 0 });
  await activate(GREEN, 'b');
  expect(writes()).toEqual({ PUT: created.PUT + 2, others: 0 });
  // A change that comes with the failover itself.
  await activate(BLUE, 'c');
  expect(writes()).toEqual({ PUT: created.PUT + 3, others: 0 });
  // Objects of the passive cluster may go.
  await clusters[GREEN].deleteArchive();
  expect(writes()).toEqual({ PUT: created.PUT + 3, others: 0 });
});

test('failover while the old cluster is gone, and when it comes back', async () => {
  await activate(BLUE, 'a');
  const created = writes();
  await clusters[BLUE].environment.stopController();
  const promoted = synthesized(GREEN, 'b');
  await clusters[GREEN].apply(promoted[GREEN]!);
  await clusters[GREEN].ready('b');
  expect(writes()).toEqual({ PUT: created.PUT + 1, others: 0 });

  // Its objects say skip before its controller starts: it writes nothing.
  await clusters[BLUE].apply(promoted[BLUE]!);
  clusters[BLUE].environment.startController();
  await clusters[BLUE].ready('b');
  expect(writes()).toEqual({ PUT: created.PUT + 1, others: 0 });
});

test('the new cluster first, by mistake: nothing is sent while the manifests are the same', async () => {
  await activate(BLUE, 'a');
  const created = writes();
  const promoted = synthesized(GREEN, 'a');
  for (const name of [GREEN, BLUE] as const) {
    await clusters[name].apply(promoted[name]!);
    await clusters[name].ready('a');
  }
  expect(writes()).toEqual(created);
});
