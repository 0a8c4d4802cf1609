import { realEnvironment, sandboxEnvironment, type TestEnvironment } from './environment';
import { incomplete, isSettled, listed, nameOf, wrongExports, wrongInAzure } from './losses';
import { momentsOf, type Moment } from './moments';
import { MortalController } from './mortal-controller';
import { againstPolicies, createWatched, detached, isOfTree, policyOf } from './policies';
import { tree } from './tree';
import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes';
import { RESOURCE_ID } from '../../../src/azure/annotations';
import { Catalog } from '../../../src/catalog';
import { until } from '../../setup/until';

export interface KillRun {
  readonly objects: number;
  /** During the apply. */
  readonly kills: number;
  /** During the deletion. */
  readonly deletionKills: number;
  /** The same one gives the same moments. */
  readonly seed: number;
  readonly on?: 'sandbox' | 'real';
  /** Another build of the controller. */
  readonly program?: string;
  readonly timeScale?: number;
  /**
   * Maximum delay, in ms, of late or refused lists of Kubernetes; in the sandbox only. With it two namespaces have a policy. Default 0.
   */
  readonly slowListsMs?: number;
  /**
   * The longest life of a controller, in requests that change something or go to Azure. Default: so that all lives together are about the
   * work.
   */
  readonly longestLife?: number;
  readonly say?: (line: string) => void;
}

export interface KillReport {
  /** Resources that were lost, created twice, or wrong; expected to be empty. */
  readonly losses: readonly string[];
  /** Requests and deletions that a policy of a namespace forbids; also among the losses. */
  readonly againstPolicies: readonly string[];
  readonly lists: { readonly delayed: number; readonly refused: number };
  /** Of the apply and of the deletion: how many objects were done when the controller died, kill by kill. */
  readonly doneAtKill: readonly number[];
  readonly goneAtKill: readonly number[];
  /** MiB of the controller's process when all objects were Ready; `most` is its highest. */
  readonly memory: { readonly resident: number; readonly most: number };
  readonly requests: Readonly<Record<string, number>>;
}

/** Applies a tree, kills the controller again and again, and looks for what that has done; then the same with the deletion. */
export async function runKills(run: KillRun): Promise<KillReport> {
  const { objects: count, seed, on = 'sandbox', timeScale = 20, slowListsMs, program, say = () => undefined } = run;
  const objects = tree(count);
  const kinds = [...new Set(objects.map(({ apiVersion, kind }) => `${apiVersion.split('/')[0]} ${kind}`))].map((name) => {
    const [group, kind] = name.split(' ');
    return Catalog.default().kind(group!, kind!)!;
  });
  const env = on === 'real' ? await realEnvironment(kinds, timeScale) : await sandboxEnvironment(kinds, timeScale, seed, slowListsMs);
  const controller = new MortalController({ environment: env.environment, timeScale, program, onStart: () => env.slowLists?.begin() });
  const losses: string[] = [];
  try {
    const discovered = await env.client.discover();
    const typeOf = (object: KubernetesObject) =>
      discovered.find(({ group, version, kind }) => `${group}/${version}` === object.apiVersion && kind === object.kind)!;
    const types = [...new Set(objects.map(typeOf))];
    const core = (kind: string) => discovered.find((type) => type.group === '' && type.kind === kind)!;
    await Promise.all(
      [...new Set(objects.map(({ metadata }) => metadata.namespace!))].map((name) =>
        env.client.create(core('Namespace'), {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name, annotations: env.slowLists ? policyOf(name) : {} },
        }),
      ),
    );
    if (env.slowLists) await createWatched(env, core('Namespace'), typeOf(objects[0]!));
    const exported = async () =>
      (await listed(env, [core('ConfigMap'), core('Secret')])).filter(({ metadata: { name } }) => /^t\d+-/.test(name));
    const settled = async () => (await listed(env, types)).filter(isSettled).length;

    controller.start();
    const applied = withConcurrency(objects, (object) => env.client.create(typeOf(object), object));
    const moments = momentsOf(seed, run.kills, run.longestLife ?? longestLife(count / 2, 10 * count, run.kills));
    const doneAtKill = await kill(env, controller, moments, settled, count, say);
    await applied;
    await until('all are Ready', async () => (await settled()) === count)
      .catch((error: Error) => losses.push(error.message));
    const found = await listed(env, types);
    const [requests, resources] = [(await env.requests()).filter(isOfTree), (await env.resources()).filter(isOfTree)];
    losses.push(...incomplete(found), ...missing(objects, found), ...wrongInAzure(found, requests, resources));
    losses.push(...(await wrongExports(env, found, await exported())));
    const memory = controller.memory();
    say(`${await settled()} of ${count} are Ready after ${doneAtKill.length} kills, ${memory.resident} MiB resident`);

    const before = (await env.requests()).length;
    const deleted = withConcurrency(found, (object) =>
      unlessGone(env.client.delete(typeOf(object), object.metadata.name, object.metadata.namespace)),
    );
    const gone = async () => count - (await listed(env, types)).length;
    const deletionMoments = momentsOf(seed + 1, run.deletionKills, run.longestLife ?? longestLife(count / 4, 3 * count, run.deletionKills));
    const goneAtKill = await kill(env, controller, deletionMoments, gone, count, say);
    await deleted;
    await until('all are gone', async () => (await gone()) === count).catch((error: Error) => losses.push(error.message));
    losses.push(
      ...(await listed(env, types)).map(
        (object) =>
          `${nameOf(object)} is still there (finalizers: ${object.metadata.finalizers?.join() ?? 'none'}): ${JSON.stringify(object.status?.conditions)}`,
      ),
    );
    const kept = new Set(
      (env.slowLists ? detached(found) : []).map(({ metadata }) => (metadata.annotations?.[RESOURCE_ID] ?? '').toLowerCase()),
    );
    losses.push(
      ...(await env.resources())
        .filter(isOfTree)
        .filter(({ id }) => !kept.has(String(id).toLowerCase()))
        .map(({ id }) => `${id} is left in Azure`),
    );
    const forbidden = env.slowLists ? againstPolicies(found, await env.requests(), await env.resources()) : [];
    losses.push(...forbidden);
    losses.push(
      ...(await env.requests())
        .slice(before)
        .filter(({ created }) => created)
        .map(({ path }) => `${path} was created during the deletion`),
    );
    if (env.collectsGarbage) {
      await until('what was exported is gone', async () => (await exported()).length === 0)
        .catch(async () => losses.push(...(await exported()).map((object) => `${nameOf(object)} is left`)));
    }
    losses.push(...controller.endings.map((how) => `a controller ended by itself: ${how}`));
    const lists = env.slowLists?.counts ?? { delayed: 0, refused: 0 };
    return { losses, againstPolicies: forbidden, lists, doneAtKill, goneAtKill, memory, requests: counted(await env.requests()) };
  } finally {
    await controller.stop();
    await env.close();
  }
}

