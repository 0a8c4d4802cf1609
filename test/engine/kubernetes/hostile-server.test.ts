import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anonymousAccess, Connection, type ConnectionOptions } from '../../../engine/kubernetes/connection';
import { jsonLines } from '../../../engine/kubernetes/json-lines';
import { answerHostilely, type HostileBody } from '../../setup/hostile-answers';

let server: Server;
let body: HostileBody;

beforeEach(async () => {
  server = createServer((_, response) => answerHostilely(response, body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test.each<[HostileBody, ConnectionOptions, string]>([
  ['endless', { maxAnswerBytes: 1_000_000 }, 'the answer has more than 1000000 bytes, which no answer of a Kubernetes API has'],
  // Nothing is unpacked: no packed answer is asked for.
  ['bomb', { maxAnswerBytes: 100_000 }, 'the answer has more than 100000 bytes'],
  ['drip', { requestTimeout: 300 }, 'no whole answer within 0.3 s'],
  ['cut', {}, 'the answer broke off'],
])('%s: there is no answer, and why', async (hostile, options, message) => {
  body = hostile;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = new Connection(anonymousAccess(url), options);
  try {
    await expect(connection.request({ method: 'GET', path: '/api/v1/pods' })).rejects.toMatchObject({
      status: 0,
      message: expect.stringContaining(message),
    });
  } finally {
    await connection.close();
  }
});

test('a line of a watch that does not end', async () => {
  let parts = 0;
  const endless = (async function* () {
    yield Buffer.from('{"a":1}\n');
    for (;;) {
      parts += 1;
      yield Buffer.alloc(100, 'x');
    }
  })();
  const lines = jsonLines(endless, 1_000);
  expect((await lines.next()).value).toEqual({ a: 1 });
  await expect(lines.next()).rejects.toThrow('a line of 1100 characters is no JSON');
  expect(parts).toBe(11);
});
