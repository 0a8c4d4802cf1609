import { get } from 'node:http';
import { serve, type Answer } from '../../../runtime/http/http-endpoints';

const LENGTH = 30_000_000;

/** The number of bytes that a client gets that begins to read after a time. */
function bytesRead(port: number, afterMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/path', agent: false }, (response) => {
      let count = 0;
      setTimeout(() => response.on('data', (part: Buffer) => (count += part.length)), afterMs);
      response.on('close', () => resolve(count)).on('error', () => undefined);
    }).on('error', reject);
  });
}

test('a client that reads nothing of its answer is cut off, for it would keep its connection for good', async () => {
  const endpoint = await serve('--metrics-addr', '127.0.0.1:0', { '/path': () => [200, 'text/plain', 'x'.repeat(LENGTH)] }, 200);
  expect(await bytesRead(endpoint.port, 0)).toBe(LENGTH);
  expect(await bytesRead(endpoint.port, 1_000)).toBeLessThan(LENGTH);
  await endpoint.close();
});

test('an answer that takes long to make is not cut off', async () => {
  const slow = () => new Promise<Answer>((resolve) => void setTimeout(() => resolve([200, 'text/plain', 'done']), 500));
  const endpoint = await serve('--metrics-addr', '127.0.0.1:0', { '/path': slow }, 50);
  expect(await bytesRead(endpoint.port, 0)).toBe('done'.length);
  await endpoint.close();
});
