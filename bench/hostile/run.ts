import { performance } from 'node:perf_hooks';
import { groupOf, hostileObjects, hostileSecrets } from './hostile-objects';
import { isReady } from '../../controller/reconcile/core/conditions';
import type { KubernetesObject } from '../../engine/kubernetes';
import { freePort } from '../../test/e2e/servers';
import { withConcurrency, percentile, round, sleep, type Row } from '../controller/bench';
import { kindsInUse, startEnvironment, type BenchEnvironment } from '../shared/environment/environment';
import { TestedController } from '../shared/environment/tested-controller';

export interface HostileBench {
  readonly objects: number;
  /** Of the neighbour, alone and beside the hostile namespace. */
  readonly probes: number;
  /** The controller's memory limit, in MiB. */
  readonly memory: number;
  /** How many times faster than real time Azure and the controller's own delays are. */
  readonly speed: number;
  readonly program?: string;
  readonly controllerLog?: string;
  readonly say: (line: string) => void;
}

const KINDS = ['resources.azure.com/ResourceGroup', 'network.azure.com/VirtualNetwork', 'storage.azure.com/StorageAccount'];
const HOSTILE = 'hostile';
const NEIGHBOUR = 'neighbour';
const PROBE_INTERVAL_MS = 1_500;
const LONGEST_WAIT_MS = 60_000;

/** How quickly a neighbour is served, and health answers, while one namespace does its worst. */
export async function run(options: HostileBench): Promise<Row[]> {
  const { say, speed } = options;
  const env = await startEnvironment({ kubernetes: 'embedded', kinds: [...new Set([...kindsInUse(), ...KINDS])], speed });
  const healthPort = await freePort();
  const controller = new TestedController({
    environment: env.environment,
    speed,
    memory: options.memory,
    program: options.program,
    logFile: options.controllerLog,
    flags: ['--health-addr', `127.0.0.1:${healthPort}`],
  });
  const health = new Health(healthPort);
  try {
    for (const name of [HOSTILE, NEIGHBOUR]) await env.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await controller.start();
    const { pid } = controller;
    health.begin();
    const alone = await probes(env, 'alone', options.probes);
    say(`alone: ${alone.map((ms) => Math.round(ms)).join(', ')} ms to Ready`);
    const quiet = health.takeLongest();
    await env.apply(groupOf(HOSTILE, 'home'));
    const hostile = [...hostileSecrets(HOSTILE, 10), ...hostileObjects(HOSTILE, options.objects)];
    await withConcurrency(hostile, 4, (object) => applied(env, object, say));
    const stop = keepEditing(env, hostileObjects(HOSTILE, options.objects));
    const beside = await probes(env, 'beside', options.probes);
    await stop();
    say(`beside: ${beside.map((ms) => Math.round(ms)).join(', ')} ms to Ready`);
    const { peakMiB } = controller.usage();
    const limit = `≤ ${round(2 * percentile(alone, 50), 0)}`;
    return [
      { what: '/healthz alone, longest, ms', value: round(quiet) },
      { what: `/healthz beside ${options.objects} hostile objects, longest, ms`, value: round(health.takeLongest()), aim: '≤ 1000' },
      { what: `a neighbour's object Ready alone, p50 of ${options.probes}, ms`, value: round(percentile(alone, 50), 0) },
      { what: '… longest, ms', value: round(Math.max(...alone), 0) },
      { what: `a neighbour's object Ready beside them, p50 of ${options.probes}, ms`, value: round(percentile(beside, 50), 0), aim: limit },
      { what: '… longest, ms', value: round(Math.max(...beside), 0) },
      { what: 'restarts', value: controller.pid === pid ? 0 : 1, aim: '0' },
      { what: 'memory, most, MiB', value: round(peakMiB), aim: `≤ ${options.memory}` },
    ];
  } finally {
    health.end();
    await controller.stop();
    await env.close();
  }
}

/** Objects of the neighbour, one after the other; milliseconds from apply to Ready of each. */
async function probes(env: BenchEnvironment, name: string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const object = groupOf(NEIGHBOUR, `${name}-${index}`);
    const began = performance.now();
    await env.apply(object);
    const type = env.typeOf(object);
    for (;;) {
      const seen = await env.client.get(type, object.metadata.name, NEIGHBOUR);
      if (isReady(seen)) break;
      if (performance.now() - began > LONGEST_WAIT_MS) {
        throw new Error(`${object.metadata.name} was not Ready after ${LONGEST_WAIT_MS} ms: ${JSON.stringify(seen?.status)}`);
      }
      await sleep(20);
    }
    times.push(performance.now() - began);
    await sleep(PROBE_INTERVAL_MS);
  }
  return times;
}

/** The API server may refuse what is hostile: all the better. */
async function applied(env: BenchEnvironment, object: KubernetesObject, say: (line: string) => void): Promise<void> {
  await env.apply(object).catch((error: unknown) => say(`refused: ${object.metadata.name}: ${(error as Error).message.slice(0, 120)}`));
}

/** Changes all the objects again and again, so that nothing is remembered; answers what ends it. */
function keepEditing(env: BenchEnvironment, objects: readonly KubernetesObject[]): () => Promise<void> {
  let isOver = false;
  const editing = (async () => {
    for (let round_ = 0; !isOver; round_ += 1) {
      for (const object of objects) {
        if (isOver) return;
        const edited = { ...object, spec: { ...object.spec, location: round_ % 2 === 0 ? 'ukwest' : 'uksouth' } };
        await env.apply(edited).catch(() => undefined);
        await sleep(50);
      }
    }
  })();
  return async () => {
    isOver = true;
    await editing;
  };
}

/** Asks for /healthz four times a second, as the kubelet would once in a while. */
class Health {
  private timer?: NodeJS.Timeout;
  private longest = 0;

  public constructor(private readonly port: number) {}

  public begin(): void {
    this.timer = setInterval(() => void this.ask(), 250);
  }

  public end(): void {
    clearInterval(this.timer);
  }

  /** Milliseconds; the next call begins anew. */
  public takeLongest(): number {
    const { longest } = this;
    this.longest = 0;
    return longest;
  }

  private async ask(): Promise<void> {
    const began = performance.now();
    await fetch(`http://127.0.0.1:${this.port}/healthz`).then((answer) => answer.text(), () => undefined);
    this.longest = Math.max(this.longest, performance.now() - began);
  }
}
