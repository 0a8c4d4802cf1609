import type { Api, ObjectName } from './api';
import { AsoManagedCluster, CLUSTER_NAME_LABEL, kubeconfigOf, type ClusterDefinition } from './aso-managed';
import { ClassicCluster } from './classic';
import { restart, type CapzEnvironment } from './environment';
import { moveObjects, ownersOf } from './move';
import { Traffic, type StepTraffic } from './traffic';
import type { KubernetesObject } from '../../../engine/kubernetes';
import { ADOPT, RECONCILE_POLICY } from '../../../src/azure/annotations';
import { until } from '../../setup/until';

/** The steps of a cluster's life so far. */
export type Steps = Record<string, StepTraffic>;

/** A cluster that lives in a management cluster, and the requests of its steps. */
export interface Life {
  readonly steps: Steps;
  /** Values that CAPZ and Cluster API read of it. */
  readonly facts: Record<string, unknown>;
  /** Waits for some periods of synchronization; their requests are the step `rest`. */
  rest(): Promise<void>;
  delete(): Promise<void>;
}

type Scenario = (environment: CapzEnvironment) => Promise<Life>;

const QUIET_MS = 400;
export const RESTS = 3;

const POOLS: ClusterDefinition['pools'] = [
  { name: 'pool0', mode: 'System', replicas: 2 },
  { name: 'pool1', mode: 'User', replicas: 1 },
];
export const cluster = (name: string, more: Partial<ClusterDefinition> = {}): ClusterDefinition => (
  { name, version: 'v1.33.1', pools: POOLS, ...more });

/** Runs steps, each until CAPZ is content and no request comes any more. */
class Recorder implements Life {
  public readonly steps: Steps = {};
  public readonly facts: Record<string, unknown> = {};
  private readonly traffic: Traffic;
  private readonly path: string;

  /** @param remove deletes the cluster, and waits until its objects are gone */
  public constructor(environment: CapzEnvironment, group: string, name: string, private readonly remove: () => Promise<void>) {
    this.traffic = new Traffic(environment.requests, group);
    this.path = `/${group}/managedClusters/${name}`;
  }

  public async step(name: string, act: () => Promise<unknown>): Promise<void> {
    await act();
    let last = -1;
    await until(`${name}: nothing is asked of Azure any more`, async () => {
      const count = await this.traffic.count();
      const isQuiet = count === last;
      last = count;
      if (!isQuiet) await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      return isQuiet;
    });
    this.steps[name] = await this.traffic.next();
  }

  /** With a controller that has been started again, and synchronizes all the time. */
  public async rest(): Promise<void> {
    const read = (await this.traffic.peek()).reads[this.path] ?? 0;
    await until(`${this.path} is read in ${RESTS} periods`, async () => (
      ((await this.traffic.peek()).reads[this.path] ?? 0) >= read + RESTS));
    this.steps.rest = await this.traffic.next();
  }

  public async delete(): Promise<void> {
    await this.step('delete', this.remove);
  }
}

/** A cluster of one of CAPZ's flavours. */
interface Reconciled {
  readonly definition: { readonly name: string };
  reconcile(): Promise<boolean>;
  resources(): readonly KubernetesObject[];
}

async function ready(one: Reconciled, api: Api): Promise<void> {
  try {
    await until(`CAPZ calls ${one.definition.name} ready`, () => one.reconcile());
  } catch (error) {
    const states = await Promise.all(one.resources().map(async (object) => {
      const found = await api.get(object);
      return `${object.kind} ${object.metadata.name}: ${JSON.stringify(found?.status?.conditions ?? 'none')}`;
    }));
    throw new Error(`${(error as Error).message}:\n${states.join('\n')}`, { cause: error });
  }
}

const goneIn = (api: Api) => (what: ObjectName) =>
  until(`${what.kind} ${what.metadata.name} is gone`, async () => (await api.get(what)) === undefined);

/** Create, pause, unpause, scale, upgrade, remove a pool. */
const wholeLife: Scenario = async (environment) => {
  const { api } = environment.management;
  const demo = new AsoManagedCluster(api, cluster('demo'));
  const recorder = new Recorder(environment, 'demo', 'demo', () => demo.delete(goneIn(api)));
  await recorder.step('create', async () => {
    await demo.create();
    await ready(demo, api);
  });
  const { status, spec } = await demo.readManagedCluster();
  recorder.facts.created = { fqdn: status?.fqdn, version: status?.currentKubernetesVersion, inline: spec?.agentPoolProfiles };
  recorder.facts.pools = (status?.agentPoolProfiles as { name: string }[] | undefined)?.map(({ name }) => name).sort();
  await recorder.step('pause', () => demo.pause());
  await recorder.step('unpause', () => ready(demo, api));
  await recorder.step('scale', async () => {
    demo.definition = { ...demo.definition, pools: demo.definition.pools.map((pool) => ({ ...pool, replicas: pool.replicas + 1 })) };
    await ready(demo, api);
  });
  await recorder.step('upgrade', async () => {
    demo.definition = { ...demo.definition, version: 'v1.34.0' };
    await ready(demo, api);
  });
  recorder.facts.version = (await demo.readManagedCluster()).status?.currentKubernetesVersion;
  await recorder.step('a pool less', () => until('the pool is gone', () => demo.deletePool('pool1')));
  await ready(demo, api);
  const { metadata } = await demo.readKubeconfig();
  recorder.facts.kubeconfig = {
    label: metadata.labels?.[CLUSTER_NAME_LABEL], owners: metadata.ownerReferences?.map(({ kind }) => kind).sort(),
  };
  return recorder;
};