/** So that the lives of all controllers together are about as long as the work, which each begins with a look at what is there. */
function longestLife(looks: number, work: number, kills: number): number {
  return Math.ceil(looks + work / Math.max(kills, 1));
}

/** Kills at each of the moments, unless everything is done before; answers how far things were at each. */
async function kill(
  env: TestEnvironment, controller: MortalController, moments: readonly Moment[],
  progress: () => Promise<number>, all: number, say: (line: string) => void,
): Promise<number[]> {
  const progresses: number[] = [];
  for (const moment of moments) {
    const { starts } = controller;
    const stopWaiting = env.onRequest ? atRequest(env, controller, moment) : afterTime(controller, moment);
    try {
      while (controller.starts === starts) {
        if ((await progress()) === all) return progresses;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    } finally {
      stopWaiting();
    }
    progresses.push(await progress());
    say(`killed at ${moment.of} ${moment.after}, ${moment.arrives ? 'which arrived' : 'which did not arrive'}: ${progresses.at(-1)} done`);
  }
  return progresses;
}

function atRequest(env: TestEnvironment, controller: MortalController, { of, after, arrives }: Moment): () => void {
  let passed = 0;
  env.onRequest!(({ to, method }) => {
    const counts = of === 'start' ? to === 'Kubernetes' : to === 'Azure' || method !== 'GET';
    if (counts) passed += 1;
    if (passed !== after || !counts) return 'go on';
    controller.kill();
    return arrives ? 'go on' : 'lose it';
  });
  return () => env.onRequest!(() => 'go on');
}

/** A request takes some 20 ms, a start some 2 s. */
function afterTime(controller: MortalController, { of, after }: Moment): () => void {
  let timer: NodeJS.Timeout | undefined;
  const arm = () => (timer = setTimeout(() => controller.kill(), after * 20));
  const waiting = setInterval(() => {
    if (of !== 'start' && !controller.works) return;
    clearInterval(waiting);
    arm();
  }, 20);
  return () => {
    clearInterval(waiting);
    clearTimeout(timer);
  };
}

function missing(objects: readonly KubernetesObject[], found: readonly KubernetesObject[]): string[] {
  const there = new Set(found.map(nameOf));
  return objects.map(nameOf).filter((name) => !there.has(name)).map((name) => `${name} is gone`);
}

function counted(requests: readonly { readonly method: string; readonly poll?: boolean }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method, poll } of requests) counts[poll ? 'polls' : method] = (counts[poll ? 'polls' : method] ?? 0) + 1;
  return counts;
}

/** Objects of a deleted object may be deleted with it. */
async function unlessGone(deletion: Promise<void>): Promise<void> {
  await deletion.catch((error: unknown) => {
    if (!(error instanceof KubernetesError && error.status === 404)) throw error;
  });
}

/** A few at a time, as `kubectl apply` and controllers do. */
async function withConcurrency<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items];
  await Promise.all(Array.from({ length: 4 }, async () => {
    for (let item = waiting.shift(); item; item = waiting.shift()) await act(item);
  }));
}
