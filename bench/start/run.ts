import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../../test/e2e/servers';
import { kindsInUse, startEnvironment } from '../shared/environment/environment';
import { TestedController } from '../shared/environment/tested-controller';

export interface StartBench {
  readonly rounds: number;
  /** Number of kinds that the controller reconciles. */
  readonly kinds: number;
  readonly idleSeconds: number;
  /** The controller's memory limit, in MiB. */
  readonly memory: number;
  readonly onRound: (round: StartRound) => void;
}

export interface StartRound {
  readonly healthyMs: number;
  readonly readyMs: number;
  readonly startedMs: number;
  readonly startCpuSeconds: number;
  readonly residentMiB: number;
  readonly peakMiB: number;
  readonly heapMiB: number;
  readonly idleCores: number;
}

/** Starts the controller so many times, one after the other. */
export async function run({ rounds, kinds, idleSeconds, memory, onRound }: StartBench): Promise<void> {
  const installed = kindsInUse();
  if (installed.length < kinds) throw new Error(`--kinds ${kinds}: give at most ${installed.length}`);
  const pattern = installed.slice(0, kinds).join(';');
  const environment = await startEnvironment({ kubernetes: 'embedded', kinds: installed, speed: 1 });
  try {
    await environment.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: environment.environment.POD_NAMESPACE! } });
    for (let round = 0; round < rounds; round += 1) onRound(await oneRound(environment.environment, pattern, idleSeconds, memory));
  } finally {
    await environment.close();
  }
}

async function oneRound(
  environment: Readonly<Record<string, string>>, pattern: string, idleSeconds: number, memory: number,
): Promise<StartRound> {
  const [health, webhooks] = await freePorts(2);
  const flags = ['--kinds', pattern, '--enable-leader-election', '--health-addr', `127.0.0.1:${health}`, '--webhook-port', String(webhooks)];
  const controller = new TestedController({ environment, speed: 1, memory, flags });
  const began = performance.now();
  const answers = async (path: string) => {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${health}${path}`).catch(() => undefined);
      await answer?.text();
      if (answer?.status === 200) return performance.now() - began;
      await pause(5);
    }
  };
  const [startedMs, healthyMs, readyMs] = await Promise.all([controller.start(), answers('/healthz'), answers('/readyz')]);
  const { cpuSeconds: startCpuSeconds } = controller.usage();
  await pause(idleSeconds * 1000);
  const { cpuSeconds, residentMiB, peakMiB } = controller.usage();
  const heapMiB = (await controller.metric('nodejs_heap_size_used_bytes')) / 1024 ** 2;
  await controller.stop();
  return {
    healthyMs, readyMs, startedMs, startCpuSeconds, residentMiB, peakMiB, heapMiB, idleCores: (cpuSeconds - startCpuSeconds) / idleSeconds,
  };
}
