import { makeCertificate, type MadeCertificate } from '../../../runtime/certificates/make-certificate';

const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

let shared: Promise<MadeCertificate> | undefined;

/** The certificate of this process for the loopback addresses. */
export function loopbackCertificate(): Promise<MadeCertificate> {
  // The system's time, whatever clock the simulator has: the TLS clients have no other.
  return (shared ??= makeCertificate(['localhost', '127.0.0.1', '::1'], Date.now(), LIFETIME_MS));
}
