import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { armUrl } from '../../../engine/arm/arm-url';
import { beginOperation } from '../../../engine/arm/operation';
import { decodeToken, encodeToken, RESULT_TYPES, type ResultType, type TokenOf } from '../../../engine/arm/operation-token';
import { pollOperation } from '../../../engine/arm/poll-operation';
import type { ArmClient, ArmRequest, ArmResponse, OperationStep } from '../../../engine/arm/types';

/** The referee is azcore itself (azcore/main.go). Without Go, or without the modules, it cannot be built, and these tests are skipped. */
const MODULE = join(__dirname, 'azcore');
const GO = { cwd: MODULE, env: { ...process.env, GOWORK: 'off', GOFLAGS: '-mod=readonly -buildvcs=false' }, stdio: 'pipe' } as const;

function hasModules(): boolean {
  try {
    execFileSync('go', ['mod', 'download'], { ...GO, timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}

interface Verdict {
  readonly token?: string;
  readonly done: boolean;
  readonly error?: string;
}

interface Scripted {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const RESOURCE = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/acc';
const SYNC = `${RESOURCE}/sync`;
const running = { status: 200, body: { status: 'InProgress' } };
const ended = { status: 200, body: { status: 'Succeeded' } };
const resource = (provisioningState: string) => ({ status: 200, body: { id: RESOURCE, properties: { provisioningState } } });

interface Operation {
  readonly of: keyof typeof RESULT_TYPES;
  readonly method: 'PUT' | 'DELETE' | 'POST';
  /** The answer to the request. `/…` in a header is a path of the server. */
  readonly first: Scripted;
  /** Answers to polls by path; the last one is repeated. */
  readonly polls: Readonly<Record<string, readonly Scripted[]>>;
}

const asynchronous = { 'azure-asyncoperation': '/operations/1?api-version=1&t=a%2Fb' };
const OPERATIONS: Readonly<Record<string, Operation>> = {
  'a PUT with Azure-AsyncOperation': {
    of: 'put',
    method: 'PUT',
    first: { ...resource('Creating'), status: 201, headers: asynchronous },
    polls: { '/operations/1': [running, running, ended], [RESOURCE]: [resource('Succeeded')] },
  },
  'a PUT with Operation-Location': {
    of: 'put',
    method: 'PUT',
    first: { status: 202, body: { status: 'NotStarted' }, headers: { 'operation-location': '/operations/2' } },
    polls: { '/operations/2': [running, ended], [RESOURCE]: [resource('Succeeded')] },
  },
  'a PUT with Location': {
    of: 'put',
    method: 'PUT',
    first: { status: 202, headers: { location: '/results/1' } },
    polls: { '/results/1': [{ status: 202 }, { status: 202, headers: { location: '/results/2' } }], '/results/2': [{ status: 202 }, resource('Succeeded')] },
  },
  'a PUT without headers': {
    of: 'put', method: 'PUT', first: resource('Updating'), polls: { [RESOURCE]: [resource('Updating'), resource('Succeeded')] },
  },
  'a DELETE with Azure-AsyncOperation': {
    of: 'delete',
    method: 'DELETE',
    first: { status: 202, headers: { ...asynchronous, location: '/results/3' } },
    polls: { '/operations/1': [running, ended] },
  },
  'a DELETE with Location': {
    of: 'delete',
    method: 'DELETE',
    first: { status: 202, headers: { location: '/results/4' } },
    polls: { '/results/4': [{ status: 202 }, { status: 200, body: {}, headers: { 'x-ms-request-id': 'r' } }] },
  },
  'a POST whose result is at its Location': {
    of: 'syncBackupInstance',
    method: 'POST',
    first: { status: 202, headers: { ...asynchronous, location: '/results/5' } },
    polls: { '/operations/1': [running, ended], '/results/5': [{ status: 200, body: {} }] },
  },
};

(hasModules() ? describe : describe.skip)('azcore', () => {
  let folder: string;
  let referee: ChildProcess;
  let answers: Interface;
  let server: Server;
  let endpoint: string;
  let operation: Operation;
  let requests: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'azcore-'));
    const program = join(folder, 'referee');
    execFileSync('go', ['build', '-o', program, '.'], GO);
    referee = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
    answers = createInterface({ input: referee.stdout! });
    server = createServer((request, response) => {
      const path = request.url!.split('?')[0]!;
      requests.push(`${request.method} ${request.url}`);
      const polled = requests.filter((line) => line.split('?')[0] === `GET ${path}`).length;
      const answer = request.method === 'GET' ? operation.polls[path]?.[Math.min(polled, operation.polls[path].length) - 1] : operation.first;
      const { status, body, headers = {} } = answer ?? { status: 404, body: { error: { code: 'ResourceNotFound', message: 'not found' } } };
      const absolute = Object.entries(headers).map(([name, value]) => [name, value.startsWith('/') ? `${endpoint}${value}` : value]);
      response.writeHead(status, { 'content-type': 'application/json', ...Object.fromEntries(absolute) as Record<string, string> });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    referee.stdin!.end();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = async (command: object): Promise<Verdict> => {
    const answer = new Promise<string>((resolve) => answers.once('line', resolve));
    referee.stdin!.write(`${JSON.stringify(command)}\n`);
    return JSON.parse(await answer) as Verdict;
  };

  /** Sends without a token, which no connection without TLS gets. */
  const client = (): ArmClient => ({
    subscriptionId: 's',
    endpoint,
    send: async ({ url, method, apiVersion, isFromAnswer = false }: ArmRequest): Promise<ArmResponse> => {
      const response = await fetch(armUrl(endpoint, url, apiVersion, { isFromAnswer, method }), { method });
      const text = await response.text();
      const body = text === '' ? undefined : JSON.parse(text) as unknown;
      return { status: response.status, headers: Object.fromEntries(response.headers), text, body };
    },
  });

  const requestOf = ({ method }: Operation): ArmRequest => ({ method, url: method === 'POST' ? SYNC : RESOURCE, apiVersion: '2025-06-01' });
  const begun = (type: ResultType, request: ArmRequest) =>
    ask({ type, method: request.method, url: armUrl(endpoint, request.url, request.apiVersion, { method: request.method }) });
  const tokenOf = ({ of, method }: Operation): TokenOf => ({
    type: RESULT_TYPES[of], method, originalUrl: `${method === 'POST' ? SYNC : RESOURCE}?api-version=2025-06-01`,
  });

  async function ourToken(request: ArmRequest, type: ResultType): Promise<string> {
    const step = beginOperation(request, await client().send(request));
    if (step.kind !== 'running') throw new Error(`running was expected, not ${step.kind}`);
    return encodeToken(step.state, type, endpoint);
  }

  describe.each(Object.entries(OPERATIONS))('%s', (_, given) => {
    beforeEach(() => {
      operation = given;
      requests = [];
    });
    const request = requestOf(given);
    const of = tokenOf(given);

    test('both write the same token', async () => {
      const { token } = await begun(of.type, request);
      expect(JSON.parse(await ourToken(request, of.type))).toEqual(JSON.parse(token!));
    });

    test('azcore follows an operation of ours to its end', async () => {
      let verdict: Verdict = { done: false, token: await ourToken(request, of.type) };
      for (let polls = 0; polls < 9 && verdict.token !== undefined; polls += 1) {
        verdict = await ask({ type: of.type, token: verdict.token });
      }
      expect(verdict).toEqual({ done: true });
      for (const path of Object.keys(given.polls)) expect(requests.some((line) => line.startsWith(`GET ${path}`))).toBe(true);
    });

    test('an operation of azcore is followed to its end', async () => {
      let { token } = await begun(of.type, request);
      let step: OperationStep | undefined;
      for (let polls = 0; polls < 9 && token !== undefined; polls += 1) {
        step = await pollOperation(client(), decodeToken(token, of));
        token = step.kind === 'running' ? encodeToken(step.state, of.type, endpoint) : undefined;
      }
      expect(step).toMatchObject({ kind: 'succeeded' });
      const polled = Object.keys(given.polls).filter((path) => given.method !== 'PUT' || path !== RESOURCE || Object.keys(given.polls).length === 1);
      for (const path of polled) expect(requests.some((line) => line.startsWith(`GET ${path}`))).toBe(true);
    });
  });

  test('a deletion that is watched by the resource is refused: ASO would take the resource for deleted', async () => {
    operation = { of: 'delete', method: 'DELETE', first: { status: 202 }, polls: { [RESOURCE]: [resource('Succeeded')] } };
    const token = await ourToken(requestOf(operation), RESULT_TYPES.delete);
    expect((await ask({ type: RESULT_TYPES.delete, token })).error).toContain('unhandled poller token');
    const mistaken = token.replace('"resource"', '"body"');
    expect(await ask({ type: RESULT_TYPES.delete, token: mistaken })).toEqual({ done: true });
  });

  test('an accepted PUT whose resource says Succeeded is polled, not taken for ended', async () => {
    operation = {
      of: 'put',
      method: 'PUT',
      first: { ...resource('Succeeded'), status: 202, headers: asynchronous },
      polls: { '/operations/1': [running], [RESOURCE]: [resource('Succeeded')] },
    };
    const token = await ourToken(requestOf(operation), RESULT_TYPES.put);
    expect((await ask({ type: RESULT_TYPES.put, token })).token).toBeDefined();
  });

  test('a token of azcore\'s simulated Azure is not used', async () => {
    operation = { of: 'put', method: 'PUT', first: { status: 202, headers: { 'Fake-Poller-Status': 'InProgress' } }, polls: {} };
    const { token } = await begun(RESULT_TYPES.put, requestOf(operation));
    expect(JSON.parse(token!)).toMatchObject({ token: { fakeURL: expect.stringContaining('/get/fake/status') as string } });
    expect(() => decodeToken(token!, tokenOf(operation))).toThrow('simulated Azure');
  });

  test('a token of another operation is refused by both', async () => {
    operation = OPERATIONS['a DELETE with Location']!;
    const { token } = await begun(RESULT_TYPES.delete, requestOf(operation));
    expect((await ask({ type: RESULT_TYPES.put, token })).error).toContain('cannot resume');
    expect(() => decodeToken(token!, { type: RESULT_TYPES.put, method: 'PUT' })).toThrow('another operation');
  });

  test('unknown members are ignored by both', async () => {
    operation = OPERATIONS['a PUT with Azure-AsyncOperation']!;
    requests = [];
    const token = JSON.parse(await ourToken(requestOf(operation), RESULT_TYPES.put)) as { readonly token: object };
    const later = JSON.stringify({ ...token, later: 1, token: { ...token.token, later: { a: 1 } } });
    expect((await ask({ type: RESULT_TYPES.put, token: later })).token).toBeDefined();
    expect(decodeToken(later, tokenOf(operation)).style).toBe('azure-asyncoperation');
  });
});
