import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import forge from 'node-forge';
import { stringify } from 'yaml';
import type * as kubernetes from '../../../engine/kubernetes';
import { asyncGrowth, counted } from '../../setup/work';

/**
 * The module as it is delivered: bundled. (The client it takes its authenticators from is an ECMAScript module, which jest does not load.)
 */
const root = join(__dirname, '..', '..', '..');
const directory = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
const bundle = join(directory, 'kubernetes.cjs');
let bundled: typeof kubernetes;

beforeAll(() => {
  execFileSync(
    join(root, 'node_modules', '.bin', 'esbuild'),
    [
      join(root, 'engine', 'kubernetes', 'index.ts'),
      '--bundle',
      '--platform=node',
      '--target=node20',
      '--format=cjs',
      '--log-level=error',
      `--outfile=${bundle}`,
    ],
    { cwd: root },
  );
  bundled = counted<typeof kubernetes>(bundle);
});

afterAll(() => rmSync(directory, { recursive: true }));

function write(name: string, content: unknown): string {
  const file = join(directory, name);
  writeFileSync(file, typeof content === 'string' ? content : stringify(content));
  return file;
}

function config(user: object, cluster: object = {}): object {
  return {
    'current-context': 'c',
    'clusters': [{ name: 'k', cluster: { server: 'https://cluster:6443/', ...cluster } }],
    'users': [{ name: 'u', user }],
    'contexts': [{ name: 'c', context: { cluster: 'k', user: 'u', namespace: 'n' } }],
  };
}

test('the bundle does not carry the generated API', () => {
  expect(readFileSync(bundle, 'utf8')).not.toMatch(/V1PodSpec|client-node\/dist\/gen\//);
});

test('token, password, impersonation', async () => {
  const token = await bundled.loadClusterAccess({ path: write('token', config({ token: 't0k' })) });
  expect([token.server, token.namespace]).toEqual(['https://cluster:6443', 'n']);
  expect((await token.authenticate()).headers).toEqual({ authorization: 'Bearer t0k' });
  const basic = await bundled.loadClusterAccess({ path: write('basic', config({ username: 'me', password: 'pw', as: 'you' })) });
  expect((await basic.authenticate()).headers).toEqual({
    'authorization': `Basic ${Buffer.from('me:pw').toString('base64')}`,
    'impersonate-user': 'you',
  });
});

test('certificates from data and from files beside the kubeconfig, read again when they change', async () => {
  write('ca.pem', 'CA 1');
  const path = write('certificates', config(
    { 'client-certificate-data': Buffer.from('CERT').toString('base64'), 'client-key-data': Buffer.from('KEY').toString('base64') },
    { 'certificate-authority': 'ca.pem', 'tls-server-name': 'api', 'insecure-skip-tls-verify': true },
  ));
  const access = await bundled.loadClusterAccess({ path });
  expect((await access.authenticate()).tls).toEqual({ ca: 'CA 1', cert: 'CERT', key: 'KEY', serverName: 'api', skipVerify: true });
  write('ca.pem', 'CA 2');
  expect((await access.authenticate()).tls.ca).toBe('CA 2');
});

test('a token file is read again after the server refused its token', async () => {
  write('token.txt', 'one\n');
  const access = await bundled.loadClusterAccess({ path: write('tokenfile', config({ tokenFile: 'token.txt' })) });
  expect((await access.authenticate()).headers).toEqual({ authorization: 'Bearer one' });
  write('token.txt', 'two\n');
  expect((await access.authenticate()).headers).toEqual({ authorization: 'Bearer one' });
  access.invalidate!();
  expect((await access.authenticate()).headers).toEqual({ authorization: 'Bearer two' });
});

test('an exec plugin runs once, is told what v1 promises, and again after a refusal', async () => {
  const script = write('plugin.js', `
    const fs = require('fs');
    const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
    fs.appendFileSync(${JSON.stringify(join(directory, 'runs'))}, 'x');
    const n = fs.readFileSync(${JSON.stringify(join(directory, 'runs'))}).length;
    console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: 'ExecCredential', status: { token: process.env.EXTRA + n + new URL(info.spec.cluster.server).host } }));`,
  );
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: [script],
    env: [{ name: 'EXTRA', value: 'run' }],
  };
  const access = await bundled.loadClusterAccess({ path: write('exec', config({ exec })) });
  const [first, second] = await Promise.all([access.authenticate(), access.authenticate()]);
  expect(first.headers).toEqual({ authorization: 'Bearer run1cluster:6443' });
  expect(second.headers).toEqual(first.headers);
  access.invalidate!();
  expect((await access.authenticate()).headers).toEqual({ authorization: 'Bearer run2cluster:6443' });
});

