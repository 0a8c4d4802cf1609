import { request, type IncomingHttpHeaders } from 'node:http';
import { NO_RIGHT, object, FakeSource, shop } from './fake-source';
import { servePageLocally, type LocalServer } from '../../page';
import type { Asset } from '../../page/assets';
import type { WireDelta, WireDetail, WireSnapshot } from '../../page/wire';
import { READY, warning } from '../engine/inspect/snapshots';

const ASSETS: ReadonlyMap<string, Asset> = new Map([['index.html', { type: 'text/html', content: Buffer.from('<!doctype html>') }]]);
const DATA = 'storage.azure.com/StorageAccount/shop/shopdata';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

let source: FakeSource;
let server: LocalServer;
let token: string;

beforeEach(async () => {
  source = new FakeSource(shop());
  server = await servePageLocally({ source, assets: ASSETS, heartbeatMs: 50 });
  token = new URL(server.url).hash.slice('#token='.length);
});
afterEach(() => server.close());

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: server.port, path, method, headers: { authorization: `Bearer ${token}`, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part)).on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject).end();
  });
}

const snapshot = async () => JSON.parse((await get('/api/snapshot')).text) as WireSnapshot;
const detail = async (key: string) => JSON.parse((await get(`/api/object?key=${encodeURIComponent(key)}`)).text) as WireDetail;

/** Reads a stream of changes until the messages are enough. */
async function changes(
  query: string, isEnough: (events: readonly string[]) => boolean, act: () => void = () => undefined,
): Promise<{ event: string; data: string }[]> {
  return new Promise((resolve, reject) => {
    const found: { event: string; data: string }[] = [];
    let rest = '';
    let isActed = false;
    const sent = request({ host: '127.0.0.1', port: server.port, path: `/api/changes?${query}`, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.setEncoding('utf8').on('data', (part: string) => {
        const parts = `${rest}${part}`.split('\n\n');
        rest = parts.pop() ?? '';
        for (const message of parts) {
          const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(message) ?? [];
          found.push({ event, data });
        }
        if (!isActed) act();
        isActed = true;
        if (!isEnough(found.map(({ event }) => event))) return;
        sent.destroy();
        resolve(found);
      });
    });
    sent.on('error', reject).end();
  });
}