/** The group is there already, and stays its user's. */
const ownGroup: Scenario = async (environment) => {
  const { api } = environment.management;
  const own = new AsoManagedCluster(api, cluster('own', { groupPolicy: 'skip', tags: { team: 'ours' } }));
  const recorder = new Recorder(environment, 'own', 'own', () => own.delete(goneIn(api)));
  await recorder.step('create', async () => {
    await own.create();
    await ready(own, api);
  });
  return recorder;
};

/** The older flavours: made under `skip`, taken under management where Azure has nothing. */
const classic = (name: string, group: string): Scenario => async (environment) => {
  const { api } = environment.management;
  const one = new ClassicCluster(api, { name, group, replicas: 1, credential: environment.credential });
  const recorder = new Recorder(environment, group, name, () => one.delete(goneIn(api)));
  await recorder.step('create', async () => {
    await one.create();
    await ready(one, api);
  });
  recorder.facts.policies = Object.fromEntries(await Promise.all(one.resources().map(async (object) => [
    object.kind, (await api.must(object)).metadata.annotations?.[RECONCILE_POLICY],
  ])));
  await recorder.step('pause', () => one.pause());
  await recorder.step('unpause', () => ready(one, api));
  await recorder.step('scale', async () => {
    one.definition = { ...one.definition, replicas: 2 };
    await ready(one, api);
  });
  return recorder;
};

/** `clusterctl move`; `withObjects`: clusterctl knows the kinds of the Azure objects (docs/capz.md#clusterctl-move). */
const moved = (name: string, { withObjects }: { readonly withObjects: boolean }): Scenario => async (environment) => {
  const [from, to] = [environment.management.api, environment.second.api];
  const one = new AsoManagedCluster(from, cluster(name));
  const there = new AsoManagedCluster(to, cluster(name));
  const recorder = new Recorder(environment, name, name, () => there.delete(goneIn(to)));
  await recorder.step('create', async () => {
    await one.create();
    await ready(one, from);
  });
  await recorder.step('move', async () => {
    const objects = [
      ...[...one.ownerNames()].reverse(),
      // clusterctl moves an object after all its owners: without the ManagedCluster, the Secret with its kubeconfig stays, too.
      ...(withObjects ? [...one.resources(), kubeconfigOf(name)] : []),
    ];
    const owners = await ownersOf(from, objects);
    await one.pause();
    await moveObjects(from, to, objects, owners);
  });
  recorder.facts.left = (await Promise.all(one.resources().map((object) => from.get(object)))).filter(Boolean).length;
  if (!withObjects) {
    await recorder.step('remove what was left', async () => {
      for (const object of [...one.resources()].reverse()) {
        await from.delete(object);
        await goneIn(from)(object);
      }
    });
  }
  await recorder.step('unpause', () => ready(there, to));
  const policies = await Promise.all(there.resources().map(async (object) => (
    (await to.must(object)).metadata.annotations?.[RECONCILE_POLICY] ?? 'none')));
  recorder.facts.policies = [...new Set(policies)];
  if (withObjects) {
    await recorder.step('take skip away', async () => {
      for (const object of there.resources()) await to.merge(object, { metadata: { annotations: { [RECONCILE_POLICY]: null } } });
      await ready(there, to);
    });
  }
  return recorder;
};

/** A cluster that others have made in Azure becomes one of Cluster API. */
const adopted: Scenario = async (environment) => {
  const { api } = environment.management;
  // CAPZ writes an adopted cluster down in the version in which it reads.
  const one = new AsoManagedCluster(api, cluster('adopted', { aksVersion: 'v1api20250801' }));
  const recorder = new Recorder(environment, 'adopted', 'adopted', () => one.delete(goneIn(api)));
  await recorder.step('made by others', async () => {
    await one.create();
    await ready(one, api);
    await one.pause();
    for (const object of [...one.resources(), ...one.ownerNames()].reverse()) {
      await api.delete(object);
      await goneIn(api)(object);
    }
    // The garbage collector takes it after its owners. Where others have made a cluster, it was never there.
    await goneIn(api)(kubeconfigOf('adopted'));
  });
  await recorder.step('objects of its user', async () => {
    const annotations = { 'sigs.k8s.io/cluster-api-provider-azure-adopt': 'true', [ADOPT]: 'IfPresent' };
    for (const object of one.asWrittenByHand()) await api.create({ ...object, metadata: { ...object.metadata, annotations } });
    for (const object of one.resources()) {
      await until(`${object.kind} is Ready`, async () => (
        (await api.must(object)).status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false));
    }
  });
  await recorder.step('adopt', async () => {
    await one.takeInlinePools();
    await one.create();
    await ready(one, api);
  });
  return recorder;
};

const scenarios = {
  demo: wholeLife,
  own: ownGroup,
  classic: classic('classic', 'classic'),
  shared: classic('byo', 'shared'),
  moved: moved('moved', { withObjects: true }),
  remade: moved('remade', { withObjects: false }),
  adopted,
} satisfies Record<string, Scenario>;
export type ScenarioName = keyof typeof scenarios;
export const scenarioNames = Object.keys(scenarios) as readonly ScenarioName[];

/** The resource groups that are in Azure before. */
export const EXISTING_GROUPS = ['own', 'shared'];

/** All lives beside each other; then some periods of synchronization after a restart; then all deletions. */
export async function live(environment: CapzEnvironment, names: readonly ScenarioName[]): Promise<Map<ScenarioName, Life>> {
  const begun = names.map(async (name): Promise<[ScenarioName, Life]> => [name, await scenarios[name](environment)]);
  const lives = new Map(await Promise.all(begun));
  await restart(environment, { isSynchronizing: true });
  await Promise.all([...lives.values()].map((life) => life.rest()));
  await restart(environment, { isSynchronizing: false });
  await Promise.all([...lives.values()].map((life) => life.delete()));
  return lives;
}
