import { createServer, type Server } from 'node:https';
import { convertAsAso, type AsoObject } from './aso-conversion';
import { makeCertificate } from '../../../runtime/certificates/make-certificate';
import { Catalog } from '../../../src/catalog';

export interface AsoWebhooks {
  readonly port: number;
  /** PEM in base64. */
  readonly caBundle: string;
  /** Does nothing while they are open. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** The webhooks of ASO's pods, closed at first: conversion, and an admission that takes everything. */
export async function asoWebhooks(namespace: string, port: number): Promise<AsoWebhooks> {
  const { cert, key, ca } = await makeCertificate([`azureserviceoperator-webhook-service.${namespace}.svc`], Date.now(), 24 * 3_600_000);
  const catalog = Catalog.default();
  let open: Server | undefined;
  const server = () => createServer({ cert, key }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(parts).toString('utf8'));
      const { uid, desiredAPIVersion, objects } = review.request;
      const answer = objects
        ? { uid, result: { status: 'Success' }, convertedObjects: (objects as AsoObject[]).map((object) => convertAsAso(catalog, object, desiredAPIVersion)) }
        : { uid, allowed: true };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ apiVersion: review.apiVersion, kind: review.kind, response: answer }));
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
