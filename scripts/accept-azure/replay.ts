import { request as sendRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Exchange } from './recorder';
import { simulatorToken } from './simulator-token';
import { startAzure, type AzureSimulator } from '../../sandbox';
import { armTypeOf } from '../../src/azure/arm-id';
import { isRecord } from '../../src/util/records';

/** Where Azure answered otherwise than the simulator, for one type and method. */
export interface Difference {
  /** `PUT Microsoft.Storage/storageAccounts` */
  readonly request: string;
  /** `status: Azure 202, simulator 201` */
  readonly what: string;
  readonly count: number;
}

type Simulator = Pick<AzureSimulator, 'endpoint' | 'caPem'> & { readonly token: string };

const COMPARED_HEADERS = ['Location', 'Azure-AsyncOperation', 'Retry-After'] as const;
const POLLS_AT_MOST = 400;
const POLL_MS = 25;
/** So many of Azure's seconds pass in one. */
const TIME_SCALE = 300;
/** Members that say when and by whom, not what. */
const NOT_COMPARED = new Set(['etag', 'systemData']);

/** Sends each request of a run to a fresh simulator, and compares status, headers that matter and the shape of the body. */
export async function replay(
  exchanges: readonly Exchange[], subscriptionId: string, onProgress: (done: number) => void,
): Promise<Difference[]> {
  const azure = await startAzure({ timeScale: TIME_SCALE, subscriptionIds: [subscriptionId], seed: 'accept' });
  const found = new Map<string, Difference>();
  const deleted: string[] = [];
  try {
    const token = await simulatorToken(azure.endpoint);
    // URLs of operations are the answering server's own.
    const asked = exchanges.filter(({ isPoll }) => !isPoll);
    const besides = deletionsBeside(exchanges);
    for (const [done, exchange] of asked.entries()) {
      const answer = await send({ ...azure, token }, exchange.method, `${exchange.path}?${exchange.query}`, exchange.body);
      // Here the deletion of an owner has ended; in the recording it went on beside those of its children.
      const path = exchange.path.toLowerCase();
      const isGoneHere = answer.status === 404 && deleted.some((owner) => path.startsWith(owner));
      const isGone = exchange.method === 'DELETE' && (isGoneHere || (exchange.status === 404 && besides.has(exchange)));
      if (exchange.method === 'DELETE') deleted.push(`${path}/`);
      for (const what of isGone ? [] : differences(exchange, answer)) {
        const request = `${exchange.method} ${armTypeOf(exchange.path) ?? exchange.path.split('/').slice(5).join('/')}`;
        const key = `${request} ${what}`;
        found.set(key, { request, what, count: (found.get(key)?.count ?? 0) + 1 });
      }
      await untilDone({ ...azure, token }, answer);
      onProgress(done + 1);
    }
  } finally {
    await azure.close();
  }
  return [...found.values()];
}

/** The deletions whose answer came before that of a deletion of an owner which had begun by then: Azure may have done the owner's first. */
export function deletionsBeside(exchanges: readonly Exchange[]): ReadonlySet<Exchange> {
  const deletions = exchanges.map((exchange, at) => ({ exchange, at })).filter(({ exchange: { method } }) => method === 'DELETE');
  return new Set(deletions.filter(({ exchange: { path }, at }) => deletions.some((other) =>
    other.at > at && other.exchange.begun <= at && path.toLowerCase().startsWith(`${other.exchange.path.toLowerCase()}/`)))
    .map(({ exchange }) => exchange));
}

/** The parts of an answer that the simulator answers otherwise. */
export function differences(azure: Pick<Exchange, 'status' | 'headers' | 'response'>, simulator: Answer): string[] {
  const headers = COMPARED_HEADERS.flatMap((name) => {
    const [there, here] = [azure.headers[name] !== undefined, simulator.headers[name.toLowerCase()] !== undefined];
    return there === here ? [] : [`header ${name}: ${there ? 'Azure alone' : 'simulator alone'}`];
  });
  if (azure.status !== simulator.status) return [`status: Azure ${azure.status}, simulator ${simulator.status}`, ...headers];
  const [there, here] = [shapeOf(azure.response), shapeOf(simulator.text)];
  const paths = [...new Set([...there.keys(), ...here.keys()])].sort();
  return [...headers, ...paths.flatMap((path) => {
    const [a, b] = [there.get(path), here.get(path)];
    if (a === b) return [];
    if (b === undefined) return [`${path}: Azure alone (${a})`];
    return [a === undefined ? `${path}: simulator alone (${b})` : `${path}: Azure ${a}, simulator ${b}`];
  })];
}

/** The paths of the values in a body with their types; elements of lists, and members of maps by ARM ids, count as one. */
function shapeOf(text: string): Map<string, string> {
  const shape = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) return value.forEach((one) => walk(one, `${path}[]`));
    // Azure writes out what is not set; a property without a value and one that is absent mean the same.
    if (value === null || value === undefined) return;
    if (!isRecord(value)) return void shape.set(path, typeof value);
    for (const [name, one] of Object.entries(value)) {
      if (!NOT_COMPARED.has(name)) walk(one, `${path}${path === '' ? '' : '.'}${name.startsWith('/') ? '{id}' : name}`);
    }
  };
  try {
    walk(JSON.parse(text), '');
  } catch {
    if (text !== '') shape.set('', 'no JSON');
  }
  return shape;
}

/** Waits until the operation that an answer began has ended, as it had when the next request was recorded. */
async function untilDone(azure: Simulator, { headers }: Answer): Promise<void> {
  const url = headers['azure-asyncoperation'] ?? headers.location;
  if (!url?.startsWith(azure.endpoint)) return;
  for (let polls = 0; polls < POLLS_AT_MOST; polls += 1) {
    const { status, text } = await send(azure, 'GET', url.slice(azure.endpoint.length));
    if (status !== 202 && !/"status":"(InProgress|Running|Accepted|Creating|Updating|Deleting)"/i.test(text)) return;
    await sleep(POLL_MS);
  }
}

function send({ endpoint, caPem, token }: Simulator, method: string, path: string, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const request = sendRequest(`${endpoint}${path}`, { method, ca: caPem, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.on('end', () => resolve({
        status: response.statusCode!,
        headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
        text: Buffer.concat(chunks).toString('utf8'),
      }));
    });
    request.on('error', reject);
    request.end(body);
  });
}
