import { ResourceInformer, type InformerOptions } from '../../../engine/informers/resource-informer';
import type { InformerTelemetry } from '../../../engine/informers/telemetry';
import { until } from '../../setup/until';
import { bookmark, events, eventsThenEnd, FakeApiServer, hangUp, json, page, status, thing, THING, THINGS } from '../kubernetes/fake-api-server';

const QUICK = { backoff: { base: 20, max: 50 }, watchSeconds: [300, 600] as [number, number] };

let server: FakeApiServer;
let stop: AbortController;
let informers: ResourceInformer[];

beforeEach(async () => {
  server = await FakeApiServer.start();
  stop = new AbortController();
  informers = [];
});

afterEach(async () => {
  stop.abort(new Error('test over'));
  await Promise.all(informers.map((informer) => informer.stopped()));
  await server.stop();
});

function make(options: InformerOptions = {}) {
  const delivered: string[] = [];
  const telemetry: InformerTelemetry[] = [];
  const timing = { ...QUICK, ...options.timing };
  const made = new ResourceInformer(server.client, THING, { onTelemetry: (event) => telemetry.push(event), ...options, timing });
  made.onEvent(({ type, object, previous }) =>
    delivered.push(
      [type, object.metadata.name, object.metadata.resourceVersion, previous && `was ${previous.metadata.resourceVersion}`]
        .filter(Boolean)
        .join(' '),
    ),
  );
  informers.push(made);
  const count = (event: InformerTelemetry['event']) => telemetry.filter((one) => one.event === event).length;
  return { informer: made, delivered, telemetry, count };
}

const gone = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' } };

describe('the list', () => {
  test('is read page by page, and the watch begins at its version', async () => {
    server
      .on(`GET ${THINGS}`, page('100', [thing('a', 1), thing('b', 2)], 'next'), page('100', [thing('c', 3)]))
      .on(`watch ${THINGS}`, events());
    const { informer: things, delivered } = make({ timing: { pageSize: 2 } });
    await things.start(stop.signal);
    expect(delivered).toEqual(['ADDED a 1', 'ADDED b 2', 'ADDED c 3']);
    await until('watch', () => server.requests(`watch ${THINGS}`).length === 1);
    const [first, second] = server.requests(`GET ${THINGS}`);
    expect([first!.query.get('limit'), first!.query.get('continue'), second!.query.get('continue')]).toEqual(['2', null, 'next']);
    const { query } = server.requests(`watch ${THINGS}`)[0]!;
    expect([query.get('resourceVersion'), query.get('allowWatchBookmarks')]).toEqual(['100', 'true']);
    expect(Number(query.get('timeoutSeconds'))).toBeGreaterThanOrEqual(300);
    expect(Number(query.get('timeoutSeconds'))).toBeLessThanOrEqual(600);
  });

  test('begins again when a page token expires, in the end in one piece', async () => {
    server
      .on(`GET ${THINGS}`,
        page('100', [thing('a', 1)], 'x'), status(410, 'Expired', 'continue token expired'),
        page('101', [thing('a', 1)], 'y'), status(410, 'Expired', 'continue token expired'),
        page('102', [thing('b', 2)]))
      .on(`watch ${THINGS}`, events());
    const { informer: things, delivered, count } = make();
    await things.start(stop.signal);
    expect(delivered).toEqual(['ADDED b 2']);
    expect(count('list-restarted')).toBe(2);
    expect(server.requests(`GET ${THINGS}`).at(-1)!.query.get('limit')).toBeNull();
  });

  test('is tried again when the server refuses it, and synced waits', async () => {
    server
      .on(`GET ${THINGS}`, status(403, 'Forbidden', 'no'), status(500, 'InternalError', 'no'), page('100', [thing('a', 1)]))
      .on(`watch ${THINGS}`, events());
    const { informer: things, telemetry } = make();
    await things.start(stop.signal);
    const failures = telemetry.flatMap((event) => (event.event === 'failed' ? [event.failures] : []));
    expect(failures).toEqual([1, 2]);
  });
});

