import crypto, { createPrivateKey, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import { selfSigned } from './certificates';
import type * as Certificate from '../../../engine/credentials/certificate';
import { readCertificate, type CertificateInput } from '../../../engine/credentials/certificate-job';
import { CertificateStore } from '../../../engine/credentials/certificate-store';
import { pkcs12Key } from '../../../engine/credentials/key-derivation';
import { JobStoppedError, QueueFullError } from '../../../engine/workers/errors';
import { WorkerPool } from '../../../engine/workers/worker-pool';
import { counted, growth } from '../../setup/work';
import { workerProgram } from '../workers/worker-program';

const { parseClientCertificate } = counted<typeof Certificate>('engine/credentials/certificate', ['node-forge']);

afterEach(() => jest.restoreAllMocks());

const mine = selfSigned('mine');
const other = selfSigned('other');
const WHERE = 'credential Secret "ns/s": key "AZURE_CLIENT_CERTIFICATE"';

/** With 32,767 iterations, so that `02027fff` stands in it. */
function withIterations(form: '3des' | 'aes256'): Buffer {
  const [key, certificate] = [forge.pki.privateKeyFromPem(mine.key), forge.pki.certificateFromPem(mine.certificate)];
  const options = { algorithm: form, count: 0x7fff } as { algorithm: '3des' };
  return Buffer.from(forge.asn1.toDer(forge.pkcs12.toPkcs12Asn1(key, [certificate], 'pw', options)).getBytes(), 'binary');
}

const encryptedKey = createPrivateKey(mine.key).export({ format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'pw' });
const pem = (label: string, der: Buffer) =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END ${label}-----\n`;

function hugeKey(bytes: number): string {
  const length = (size: number) => Buffer.from([0x83, Math.floor(size / 65536), Math.floor(size / 256) % 256, size % 256]);
  const integer = (size: number) => Buffer.concat([Buffer.from([2]), length(size + 1), Buffer.from([0]), Buffer.alloc(size, 0xff)]);
  const primes = Array.from({ length: 5 }, () => integer(bytes / 6));
  const body = Buffer.concat([Buffer.from([2, 1, 0]), integer(bytes), Buffer.from([2, 3, 1, 0, 1]), integer(bytes), ...primes]);
  return pem('RSA PRIVATE KEY', Buffer.concat([Buffer.from([0x30]), length(body.length), body]));
}

/** The message is that of a file of four times the size. */
const HOSTILE: readonly (readonly [name: string, size: number, content: (size: number) => Buffer | string, message: string])[] = [
  ['440 KB of beginnings', 10_000, (size) => '-----BEGIN '.repeat(size), 'is larger than 256 KiB'],
  ['255 KB of beginnings', 5_750, (size) => '-----BEGIN '.repeat(size), 'has no certificate'],
  ['beginnings of keys without an end', 2_250, (size) => '-----BEGIN PRIVATE KEY-----'.repeat(size) + mine.certificate, 'has no private key'],
  ['beginnings of certificates, one end', 2_250, (size) => '-----BEGIN CERTIFICATE-----'.repeat(size) + mine.certificate + mine.key, ''],
  ['dashes only', 15_000, (size) => `-----BEGIN ${'-'.repeat(size)}`, 'has no certificate'],
  ['a chain of hundreds', 50, (size) => mine.key + other.certificate.repeat(size), 'has 200 certificates; 20 are read at most'],
  ['a key of 480,000 bits', 15_000, (size) => hugeKey(size) + mine.certificate, 'has a key of 480000 bits; 8192 are used at most'],
  [
    'DER that is nested deeply',
    15_000,
    (size) => Buffer.concat([Buffer.from([0x30, 0x80]), Buffer.alloc(size, Buffer.from([0x30, 0x80]))]),
    'cannot be read as PKCS#12',
  ],
  ['one byte repeated', 15_000, (size) => Buffer.alloc(size, 0x30), 'is neither PEM nor PKCS#12'],
];

test.each(HOSTILE)('%s is read or refused with work by its size', (_, size, content, message) => {
  const contents = new Map([size, 4 * size].map((one) => [one, Buffer.from(content(one))]));
  // Native, and its work is not counted: whether a certificate belongs to a key is asked of keys of a usual size only.
  const check = jest.spyOn(X509Certificate.prototype, 'checkPrivateKey');
  let text = '';
  const read = (one: number) => {
    try {
      parseClientCertificate(contents.get(one)!, 'pw', WHERE);
    } catch (error) {
      text = (error as Error).message;
    }
  };
  expect(growth(size, read)).toBeLessThan(5);
  expect(text).toContain(message);
  if (message !== '') expect(check).not.toHaveBeenCalled();
});

test.each(['3des', 'aes256'] as const)('PKCS#12 (%s) with 2^31 iterations is refused before the first one', (form) => {
  const forged = withIterations(form);
  expect(() => parseClientCertificate(forged, 'pw', WHERE)).not.toThrow();
  // One byte more: lengths around it stay, because the salt before it loses one.
  const hex = forged.toString('hex');
  const costly = Buffer.from(
    hex.replace(/0408([0-9a-f]{16})02027fff/g, '0406$102047fffffff').replace(/0406([0-9a-f]{12})[0-9a-f]{4}02047/g, '0406$102047'),
    'hex',
  );
  const begun = () => {
    throw new Error('an iteration was begun');
  };
  const functions = [jest.spyOn(crypto, 'hash'), jest.spyOn(crypto, 'pbkdf2Sync')].map((spy) => spy.mockImplementation(begun));
  expect(() => parseClientCertificate(costly, 'pw', WHERE)).toThrow(
    `${WHERE} is not read: its keys take more than 1000000 iterations to derive`,
  );
  for (const spy of functions) expect(spy).not.toHaveBeenCalled();
});

test('an encrypted key of PEM that takes too many iterations is refused before OpenSSL sees it', () => {
  const hex = encryptedKey.toString('hex').replace(/0408([0-9a-f]{12})[0-9a-f]{4}02020800/, '0406$102047fffffff');
  const openssl = jest.spyOn(crypto, 'createPrivateKey').mockImplementation(() => {
    throw new Error('OpenSSL has seen it');
  });
  expect(() =>
    parseClientCertificate(Buffer.from(mine.certificate + pem('ENCRYPTED PRIVATE KEY', Buffer.from(hex, 'hex'))), 'pw', WHERE),
  ).toThrow('1000000 iterations');
  expect(openssl).not.toHaveBeenCalled();
  openssl.mockRestore();
  expect(parseClientCertificate(Buffer.from(mine.certificate + pem('ENCRYPTED PRIVATE KEY', encryptedKey)), 'pw', WHERE).pem).toContain(
    'PRIVATE KEY',
  );
});

test('keys of PKCS#12 are derived as RFC 7292 has it', () => {
  // Examples of the OpenSSL and Bouncy Castle tests.
  const key = (password: string, salt: string, id: number, iterations: number, length: number) =>
    Buffer.from(
      pkcs12Key(password, forge.util.createBuffer(Buffer.from(salt, 'hex').toString('binary')), id, iterations, length).getBytes(),
      'binary',
    ).toString('hex');
  expect(key('smeg', '0a58cf64530d823f', 1, 1, 24)).toBe('8aaae6297b6cb04642ab5b077851284eb7128f1a2a7fbca3');
  expect(key('smeg', '0a58cf64530d823f', 2, 1, 8)).toBe('79993dfe048d3b76');
  expect(key('queeg', '05dec959acff72f7', 1, 1000, 24)).toBe('ed2034e36328830ff09df1e1a07dd357185dac0d4f9eb3d4');
  expect(key('queeg', '05dec959acff72f7', 2, 1000, 8)).toBe('11dedad7758d4860');
});

describe('a store', () => {
  const program = workerProgram();
  afterAll(() => program.end());

  test('reads in a worker thread once, and remembers refusals', async () => {
    const pool = new WorkerPool({ file: program.file });
    const run = jest.spyOn(pool, 'run');
    const store = new CertificateStore(pool);
    const input = { content: mine.pkcs12('pw'), password: 'pw', where: WHERE };
    expect(() => store.read(input.content, 'pw', WHERE)).toThrow('is being read');
    await store.prepare(input, 'ns');
    await store.prepare(input, 'ns');
    expect(store.read(input.content, 'pw', WHERE).pem).toContain('BEGIN PRIVATE KEY');
    const wrong = { ...input, password: 'wrong' };
    await store.prepare(wrong, 'ns');
    await store.prepare(wrong, 'ns');
    expect(() => store.read(input.content, 'wrong', WHERE)).toThrow('the password is wrong or missing');
    expect(run).toHaveBeenCalledTimes(2);
    await pool.close();
  });

  test('what was stopped is not tried again while the Secret is the same', async () => {
    const run = jest.fn(() => Promise.reject(new JobStoppedError('deadline', 20_000)));
    const store = new CertificateStore({ run });
    const input = { content: Buffer.from('x'), where: WHERE };
    for (let round = 0; round < 3; round += 1) await store.prepare(input, 'ns');
    expect(() => store.read(input.content, undefined, WHERE)).toThrow(`${WHERE} is not read: reading it took longer than it may (20 s)`);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('two Secrets with the same content are refused in the words of each: none names that of another namespace', async () => {
    const store = new CertificateStore({ run: async (_, input) => readCertificate(input as CertificateInput) });
    const content = Buffer.from('no certificate');
    for (const where of ['credential Secret "a/x"', 'credential Secret "b/x"']) {
      await store.prepare({ content, where }, 'ns');
      expect(() => store.read(content, undefined, where)).toThrow(`${where} is neither PEM nor PKCS#12`);
    }
  });

  test.each([
    ['found no free thread', new QueueFullError('ns', 100)],
    ['lost its thread for another reason', new Error('the thread has ended')],
  ])('what %s is tried again', async (_, error) => {
    const certificate = { pem: 'p', expires: 1 };
    const run = jest.fn<Promise<unknown>, []>().mockRejectedValueOnce(error).mockResolvedValue({ certificate });
    const store = new CertificateStore({ run });
    const input = { content: Buffer.from('x'), where: WHERE };
    await expect(store.prepare(input, 'ns')).rejects.toBe(error);
    expect(() => store.read(input.content, undefined, WHERE)).toThrow('is being read');
    await store.prepare(input, 'ns');
    expect(store.read(input.content, undefined, WHERE)).toEqual(certificate);
  });
});
