import { request } from 'node:https';
import { Metrics } from '../../../controller/metrics';
import { AccessReview } from '../../../controller/process/access-review';
import { serveMetrics } from '../../../controller/process/endpoints';
import type { KubernetesObject } from '../../../engine/kubernetes';
import { serveHealth } from '../../../runtime/http/health';
import { silentLogger } from '../../../runtime/log/log';
import { FakeClock } from '../../engine/kubernetes/fake-clock';

const USERS: Record<string, string> = { 'good-token': 'scraper', 'poor-token': 'stranger' };

async function secure(more: { profilingMetrics?: boolean; fails?: boolean } = {}) {
  const asked: string[] = [];
  let running = 0;
  let most = 0;
  const clock = new FakeClock();
  const client = {
    create: async (_: unknown, review: KubernetesObject): Promise<KubernetesObject> => {
      asked.push(review.kind);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
      if (more.fails) throw new Error('no permission');
      interface Asked { token?: string; user?: string; nonResourceAttributes?: { path: string; verb: string } }
      const { token, user, nonResourceAttributes } = review.spec as Asked;
      const status = review.kind === 'TokenReview'
        ? { authenticated: token! in USERS, user: { username: USERS[token!] } }
        : { allowed: user === 'scraper' && nonResourceAttributes?.verb === 'get' };
      return { ...review, status } as unknown as KubernetesObject;
    },
  };
  const options = {
    metricsAddr: '127.0.0.1:0',
    secureMetrics: true,
    metrics: new Metrics(),
    client,
    clock,
    logger: silentLogger(),
    ...more,
  };
  const [endpoint] = await serveMetrics(options);
  const get = (token?: string, path = '/metrics') => new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    request({ host: '127.0.0.1', port: endpoint!.port, path, headers, rejectUnauthorized: false, agent: false }, (response) => {
      let text = '';
      response.on('data', (data) => (text += data)).on('end', () => resolve({ status: response.statusCode!, text }));
    }).on('error', reject).end();
  });
  return { asked, clock, get, mostAtATime: () => most, close: () => endpoint!.close() };
}

test('row 5.3 secure: a token that the cluster knows, of one who may get /metrics; everybody else is refused', async () => {
  const { get, close } = await secure();
  try {
    expect(await get()).toMatchObject({ status: 401 });
    expect(await get('unknown')).toMatchObject({ status: 401 });
    expect(await get('poor-token')).toMatchObject({
      status: 403,
      text: expect.stringContaining('stranger needs the verb get on the nonResourceURL /metrics'),
    });
    const { status, text } = await get('good-token');
    expect(status).toBe(200);
    expect(text).toContain('workqueue_depth');
    expect(await get('unknown', '/nowhere')).toMatchObject({ status: 401 });
    expect(await get('good-token', '/debug/pprof/')).toMatchObject({ status: 404 });
  } finally {
    await close();
  }
});

test('answers of the cluster are kept for a short time only', async () => {
  const { get, asked, clock, close } = await secure();
  try {
    await get('good-token');
    await get('good-token');
    expect(asked).toHaveLength(2);
    await clock.advance(10_001);
    await get('good-token');
    expect(asked).toHaveLength(4);
  } finally {
    await close();
  }
});

test('requests of one token at a time are one question to the cluster', async () => {
  const { get, asked, close } = await secure();
  try {
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('unknown')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(asked.length).toBeLessThan(5);
  } finally {
    await close();
  }
});

test('a flood of unknown tokens is asked for a few at a time', async () => {
  const { get, clock, mostAtATime, close } = await secure();
  try {
    expect(await get('good-token')).toMatchObject({ status: 200 });
    await clock.advance(10_001);
    const flood = Promise.all(Array.from({ length: 30 }, (_, index) => get(`unknown-${index}`)));
    expect(await get('good-token')).toMatchObject({ status: 200 });
    expect(new Set((await flood).map(({ status }) => status))).toEqual(new Set([401]));
    expect(mostAtATime()).toBeLessThanOrEqual(5);
  } finally {
    await close();
  }
});

test('a cluster that cannot be asked lets nobody in', async () => {
  const { get, close } = await secure({ fails: true });
  try {
    expect(await get('good-token')).toMatchObject({ status: 500 });
  } finally {
    await close();
  }
});

test('row 5.3 profiling: a CPU and a heap profile, for whom it is allowed', async () => {
  const { get, close } = await secure({ profilingMetrics: true });
  try {
    expect(await get(undefined, '/debug/pprof/profile')).toMatchObject({ status: 401 });
    const cpu = await get('good-token', '/debug/pprof/profile?seconds=0.05');
    expect(JSON.parse(cpu.text)).toHaveProperty('nodes');
    const heap = await get('good-token', '/debug/pprof/heap?seconds=0.05');
    expect(JSON.parse(heap.text)).toHaveProperty('head');
    expect((await get('good-token', '/debug/pprof/cmdline')).text).toContain('node');
  } finally {
    await close();
  }
});

test('row 5.3 insecure: plain HTTP, no checks', async () => {
  const client = {
    create: async () => {
      throw new Error('nobody is asked');
    },
  };
  const [endpoint] = await serveMetrics({
    metricsAddr: '127.0.0.1:0',
    metrics: new Metrics(),
    client,
    clock: new FakeClock(),
    logger: silentLogger(),
  });
  try {
    expect((await fetch(`http://127.0.0.1:${endpoint!.port}/metrics`)).status).toBe(200);
  } finally {
    await endpoint!.close();
  }
});

test('health: alive at once, ready when nothing is waited for', async () => {
  let waitsFor: string | undefined = 'not all kinds are listed yet';
  let stands: string | undefined;
  const [endpoint] = await serveHealth({ healthAddr: '127.0.0.1:0' }, { notLive: () => stands, notReady: () => waitsFor });
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${endpoint!.port}${path}`);
    return [response.status, await response.text()];
  };
  try {
    expect(await get('/healthz')).toEqual([200, 'ok\n']);
    expect(await get('/readyz')).toEqual([503, 'not ready: not all kinds are listed yet\n']);
    waitsFor = undefined;
    stands = 'the main thread stands still';
    expect(await get('/healthz')).toEqual([503, 'not live: the main thread stands still\n']);
    stands = undefined;
    expect(await get('/readyz')).toEqual([200, 'ok\n']);
  } finally {
    await endpoint!.close();
  }
});

test('the line of unknown tokens has an end, and is empty again afterwards', async () => {
  const client = { create: () => new Promise<KubernetesObject>((_, reject) => void setTimeout(() => reject(new Error('slow')), 5)) };
  const reviews = new AccessReview(client, new FakeClock(), () => undefined);
  const ask = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => reviews.refuse('/ui', `Bearer unknown-${index}`)));
  const statuses = (await ask(150)).map((answer) => answer?.[0]);
  expect(statuses.filter((status) => status === 503)).toHaveLength(46);
  expect(statuses.filter((status) => status === 500)).toHaveLength(104);
  expect((await ask(50)).every((answer) => answer?.[0] === 500)).toBe(true);
});
