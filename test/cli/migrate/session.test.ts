import type { Journal } from '../../../cli/migrate/journal';
import type { MigrationContext } from '../../../cli/migrate/migration-context';
import { MigrationSession } from '../../../cli/migrate/session';
import { styleFor } from '../../../cli/output/terminal';
import type { Clock } from '../../../engine/clock';
import { NotLeadingError, type ClusterAccess, type RestClient } from '../../../engine/kubernetes';
import { FakeApiServer, json, thing, THING, THINGS } from '../../engine/kubernetes/fake-api-server';

const COLLECTION = THINGS.replace('/things', '/namespaces/default/things');
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/aso/leases';
const LEASE = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'cdk8s-aso-migration', namespace: 'aso', resourceVersion: '1' } };
const MERGE = 'application/merge-patch+json';

type Write = (client: RestClient) => Promise<unknown>;
const WRITES: Readonly<Record<string, Write>> = {
  'create': (client) => client.create(THING, thing('a', 1)),
  'replace': (client) => client.replace(THING, thing('a', 1)),
  'replace the status': (client) => client.replaceStatus(THING, thing('a', 1)),
  'patch': (client) => client.patch(THING, 'a', 'default', {}, MERGE),
  'apply': (client) => client.patch(THING, 'a', 'default', thing('a', 1), 'application/apply-patch+yaml'),
  'patch the status': (client) => client.patchStatus(THING, 'a', 'default', {}, MERGE),
  'delete': (client) => client.delete(THING, 'a', 'default'),
};

async function startServer(): Promise<FakeApiServer> {
  const server = await FakeApiServer.start();
  server.on(`POST ${LEASES}`, json(LEASE)).on(`PUT ${LEASES}/cdk8s-aso-migration`, json(LEASE)).on(`GET ${COLLECTION}/a`, json(thing('a', 1)));
  server.on(`POST ${COLLECTION}`, json(thing('a', 1)));
  for (const path of [`${COLLECTION}/a`, `${COLLECTION}/a/status`]) {
    for (const method of ['PUT', 'PATCH', 'DELETE']) server.on(`${method} ${path}`, json(thing('a', 1)));
  }
  return server;
}

// Another process may have taken the lease over, and may write the same objects in another way.
test.each(['client', 'applier'] as const)('a step writes with its %s while the lease is held, and not once it has run out', async (name) => {
  const server = await startServer();
  const time = { now: 0 };
  // No renewal comes: time passes only where the test says so.
  const clock: Clock = {
    now: () => time.now,
    random: () => 0,
    schedule: () => () => undefined,
    sleep: (_, signal) => new Promise((__, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })),
  };
  const terminal = { style: styleFor({}, {}), print: () => undefined, error: () => undefined, note: () => undefined };
  const live = { client: server.client, connection: server.connection, access: {} as ClusterAccess, server: server.url };
  const session = new MigrationSession(live, { install: [], terminal, output: 'json', clock });
  const outcomes: [string, unknown, unknown][] = [];
  const run = async (context: MigrationContext) => {
    const client = context[name];
    for (const [what, write] of Object.entries(WRITES)) {
      const tried = async (atMs: number) => {
        time.now = atMs;
        const before = server.seen.length;
        const error = await write(client).then(() => undefined, (thrown: unknown) => thrown);
        return error === undefined ? server.seen.length - before : error instanceof NotLeadingError && server.seen.length === before;
      };
      outcomes.push([what, await tried(9_999), await tried(10_000)]);
    }
    expect((await client.get(THING, 'a', 'default'))?.metadata.name).toBe('a');
    return '';
  };
  const journal = { state: { done: [] }, isFinished: true, replace: async () => undefined } as unknown as Journal;
  try {
    await session.withLease('aso', (client, lease) => session.carryOut(client, lease, 'aso', journal, {
      steps: [{ id: 'a-step', title: 'A step', run }], notes: 'done', end: '',
    }));
  } finally {
    await server.stop();
  }
  expect(outcomes).toEqual(Object.keys(WRITES).map((what) => [what, 1, true]));
});
