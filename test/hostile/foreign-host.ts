import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { loopbackCertificate } from '../../sandbox/azure/http/certificate';

/** A host that is not Azure's, with a certificate that the controller trusts: a token that is sent to it has been given away. */
export async function withForeignHost(act: (url: string) => Promise<void>): Promise<void> {
  const { cert, key } = await loopbackCertificate();
  const requests: string[] = [];
  const server = createServer({ cert, key }, ({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await act(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(requests).toEqual([]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
