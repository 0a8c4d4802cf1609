import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import forge from 'node-forge';

export interface Certificate {
  /** Of the server. PEM. */
  readonly key: string;
  readonly cert: string;
  /** The authority that signed it, for the client's list of trusted ones. PEM. */
  readonly ca: string;
}

const DAYS = 24 * 60 * 60 * 1000;
const keyPair = promisify(generateKeyPair);

let shared: Promise<Certificate> | undefined;

/**
 * The certificate of this process for the loopback addresses, and an authority made only for it: whoever trusts that trusts nothing else.
 */
export function loopbackCertificate(): Promise<Certificate> {
  return (shared ??= makeCertificate());
}

async function makeCertificate(): Promise<Certificate> {
  // The system's time, whatever clock the simulator has: the TLS clients have no other.
  const now = Date.now();
  const [authority, server] = await Promise.all([rsaKey(), rsaKey()]);
  const authorityName = [{ name: 'commonName', value: 'cdk8s-aso sandbox authority' }];
  const common = [{ name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true, keyCertSign: false }];

  const ca = certificateOf(authority.publicKey, authorityName, authorityName, now, [
    { name: 'basicConstraints', critical: true, cA: true, pathLenConstraint: 0 },
    { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  ca.sign(authority.privateKey, forge.md.sha256.create());

  const cert = certificateOf(server.publicKey, [{ name: 'commonName', value: 'localhost' }], authorityName, now, [
    { name: 'basicConstraints', cA: false },
    ...common,
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }, { type: 7, ip: '127.0.0.1' }, { type: 7, ip: '::1' }] },
  ]);
  cert.sign(authority.privateKey, forge.md.sha256.create());
  return { key: server.pem, cert: forge.pki.certificateToPem(cert), ca: forge.pki.certificateToPem(ca) };
}

interface RsaKey {
  readonly pem: string;
  readonly privateKey: forge.pki.rsa.PrivateKey;
  readonly publicKey: forge.pki.rsa.PublicKey;
}

async function rsaKey(): Promise<RsaKey> {
  // Node makes the key in a fraction of the time that forge takes; forge only signs.
  const pair = await keyPair('rsa', { modulusLength: 2048 });
  const pem = pair.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const privateKey = forge.pki.privateKeyFromPem(pem);
  return { pem, privateKey, publicKey: forge.pki.setRsaPublicKey(privateKey.n, privateKey.e) };
}

function certificateOf(
  publicKey: forge.pki.rsa.PublicKey,
  subject: forge.pki.CertificateField[],
  issuer: forge.pki.CertificateField[],
  now: number,
  extensions: object[],
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  // The first bit must be 0: a serial number is positive.
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(15))}`;
  certificate.validity.notBefore = new Date(now - DAYS);
  certificate.validity.notAfter = new Date(now + 30 * DAYS);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer);
  certificate.setExtensions(extensions);
  return certificate;
}
