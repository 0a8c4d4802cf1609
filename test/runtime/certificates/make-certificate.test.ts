import { X509Certificate } from 'node:crypto';
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
