import { request } from 'node:https';
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { CONVERSION_PATH, webhookPath } from '../../src/catalog/webhook-configurations';
import { objectOf, versionOf } from '../controller/admission/objects';

const MEBIBYTE = Buffer.alloc(1024 * 1024, 'x');
const GROUP = versionOf('resources', 'ResourceGroup');
const VALIDATE = webhookPath('validate', GROUP);
// The attack is on the port's content, not on the clients' trust in it.
const ANYBODY = { host: '127.0.0.1', rejectUnauthorized: false } as const;
const HEADERS = { 'content-type': 'application/json' };

/** A review as the API server sends it. Resolves to the status of the answer. */
export function review(port: number): Promise<number> {
  const object = objectOf(GROUP, { location: 'uksouth' });
  const body = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { uid: 'u', operation: 'CREATE', name: 'x', namespace: 'default', object },
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      { ...ANYBODY, port, path: VALIDATE, method: 'POST', agent: false, headers: HEADERS, timeout: 60_000 },
      (answer) => {
        answer.on('end', () => resolve(answer.statusCode ?? 0)).resume();
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('the webhook has not answered')));
    sent.on('error', reject).end(JSON.stringify(body));
  });
}

/** A body of so many MiB without a length in front. Resolves to the status of the answer, 0 where the connection was closed without one. */
export function postMebibytes(port: number, mebibytes: number): Promise<number> {
  return new Promise((resolve) => {
    const sent = request({ ...ANYBODY, port, path: CONVERSION_PATH, method: 'POST', agent: false, headers: HEADERS });
    sent.on('response', (answer) => {
      resolve(answer.statusCode ?? 0);
      sent.destroy();
    });
    sent.on('error', () => resolve(0));
    sent.write('{"kind":"');
    let left = mebibytes;
    const more = () => {
      while (left > 0 && !sent.destroyed) {
        left -= 1;
        if (!sent.write(MEBIBYTE)) return void sent.once('drain', more);
      }
      sent.end('"}');
    };
    more();
  });
}

/** Connections that say nothing, and others that begin a request and do not end it. The returned function closes them. */
export function slowConnections(port: number, count: number): () => void {
  const sockets = Array.from({ length: count }, (_, index) => {
    if (index % 2 === 0) return connect(port, '127.0.0.1').on('error', () => undefined);
    const socket = connectSecurely({ ...ANYBODY, port });
    socket
      .on('error', () => undefined)
      .on('secureConnect', () => socket.write(`POST ${VALIDATE} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{`));
    return socket;
  });
  return () => sockets.forEach((socket) => socket.destroy());
}