describe('who may read', () => {
  test('the token is asked for by everything that has data', async () => {
    for (const path of ['/api/snapshot', '/api/changes?epoch=a&version=1', `/api/object?key=${DATA}`, `/api/plan?key=${DATA}`, '/api/none', '/none']) {
      for (const authorization of ['', 'Bearer ', 'Bearer wrong', `Basic ${token}`, `Bearer ${token}x`, `Bearer ${token.slice(1)}`]) {
        const { status, text } = await get(path, { authorization });
        expect([path, authorization, status]).toEqual([path, authorization, 401]);
        expect(text).not.toContain('shopdata');
      }
    }
    expect((await get('/api/snapshot')).status).toBe(200);
  });

  test('the page itself has no data, and needs none', async () => {
    expect(await get('/', { authorization: '' })).toMatchObject({ status: 200, text: '<!doctype html>' });
  });

  test('the token is in no cookie, and in no part of the address that is sent', async () => {
    expect(token).toMatch(/^[\w-]{43}$/);
    expect((await get('/')).headers['set-cookie']).toBeUndefined();
    expect((await get(`/api/snapshot?token=${token}`, { authorization: '' })).status).toBe(401);
    expect((await get('/api/snapshot', { authorization: '', cookie: `token=${token}` })).status).toBe(401);
  });

  test.each(['evil.example', 'localhost', '127.0.0.1', '127.0.0.1:1', 'evil.example:PORT', '127.0.0.1.evil.example:PORT'])('the host %s leads nowhere', async (host) => {
    const name = host.replace('PORT', String(server.port));
    for (const path of ['/', '/api/snapshot']) expect(await get(path, { host: name })).toMatchObject({ status: 421 });
  });

  test('this machine has two names', async () => {
    for (const host of ['localhost', 'LOCALHOST', '127.0.0.1']) expect((await get('/api/snapshot', { host: `${host}:${server.port}` })).status).toBe(200);
  });

  test.each(['cross-site', 'same-site', 'none'])('a page that is %s may not ask, with the token neither', async (site) => {
    expect((await get('/api/snapshot', { 'sec-fetch-site': site })).status).toBe(403);
    expect((await get('/api/snapshot', { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  test('a page of another site may not ask where the browser says only its origin', async () => {
    for (const origin of ['null', 'https://evil.example', `https://127.0.0.1:${server.port}`, `http://localhost:${server.port}`]) {
      expect((await get('/api/snapshot', { origin })).status).toBe(403);
    }
    expect((await get('/api/snapshot', { origin: `http://127.0.0.1:${server.port}` })).status).toBe(200);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is not answered', async (method) => {
    expect(await get('/api/snapshot', {}, method)).toMatchObject({ status: 405, headers: { allow: 'GET' } });
  });

  test.each(['/', '/api/snapshot', '/none', '/../package.json', '/%2e%2e/package.json', '/__proto__', '/constructor'])('%s has the headers that protect it', async (path) => {
    const { headers, text } = await get(path);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|http/);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(text).not.toContain('devDependencies');
  });
});

describe('the data', () => {
  test('a snapshot has all nodes and the causes, the worst that stops most first', async () => {
    const { nodes, summary } = await snapshot();
    expect(nodes).toHaveLength(shop().length);
    expect(summary).toMatchObject({ title: 'production', moreCauses: 0, controllers: ['cdk8s-aso 1.4.0 in azureserviceoperator-system, 1 pod ready'] });
    expect(summary.causes.map(({ title, count }) => [title, count])).toEqual([['StorageAccount shop/shopdata', 3], ['FlexibleServer shop/orders-db', 1], ['ResourceGroup billing/biling', 1]]);
    expect(nodes.find(({ key }) => key === 'storage.azure.com/StorageAccountsBlobService/shop/blobs')).toMatchObject({ owner: DATA, state: 'Waiting', cause: summary.causes[0]?.id });
  });

  test('of an object: the cause with its chain and advice, relations, conditions, events, requests', async () => {
    const blobs = await detail('storage.azure.com/StorageAccountsBlobService/shop/blobs');
    expect(blobs.chain.map(({ title }) => title)).toEqual(['StorageAccountsBlobService shop/blobs', 'StorageAccount shop/shopdata']);
    expect(blobs.cause?.text).toContain('AuthorizationFailed');
    expect(blobs.advice?.commands.length).toBeGreaterThan(0);
    expect(blobs.owners.map(({ title }) => title)).toEqual(['StorageAccount shop/shopdata', 'ResourceGroup shop/shop']);
    const data = await detail(DATA);
    expect(data.children.map(({ title }) => title)).toContain('StorageAccountsBlobService shop/blobs');
    expect(data.conditions).toMatchObject([{ type: 'Ready', status: 'False', reason: 'AuthorizationFailed', message: NO_RIGHT }]);
    expect(data.requests).toMatchObject([{ status: 403, code: 'AuthorizationFailed', requestId: '6f9619ff-8b86-d011-b42d-00cf4fc964ff', count: 12 }]);
    const subnet = await detail('network.azure.com/VirtualNetworksSubnet/shop/frontend');
    expect(subnet.usedBy.map(({ title }) => title)).toEqual(['NetworkInterface shop/frontend-nic']);
  });

  test.each(['', 'none', 'storage.azure.com/StorageAccount/shop/none', '__proto__'])('there is no object %j', async (key) => {
    expect((await get(`/api/object?key=${key}`)).status).toBe(404);
    expect((await get(`/api/plan?key=${key}`)).status).toBe(404);
  });

  test('YAML has no token, no copy of kubectl, no manager, and no text that looks like a secret', async () => {
    source.set(object('StorageAccount', 'open', READY, {
      spec: { owner: { name: 'shop' }, tags: { password: 'hunter2hunter2', note: 'AccountKey=abcdefghijklmnopqrstuvwxyz0123456789==' }, nested: [{ clientSecret: 'sesame-sesame' }] },
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"spec":{"old":"hidden"}}' },
    }));
    const { yaml } = await detail(DATA);
    expect(yaml).toContain('poller-resume-token: "***"');
    expect(yaml).not.toContain('verysecret');
    const open = (await detail('storage.azure.com/StorageAccount/shop/open')).yaml;
    expect(open).toContain('name: shop');
    expect(open).not.toMatch(/hunter2|abcdefghij|sesame|hidden/);
  });

  test('YAML hides values that have the name of a secret beside them, and secrets that are numbers or in lists', async () => {
    source.set(object('StorageAccount', 'open', READY, {
      spec: {
        appSettings: [{ name: 'DB_PASSWORD', value: 'hunter2' }, { name: 'api-key', value: 'hunter3' }, { key: 'pin', value: 'shown' }],
        password: 12345678,
        tokens: ['hunter4', 'hunter5'],
        operatorSpec: { secrets: { primaryKey: { name: 'store', key: 'primary' } } },
      },
    }));
    const { yaml } = await detail('storage.azure.com/StorageAccount/shop/open');
    expect(yaml).not.toMatch(/hunter|12345678/);
    for (const shown of ['value: shown', 'name: DB_PASSWORD', 'name: store', 'key: primary']) expect(yaml).toContain(shown);
  });

  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
  test.each([
    ['many numbers', Array(700_000).fill(1)],
    ['many maps', Array.from({ length: 400_000 }, () => ({}))],
    ['many deep lists', Array.from({ length: 10_000 }, () => nested(60))],
    ['lists in lists', Array.from({ length: 30 }).reduce<unknown>((inner) => [inner, ...Array.from({ length: 20_000 }, () => [])], 1)],
    ['many members', Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`__proto__${index}`, index]))],
  ])('of %s some are left out, and that is said', async (_, spec) => {
    source.set(object('StorageAccount', 'large', READY, { spec: { spec } }));
    const { yaml } = await detail('storage.azure.com/StorageAccount/shop/large');
    expect(yaml.length).toBeLessThan(500_000);
    expect(yaml).toContain('# … values are left out');
  });

  test('descriptions of objects that are asked for all at once are paced (paced-work.test.ts), and there is an end to it', async () => {
    source.set(object('StorageAccount', 'large', READY, { spec: { spec: Array.from({ length: 5_000 }, () => 'x') } }));
    const answers = await Promise.all(Array.from({ length: 60 }, () => get('/api/object?key=storage.azure.com/StorageAccount/shop/large')));
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect(count(503)).toBeGreaterThan(0);
    expect(count(200) + count(503)).toBe(60);
  });
});

describe('what changes', () => {
  test('nothing piles up for a page that does not read: it gets everything at once later', async () => {
    const names = Array.from({ length: 1_500 }, (_, index) => `data-${index}`);
    const change = (turn: number) => source.set(...names.map((name) => object('StorageAccount', name, warning(`Turn${turn}`, 'x'.repeat(240)))));
    change(0);
    const { epoch, version } = await snapshot();
    const turns = 25;
    const deltas = await new Promise<WireDelta[]>((resolve, reject) => {
      let text = '';
      request({ host: '127.0.0.1', port: server.port, path: `/api/changes?epoch=${epoch}&version=${version}`, headers: { authorization: `Bearer ${token}` } }, (response) => {
        void (async () => {
          for (let turn = 1; turn <= turns; turn += 1) {
            change(turn);
            await new Promise((resume) => setImmediate(resume));
          }
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
            if (!text.includes(`Turn${turns}"`) || !text.endsWith('\n\n')) return;
            response.destroy();
            resolve(text.split('\n\n').flatMap((message) => (/^event: delta\ndata: (.*)$/.exec(message)?.[1] ?? [])).map((data) => JSON.parse(data) as WireDelta));
          });
        })();
      }).on('error', reject).end();
    });
    expect(deltas.length).toBeLessThan(turns / 2);
    expect(deltas.at(-1)).toMatchObject({ version: version + turns, changed: { length: names.length } });
  });

  test('a stream has nothing but what has changed', async () => {
    const { epoch, version, nodes } = await snapshot();
    const messages = await changes(`epoch=${epoch}&version=${version}`, (events) => events.filter((event) => event === 'delta').length === 2, () => {
      source.set(object('StorageAccount', 'shopdata', READY));
      source.remove('FlexibleServer', 'orders-db');
    });
    const [first, second] = messages.filter(({ event }) => event === 'delta').map(({ data }) => JSON.parse(data) as WireDelta);
    const changed = first?.changed.map(({ name }) => name);
    expect(changed).toContain('shopdata');
    expect(changed?.length).toBeLessThan(nodes.length / 2);
    expect(second).toMatchObject({ removed: ['dbforpostgresql.azure.com/FlexibleServer/shop/orders-db'], changed: [] });
    expect(second?.summary?.causes.map(({ title }) => title)).not.toContain('FlexibleServer shop/orders-db');
  });

  test('who comes back gets what has changed meanwhile; after a restart, everything', async () => {
    const { epoch, version } = await snapshot();
    source.set(object('ResourceGroup', 'new', READY));
    const [, delta] = await changes(`epoch=${epoch}&version=${version}`, (events) => events.includes('delta'));
    expect((JSON.parse(delta!.data) as WireDelta).changed.map(({ name }) => name)).toEqual(['new']);
    for (const query of [`epoch=other&version=${version}`, `epoch=${epoch}&version=-1`, `epoch=${epoch}&version=NaN`, `epoch=${epoch}&version=999`, '']) {
      expect((await changes(query, (events) => events.length > 0)).map(({ event }) => event)).toEqual(['reset']);
    }
  });

  test('a quiet server says that it is there, and why its data are old', async () => {
    const { epoch, version } = await snapshot();
    const messages = await changes(`epoch=${epoch}&version=${version}`, (events) => events.includes('delta') && events.includes('beat'), () => source.say('the cluster does not answer: ECONNREFUSED'));
    const delta = JSON.parse(messages.find(({ event }) => event === 'delta')!.data) as WireDelta;
    expect(delta).toMatchObject({ changed: [], summary: { problem: 'the cluster does not answer: ECONNREFUSED' } });
  });

  test('the same inspection again is no change', async () => {
    const { version } = await snapshot();
    source.set();
    expect((await snapshot()).version).toBe(version);
  });
});

