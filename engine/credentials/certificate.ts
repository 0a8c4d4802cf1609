import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import forge from 'node-forge';
import { checkDerivation, CostlyKeyError, withBoundedDerivation } from './key-derivation';
import { derOfPem, pemBlocks } from './pem';
import { CredentialError } from './types';

/** A certificate with its private key, both in PEM. */
export interface ClientCertificate {
  /** Chain, the leaf first, and the private key (PKCS#8, not encrypted). */
  readonly pem: string;
  /** End of the leaf's validity, in milliseconds since the epoch. */
  readonly expires?: number;
}

/** A certificate and its key have some 5 KiB, with a long chain 20. */
export const LARGEST_CONTENT = 256 * 1024;
const MOST_CERTIFICATES = 20;
/** A signature with a key of 8192 bits takes some 20 ms, and eight times as long with each doubling. Entra takes up to 4096. */
const LARGEST_KEY = 8192;

/**
 * Reads PEM or PKCS#12 (binary or base64) with its private key. `where` begins the message of the CredentialError; the message never quotes
 * the certificate. Takes up to some seconds: certificates of tenants are read in a worker thread (`certificate-store.ts`).
 */
export function parseClientCertificate(content: Buffer, password: string | undefined, where: string): ClientCertificate {
  if (content.length > LARGEST_CONTENT) throw tooLarge(where);
  const text = content.toString('utf8');
  return text.includes('-----BEGIN ') ? fromPem(text, password, where) : fromPkcs12(content, password, where);
}

function fromPem(text: string, password: string | undefined, where: string): ClientCertificate {
  const blocks = pemBlocks(text);
  const certificates = blocks.filter(({ label }) => label === 'CERTIFICATE').map((block) => block.text);
  const key = blocks.find(({ label }) => label.endsWith('PRIVATE KEY'));
  if (certificates.length === 0) {
    throw new CredentialError(`${where} has no certificate: PEM with a CERTIFICATE and a PRIVATE KEY block is needed`);
  }
  if (!key) throw new CredentialError(`${where} has no private key: PEM with a CERTIFICATE and a PRIVATE KEY block is needed`);
  if (certificates.length > MOST_CERTIFICATES) {
    throw new CredentialError(
      `${where} has ${certificates.length} certificates; ${MOST_CERTIFICATES} are read at most: leave out what is not of the chain`,
    );
  }
  try {
    if (key.label === 'ENCRYPTED PRIVATE KEY') checkDerivation(derOfPem(key));
    const readable = createPrivateKey({ key: key.text, format: 'pem', passphrase: password || undefined });
    checkSize(readable, where);
    const parsed = certificates.map((pem) => ({ pem, certificate: new X509Certificate(pem) }));
    const leaf = parsed.find(({ certificate }) => certificate.checkPrivateKey(readable));
    if (!leaf) throw new CredentialError(`${where} has a private key that belongs to none of its certificates`);
    const chain = [leaf, ...parsed.filter((other) => other !== leaf)].map(({ pem }) => pem);
    return {
      pem: [...chain, readable.export({ format: 'pem', type: 'pkcs8' }).toString()].join('\n'),
      expires: Date.parse(leaf.certificate.validTo),
    };
  } catch (error) {
    if (error instanceof CredentialError) throw error;
    if (error instanceof CostlyKeyError) throw costly(error, where);
    // OpenSSL's message does not help and could quote the input.
    throw new CredentialError(
      `${where} cannot be read as PEM: the certificate or the private key is damaged, or the password is wrong or missing`,
    );
  }
}

function fromPkcs12(content: Buffer, password: string | undefined, where: string): ClientCertificate {
  const der = derOf(content);
  if (!der) throw new CredentialError(`${where} is neither PEM nor PKCS#12`);
  try {
    const store = withBoundedDerivation(() =>
      forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(der.toString('binary')), false, password ?? ''),
    );
    const certificates = bagsIn(store, 'certBag').flatMap(({ cert }) => (cert ? [forge.pki.certificateToPem(cert)] : []));
    const [key] = [...bagsIn(store, 'pkcs8ShroudedKeyBag'), ...bagsIn(store, 'keyBag')].flatMap((bag) => (bag.key ? [bag.key] : []));
    if (!key) throw new CredentialError(`${where} is PKCS#12 without a private key`);
    const keyText = forge.pki.privateKeyInfoToPem(forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key)));
    return fromPem([...certificates, keyText].join('\n'), undefined, where);
  } catch (error) {
    if (error instanceof CredentialError) throw error;
    if (error instanceof CostlyKeyError) throw costly(error, where);
    throw new CredentialError(`${where} cannot be read as PKCS#12: it is damaged, or the password is wrong or missing`);
  }
}

function bagsIn(store: forge.pkcs12.Pkcs12Pfx, name: string): forge.pkcs12.Bag[] {
  const bagType = forge.pki.oids[name];
  return bagType === undefined ? [] : store.getBags({ bagType })[bagType] ?? [];
}

/** The error for a content that is too large to be read. */
export function tooLarge(where: string): CredentialError {
  return new CredentialError(
    `${where} is larger than ${LARGEST_CONTENT / 1024} KiB: put only the certificate, its chain and its key there`,
  );
}

function checkSize({ asymmetricKeyDetails }: KeyObject, where: string): void {
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits > LARGEST_KEY) throw new CredentialError(`${where} has a key of ${bits} bits; ${LARGEST_KEY} are used at most`);
}

function costly({ message }: CostlyKeyError, where: string): CredentialError {
  return new CredentialError(`${where} is not read: ${message}. Export the certificate again with the default number of iterations`);
}

/** The DER bytes of DER or base64; undefined when it is neither. A PKCS#12 file begins with a SEQUENCE. */
function derOf(content: Buffer): Buffer | undefined {
  if (content[0] === 0x30 && (content[1] ?? 0) >= 0x80) return content;
  const text = content.toString('latin1').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+=*$/.test(text)) return undefined;
  const decoded = Buffer.from(text, 'base64');
  return decoded[0] === 0x30 ? decoded : undefined;
}