test('the service account of a pod', async () => {
  const account = join(directory, 'account');
  mkdirSync(account);
  for (const [name, text] of [['token', 'sa'], ['ca.crt', 'CA'], ['namespace', 'aso']]) writeFileSync(join(account, name!), text!);
  const access = await bundled.inClusterAccess({ KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }, account);
  expect([access.server, access.namespace]).toEqual(['https://[fd00::1]:443', 'aso']);
  expect(await access.authenticate()).toEqual({ headers: { authorization: 'Bearer sa' }, tls: { ca: 'CA', skipVerify: false } });
});

test('KUBECONFIG may be several files, the first one that names something counts', async () => {
  const first = write('first', { 'current-context': 'c', 'contexts': [{ name: 'c', context: { cluster: 'k', user: 'u' } }] });
  const second = write('second', config({ token: 'second' }, { server: 'http://localhost:8080' }));
  const access = await bundled.loadClusterAccess({ environment: { KUBECONFIG: `${first}:${second}` } });
  expect([access.server, access.namespace]).toEqual(['http://localhost:8080', undefined]);
  expect(await access.authenticate()).toEqual({ headers: { authorization: 'Bearer second' }, tls: {} });
});

test.each([
  ['no such file', () => join(directory, 'nowhere'), /nowhere cannot be read: there is no such file/],
  ['more than 8 MiB', () => write('large', `# ${'x'.repeat(8 * 1024 * 1024)}`), /cannot be read: it is larger than 8 MiB$/],
  ['a nesting deeper than the stack', () => write('deep', '['.repeat(100_000)), /cannot be read: it is no YAML$/],
  ['no YAML', () => write('bad', 'users: [ {token: s3cret'), /cannot be read: it is no YAML$/],
  ['no current context', () => write('nocontext', { clusters: [] }), /no current-context: set one with kubectl config use-context/],
  ['unknown cluster', () => write('nocluster', { ...config({}), clusters: [] }), /names cluster "k", which is not there/],
])('%s is one line that says what to do', async (_, path, message) => {
  const error = await bundled.loadClusterAccess({ path: path() }).catch((reason: Error) => reason);
  expect(error).toMatchObject({ name: 'KubeconfigError', message: expect.stringMatching(message) });
  expect((error as Error).message).not.toContain('s3cret');
});

test.each<[string, number, (size: number) => string]>([
  ['blank lines in a flow', 8_500, (size) => `{${'\r'.repeat(2 * size)}${'\n'.repeat(size)}>`],
  ['mistakes', 1_250, (size) => '{a: "b""c"'.repeat(size)],
  [
    'clusters',
    500,
    (size) => stringify({ clusters: Array.from({ length: size }, (_, index) => ({ name: `k${index}`, cluster: { server: 'https://x' } })) }),
  ],
])('many %s cost no more than their length', async (_, size, text) => {
  const paths = new Map([size, 4 * size].map((one) => [one, write(`hostile${one}`, text(one))]));
  const load = async (one: number) => expect(bundled.loadClusterAccess({ path: paths.get(one)! })).rejects.toThrow('kubeconfig');
  expect(await asyncGrowth(size, load)).toBeLessThan(5);
});

test('a client certificate reaches the server over TLS that trusts its own authority', async () => {
  const keys = forge.pki.rsa.generateKeyPair(2048);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.validity.notBefore = new Date(Date.now() - 60_000);
  certificate.validity.notAfter = new Date(Date.now() + 3_600_000);
  certificate.setSubject([{ name: 'commonName', value: 'localhost' }]);
  certificate.setIssuer([{ name: 'commonName', value: 'localhost' }]);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
  ]);
  certificate.sign(keys.privateKey, forge.md.sha256.create());
  const cert = forge.pki.certificateToPem(certificate);
  const key = forge.pki.privateKeyToPem(keys.privateKey);
  const server = createServer({ cert, key, ca: cert, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    response.end(JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x' }, auth: request.headers.authorization }));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const access = await bundled.loadClusterAccess({
    path: write('tls', config({ 'client-certificate-data': base64(cert), 'client-key-data': base64(key) },
      { 'server': `https://localhost:${(server.address() as AddressInfo).port}`, 'certificate-authority-data': base64(cert) })),
  });
  const connection = new bundled.Connection(access);
  const namespaces = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
  expect(await new bundled.RestClient(connection).get(namespaces, 'x')).toMatchObject({ metadata: { name: 'x' } });
  await connection.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
