import { setMaxListeners } from 'node:events';
import type { Case } from './cases';
import { appliedKeyOf } from '../../cli/manifests/manifests';
import { applyManifests } from '../../cli/sandbox/apply';
import { Board } from '../../cli/sandbox/board';
import { SandboxCluster } from '../../cli/sandbox/cluster';
import { ControllerProcess } from '../../cli/sandbox/controller-process';
import { verdictOf } from '../../cli/sandbox/outcome';
import { startServers } from '../../cli/sandbox/servers';
import type { KubernetesObject } from '../../engine/kubernetes';

export interface SeedOptions {
  /** Undefined: the simulator as it always is. */
  readonly seed: string | undefined;
  readonly azureTypes: string | undefined;
  readonly timeScale: number;
  readonly syncPeriodSeconds: number;
  readonly timeoutSeconds: number;
  /** `batch` or `individual`, as `DRIFT_DETECTION`. */
  readonly driftDetection: string;
  readonly controllerLog: string | undefined;
}

/** A fault of one object of a case. */
export interface Fault {
  readonly object: string;
  readonly text: string;
}

export interface SeedResult {
  readonly faults: ReadonlyMap<string, readonly Fault[]>;
  readonly seconds: number;
  readonly requests: string;
}

/** Sync periods until what is not Ready again never will be. */
const MAX_WAITS = 20;
const SYNCS = 3;
const WRITES = new Set(['PUT', 'PATCH', 'DELETE']);

/** Brings all cases to Ready in one cluster, then counts the writes of three sync periods. */
export async function runSeed(cases: readonly Case[], options: SeedOptions): Promise<SeedResult> {
  const startedAt = Date.now();
  const servers = await startServers({
    output: 'json',
    timeScale: options.timeScale,
    existing: [],
    allowForeignScopes: true,
    controller: true,
    ...(options.seed !== undefined && { seed: options.seed, contrary: options.seed }),
    ...(options.azureTypes !== undefined && { azureTypes: options.azureTypes }),
  }, {});
  const controller = new ControllerProcess({
    environment: {
      ...servers.environment, AZURE_SYNC_PERIOD: `${options.syncPeriodSeconds}s`, DRIFT_DETECTION: options.driftDetection,
    },
    inherited: process.env,
    simulated: true,
    flags: servers.controllerFlags,
    logFile: options.controllerLog,
    say: (line) => console.error(line),
  });
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  try {
    controller.start();
    const cluster = await SandboxCluster.connect(servers.kubernetesUrl);
    const board = new Board();
    const manifests = cases.flatMap((one) => one.manifests);
    const azure = manifests.map(({ object }) => object).filter((object) => cases.some(({ keys }) => keys.has(appliedKeyOf(object))));
    for (const object of azure) board.expect(object);
    for (const type of new Set(azure.map((object) => cluster.typeOf(object)).filter((known) => known !== undefined))) {
      cluster.watch(type, ({ object }) => board.see(object), end.signal);
    }
    const { refused } = await applyManifests(cluster, manifests);
    for (const { manifest, reason, message } of refused) board.refuse(manifest.object, reason, message);
    const faults = new Faults(cases);
    await untilDone(board, controller, startedAt + options.timeoutSeconds * 1000);
    for (const { object, state, reason, message } of board.list()) {
      if (state !== 'ready') faults.add(appliedKeyOf(object), object, `not Ready: ${reason}: ${message.slice(0, 300)}`);
    }
    // The first sync after the end may still have to write what a child changed in its parent.
    await sleep(options.syncPeriodSeconds * 1000);
    const before = servers.azure!.requests().total;
    await sleep((SYNCS + 0.5) * options.syncPeriodSeconds * 1000);
    const after = servers.azure!.requests().total;
    const log = servers.azure!.log().slice(before - after);
    for (const { method, path } of after === before ? [] : log) {
      if (!WRITES.has(method)) continue;
      const entry = board.list().find(({ object }) => sameId((object.status as { id?: string } | undefined)?.id, path));
      faults.add(entry?.key, entry?.object, `${method} at rest: ${path}${entry ? await eventsText(servers.kubernetesUrl, entry.object) : ''}`);
    }
    // A read that Azure was too busy for may just be under way again. How long that takes is no verdict, on a busy machine.
    const isAtRest = () => board.list().every(({ state }) => state === 'ready');
    for (let waits = 0; waits < MAX_WAITS && !isAtRest(); waits += 1) await sleep(options.syncPeriodSeconds * 1000);
    for (const { object, state, reason, message } of board.list()) {
      if (state !== 'ready') faults.add(appliedKeyOf(object), object, `not Ready at rest: ${reason}: ${message.slice(0, 300)}`);
    }
    if (after === before) faults.add(undefined, undefined, 'no request in three sync periods: nothing was looked at');
    const counts = servers.azure!.requests();
    const requests = Object.entries(counts.byMethod).map(([method, count]) => `${method} ${count}`).join(', ');
    await cluster.close();
    return { faults: faults.byCase, seconds: Math.round((Date.now() - startedAt) / 1000), requests };
  } finally {
    end.abort();
    await controller.stop();
    await servers.close();
  }
}

/** Faults by the name of their case, each text of an object once. */
class Faults {
  public readonly byCase = new Map<string, Fault[]>();

  public constructor(private readonly cases: readonly Case[]) {}

  public add(key: string | undefined, object: KubernetesObject | undefined, text: string): void {
    const name = this.cases.find(({ keys }) => key !== undefined && keys.has(key))?.name ?? 'no case';
    const described = object ? `${object.kind} ${object.metadata.name}` : '-';
    const faults = this.byCase.get(name) ?? [];
    if (!faults.some((fault) => fault.object === described && fault.text === text)) faults.push({ object: described, text });
    this.byCase.set(name, faults);
  }
}

/** The controller's own words about differences that it has found. */
async function eventsText(url: string, { metadata: { namespace = '', uid } }: KubernetesObject): Promise<string> {
  const { items } = await (await fetch(`${url}/api/v1/namespaces/${namespace}/events`)).json() as { items: ClusterEvent[] };
  const texts = items.filter((event) => event.involvedObject?.uid === uid && /drift|difference/i.test(event.reason ?? ''))
    .map(({ reason, message }) => `${reason}: ${message}`);
  return texts.length === 0 ? '' : ` (${texts.join('; ')})`;
}

interface ClusterEvent {
  readonly reason?: string;
  readonly message?: string;
  readonly involvedObject?: { readonly uid?: string };
}

async function untilDone(board: Board, controller: ControllerProcess, deadline: number): Promise<void> {
  let hopeless: unknown;
  controller.hopeless.catch((error: unknown) => (hopeless = error));
  while (verdictOf(board.list(), Date.now() - board.lastChange) === 'going' && Date.now() < deadline) {
    if (hopeless !== undefined) throw hopeless instanceof Error ? hopeless : new Error('the controller does not start');
    await sleep(100);
  }
}

const sameId = (id: string | undefined, path: string): boolean => id?.toLowerCase() === decodeURIComponent(path).toLowerCase();
const sleep = (milliseconds: number) => new Promise((resolve) => void setTimeout(resolve, milliseconds));
