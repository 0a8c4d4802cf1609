import type { Connection, KubernetesObject } from '../../engine/kubernetes';
import { Catalog } from '../../src/catalog';
import { startReal } from '../../test/e2e/real-cluster';
import { withConcurrency } from '../controller/bench';
import { apiServerUsage } from '../shared/environment/api-server-usage';

export interface ListsBench {
  readonly objects: number;
  readonly rounds: number;
  readonly say: (line: string) => void;
}

export interface ListCost {
  readonly seconds: number;
  readonly receivedMiB: number;
  readonly serverSeconds: number;
  readonly ownSeconds: number;
}

/** Reads all objects; answers how many bytes came. */
type Way = (connection: Connection, path: string, expected: number) => Promise<number>;

const PAGE_SIZE = 500;
const CREATED_AT_A_TIME = 16;

const WAYS: Readonly<Record<string, Way>> = {
  'pages of 500': async (connection, path) => {
    let [bytes, token] = [0, ''];
    do {
      const { text } = await get(connection, path, { limit: PAGE_SIZE, continue: token || undefined });
      bytes += text.length;
      token = (JSON.parse(text) as { metadata: { continue?: string } }).metadata.continue ?? '';
    } while (token);
    return bytes;
  },
  'one list from the watch cache (resourceVersion=0)': async (connection, path) => {
    const { text } = await get(connection, path, { resourceVersion: '0' });
    JSON.parse(text);
    return text.length;
  },
  'a watch that begins with all (sendInitialEvents)': async (connection, path, expected) => {
    const ended = new AbortController();
    const { status, body } = await connection.stream({
      method: 'GET',
      path,
      query: {
        watch: true, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true,
      },
    }, ended.signal);
    if (status !== 200) throw new Error(`the watch was answered ${status}`);
    let [bytes, seen, rest] = [0, 0, ''];
    const decoder = new TextDecoder();
    for await (const part of body) {
      bytes += part.length;
      const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
      rest = lines.pop()!;
      for (const line of lines) if ((JSON.parse(line) as { type: string }).type === 'ADDED') seen += 1;
      if (seen === expected) break;
    }
    ended.abort();
    return bytes;
  },
};

/** Costs of each way in each round, in turns. */
export async function measureLists({ objects, rounds, say }: ListsBench): Promise<ReadonlyMap<string, ListCost[]>> {
  const kind = Catalog.default().kind('storage.azure.com', 'StorageAccount')!;
  const version = kind.facts.storageVersion;
  const cluster = await startReal({ kinds: [kind], versionsOf: () => [version] });
  try {
    const path = `/apis/${kind.group}/${version}`;
    const made = Array.from({ length: objects }, (_, index) => accountOf(`${kind.group}/${version}`, index));
    await withConcurrency(made, CREATED_AT_A_TIME, async (object) => {
      const { status, text } = await cluster.connection.request({
        method: 'POST', path: `${path}/namespaces/default/${kind.facts.plural}`, body: JSON.stringify(object),
      });
      if (status !== 201) throw new Error(`the API server answered ${status}: ${text.slice(0, 300)}`);
    });
    say(`${objects} objects created`);
    const taken = new Map(Object.keys(WAYS).map((name) => [name, [] as ListCost[]]));
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, way] of Object.entries(WAYS)) {
        const before = { server: await apiServerUsage(cluster.connection), own: process.cpuUsage(), at: performance.now() };
        const bytes = await way(cluster.connection, `${path}/${kind.facts.plural}`, objects);
        const seconds = (performance.now() - before.at) / 1_000;
        const { user, system } = process.cpuUsage(before.own);
        const cost = {
          seconds,
          receivedMiB: bytes / 1024 ** 2,
          serverSeconds: (await apiServerUsage(cluster.connection)).cpuSeconds - before.server.cpuSeconds,
          ownSeconds: (user + system) / 1e6,
        };
        say(`${name}: ${JSON.stringify(cost)}`);
        taken.get(name)!.push(cost);
      }
    }
    return taken;
  } finally {
    await cluster.close();
  }
}

async function get(connection: Connection, path: string, query: Record<string, string | number | undefined>): Promise<{ text: string }> {
  const answer = await connection.request({ method: 'GET', path, query });
  if (answer.status !== 200) throw new Error(`the list was answered ${answer.status}`);
  return answer;
}

/** As large as an account in use: 3 KiB. */
function accountOf(apiVersion: string, index: number): KubernetesObject {
  const annotations = { 'example.com/as-large-as-in-use': 'x'.repeat(2_000) };
  return {
    apiVersion,
    kind: 'StorageAccount',
    metadata: { name: `account-${index}`, namespace: 'default', annotations },
    spec: { azureName: `account${index}`, location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'group' } },
  };
}
