/**
 * A realm of its own: the library reads NO_PROXY once in a process, with the first client.
 *
 * @jest-environment node
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createArmClient } from '../../../engine/arm/arm-client';
import { loadIdentity, tokenCredential } from '../../../engine/credentials/token-credential';
import { IDS } from '../../engine/credentials/resolver';
import { until } from '../../setup/until';

const environmentBefore = { ...process.env };

describe('proxy variables act as usual', () => {
  const asked: string[] = [];
  let proxy: Server;
  beforeAll(async () => {
    // Refuses every tunnel: who asked for which is all that matters.
    proxy = createServer((request, response) => {
      asked.push(request.url!);
      response.writeHead(502).end();
    });
    proxy.on('connect', (request, socket) => {
      asked.push(request.url!);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    process.env.NO_PROXY = 'localhost';
    process.env.HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    process.env = environmentBefore;
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });
  const credential = { getToken: async () => ({ token: 'token', expiresOnTimestamp: Date.now() + 3_600_000 }) };
  const get = (endpoint: string) =>
    createArmClient({ credential, subscriptionId: 's', endpoint, audience: 'a' }).send({
      method: 'GET',
      url: '/subscriptions/s',
      apiVersion: '2020-01-01',
    });

  test('HTTPS_PROXY: requests to ARM go by it', async () => {
    await get('https://arm.invalid').catch(() => undefined);
    expect(asked).toContain('arm.invalid:443');
  });

  test('NO_PROXY: those to its hosts do not', async () => {
    const known = asked.length;
    await expect(get('https://localhost:9')).rejects.toThrow(/ECONNREFUSED/);
    expect(asked).toHaveLength(known);
  });

  test('HTTPS_PROXY: requests for tokens go by it', async () => {
    const cloud = { endpoint: 'https://arm.invalid', audience: 'a', authorityHost: 'https://login.invalid' };
    const mode = {
      mode: 'clientSecret',
      tenantId: 'tenant',
      clientId: IDS.AZURE_CLIENT_ID,
      clientSecret: 's',
      additionalTenants: [],
    } as const;
    const stop = new AbortController();
    const asking = tokenCredential(mode, cloud, { load: loadIdentity })
      .getToken('a/.default', { abortSignal: stop.signal })
      .catch(() => undefined);
    await until('the proxy is asked', () => asked.includes('login.invalid:443'));
    stop.abort();
    await asking;
  });
});
