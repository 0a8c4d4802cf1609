import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { ServingCertificate } from './serving-certificate';

/** Why a server cannot use a certificate; undefined: it can. The text has nothing of the key. */
export function problemOf({ cert, key }: ServingCertificate): string | undefined {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch {
    return 'tls.crt is not a certificate in PEM';
  }
  try {
    return certificate.checkPrivateKey(createPrivateKey(key)) ? undefined : 'tls.key is not the key of the certificate in tls.crt';
  } catch {
    return 'tls.key is not a private key in PEM';
  }
}

/** Validity of a certificate, in milliseconds since the epoch; undefined for an invalid one. */
export function validityOf(cert: string): { readonly from: number; readonly to: number } | undefined {
  try {
    const { validFrom, validTo } = new X509Certificate(cert);
    return { from: Date.parse(validFrom), to: Date.parse(validTo) };
  } catch {
    return undefined;
  }
}

/** Whether a certificate covers all of the names. */
export function isFor(cert: string, names: readonly string[]): boolean {
  try {
    const certificate = new X509Certificate(cert);
    return names.every((name) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined);
  } catch {
    return false;
  }
}

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** The certificates of a bundle, one by one. */
export function certificatesIn(bundle: string): string[] {
  const certificates: string[] = [];
  for (let start = bundle.indexOf(BEGIN); start >= 0; start = bundle.indexOf(BEGIN, start)) {
    const end = bundle.indexOf(END, start);
    if (end < 0) break;
    certificates.push(`${bundle.slice(start, end + END.length)}\n`);
    start = end + END.length;
  }
  return certificates;
}
