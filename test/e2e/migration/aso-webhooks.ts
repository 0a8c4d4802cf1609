import { createServer, type Server } from 'node:https';
import { asoAdmission } from './aso-admission';
import { convertAsAso, type AsoObject } from './aso-conversion';
import { makeCertificate } from '../../../runtime/certificates/make-certificate';
import { Catalog, type Kind } from '../../../src/catalog';

export interface AsoWebhooks {
  readonly port: number;
  /** PEM in base64. */
  readonly caBundle: string;
  /** Does nothing while they are open. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** The webhooks of ASO's pods for some kinds, closed at first. */
export async function asoWebhooks(namespace: string, port: number, kinds: readonly Kind[]): Promise<AsoWebhooks> {
  const { cert, key, ca } = await makeCertificate([`azureserviceoperator-webhook-service.${namespace}.svc`], Date.now(), 24 * 3_600_000);
  const catalog = Catalog.default();
  const admission = asoAdmission(kinds);
  let open: Server | undefined;
  const server = () => createServer({ cert, key }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(parts).toString('utf8'));
      const { uid, desiredAPIVersion, objects } = review.request;
      const path = request.url!.split('?')[0]!;
      const answer = path === '/convert'
        ? { result: { status: 'Success' }, convertedObjects: (objects as AsoObject[]).map((object) => convertAsAso(catalog, object, desiredAPIVersion)) }
        : admission(path, review.request);
      response.statusCode = answer ? 200 : 404;
      response.setHeader('content-type', 'application/json');
      response.end(answer ? JSON.stringify({ apiVersion: review.apiVersion, kind: review.kind, response: { uid, ...answer } }) : '404 page not found');
    });
  });
  return {
    port,
    caBundle: Buffer.from(ca).toString('base64'),
    open: async () => {
      if (open) return;
      const opened = (open = server());
      await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve));
    },
    close: async () => {
      const opened = open;
      open = undefined;
      opened?.closeAllConnections();
      await new Promise<void>((resolve) => (opened ? opened.close(() => resolve()) : resolve()));
    },
  };
}
