import { FakeApiServer, json, page, thing, THING, THINGS } from './fake-api-server';

test('a process that does not lead any more reads, and writes nothing', async () => {
  const server = await FakeApiServer.start();
  try {
    server.on(`GET ${THINGS}`, page('1', [])).on('POST /apis/test.azure.com/v1/namespaces/default/things', json(thing('a', 1)));
    let leads = true;
    const client = server.client.withMayWrite(() => leads);
    await client.create(THING, thing('a', 1));
    leads = false;
    await expect(client.create(THING, thing('b', 1))).rejects.toThrow('does not lead any more');
    await expect(client.patch(THING, 'a', 'default', {}, 'application/merge-patch+json')).rejects.toThrow('does not lead any more');
    await expect(client.delete(THING, 'a', 'default')).rejects.toThrow('does not lead any more');
    await client.list(THING, {});
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET']);
  } finally {
    await server.stop();
  }
});
