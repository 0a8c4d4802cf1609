import { performance } from 'node:perf_hooks';
import { readyOf } from '../../controller/reconcile/core/conditions';
import type { KubernetesObject } from '../../engine/kubernetes';
import type { Fault } from '../../sandbox/azure';
import { percentile, round, sleep, withConcurrency, type Row } from '../controller/bench';
import { kindsInUse, startEnvironment, type BenchEnvironment } from '../shared/environment/environment';
import { TestedController } from '../shared/environment/tested-controller';

export interface WaitsBench {
  /** Of the victim, alone and beside the others. */
  readonly probes: number;
  readonly memory: number;
  readonly speed: number;
  readonly program?: string | undefined;
  readonly controllerLog?: string | undefined;
  /** Only cases whose names contain this text. Default: all. */
  readonly only?: string | undefined;
  readonly say: (line: string) => void;
}

const KINDS = [
  'resources.azure.com/ResourceGroup',
  'managedidentity.azure.com/UserAssignedIdentity',
  'managedidentity.azure.com/FederatedIdentityCredential',
];
const GROUP = 'resources.azure.com/v1api20200601';
const IDENTITY = 'managedidentity.azure.com/v1api20230131';
const LOCATION = 'uksouth';
const STRANGERS = 'strangers';
const VICTIM = 'victim';
const OFTEN = 1_000_000;
const BELOW = '/federatedidentitycredentials/stranger';
/** An answer that takes longer counts as none. */
const LONGEST_WAIT_MS = 120_000;

/** Azure's answers to the strangers. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'that Azure refuses (403)': { method: 'PUT', path: BELOW, status: 403, code: 'AuthorizationFailed', message: 'no', times: OFTEN },
  'of a throttled principal (429)': {
    method: 'PUT', path: BELOW, status: 429, code: 'SubscriptionRequestsThrottled', message: 'no', retryAfter: 600, times: OFTEN,
  },
  'whose requests hang': { method: 'PUT', path: BELOW, hang: true, times: OFTEN },
};

const object = (apiVersion: string, kind: string, namespace: string, name: string, spec: object): KubernetesObject =>
  ({ apiVersion, kind, metadata: { name, namespace }, spec } as KubernetesObject);
const group = (namespace: string, name: string) => object(GROUP, 'ResourceGroup', namespace, name, { location: LOCATION });
const federation = (namespace: string, name: string, owner: object) => object(IDENTITY, 'FederatedIdentityCredential', namespace, name, {
  owner, issuer: 'https://issuer.test', subject: name, audiences: ['api://AzureADTokenExchange'],
});

/** How long a victim waits for what others may not do, or do not get done. */
export async function waits(options: WaitsBench): Promise<Row[]> {
  const rows: Row[] = [];
  const measure = async (what: string, one: Case) => {
    if (what.includes(options.only ?? '')) rows.push(await beside(options, what, one));
  };
  for (const [what, fault] of Object.entries(FAULTS)) {
    for (const count of [2, 20, 200]) {
      await measure(`${count} children of strangers ${what}: the victim's child`, {
        own: (name) => federation(VICTIM, name, { name: 'identity' }),
        hostile: (armId) => Array.from({ length: count }, (_, index) => federation(STRANGERS, `stranger-${index}`, { armId })),
        faults: [fault],
        principal: '00000000-0000-4000-8000-00000000beef',
      });
    }
  }
  const hangs: Fault = { method: 'PUT', path: '/resourcegroups/stranger', hang: true, times: OFTEN };
  const groups = (count: number) => () => Array.from({ length: count }, (_, index) => group(STRANGERS, `stranger-${index}`));
  await measure('22 requests of a neighbour that hang after a 429, one credential: the victim\'s group', {
    own: (name) => group(VICTIM, name),
    hostile: groups(22),
    faults: [{ method: 'PUT', path: '/resourcegroups/stranger', status: 429, code: 'TooManyRequests', retryAfter: 5, times: 1 }, hangs],
  });
  await measure('400 requests of a tenant that is alone hang, one credential: the victim\'s group', {
    own: (name) => group(VICTIM, name), hostile: groups(400), faults: [hangs], environment: { AZURE_SYNC_PERIOD: 'never' },
  });
  return rows;
}

interface Case {
  readonly own: (name: string) => KubernetesObject;
  readonly hostile: (armId: string) => readonly KubernetesObject[];
  readonly faults: readonly Fault[];
  /** Client id of the strangers' own credential. Default: all have the global one. */
  readonly principal?: string;
  /** Variables of the controller, so that a namespace whose objects are Ready has nothing in its queue. */
  readonly environment?: Readonly<Record<string, string>>;
}

async function beside({ say, speed, memory, probes, program, controllerLog }: WaitsBench, what: string, one: Case): Promise<Row> {
  const env = await startEnvironment({ kubernetes: 'embedded', kinds: [...new Set([...kindsInUse(), ...KINDS])], speed });
  const controller = new TestedController({ environment: env.environment, speed, memory, program, logFile: controllerLog });
  try {
    for (const name of [STRANGERS, VICTIM]) await env.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    if (one.principal) await env.apply(secretOf(env, one.principal));
    await controller.start(one.environment);
    await env.apply(group(VICTIM, 'home'));
    const identity = object(IDENTITY, 'UserAssignedIdentity', VICTIM, 'identity', { location: LOCATION, owner: { name: 'home' } });
    await timeToReady(env, identity);
    const alone = await times(env, one, 'alone', probes);
    for (const fault of one.faults) await env.fault(fault);
    const armId = (await env.client.get(env.typeOf(identity), 'identity', VICTIM))?.status?.id as string;
    await withConcurrency(one.hostile(armId), 8, (hostile) => env.apply(hostile));
    const with_ = await times(env, one, 'beside', probes);
    const limit = 3 * percentile(alone, 50);
    say(`${what}: alone ${list(alone)} ms, beside ${list(with_)} ms`);
    return {
      what: `${what} Ready, alone and beside them, p50 of ${probes}, and longest, ms`,
      value: `${round(percentile(alone, 50), 0)}; ${round(percentile(with_, 50), 0)}, ${round(Math.max(...with_), 0)}`,
      aim: `≤ ${round(limit, 0)}`,
    };
  } finally {
    await controller.stop();
    await env.close();
  }
}

const list = (values: readonly number[]) => values.map((value) => Math.round(value)).join(', ');

/** Objects of the victim, one after the other; milliseconds from apply to Ready of each. The wait for one that is not Ready ends. */
async function times(env: BenchEnvironment, { own }: Case, name: string, count: number): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index += 1) {
    all.push(await timeToReady(env, own(`${name}-${index}`)));
    await sleep(500);
  }
  return all;
}

async function timeToReady(env: BenchEnvironment, one: KubernetesObject): Promise<number> {
  const began = performance.now();
  await env.apply(one);
  const type = env.typeOf(one);
  while (performance.now() - began < LONGEST_WAIT_MS) {
    if (readyOf(await env.client.get(type, one.metadata.name, one.metadata.namespace))?.status === 'True') return performance.now() - began;
    await sleep(20);
  }
  return Infinity;
}

function secretOf({ azure }: BenchEnvironment, clientId: string): KubernetesObject {
  const { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID } = azure;
  const values = { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_SECRET: `secret of ${clientId}`, AZURE_CLIENT_ID: clientId };
  const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aso-credential', namespace: STRANGERS }, data } as KubernetesObject;
}
