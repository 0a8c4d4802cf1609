import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { loopbackCertificate } from '../../sandbox/azure/http/certificate';
import { answerHostilely, HOSTILE_BODIES } from '../setup/hostile-answers';

/** An authority, an Azure Resource Manager and a Microsoft Graph that hurt a client whose URL says with which body. */
export interface HostileServer {
  readonly url: string;
  close(): Promise<void>;
}

/** The controller trusts its certificate as it does that of the simulator. */
export async function startHostileServer(): Promise<HostileServer> {
  const { cert, key } = await loopbackCertificate();
  const server = createServer({ cert, key }, (request, response) => {
    request.resume();
    const path = decodeURIComponent(request.url ?? '');
    const body = HOSTILE_BODIES.find((name) => path.includes(name));
    if (body) return answerHostilely(response, body);
    return path.includes('/oauth2/') || path.includes('openid-configuration') ? signIn(response) : void response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const signIn = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({
    token_type: 'Bearer',
    expires_in: 3600,
    access_token: 'a-token',
    issuer: `${url}/tenant/v2.0`,
    authorization_endpoint: `${url}/tenant/oauth2/v2.0/authorize`,
    token_endpoint: `${url}/tenant/oauth2/v2.0/token`,
    jwks_uri: `${url}/keys`,
  }));
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