describe('the watch', () => {
  const empty = page('100', []);

  test('tells events in order and goes on after a bookmark where the server ended it', async () => {
    server.on(`GET ${THINGS}`, empty).on(`watch ${THINGS}`,
      eventsThenEnd({ type: 'ADDED', object: thing('a', 101) }, { type: 'MODIFIED', object: thing('a', 102) }, bookmark(150)),
      events({ type: 'DELETED', object: thing('a', 151) }));
    const { informer: things, delivered } = make();
    await things.start(stop.signal);
    await until('deletion', () => delivered.length === 3);
    expect(delivered).toEqual(['ADDED a 101', 'MODIFIED a 102 was 101', 'DELETED a 151 was 102']);
    expect(server.requests(`watch ${THINGS}`).map(({ query }) => query.get('resourceVersion'))).toEqual(['100', '150']);
    expect(server.requests(`GET ${THINGS}`)).toHaveLength(1);
  });

  test('copes with parts that end inside a line and inside a character', async () => {
    const line = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: thing('a', 101, {}, { text: 'Größe — 漢字 🎉' }) })}\n${JSON.stringify({ type: 'ADDED', object: thing('b', 102) })}\n`);
    server.on(`GET ${THINGS}`, empty).on(`watch ${THINGS}`, (_, response) => {
      response.writeHead(200);
      let at = 0;
      const next = () => {
        if (at >= line.length) return;
        response.write(line.subarray(at, at + 1));
        at += 1;
        setImmediate(next);
      };
      next();
    });
    const { informer: things, delivered } = make();
    await things.start(stop.signal);
    await until('both', () => delivered.length === 2);
    expect(things.store.get('default', 'a')!.spec).toEqual({ text: 'Größe — 漢字 🎉' });
  });

  test('goes on from the last event when the connection breaks inside a line', async () => {
    server.on(`GET ${THINGS}`, empty).on(`watch ${THINGS}`,
      (_, response) => {
        response.writeHead(200);
        response.write(`${JSON.stringify({ type: 'ADDED', object: thing('a', 101) })}\n{"type":"ADDED","obj`);
        setTimeout(() => response.socket!.destroy(), 20);
      },
      hangUp,
      events({ type: 'ADDED', object: thing('b', 102) }));
    const { informer: things, delivered, count } = make();
    await things.start(stop.signal);
    await until('b', () => delivered.length === 2);
    expect(delivered).toEqual(['ADDED a 101', 'ADDED b 102']);
    expect(server.requests(`watch ${THINGS}`).map(({ query }) => query.get('resourceVersion'))).toEqual(['100', '101', '101']);
    expect(count('failed')).toBe(2);
    expect(server.requests(`GET ${THINGS}`)).toHaveLength(1);
  });

  test.each([
    ['as an event', events(gone)],
    ['as an answer', status(410, 'Expired', 'too old')],
  ])('lists again after 410 %s and tells what it missed', async (_, answer) => {
    server
      .on(`GET ${THINGS}`,
        page('100', [thing('kept', 1), thing('changed', 2), thing('deleted', 3), thing('replaced', 4)]),
        page('200', [thing('kept', 1), thing('changed', 150), thing('replaced', 160, { uid: 'another' }), thing('new', 170)]))
      .on(`watch ${THINGS}`, answer, events());
    const { informer: things, delivered, telemetry } = make();
    await things.start(stop.signal);
    delivered.length = 0;
    await until('second watch', () => server.requests(`watch ${THINGS}`).length === 2);
    expect(delivered).toEqual([
      'DELETED deleted 3 was 3',
      'MODIFIED changed 150 was 2',
      'DELETED replaced 4 was 4',
      'ADDED replaced 160',
      'ADDED new 170',
    ]);
    expect(
      things.store
        .list()
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(['changed', 'kept', 'new', 'replaced']);
    expect(server.requests(`watch ${THINGS}`)[1]!.query.get('resourceVersion')).toBe('200');
    expect(
      telemetry.filter((event) => event.event === 'listed').map((event) => event.event === 'listed' && [event.reason, event.changes]),
    ).toEqual([
      ['start', 4],
      ['gone', 5],
    ]);
  });

  test('does not ask for ever without a pause when the server calls every version too old', async () => {
    server.on(`GET ${THINGS}`, page('100', [])).on(`watch ${THINGS}`, status(410, 'Expired', 'too old'));
    const { informer: things, count } = make({ timing: { backoff: { base: 200, max: 1_000 } } });
    const began = performance.now();
    await things.start(stop.signal);
    await until('four watches', () => server.requests(`watch ${THINGS}`).length >= 4);
    expect(count('gone')).toBeGreaterThanOrEqual(3);
    // The second watch comes at once, the others after pauses of 200 and 400 ms.
    expect(performance.now() - began).toBeGreaterThan(500);
  });

  test('ignores duplicates and what is older than what it knows', async () => {
    server.on(`GET ${THINGS}`, page('100', [thing('a', 99)])).on(`watch ${THINGS}`, events(
      { type: 'ADDED', object: thing('a', 99) },
      { type: 'MODIFIED', object: thing('a', 102) },
      { type: 'MODIFIED', object: thing('a', 102) },
      { type: 'MODIFIED', object: thing('a', 101) },
      { type: 'DELETED', object: thing('a', 98, { uid: 'earlier' }) },
      { type: 'ADDED', object: thing('b', 103) }));
    const { informer: things, delivered, count } = make();
    await things.start(stop.signal);
    await until('b', () => delivered.includes('ADDED b 103'));
    expect(delivered).toEqual(['ADDED a 99', 'MODIFIED a 102 was 99', 'ADDED b 103']);
    expect(count('stale-ignored')).toBe(2);
  });

  test('lists again when a line is no JSON, without telling the line', async () => {
    server
      .on(`GET ${THINGS}`, empty, page('200', []))
      .on(`watch ${THINGS}`, (_, response) => response.writeHead(200).end('hunter2\n'), events());
    const { informer: things, telemetry } = make();
    await things.start(stop.signal);
    await until('second list', () => server.requests(`GET ${THINGS}`).length === 2);
    expect(JSON.stringify(telemetry, (_, value: unknown) => (value instanceof Error ? value.message : value))).not.toContain('hunter2');
    expect(telemetry.some((event) => event.event === 'failed' && /no JSON/.test(event.error.message))).toBe(true);
  });

  test('takes a silent connection for dead and opens it again at the last bookmark', async () => {
    server.on(`GET ${THINGS}`, empty).on(`watch ${THINGS}`, events(bookmark(120)), events());
    const { informer: things, count } = make({ timing: { silenceWithBookmarks: 100 } });
    await things.start(stop.signal);
    await until('second watch', () => server.requests(`watch ${THINGS}`).length === 2);
    expect(count('idle')).toBe(1);
    expect(server.requests(`watch ${THINGS}`)[1]!.query.get('resourceVersion')).toBe('120');
  });

  test('lists again when nothing was heard for too long', async () => {
    server.on(`GET ${THINGS}`, page('100', []), page('200', [thing('missed', 150)])).on(`watch ${THINGS}`, events());
    const { informer: things, delivered, telemetry } = make({ timing: { watchSeconds: [0, 0], grace: 80, relistAfter: 50 } });
    await things.start(stop.signal);
    await until('missed', () => delivered.length === 1);
    expect(delivered).toEqual(['ADDED missed 150']);
    expect(telemetry).toContainEqual(expect.objectContaining({ event: 'listed', reason: 'watchdog', changes: 1 }));
  });

  test('pauses when the server ends every watch at once', async () => {
    server.on(`GET ${THINGS}`, empty).on(`watch ${THINGS}`, eventsThenEnd());
    const { informer: things } = make({ timing: { backoff: { base: 100, max: 1_000 } } });
    const began = performance.now();
    await things.start(stop.signal);
    await until('five watches', () => server.requests(`watch ${THINGS}`).length >= 5);
    // The pauses are 100, 200, 400 and 800 ms.
    expect(performance.now() - began).toBeGreaterThan(1_400);
  });

  test('ends cleanly: the connection is closed, nothing is asked any more, synced rejects when it never came', async () => {
    let closed = false;
    server.on(`GET ${THINGS}`, empty).on(`watch ${THINGS}`, (seen, response) => {
      response.on('close', () => (closed = true));
      events()(seen, response);
    });
    const { informer: things, count } = make();
    await things.start(stop.signal);
    await until('watch', () => server.requests(`watch ${THINGS}`).length === 1);
    stop.abort(new Error('enough'));
    await things.stopped();
    await until('close', () => closed);
    expect([count('stopped'), count('failed')]).toEqual([1, 0]);

    const { informer: never } = make();
    await expect(never.start(stop.signal)).rejects.toThrow('enough');
  });
});

