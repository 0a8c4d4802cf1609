import { FakeApiServer, json, page, thing, THING, THINGS } from './fake-api-server';
import { OwnershipLostError } from '../../../engine/not-leading-error';

test('a fence comes before each write, besides the leadership', async () => {
  const server = await FakeApiServer.start();
  try {
    server.on(`GET ${THINGS}`, page('1', [])).on('POST /apis/test.azure.com/v1/namespaces/default/things', json(thing('a', 1)));
    let owns = true;
    let leads = true;
    const client = server.client.withMayWrite(() => leads).withFence(() => {
      if (!owns) throw new OwnershipLostError('Thing default/a');
    });
    await client.create(THING, thing('a', 1));
    owns = false;
    await expect(client.create(THING, thing('a', 1))).rejects.toThrow(OwnershipLostError);
    await expect(client.delete(THING, 'a', 'default')).rejects.toThrow('another replica looks after Thing default/a now');
    leads = false;
    await expect(client.delete(THING, 'a', 'default')).rejects.toThrow('does not lead any more');
    await client.list(THING, {});
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET']);
  } finally {
    await server.stop();
  }
});

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
