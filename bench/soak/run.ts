import { Churn } from './churn';
import { disturb } from './disturbances';
import { missedOf } from './missed';
import { COLLECTS_AT_SIGNAL, sampleOf, type Sample } from './sample';
import { trendOf, type Trend } from './trend';
import { randomNumbers } from '../../test/e2e/kill/moments';
import { until } from '../../test/setup/until';
import { sleep } from '../controller/bench';
import { kindsInUse, startEnvironment } from '../shared/environment/environment';
import { ObjectsSeen } from '../shared/environment/objects-seen';
import { subscriptionId } from '../shared/environment/teams';
import { TestedController } from '../shared/environment/tested-controller';

export interface Soak {
  readonly minutes: number;
  /** Approximate number of objects at a time. */
  readonly objects: number;
  readonly kubernetes: 'embedded' | 'real';
  readonly speed: number;
  readonly memory: number;
  readonly seed: number;
  /** Seconds between samples. */
  readonly interval: number;
  readonly syncSeconds: number;
  readonly controllerLog?: string;
  readonly say: (line: string) => void;
}

export interface SoakReport {
  readonly samples: readonly Sample[];
  readonly trends: readonly Trend[];
  readonly missed: readonly string[];
  readonly done: { readonly created: number; readonly edited: number; readonly deleted: number };
  readonly requests: number;
}

/** The longest duration of a watch. */
const WATCH_SECONDS = 20;
/** Milliseconds between the creation of a team and the deletion of another. */
const TEAM_INTERVAL = 15_000;
const EDIT_INTERVAL = 1_000;
const TIMEOUT_SECONDS = 900;

/** Runs the controller under churn and faults; returns its use of resources, and the events that it has missed. */
export async function soak(options: Soak): Promise<SoakReport> {
  const { say, speed } = options;
  const env = await startEnvironment({
    kubernetes: options.kubernetes,
    kinds: kindsInUse(),
    speed,
    watchSeconds: WATCH_SECONDS,
    link: true,
  });
  const seen = new ObjectsSeen();
  const controller = new TestedController({
    environment: { ...env.environment, AZURE_SUBSCRIPTION_ID: subscriptionId(0), AZURE_SYNC_PERIOD: `${options.syncSeconds}s` },
    speed,
    memory: options.memory,
    nodeFlags: COLLECTS_AT_SIGNAL,
    logFile: options.controllerLog,
  });
  try {
    const { AZURE_TENANT_ID: tenantId, AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: clientSecret } = env.azure;
    const churn = new Churn(env, { tenantId, clientId, clientSecret }, randomNumbers(options.seed));
    await seen.watch(env.client, env.usedTypes);
    await controller.start();
    while (churn.objects.length < options.objects) await churn.create();
    const begun = Date.now();
    const minutes = () => (Date.now() - begun) / 60_000;
    const calm = disturb(env, say);
    const samples: Sample[] = [];
    let working = true;
    const every = async (milliseconds: number, act: () => Promise<void>) => {
      while (working) {
        await sleep(milliseconds);
        if (working) await act();
      }
    };
    await Promise.all([
      every(TEAM_INTERVAL, async () => {
        await churn.create();
        await churn.delete();
      }),
      every(EDIT_INTERVAL, () => churn.edit()),
      every(options.interval * 1000, async () => {
        const { names } = churn;
        const about = { minute: minutes(), objects: names.length, ready: seen.settled(names), lags: churn.arrived(seen) };
        const sample = await sampleOf(controller, about);
        samples.push(sample);
        say(lineOf(sample));
        working = sample.minute < options.minutes;
      }),
    ]);
    await calm();
    say('no more churn and no more faults: waiting until everything is as it should be');
    let missed: string[] = [];
    await until('nothing is missed', async () => {
      missed = await missedOf(env, controller, env.usedTypes);
      await sleep(1_000);
      return missed.length === 0 && seen.settled(churn.names) === churn.names.length;
    }, TIMEOUT_SECONDS).catch((error: Error) => missed.push(error.message));
    return {
      samples,
      missed,
      done: churn.done,
      requests: (await env.requests()).length,
      trends: [
        trendOf('heap after collection, MiB', samples, ({ heapMiB }) => heapMiB, 3),
        trendOf('resident, MiB', samples, ({ residentMiB }) => residentMiB, 15),
        trendOf('open sockets', samples, ({ sockets }) => sockets, 10),
        trendOf('open files', samples, ({ files }) => files, 10),
      ],
    };
  } finally {
    seen.end();
    await controller.stop();
    await env.close();
  }
}

function lineOf({ minute, objects, ready, residentMiB, heapMiB, sockets }: Sample): string {
  const memory = `${Math.round(residentMiB)} MiB resident, heap ${heapMiB.toFixed(1)} MiB`;
  return `minute ${minute.toFixed(1)}: ${ready} of ${objects} Ready, ${memory}, ${sockets} sockets`;
}