describe('what tenants write', () => {
  const HOSTILE = '<img src=x onerror=alert(1)>\u202Egnp.\u0007\u001b[31m&amp;"\'`';

  test('is text: control characters are shown, and no header or message is broken by it', async () => {
    source.set(object('StorageAccount', 'shopdata', warning(HOSTILE, `${HOSTILE}\n\nevent: delta\ndata: {}\n\n${'x'.repeat(1_000_000)}`)));
    const { nodes, epoch } = await snapshot();
    const node = nodes.find(({ key }) => key === DATA);
    expect(node?.message).toContain('\\u{202E}');
    expect(node?.message.length).toBeLessThanOrEqual(240);
    expect(JSON.stringify(nodes)).not.toMatch(/\\u001b|\\u0007|\u202e/);
    const messages = await changes(`epoch=${epoch}&version=0`, (events) => events.length > 1);
    expect(messages.map(({ event }) => event)).toEqual(['hello', 'delta']);
    const { message, yaml } = await detail(DATA);
    expect(message.length).toBeLessThanOrEqual(20_000);
    expect(yaml.length).toBeLessThan(510_000);
  });

  test('a spec of thousands of levels, and one that is no object', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level += 1) deep = { deep };
    source.set(object('StorageAccount', 'shopdata', READY, { spec: { deep } }), object('StorageAccount', 'odd', READY, { spec: [1] as never }));
    expect((await detail(DATA)).yaml).toContain('…');
    expect((await detail('storage.azure.com/StorageAccount/shop/odd')).node.state).toBe('Ready');
  });
});
