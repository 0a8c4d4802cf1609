import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { get } from 'node:http';
import type { Socket } from 'node:net';
import { serve, type Answer, type Endpoint } from '../../../runtime/http/http-endpoints';

const LENGTH = 30_000_000;

/** The number of bytes that a client gets that begins to read after something. */
function bytesRead(port: number, after: Promise<unknown> = Promise.resolve(), onData = (_: Buffer): void => undefined): Promise<number> {
  return new Promise((resolve) => {
    let count = 0;
    get({ host: '127.0.0.1', port, path: '/path', agent: false }, (response) => {
      void after.then(() => response.on('data', (part: Buffer) => {
        count += part.length;
        onData(part);
      }));
      response.on('close', () => resolve(count)).on('error', () => undefined);
    }).on('error', () => resolve(count));
  });
}

/** The server closes its side of the next connection. */
function nextConnectionClosed(): Promise<unknown> {
  return new Promise((resolve) => {
    const onSocket = (message: unknown) => {
      unsubscribe('net.server.socket', onSocket);
      resolve(once((message as { socket: Socket }).socket, 'close'));
    };
    subscribe('net.server.socket', onSocket);
  });
}

/** Keeps this process from running anything else. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

let endpoint: Endpoint;
afterEach(() => endpoint.close());

const serveLarge = async () => {
  endpoint = await serve('--metrics-addr', '127.0.0.1:0', { '/path': () => [200, 'text/plain', 'x'.repeat(LENGTH)] }, 200);
};

test('a client that reads nothing of its answer is cut off, for it would keep its connection for good', async () => {
  await serveLarge();
  expect(await bytesRead(endpoint.port)).toBe(LENGTH);
  expect(await bytesRead(endpoint.port, nextConnectionClosed())).toBeLessThan(LENGTH);
});

test('a client that reads is not cut off where the process of the server stands still', async () => {
  await serveLarge();
  let unblocked = 0;
  expect(await bytesRead(endpoint.port, undefined, (part) => {
    unblocked += part.length;
    if (unblocked < 5_000_000) return;
    unblocked = 0;
    block(210);
  })).toBe(LENGTH);
});

test('an answer that takes long to make is not cut off', async () => {
  const slow = () => new Promise<Answer>((resolve) => void setTimeout(() => resolve([200, 'text/plain', 'done']), 500));
  endpoint = await serve('--metrics-addr', '127.0.0.1:0', { '/path': slow }, 50);
  expect(await bytesRead(endpoint.port)).toBe('done'.length);
});
