import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { convertAsAso, type AsoObject } from './aso-conversion';
import { makeCertificate } from '../../../controller/admission/certificates/make-certificate';
import { Catalog } from '../../../src/catalog';

export interface AsoWebhooks {
  readonly port: number;
  /** PEM in base64. */
  readonly caBundle: string;
  readonly requests: { conversions: number };
  close(): Promise<void>;
}

/** The webhooks of ASO's pods: conversion, and an admission that takes everything. */
export async function startAsoWebhooks(namespace: string, port = 0): Promise<AsoWebhooks> {
  const { cert, key, ca } = await makeCertificate([`azureserviceoperator-webhook-service.${namespace}.svc`], Date.now(), 24 * 3_600_000);
  const requests = { conversions: 0 };
  const catalog = Catalog.default();
  const server = createServer({ cert, key }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(parts).toString('utf8'));
      const { uid, desiredAPIVersion, objects } = review.request;
      if (objects) requests.conversions += 1;
      const answer = objects
        ? { uid, result: { status: 'Success' }, convertedObjects: (objects as AsoObject[]).map((object) => convertAsAso(catalog, object, desiredAPIVersion)) }
        : { uid, allowed: true };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ apiVersion: review.apiVersion, kind: review.kind, response: answer }));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(ca).toString('base64'),
    requests,
    close: () => new Promise((resolve) => {
      server.closeAllConnections();
      // Closed already: it is an error that says so.
      server.close(() => resolve());
    }),
  };
}
