import type { Bench, Row } from './bench';
import { edits, quietEdits, readyAfterEdits } from './edits';
import { period, PERIOD_SETTINGS, PERIOD_SPEED } from './period';
import { ready } from './ready';
import { restart } from './restart';
import { storm } from './storm';
import { kindsInUse, startEnvironment } from '../shared/environment/environment';
import { ObjectsSeen } from '../shared/environment/objects-seen';
import { subscriptionId, teamsOf, type Credential } from '../shared/environment/teams';
import { TestedController } from '../shared/environment/tested-controller';

export const PARTS = ['ready', 'restart', 'quiet', 'edited', 'edits', 'storm', 'period'] as const;

export interface ControllerBench {
  readonly objects: number;
  readonly subscriptions: number;
  readonly kubernetes: 'embedded' | 'real';
  /** The CRDs in the cluster: of the kinds in use, or of all. */
  readonly crds: 'used' | 'all';
  /** So many of Azure's seconds pass in one. */
  readonly speed: number;
  /** The controller's memory limit, in MiB. */
  readonly memory: number;
  readonly parts: readonly string[];
  readonly restSeconds: number;
  readonly edits: number;
  /** Of the measurement of requests at rest. */
  readonly restObjects: number;
  readonly stormObjects: number;
  readonly probes: number;
  readonly nodeFlags: readonly string[];
  readonly controllerLog?: string;
  /** File for every request to Azure until all are Ready. */
  readonly requestsFile?: string;
  readonly program?: string;
  readonly say: (line: string) => void;
  /** Called for each result as soon as it is there. */
  readonly onRows: (rows: readonly Row[]) => void;
}

/** Measures the built controller against the two servers. Everything that it starts ends with it. */
export async function run(options: ControllerBench): Promise<void> {
  const { parts, onRows, say } = options;
  const together: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
    ready: (bench) => ready(bench, options),
    restart: (bench) => restart(bench),
    quiet: (bench) => quietEdits(bench, options.edits),
    edited: (bench) => readyAfterEdits(bench),
    edits: (bench) => edits(bench, options.edits),
    storm: (bench) => storm(bench, options.stormObjects, options.probes),
  };
  if (Object.keys(together).some((part) => parts.includes(part))) {
    await within(options, {}, async (bench) => {
      for (const [part, measure] of Object.entries(together)) {
        if (!parts.includes(part)) continue;
        say(part);
        onRows(await measure(bench));
      }
    });
  }
  if (!parts.includes('period')) return;
  say('period');
  await within({ ...options, objects: options.restObjects, speed: PERIOD_SPEED }, PERIOD_SETTINGS, async (bench) =>
    onRows(await period(bench)),
  );
}

/** With servers and a controller of their own. */
async function within(
  options: ControllerBench, environment: Readonly<Record<string, string>>, act: (bench: Bench) => Promise<void>,
): Promise<void> {
  const { speed, say, subscriptions } = options;
  say('starting the servers');
  const kinds = options.crds === 'used' ? kindsInUse() : undefined;
  const env = await startEnvironment({ kubernetes: options.kubernetes, kinds, speed, azure: { limits: true } });
  const seen = new ObjectsSeen();
  const controller = new TestedController({
    environment: { ...env.environment, AZURE_SUBSCRIPTION_ID: subscriptionId(0), ...environment },
    speed,
    memory: options.memory,
    nodeFlags: options.nodeFlags,
    logFile: options.controllerLog,
    program: options.program,
  });
  try {
    const { AZURE_TENANT_ID: tenantId, AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: clientSecret } = env.azure;
    const credential: Credential = { tenantId, clientId, clientSecret };
    const teams = teamsOf(options.objects, subscriptions, credential);
    await seen.watch(env.client, env.usedTypes);
    say(`${teams.length} teams; starting the controller`);
    await controller.start();
    await act({ environment: env, seen, controller, teams, credential, subscriptions, speed, say });
  } finally {
    seen.end();
    await controller.stop();
    await env.close();
  }
}
