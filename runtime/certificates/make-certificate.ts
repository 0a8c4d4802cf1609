import { generateKeyPair, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import forge from 'node-forge';
import type { ServingCertificate } from './serving-certificate';

export interface MadeCertificate extends ServingCertificate {
  /** PEM of the authority that signed the certificate. Its key is discarded, so it never signs another one. */
  readonly ca: string;
}

const HOUR = 60 * 60 * 1000;
const keyPair = promisify(generateKeyPair);

/**
 * Makes a serving certificate with an authority for it alone: trust in that authority covers no other certificate.
 *
 * @param names DNS names and IP addresses
 * @param now milliseconds since the epoch
 * @param lifetimeMs time from now until the certificate expires
 */
export async function makeCertificate(names: readonly string[], now: number, lifetimeMs: number): Promise<MadeCertificate> {
  const [authority, server] = await Promise.all([rsaKey(), rsaKey()]);
  // Clocks differ a little.
  const validity = { notBefore: new Date(now - HOUR), notAfter: new Date(now + lifetimeMs) };
  // A unique name, so that a bundle with two authorities is not ambiguous.
  const authorityName = [{ name: 'commonName', value: `cdk8s-aso ${new Date(now).toISOString()}` }];
  const ca = certificateOf(authority.publicKey, authorityName, authorityName, validity, [
    { name: 'basicConstraints', critical: true, cA: true, pathLenConstraint: 0 },
    { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  signCertificate(ca, authority.privateKey);
  // A common name has 64 characters at most; clients read the alternative names only.
  const cert = certificateOf(server.publicKey, [{ name: 'commonName', value: (names[0] ?? '').slice(0, 64) }], authorityName, validity, [
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: names.map((name) => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })) },
  ]);
  signCertificate(cert, authority.privateKey);
  return { key: server.pem, cert: pemOf(cert), ca: pemOf(ca) };
}

interface RsaKey {
  readonly pem: string;
  readonly privateKey: KeyObject;
  readonly publicKey: forge.pki.rsa.PublicKey;
}

async function rsaKey(): Promise<RsaKey> {
  // Node makes the key, and signs with it, in a fraction of the time that forge takes.
  const pair = await keyPair('rsa', { modulusLength: 2048 });
  const pem = pair.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const { n, e } = forge.pki.privateKeyFromPem(pem);
  return { pem, privateKey: pair.privateKey, publicKey: forge.pki.setRsaPublicKey(n, e) };
}

function signCertificate(certificate: forge.pki.Certificate, key: KeyObject): void {
  const signer: Pick<forge.pki.rsa.PrivateKey, 'sign'> = {
    // forge has written the part that is signed before it calls this.
    sign: () => sign('sha256', Buffer.from(forge.asn1.toDer(certificate.tbsCertificate).getBytes(), 'latin1'), key).toString('latin1'),
  };
  certificate.sign(signer as forge.pki.rsa.PrivateKey, forge.md.sha256.create());
}

function certificateOf(
  publicKey: forge.pki.rsa.PublicKey, subject: forge.pki.CertificateField[], issuer: forge.pki.CertificateField[],
  validity: { notBefore: Date; notAfter: Date }, extensions: object[],
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  // The first bit must be 0: a serial number is positive.
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(15))}`;
  certificate.validity = validity;
  certificate.setSubject(subject);
  certificate.setIssuer(issuer);
  certificate.setExtensions(extensions);
  return certificate;
}

function pemOf(certificate: forge.pki.Certificate): string {
  return forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n');
}
