import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../engine/clock';
import {
  KubeconfigError,
  KubernetesError,
  loadClusterAccess,
  RestClient,
  type Connection,
  type ResourceType,
} from '../../../engine/kubernetes';
import type { Random } from '../../simulation/random';
import type { Entrance } from '../entrance';
import { mutateBytes, mutatedJson } from '../mutate';
import { soundObjects } from './objects';

const TYPE: ResourceType = {
  group: 'storage.azure.com',
  version: 'v1api20230101',
  plural: 'storageaccounts',
  kind: 'StorageAccount',
  namespaced: true,
};
const STATUS = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code: 410,
  reason: 'Expired',
  message: 'too old',
  details: { causes: [{ message: 'x' }] },
};
const KUBECONFIG = {
  'apiVersion': 'v1',
  'kind': 'Config',
  'current-context': 'c',
  'clusters': [{ name: 'k', cluster: { 'server': 'https://localhost:6443', 'certificate-authority-data': 'eA==' } }],
  'users': [
    {
      name: 'u',
      user: {
        'token': 't',
        'client-certificate-data': 'eA==',
        'client-key-data': 'eA==',
        'exec': { command: 'true', args: ['x'], env: [{ name: 'a', value: 'b' }] },
      },
    },
  ],
  'contexts': [{ name: 'c', context: { cluster: 'k', user: 'u', namespace: 'ns' } }],
};

const stored = (object: Record<string, unknown>) => ({
  ...object,
  metadata: { ...(object.metadata as object), uid: 'u', resourceVersion: '5', managedFields: [] },
});

/** Data from the connection, in chunks that may end anywhere. */
interface Answer {
  readonly status: number;
  readonly parts: readonly string[];
}

function partsOf(text: string, random: Random): string[] {
  const sound = Buffer.from(text);
  const bytes = random.chance(0.2) ? mutateBytes(sound, random) : sound;
  const cuts = [
    0,
    ...Array.from({ length: random.between(0, 4) }, () => random.between(0, bytes.length)).sort((a, b) => a - b),
    bytes.length,
  ];
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end).toString('base64'));
}

/** The controller's own client; a socket is all that it does not have. */
function clientOf({ status, parts }: Answer): RestClient {
  const bytes = parts.map((part) => Buffer.from(part, 'base64'));
  const connection = {
    server: 'https://localhost',
    invalidate: () => undefined,
    request: async () => ({ status, headers: { 'retry-after': '1' }, text: Buffer.concat(bytes).toString('utf8') }),
    stream: async () => ({ status, body: chunks(bytes) }),
  } as unknown as Connection;
  return new RestClient(connection, { clock: { ...systemClock, sleep: async () => undefined } });
}

async function* chunks(bytes: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield* bytes;
}

const isRefusal = (error: Error) => error instanceof KubernetesError;
let directory: string | undefined;

export const kubernetesEntrances: readonly Entrance[] = [
  {
    name: 'kubernetes-list',
    make: (random) => {
      const list = {
        kind: 'List',
        apiVersion: 'v1',
        metadata: { resourceVersion: '7', continue: 'x' },
        items: soundObjects(random).map(stored),
      };
      const text = mutatedJson(random.chance(0.8) ? list : STATUS, STATUS, random);
      return { status: random.pick([200, 200, 200, 403, 410, 429, 500]), parts: partsOf(text, random) };
    },
    enter: (input) => clientOf(input as Answer).list(TYPE, { namespace: 'ns', limit: 10 }),
    expected: isRefusal,
  },
  {
    name: 'kubernetes-watch',
    make: (random) => {
      const lines = soundObjects(random).map((object) => ({
        type: random.pick(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']),
        object: stored(object),
      }));
      const all: object[] = random.chance(0.3) ? [...lines, { type: 'ERROR', object: STATUS }] : lines;
      return {
        status: random.chance(0.9) ? 200 : 410,
        parts: partsOf(all.map((line) => mutatedJson(line, STATUS, random)).join('\n') + random.pick(['\n', '']), random),
      };
    },
    enter: async (input) => {
      const options = { namespace: 'ns', resourceVersion: '1', timeoutSeconds: 1 };
      for await (const event of clientOf(input as Answer).watch(TYPE, options, new AbortController().signal)) {
        void event.object.metadata.name;
      }
    },
    expected: isRefusal,
  },
  {
    name: 'kubeconfig',
    make: (random) => mutatedJson(KUBECONFIG, STATUS, random),
    enter: async (text) => {
      directory ??= mkdtempSync(join(tmpdir(), 'fuzz-'));
      const path = join(directory, 'kubeconfig');
      writeFileSync(path, text as string);
      await loadClusterAccess({ path });
    },
    expected: (error) => error instanceof KubeconfigError,
  },
];
