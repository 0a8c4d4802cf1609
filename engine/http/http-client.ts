import { Agent } from 'node:https';
import { createSecureContext } from 'node:tls';
import { createDefaultHttpClient, type HttpClient } from '@azure/core-rest-pipeline';

export interface HttpConnections {
  /** As many connections without a request are kept, at most. */
  readonly mostIdle: number;
  /** A connection without a request is closed after this time. Milliseconds. */
  readonly idleMs: number;
  /** PEM of the certificates to trust. Default: those of Node and of `NODE_EXTRA_CA_CERTS`. */
  readonly ca?: string;
}

/**
 * A TLS connection takes some 100 KiB of memory. After an apply of many objects the library's own agent keeps 256 of them for as long as
 * Azure does, although Azure's limits let the controller use a few dozen.
 */
const DEFAULTS: HttpConnections = { mostIdle: 32, idleMs: 30_000 };

/** A client that closes the connections it does not need. A proxy of the environment has an agent of its own. */
export function createHttpClient(connections: HttpConnections = DEFAULTS): HttpClient {
  const client = createDefaultHttpClient();
  let agent: Agent | undefined;
  return {
    sendRequest: (request) => {
      // Plain HTTP is the metadata endpoint of a node, which the library's own agent is for.
      if (/^https:/i.test(request.url)) request.agent ??= agent ??= agentFor(connections);
      return client.sendRequest(request);
    },
  };
}

/** The context is shared: Node would make one for each connection, 10 KiB each. */
function agentFor({ mostIdle, idleMs, ca }: HttpConnections): Agent {
  return new Agent({ keepAlive: true, maxFreeSockets: mostIdle, timeout: idleMs, secureContext: createSecureContext({ ca }) });
}
