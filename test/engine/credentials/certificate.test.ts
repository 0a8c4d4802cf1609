import { createPrivateKey, X509Certificate } from 'node:crypto';
import { selfSigned } from './certificates';
import { parseClientCertificate } from '../../../engine/credentials/certificate';

const mine = selfSigned('mine');
const other = selfSigned('other');
const WHERE = 'credential Secret "ns/s": key "AZURE_CLIENT_CERTIFICATE"';

function subjects(pem: string): string[] {
  return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((one) => new X509Certificate(one).subject);
}

test('PEM: the certificate of the key comes first, the key last', () => {
  const { pem } = parseClientCertificate(Buffer.from(other.certificate + mine.key + mine.certificate), undefined, WHERE);
  expect(subjects(pem)).toEqual(['CN=mine', 'CN=other']);
  expect(new X509Certificate(pem).checkPrivateKey(createPrivateKey(pem))).toBe(true);
});

test('PEM with an encrypted key', () => {
  const encrypted = createPrivateKey(mine.key).export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'pw' }).toString();
  expect(subjects(parseClientCertificate(Buffer.from(mine.certificate + encrypted), 'pw', WHERE).pem)).toEqual(['CN=mine']);
  expect(() => parseClientCertificate(Buffer.from(mine.certificate + encrypted), undefined, WHERE)).toThrow(
    `${WHERE} cannot be read as PEM: the certificate or the private key is damaged, or the password is wrong or missing`,
  );
});

test.each([
  ['binary', (der: Buffer) => der],
  ['in base64', (der: Buffer) => Buffer.from(der.toString('base64').replace(/(.{64})/g, '$1\n'))],
])('PKCS#12 %s', (_, form) => {
  const { pem } = parseClientCertificate(form(mine.pkcs12('pw')), 'pw', WHERE);
  expect(subjects(pem)).toEqual(['CN=mine']);
  expect(new X509Certificate(pem).checkPrivateKey(createPrivateKey(pem))).toBe(true);
  expect(() => parseClientCertificate(form(mine.pkcs12('pw')), 'wrong', WHERE)).toThrow(
    `${WHERE} cannot be read as PKCS#12: it is damaged, or the password is wrong or missing`,
  );
});

test.each([
  ['', 'is neither PEM nor PKCS#12'],
  ['hunter2-hunter2', 'is neither PEM nor PKCS#12'],
  [mine.certificate, 'has no private key'],
  [mine.key, 'has no certificate'],
  [mine.key + other.certificate, 'has a private key that belongs to none of its certificates'],
  [`-----BEGIN CERTIFICATE-----\nhunter2\n-----END CERTIFICATE-----\n${mine.key}`, 'cannot be read as PEM'],
])('what is no certificate is refused without quoting it', (content, message) => {
  const parse = () => parseClientCertificate(Buffer.from(content), undefined, WHERE);
  expect(parse).toThrow(`${WHERE} ${message}`);
  expect(parse).not.toThrow(/hunter2/);
});
