import { generateKeyPair, randomBytes, sign as createSignature, type KeyObject } from 'node:crypto';
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
/** Two RSA keys take a third of a second of a processor, which a pod with a small limit has to wait for. */
const CURVE = { namedCurve: 'P-256' };
const ONE = new forge.jsbn.BigInteger('1');
/** Places in Certificate and TBSCertificate of RFC 5280. */
const CONTENTS = 0, ALGORITHM = 1, SIGNATURE = 2, CONTENTS_ALGORITHM = 2, PUBLIC_KEY = 6;
const { asn1 } = forge;
/** RFC 5758. */
const ECDSA_WITH_SHA256 = asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SEQUENCE, true, [
  asn1.create(asn1.Class.UNIVERSAL, asn1.Type.OID, false, asn1.oidToDer('1.2.840.10045.4.3.2').getBytes()),
]);

/**
 * Makes a serving certificate with an authority for it alone: trust in that authority covers no other certificate.
 *
 * @param names DNS names and IP addresses
 * @param now milliseconds since the epoch
 * @param lifetimeMs time from now until the certificate expires
 */
export async function makeCertificate(names: readonly string[], now: number, lifetimeMs: number): Promise<MadeCertificate> {
  const [authority, server] = await Promise.all([keyPair('ec', CURVE), keyPair('ec', CURVE)]);
  // Clocks differ a little.
  const validity = { notBefore: new Date(now - HOUR), notAfter: new Date(now + lifetimeMs) };
  // A unique name, so that a bundle with two authorities is not ambiguous.
  const authorityName = [{ name: 'commonName', value: `cdk8s-aso ${new Date(now).toISOString()}` }];
  const keyIdentifier = randomBytes(20).toString('latin1');
  const sign = (publicKey: KeyObject, subject: forge.pki.CertificateField[], extensions: object[]) =>
    signed({ publicKey, subject, issuer: authorityName, validity, extensions }, authority.privateKey);
  const ca = sign(authority.publicKey, authorityName, [
    { name: 'basicConstraints', critical: true, cA: true, pathLenConstraint: 0 },
    { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
    { name: 'subjectKeyIdentifier', value: asn1.create(asn1.Class.UNIVERSAL, asn1.Type.OCTETSTRING, false, keyIdentifier) },
  ]);
  // A common name has 64 characters at most; clients read the alternative names only.
  const cert = sign(server.publicKey, [{ name: 'commonName', value: (names[0] ?? '').slice(0, 64) }], [
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', critical: true, digitalSignature: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'authorityKeyIdentifier', keyIdentifier },
    { name: 'subjectAltName', altNames: names.map((name) => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })) },
  ]);
  return { key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert, ca };
}

interface Contents {
  readonly publicKey: KeyObject;
  readonly subject: forge.pki.CertificateField[];
  readonly issuer: forge.pki.CertificateField[];
  readonly validity: { readonly notBefore: Date; readonly notAfter: Date };
  readonly extensions: object[];
}

/** PEM of a certificate. forge writes the parts of one; it knows RSA alone, so key and signature are put in their places here. */
function signed({ publicKey, subject, issuer, validity, extensions }: Contents, key: KeyObject): string {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(ONE, ONE);
  // The first bit must be 0: a serial number is positive.
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(15))}`;
  certificate.validity = validity;
  certificate.setSubject(subject);
  certificate.setIssuer(issuer);
  certificate.setExtensions(extensions);
  certificate.sign({ sign: () => '' } as unknown as forge.pki.rsa.PrivateKey, forge.md.sha256.create());
  const whole = forge.pki.certificateToAsn1(certificate);
  const parts = whole.value as forge.asn1.Asn1[];
  const fields = parts[CONTENTS]!.value as forge.asn1.Asn1[];
  fields[PUBLIC_KEY] = asn1.fromDer(publicKey.export({ type: 'spki', format: 'der' }).toString('latin1'));
  fields[CONTENTS_ALGORITHM] = parts[ALGORITHM] = ECDSA_WITH_SHA256;
  // Its first byte: no bit of the last one is unused.
  parts[SIGNATURE]!.value = `\0${createSignature('sha256', derOf(parts[CONTENTS]!), key).toString('latin1')}`;
  return forge.pem.encode({ type: 'CERTIFICATE', body: derOf(whole).toString('latin1') }).replaceAll('\r\n', '\n');
}

function derOf(value: forge.asn1.Asn1): Buffer {
  return Buffer.from(asn1.toDer(value).getBytes(), 'latin1');
}
