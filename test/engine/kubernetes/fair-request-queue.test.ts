import fc from 'fast-check';
import { FakeApiServer, thing, THING } from './fake-api-server';
import { flowOf, FairRequestQueue, type RequestFlow } from '../../../engine/kubernetes/fair-request-queue';

const OF = (namespace: string): RequestFlow => ({ namespace, isReport: false });
const REPORT = (namespace: string): RequestFlow => ({ namespace, isReport: true });

/** Requests that begin when it is their turn, and end when the test ends them. */
class Requests {
  public readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();

  public constructor(public readonly queue: FairRequestQueue) {}

  public send(name: string, flow: RequestFlow, signal?: AbortSignal): Promise<void> {
    const answer = this.queue.run(flow, () => {
      this.begun.push(name);
      return new Promise<void>((resolve) => this.ends.set(name, resolve));
    }, signal);
    answer.catch(() => undefined);
    return answer;
  }

  public get running(): string[] {
    return [...this.ends.keys()];
  }

  public async end(name = this.running[0]): Promise<void> {
    this.ends.get(name!)!();
    this.ends.delete(name!);
    await settled();
  }

  /** In the order in which they begin. */
  public async endAll(): Promise<string[]> {
    while (this.running.length > 0) await this.end();
    return this.begun;
  }
}

async function settled(): Promise<void> {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
}

test('a single request does not wait behind the hundreds of another namespace', async () => {
  const requests = new Requests(new FairRequestQueue(16));
  for (let i = 0; i < 300; i += 1) void requests.send(`storm-${i}`, OF('storm'));
  await settled();
  void requests.send('quiet', OF('quiet'));
  await settled();
  expect(requests.begun.at(-1)).toBe('quiet');
  expect(requests.queue.waiting).toBe(288);
});

test('lists of all namespaces have every second turn, however many namespaces wait', async () => {
  const requests = new Requests(new FairRequestQueue(2));
  for (let i = 0; i < 100; i += 1) void requests.send(`team-${i}`, OF(`team-${i}`));
  for (let i = 0; i < 8; i += 1) void requests.send(`list-${i}`, OF(''));
  await settled();
  const begun = await requests.endAll();
  const places = begun.flatMap((name, index) => (name.startsWith('list') ? [index] : []));
  // The first two began before any list was asked for.
  expect(places).toEqual([2, 4, 6, 8, 10, 12, 14, 16]);
});

test('nor when the last quarter is taken by several: then the end of any of them is its turn', async () => {
  const requests = new Requests(new FairRequestQueue(4));
  for (const namespace of ['a', 'b']) for (let i = 0; i < 50; i += 1) void requests.send(`${namespace}-${i}`, OF(namespace));
  await settled();
  expect(requests.running).toHaveLength(4);
  void requests.send('quiet', OF('quiet'));
  await settled();
  expect(requests.begun).not.toContain('quiet');
  await requests.end();
  expect(requests.begun.at(-1)).toBe('quiet');
});

test('requests that hang hold three quarters of the places at most', async () => {
  const requests = new Requests(new FairRequestQueue(16));
  for (let i = 0; i < 100; i += 1) void requests.send(`hangs-${i}`, OF('hangs'));
  for (const name of ['a', 'b', 'c', 'd']) void requests.send(name, OF(name));
  await settled();
  expect(requests.running.filter((name) => name.startsWith('hangs'))).toHaveLength(12);
  expect(requests.running).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd']));
});