describe('own writes', () => {
  test('are visible at once, delivered once, and not undone by older news', async () => {
    let send: (event: object) => void = () => undefined;
    server.on(`GET ${THINGS}`, page('100', [thing('a', 99)])).on(`watch ${THINGS}`, (seen, response) => {
      events()(seen, response);
      send = (event) => response.write(`${JSON.stringify(event)}\n`);
    });
    const { informer: things, delivered } = make();
    await things.start(stop.signal);
    await until('watch', () => server.requests(`watch ${THINGS}`).length === 1);
    things.updateLocal(thing('a', 105));
    expect(things.store.get('default', 'a')!.metadata.resourceVersion).toBe('105');
    send({ type: 'MODIFIED', object: thing('a', 103) });
    send({ type: 'MODIFIED', object: thing('a', 105) });
    send({ type: 'MODIFIED', object: thing('a', 106) });
    await until('106', () => delivered.length === 3);
    things.updateLocal(thing('a', 104));
    expect(delivered).toEqual(['ADDED a 99', 'MODIFIED a 105 was 99', 'MODIFIED a 106 was 105']);
    send({ type: 'DELETED', object: thing('a', 107) });
    await until('deletion', () => delivered.length === 4);
    things.updateLocal(thing('a', 106));
    expect(things.store.get('default', 'a')).toBeUndefined();
  });

  test('survive a list that began before them, not one that began after', async () => {
    let breakWatch: () => void = () => undefined;
    server
      .on(`GET ${THINGS}`, page('100', []), page('110', []), page('130', []))
      .on(`watch ${THINGS}`, (seen, response) => {
        events()(seen, response);
        breakWatch = () => response.end(`${JSON.stringify(gone)}\n`);
      });
    const { informer: things, delivered } = make();
    await things.start(stop.signal);
    await until('watch', () => server.requests(`watch ${THINGS}`).length === 1);
    things.updateLocal(thing('own', 120));
    breakWatch();
    await until('second watch', () => server.requests(`watch ${THINGS}`).length === 2);
    expect(delivered).toEqual(['ADDED own 120']);
    breakWatch();
    await until('third watch', () => server.requests(`watch ${THINGS}`).length === 3);
    expect(delivered).toEqual(['ADDED own 120', 'DELETED own 120 was 120']);
  });

  test('a server restored from a backup is believed, against own writes as well', async () => {
    let breakWatch: () => void = () => undefined;
    server.on(`GET ${THINGS}`, page('1000', [thing('a', 999), thing('own', 998)]), page('500', [thing('a', 400), thing('own', 401)]))
      .on(`watch ${THINGS}`, (seen, response) => {
        events()(seen, response);
        breakWatch = () => response.end(`${JSON.stringify(gone)}\n`);
      });
    const { informer: things, delivered } = make();
    await things.start(stop.signal);
    await until('watch', () => server.requests(`watch ${THINGS}`).length === 1);
    things.updateLocal(thing('own', 1200));
    breakWatch();
    await until('second watch', () => server.requests(`watch ${THINGS}`).length === 2);
    expect(delivered.slice(-2)).toEqual(['MODIFIED a 400 was 999', 'MODIFIED own 401 was 1200']);
  });

  test('the answer that took the last finalizer away brings nothing back', async () => {
    server.on(`GET ${THINGS}`, page('100', [])).on(`watch ${THINGS}`, events());
    const { informer: things, delivered } = make();
    await things.start(stop.signal);
    things.updateLocal(thing('a', 120, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [] }));
    expect(delivered).toEqual([]);
  });

  test('a read shows a Namespace that is being deleted, whose finalizers are in its spec', async () => {
    server.on(`GET ${THINGS}`, page('100', [thing('a', 90)])).on(`watch ${THINGS}`, events());
    const { informer: things } = make();
    await things.start(stop.signal);
    const annotations = { 'serviceoperator.azure.com/reconcile-policy': 'skip' };
    things.updateLocal(thing('a', 120, { deletionTimestamp: '2026-01-01T00:00:00Z', annotations }), 'read');
    expect(things.store.get('default', 'a')?.metadata).toMatchObject({ resourceVersion: '120', annotations });
  });
});

