import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFor, problemOf, validityOf } from '../../../runtime/certificates/check-certificate';
import { makeCertificate } from '../../../runtime/certificates/make-certificate';

const NOW = Date.UTC(2030, 0, 1);

test('a certificate for names and addresses, which its authority signed', async () => {
  const { cert, key, ca } = await makeCertificate(['localhost', '127.0.0.1', '::1'], NOW, 3_600_000);
  expect(problemOf({ cert, key })).toBeUndefined();
  expect(isFor(cert, ['localhost', '127.0.0.1', '::1'])).toBe(true);
  for (const name of ['example.com', '127.0.0.2', '::2']) expect([name, isFor(cert, [name])]).toEqual([name, false]);
  expect(validityOf(cert)).toEqual({ from: NOW - 3_600_000, to: NOW + 3_600_000 });
  const [server, authority] = [new X509Certificate(cert), new X509Certificate(ca)];
  expect([server.verify(authority.publicKey), server.checkIssued(authority), server.ca, authority.ca]).toEqual([true, true, false, true]);
});

test('two authorities have two names and two keys', async () => {
  const [one, other] = await Promise.all([makeCertificate(['a'], NOW, 1_000), makeCertificate(['a'], NOW + 1, 1_000)]);
  const [first, second] = [new X509Certificate(one.ca), new X509Certificate(other.ca)];
  expect(first.subject).not.toBe(second.subject);
  expect(new X509Certificate(other.cert).verify(first.publicKey)).toBe(false);
});

test('OpenSSL verifies it, by the strict rules of RFC 5280, for its names and no others', async () => {
  const { cert, ca } = await makeCertificate(['localhost', '127.0.0.1'], Date.now(), 3_600_000);
  const directory = mkdtempSync(join(tmpdir(), 'certificate-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const files = ['-CAfile', file('ca.pem', ca), file('cert.pem', cert)];
  const verify = (...flags: string[]) =>
    execFileSync('openssl', ['verify', '-x509_strict', '-purpose', 'sslserver', ...flags, ...files], { encoding: 'utf8', stdio: 'pipe' });
  expect(verify('-verify_hostname', 'localhost')).toContain('OK');
  expect(verify('-verify_ip', '127.0.0.1')).toContain('OK');
  expect(() => verify('-verify_hostname', 'example.com')).toThrow(/hostname mismatch/i);
});