test('namespaces that wait take turns, each in its own order', async () => {
  const requests = new Requests(new FairRequestQueue(1));
  void requests.send('first', OF('x'));
  for (let i = 0; i < 3; i += 1) void requests.send(`a${i}`, OF('a'));
  for (let i = 0; i < 3; i += 1) void requests.send(`b${i}`, OF('b'));
  await settled();
  expect(await requests.endAll()).toEqual(['first', 'a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
});

test('reports of a namespace go after its requests, but each fourth turn is for who has waited longest', async () => {
  const requests = new Requests(new FairRequestQueue(1));
  void requests.send('first', OF('a'));
  for (let i = 0; i < 2; i += 1) void requests.send(`event${i}`, REPORT('a'));
  for (let i = 0; i < 6; i += 1) void requests.send(`write${i}`, OF('a'));
  await settled();
  expect(await requests.endAll()).toEqual(['first', 'write0', 'write1', 'event0', 'write2', 'write3', 'write4', 'event1', 'write5']);
});

test('who gives up while it waits is not begun, and takes no place', async () => {
  const requests = new Requests(new FairRequestQueue(1));
  const reason = new Error('the process ends');
  const [stop, late] = [new AbortController(), new AbortController()];
  void requests.send('first', OF('a'));
  const waiting = requests.send('waiting', OF('a'), stop.signal);
  const last = requests.send('last', OF('a'), late.signal);
  await settled();
  stop.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(requests.send('never', OF('a'), stop.signal)).rejects.toBe(reason);
  expect(await requests.endAll()).toEqual(['first', 'last']);
  // Nothing is left of the wait that could hurt it now.
  late.abort(reason);
  await expect(last).resolves.toBeUndefined();
});

test('a request that fails gives its place back', async () => {
  const queue = new FairRequestQueue(1);
  await expect(queue.run(OF('a'), () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  await expect(queue.run(OF('a'), async () => 'answer')).resolves.toBe('answer');
});

test('the end of the connection refuses those that wait', async () => {
  const requests = new Requests(new FairRequestQueue(1));
  void requests.send('first', OF('a'));
  const waiting = [requests.send('waiting', OF('a')), requests.send('event', REPORT('b'))];
  await settled();
  requests.queue.refuse(new Error('closed'));
  for (const one of waiting) await expect(one).rejects.toThrow('closed');
  expect(await requests.endAll()).toEqual(['first']);
});

test('the namespace is that of the URL; Events are reports', () => {
  expect(flowOf('/apis/storage.azure.com/v1/namespaces/shop/storageaccounts/a/status')).toEqual({ namespace: 'shop', isReport: false });
  expect(flowOf('/api/v1/namespaces/shop/secrets')).toEqual({ namespace: 'shop', isReport: false });
  expect(flowOf('/api/v1/namespaces/shop/events')).toEqual({ namespace: 'shop', isReport: true });
  expect(flowOf('/api/v1/namespaces/shop/events/a.17')).toEqual({ namespace: 'shop', isReport: true });
  expect(flowOf('/api/v1/namespaces/shop/secrets/events')).toEqual({ namespace: 'shop', isReport: false });
  expect(flowOf('/apis/servicebus.azure.com/v1/namespaces/shop/namespaces/bus')).toEqual({ namespace: 'shop', isReport: false });
  for (const path of [
    '/api/v1/namespaces/shop',
    '/api/v1/namespaces',
    '/apis/servicebus.azure.com/v1/namespaces',
    '/apis',
    '/api/v1/secrets',
    '/apis/storage.azure.com/v1/storageaccounts',
  ]) {
    expect([path, flowOf(path)]).toEqual([path, { namespace: '', isReport: false }]);
  }
});

const FLOW = fc.record({ namespace: fc.constantFrom('a', 'b', 'c', ''), isReport: fc.boolean() });
const STEP = fc.oneof(FLOW.map((flow) => ({ flow })), fc.constant({ end: true }), fc.record({ abort: fc.nat(40) }));

test('never too many at a time, never idle while somebody may begin, and nobody is forgotten', async () => {
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.array(STEP, { maxLength: 80 }), async (most, steps) => {
    const requests = new Requests(new FairRequestQueue(most));
    const share = most - Math.floor(most / 4);
    const sent: { name: string; namespace: string; stop: AbortController }[] = [];
    const gaveUp = new Set<string>();
    const running = (namespace: string) => sent.filter((one) => one.namespace === namespace && requests.running.includes(one.name)).length;
    for (const step of steps) {
      if ('flow' in step) {
        const one = { name: String(sent.length), namespace: step.flow.namespace, stop: new AbortController() };
        sent.push(one);
        void requests.send(one.name, step.flow, one.stop.signal);
      } else if ('end' in step) {
        if (requests.running.length > 0) await requests.end();
      } else {
        const one = sent[step.abort];
        if (one && !requests.begun.includes(one.name)) gaveUp.add(one.name);
        one?.stop.abort(new Error('given up'));
      }
      await settled();
      expect(requests.running.length).toBeLessThanOrEqual(most);
      const namespaces = [...new Set(sent.map(({ namespace }) => namespace))];
      for (const namespace of namespaces) expect(running(namespace)).toBeLessThanOrEqual(share);
      const waits = sent.filter(({ name }) => !requests.begun.includes(name) && !gaveUp.has(name));
      if (requests.running.length < most) for (const { namespace } of waits) expect(running(namespace)).toBe(share);
    }
    await requests.endAll();
    expect([...requests.begun].sort()).toEqual(sent.map(({ name }) => name).filter((name) => !gaveUp.has(name)).sort());
    expect(new Set(requests.begun).size).toBe(requests.begun.length);
  }), { numRuns: 200 });
});

test('over a connection: the write of a quiet namespace is answered while another one waits with all its own', async () => {
  const server = await FakeApiServer.start();
  try {
    const held: (() => void)[] = [];
    const arrived: string[] = [];
    server.on('PATCH /apis/test.azure.com/v1/namespaces/storm/things/a', (_, response) => {
      arrived.push('storm');
      held.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(thing('a', 2))));
    });
    server.on('PATCH /apis/test.azure.com/v1/namespaces/quiet/things/a', (_, response) => {
      arrived.push('quiet');
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(thing('a', 2)));
    });
    const patch = (namespace: string) => server.client.patch(THING, 'a', namespace, {}, 'application/merge-patch+json');
    const storm = Array.from({ length: 100 }, () => patch('storm'));
    await patch('quiet');
    expect(arrived).toContain('quiet');
    expect(arrived.length).toBeLessThanOrEqual(13);
    let isOver = false;
    const all = Promise.all(storm).finally(() => (isOver = true));
    while (!isOver) {
      held.splice(0).forEach((answer) => answer());
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await all).toHaveLength(100);
  } finally {
    await server.stop();
  }
});
