import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { decodeSecretValue, encodeSecretValue } from '../../../src/util/secret-data';
import { certificatesIn, isFor, problemOf, validityOf } from '../../certificates/check-certificate';
import { makeCertificate } from '../../certificates/make-certificate';
import type { ServingCertificate } from '../../certificates/serving-certificate';

/** The content of the webhooks' Secret. Replicas agree on it by the Secret's resourceVersion. */
export interface StoredCertificate {
  readonly current: ServingCertificate;
  /** Authorities, the current one last. Clients trust all of them. */
  readonly bundle: string;
  /** The successor: already in the bundle, served once all clients trust it. `since`: milliseconds. */
  readonly next?: ServingCertificate & { readonly since: number };
}

const DAY = 24 * 60 * 60 * 1000;
/** Milliseconds. A year would work as well; a short lifetime exercises the rotation. */
export const LIFETIME = 90 * DAY;
/** Time that a successor is trusted before it is served: API servers load a new bundle within seconds. Milliseconds. */
export const TRUST_TIME = 10 * 60 * 1000;

const KEYS = {
  cert: 'tls.crt',
  key: 'tls.key',
  bundle: 'ca.crt',
  nextCert: 'next-tls.crt',
  nextKey: 'next-tls.key',
  nextSince: 'next-since',
} as const;

export function storedIn(secret: KubernetesObject): StoredCertificate | undefined {
  const text = (key: string) => decodeSecretValue(secret.data?.[key] ?? '');
  const current = { cert: text(KEYS.cert), key: text(KEYS.key) };
  if (problemOf(current) !== undefined) return undefined;
  const next = { cert: text(KEYS.nextCert), key: text(KEYS.nextKey), since: Date.parse(text(KEYS.nextSince)) };
  const usable = !Number.isNaN(next.since) && problemOf(next) === undefined;
  return { current, bundle: text(KEYS.bundle), ...(usable && { next }) };
}

/** The Secret with the certificates; its other content stays. */
export function withStored(secret: KubernetesObject, { current, bundle, next }: StoredCertificate): KubernetesObject {
  const known: readonly string[] = Object.values(KEYS);
  const others = Object.entries(secret.data ?? {}).filter(([key]) => !known.includes(key));
  const texts: [string, string][] = [
    [KEYS.cert, current.cert], [KEYS.key, current.key], [KEYS.bundle, bundle],
    ...(next ? nextTexts(next) : []),
  ];
  const data = Object.fromEntries([...others, ...texts.map(([key, text]) => [key, encodeSecretValue(text)])]) as Record<
    string,
    string
  >;
  return { ...secret, data };
}

/**
 * The next state of the certificates; undefined: they stay as they are.
 *
 * 1. None, expired, or for other names: a new one.
 * 2. After two thirds of its life a successor is made, and its authority joins the bundle.
 * 3. The successor takes over when it was trusted for a while everywhere (`trusted`). The old authority stays in the bundle until the next
 *    successor comes, because other replicas may serve the old certificate a little longer.
 */
export async function nextState(
  stored: StoredCertificate | undefined, names: readonly string[], now: number, trusted: boolean,
): Promise<StoredCertificate | undefined> {
  const validity = stored && validityOf(stored.current.cert);
  if (!stored || !validity || validity.to <= now || !isFor(stored.current.cert, names)) {
    const { cert, key, ca } = await makeCertificate(names, now, LIFETIME);
    return { current: { cert, key }, bundle: [...lastOf(stored?.bundle), ca].join('') };
  }
  const { next } = stored;
  if (next && isFor(next.cert, names) && (validityOf(next.cert)?.to ?? 0) > now) {
    if (!trusted || now < next.since + TRUST_TIME) return undefined;
    return { current: { cert: next.cert, key: next.key }, bundle: stored.bundle };
  }
  if (now < validity.from + (validity.to - validity.from) * 2 / 3) return undefined;
  const { cert, key, ca } = await makeCertificate(names, now, LIFETIME);
  return { ...stored, bundle: [...lastOf(stored.bundle), ca].join(''), next: { cert, key, since: now } };
}

function nextTexts({ cert, key, since }: NonNullable<StoredCertificate['next']>): [string, string][] {
  return [[KEYS.nextCert, cert], [KEYS.nextKey, key], [KEYS.nextSince, new Date(since).toISOString()]];
}

function lastOf(bundle: string | undefined): string[] {
  return certificatesIn(bundle ?? '').slice(-1);
}