describe('scope', () => {
  test('namespaces have a watch each and share a store', async () => {
    const path = (namespace: string) => `/apis/test.azure.com/v1/namespaces/${namespace}/things`;
    server
      .on(`GET ${path('one')}`, page('100', [thing('a', 1, { namespace: 'one' })]))
      .on(`GET ${path('two')}`, page('100', [thing('a', 2, { namespace: 'two', uid: 'two' })]))
      .on(`watch ${path('one')}`, events(gone), events())
      .on(`watch ${path('two')}`, events());
    const { informer: things, delivered } = make({ namespaces: ['one', 'two', 'one'] });
    await things.start(stop.signal);
    expect(things.store.list('one')).toHaveLength(1);
    expect(things.store.list()).toHaveLength(2);
    await until('relist of one', () => server.requests(`watch ${path('one')}`).length === 2);
    expect(delivered).toHaveLength(2);
    expect(server.requests(`GET ${THINGS}`)).toHaveLength(0);
  });

  test('metadata-only asks for metadata and keeps nothing else, even from a server that cannot', async () => {
    server
      .on(
        `GET ${THINGS}`,
        json({
          kind: 'PartialObjectMetadataList',
          metadata: { resourceVersion: '100' },
          items: [{ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: thing('a', 1).metadata }],
        }),
      )
      .on(`watch ${THINGS}`, events({ type: 'ADDED', object: thing('b', 101, {}, { big: true }) }));
    const { informer: things, delivered } = make({ metadataOnly: true });
    await things.start(stop.signal);
    await until('b', () => delivered.length === 2);
    expect(things.store.get('default', 'a')).toEqual({ apiVersion: 'test.azure.com/v1', kind: 'Thing', metadata: thing('a', 1).metadata });
    expect(things.store.get('default', 'b')).not.toHaveProperty('spec');
    expect(server.requests(`GET ${THINGS}`)[0]?.headers.accept).toContain('as=PartialObjectMetadataList;v=v1;g=meta.k8s.io');
    expect(server.requests(`watch ${THINGS}`)[0]?.headers.accept).toContain('as=PartialObjectMetadata;v=v1;g=meta.k8s.io');
  });

  test('a handler that throws is reported and stops nothing', async () => {
    server.on(`GET ${THINGS}`, page('100', [thing('a', 1)])).on(`watch ${THINGS}`, events({ type: 'ADDED', object: thing('b', 101) }));
    const { informer: things, delivered, count } = make();
    things.onEvent(() => {
      throw new Error('bug');
    });
    await things.start(stop.signal);
    await until('b', () => delivered.length === 2);
    expect(count('handler-failed')).toBe(2);
  });
});
