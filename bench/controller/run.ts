import type { Bench, Row } from './bench';
import { edits } from './edits';
import { period } from './period';
import { ready } from './ready';
import { restart } from './restart';
import { storm } from './storm';
import { ObjectsSeen } from '../shared/world/objects-seen';
import { subscriptionId, teamsOf, type Credential } from '../shared/world/teams';
import { TestedController } from '../shared/world/tested-controller';
import { kindsInUse, startWorld } from '../shared/world/world';

export const PARTS = ['ready', 'restart', 'edits', 'period', 'storm'] as const;

export interface ControllerBench {
  readonly objects: number;
  readonly subscriptions: number;
  readonly kubernetes: 'embedded' | 'real';
  /** Whose CRDs the cluster has: of the kinds in use, or of all. */
  readonly crds: 'used' | 'all';
  /** So many of Azure's seconds pass in one. */
  readonly speed: number;
  /** The controller's memory limit, in MiB. */
  readonly memory: number;
  readonly parts: readonly string[];
  readonly restSeconds: number;
  readonly edits: number;
  readonly syncSeconds: number;
  readonly stormObjects: number;
  readonly probes: number;
  readonly nodeFlags: readonly string[];
  readonly controllerLog?: string;
  readonly say: (line: string) => void;
  /** Told of each result as soon as it is there. */
  readonly onRows: (rows: readonly Row[]) => void;
}

/** Measures the built controller against the two servers. Everything that it starts ends with it. */
export async function run(options: ControllerBench): Promise<void> {
  const { speed, say } = options;
  say('starting the servers');
  const world = await startWorld({ kubernetes: options.kubernetes, kinds: options.crds === 'used' ? kindsInUse() : undefined, speed });
  const seen = new ObjectsSeen();
  const controller = new TestedController({
    environment: { ...world.environment, AZURE_SUBSCRIPTION_ID: subscriptionId(0) },
    speed,
    memory: options.memory,
    nodeFlags: options.nodeFlags,
    logFile: options.controllerLog,
  });
  try {
    const { AZURE_TENANT_ID: tenantId, AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: clientSecret } = world.azure;
    const credential: Credential = { tenantId, clientId, clientSecret };
    const teams = teamsOf(options.objects, options.subscriptions, credential);
    const bench: Bench = { world, seen, controller, teams, credential, subscriptions: options.subscriptions, speed, say };
    await seen.watch(world.client, world.usedTypes);
    say(`${teams.length} teams; starting the controller`);
    await controller.start();
    const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
      ready: () => ready(bench, options.restSeconds),
      restart: () => restart(bench),
      edits: () => edits(bench, options.edits),
      period: () => period(bench, options.syncSeconds),
      storm: () => storm(bench, options.stormObjects, options.probes),
    };
    for (const part of PARTS) {
      if (!options.parts.includes(part)) continue;
      say(part);
      options.onRows(await parts[part]());
    }
    await controller.stop();
  } finally {
    seen.end();
    await controller.stop();
    await world.close();
  }
}
