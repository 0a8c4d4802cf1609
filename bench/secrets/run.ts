import { sleep, withConcurrency } from '../controller/bench';
import { kindsInUse, startEnvironment } from '../shared/environment/environment';
import { kubernetesTraffic } from '../shared/environment/kubernetes-traffic';
import { TestedController } from '../shared/environment/tested-controller';

export interface SecretsBench {
  readonly secrets: number;
  /** Size of the value of each. */
  readonly kib: number;
  readonly rounds: number;
  readonly say: (line: string) => void;
}

export interface SecretsCost {
  readonly startMs: number;
  readonly residentMiB: number;
  readonly peakMiB: number;
  readonly heapMiB: number;
  readonly receivedMiB: number;
}

const CREATED_AT_A_TIME = 16;
const REST_MS = 20_000;
const MEMORY_MIB = 512;
const MIB = 1024 ** 2;

/** Costs of a controller without objects, without the Secrets and with them, in each round. */
export async function measureSecrets({ secrets, kib, rounds, say }: SecretsBench): Promise<ReadonlyMap<string, SecretsCost[]>> {
  const env = await startEnvironment({ kubernetes: 'embedded', kinds: kindsInUse(), speed: 1 });
  try {
    await env.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: env.environment.POD_NAMESPACE! } });
    const taken = new Map<string, SecretsCost[]>();
    const measure = async (what: string) => {
      const all: SecretsCost[] = [];
      taken.set(what, all);
      for (let round = 0; round < rounds; round += 1) {
        all.push(await costOf(env.environment));
        say(`${what}: ${JSON.stringify(all.at(-1))}`);
      }
    };
    await measure('no Secrets');
    const value = Buffer.alloc(kib * 1024, 'x').toString('base64');
    await withConcurrency(Array.from({ length: secrets }, (_, index) => `unused-${index}`), CREATED_AT_A_TIME, (name) => env.apply({
      apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: { name, namespace: 'default' }, data: { value },
    }));
    await measure(`${secrets} Secrets`);
    return taken;
  } finally {
    await env.close();
  }
}

async function costOf(environment: Readonly<Record<string, string>>): Promise<SecretsCost> {
  const controller = new TestedController({ environment, speed: 1, memory: MEMORY_MIB });
  try {
    const startMs = await controller.start();
    await sleep(REST_MS);
    const { residentMiB, peakMiB } = controller.usage();
    const metrics = await controller.metrics();
    const heapMiB = (await controller.metric('nodejs_heap_size_used_bytes')) / MIB;
    return { startMs, residentMiB, peakMiB, heapMiB, receivedMiB: kubernetesTraffic(metrics).receivedBytes / MIB };
  } finally {
    await controller.stop();
  }
}
