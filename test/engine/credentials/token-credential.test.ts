import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createHttpHeaders, createPipelineRequest, type HttpClient, type PipelineRequest } from '@azure/core-rest-pipeline';
import { selfSigned } from './certificates';
import { PUBLIC_CLOUD } from '../../../engine/credentials/cloud';
import { MAX_IDENTITY_FILE_BYTES, tokenCredential } from '../../../engine/credentials/token-credential';
import { timersLeftBy } from '../../setup/timers-left';

const root = join(__dirname, '..', '..', '..');
const directory = mkdtempSync(join(tmpdir(), 'credentials-'));
const certificate = selfSigned();
afterAll(() => rmSync(directory, { recursive: true }));

describe('against an authority on this machine, bundled and with Node\'s own way to trust it', () => {
  let server: Server;
  const asked: { path: string; form: URLSearchParams }[] = [];

  beforeAll(async () => {
    server = createServer({ cert: certificate.certificate, key: certificate.key }, (request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        asked.push({ path: request.url!, form: new URLSearchParams(body) });
        const base = `https://localhost:${(server.address() as AddressInfo).port}`;
        response.setHeader('content-type', 'application/json');
        if (request.url!.includes('openid-configuration')) {
          response.end(
            JSON.stringify({
              issuer: `${base}/tenant/v2.0`,
              authorization_endpoint: `${base}/tenant/oauth2/v2.0/authorize`,
              token_endpoint: `${base}/tenant/oauth2/v2.0/token`,
              jwks_uri: `${base}/keys`,
            }),
          );
        } else if (request.method === 'POST') {
          response.end(JSON.stringify({ token_type: 'Bearer', expires_in: 3600, access_token: 'the-token' }));
        } else {
          response.writeHead(404).end('{}');
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    writeFileSync(join(directory, 'ca.pem'), certificate.certificate);
    writeFileSync(join(directory, 'token'), 'projected-token');
    execFileSync(
      join(root, 'node_modules', '.bin', 'esbuild'),
      [
        join(root, 'engine', 'credentials', 'index.ts'),
        '--bundle',
        '--platform=node',
        '--target=node20',
        '--format=cjs',
        '--log-level=error',
        `--outfile=${join(directory, 'credentials.cjs')}`,
      ],
      { cwd: root },
    );
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  beforeEach(() => asked.splice(0));

  async function token(authentication: object): Promise<string> {
    const cloud = {
      endpoint: 'https://unused',
      audience: 'https://arm',
      authorityHost: `https://localhost:${(server.address() as AddressInfo).port}/`,
    };
    const script = `
      const { tokenCredential } = require(${JSON.stringify(join(directory, 'credentials.cjs'))});
      tokenCredential(${JSON.stringify(authentication)}, ${JSON.stringify(cloud)}).getToken('https://arm/.default').then(({ token }) => console.log(token), (error) => { console.error(error); process.exit(1); });`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem') },
    });
    return stdout.trim();
  }

  const principal = { tenantId: 'tenant', clientId: 'client', additionalTenants: [] };

  test('client secret', async () => {
    expect(await token({ mode: 'clientSecret', ...principal, clientSecret: 'shh' })).toBe('the-token');
    const { path, form } = asked.at(-1)!;
    expect(path).toMatch(/^\/tenant\/oauth2\/v2.0\/token/);
    expect([form.get('client_id'), form.get('client_secret'), form.get('grant_type')]).toEqual(['client', 'shh', 'client_credentials']);
    expect(form.get('scope')).toContain('https://arm/.default');
  });

  test('certificate', async () => {
    expect(await token({ mode: 'certificate', ...principal, certificate: { pem: certificate.certificate + certificate.key } })).toBe(
      'the-token',
    );
    expect(asked.at(-1)!.form.get('client_assertion')).toMatch(/^eyJ/);
  });

  test('workload identity', async () => {
    expect(await token({ mode: 'workloadIdentity', ...principal, tokenFile: join(directory, 'token') })).toBe('the-token');
    expect(asked.at(-1)!.form.get('client_assertion')).toBe('projected-token');
  });
});

describe('identity file', () => {
  const file = join(directory, 'identity.json');
  const made: unknown[][] = [];
  class ClientCertificateCredential {
    public constructor(...all: unknown[]) {
      made.push(all);
    }

    public async getToken() {
      return { token: 'token', expiresOnTimestamp: 0 };
    }
  }
  const credential = tokenCredential({ mode: 'identityFile', file }, PUBLIC_CLOUD, {
    load: async () => ({ ClientCertificateCredential }) as never,
  });

  test('is read with the first token and again when it changes', async () => {
    await expect(credential.getToken('s')).rejects.toThrow(`the identity file ${file} cannot be read: ENOENT`);
    const content = { client_id: 'c1', tenant_id: 't', client_secret: certificate.pkcs12('').toString('base64') };
    writeFileSync(file, JSON.stringify(content));
    await credential.getToken('s');
    await credential.getToken('s');
    writeFileSync(file, JSON.stringify({ ...content, client_id: 'c2' }));
    utimesSync(file, new Date(), new Date(Date.now() + 5_000));
    await credential.getToken('s');
    expect(made.map(([tenant, client]) => [tenant, client])).toEqual([['t', 'c1'], ['t', 'c2']]);
    expect(made[0]?.[3]).toMatchObject({ sendCertificateChain: true });
  });

  test.each([
    ['a byte too many', () => writeFileSync(file, JSON.stringify({ client_secret: 'x'.repeat(MAX_IDENTITY_FILE_BYTES) }))],
    ['300 MB', () => truncateSync(file, 300_000_000)],
    ['nothing', () => writeFileSync(file, '')],
  ])('is not read with %s in it', async (_, write) => {
    write();
    utimesSync(file, new Date(), new Date(Date.now() + 7_000));
    const read = jest.spyOn(Buffer, 'alloc');
    await expect(credential.getToken('s')).rejects.toThrow(`the identity file ${file} is no file of 1 to 262144 bytes`);
    expect(Math.max(...read.mock.calls.map(([size]) => size))).toBeLessThan(2 * MAX_IDENTITY_FILE_BYTES);
    read.mockRestore();
  });

  test('a failure is explained by itself, not by one before it', async () => {
    const own = join(directory, 'refused.json');
    const write = (clientId: string) =>
      writeFileSync(own, JSON.stringify({ client_id: clientId, tenant_id: 't', client_secret: certificate.pkcs12('').toString('base64') }));
    const url = 'https://login.microsoftonline.com/t/oauth2/v2.0/token';
    const refusal = JSON.stringify({ error: 'invalid_client', error_description: 'AADSTS7000112: the application is disabled' });
    const sends = (before: () => Promise<unknown>) => ({
      load: async () => ({
        ClientCertificateCredential: class {
          private readonly httpClient: HttpClient;

          public constructor(...[, , , options]: [string, string, object, { httpClient: HttpClient }]) {
            this.httpClient = options.httpClient;
          }

          public async getToken() {
            await before();
            await this.httpClient.sendRequest(createPipelineRequest({ url }));
            throw new Error('the library does not say');
          }
        },
      }) as never,
      httpClient: {
        sendRequest: async (request: PipelineRequest) => ({ request, status: 401, headers: createHttpHeaders(), bodyAsText: refusal }),
      },
    });
    write('c');
    let fails = false;
    const failing = tokenCredential({ mode: 'identityFile', file: own }, PUBLIC_CLOUD, sends(async () => {
      if (fails) throw new Error('no memory for another request');
    }));
    const disabled = 'is disabled in Entra';
    await expect(failing.getToken('s')).rejects.toThrow(disabled);
    // Nothing is sent from now on.
    fails = true;
    await expect(failing.getToken('s')).rejects.toThrow('no memory for another request');
    fails = false;
    await expect(failing.getToken('s')).rejects.toThrow(disabled);
    writeFileSync(own, '{}');
    utimesSync(own, new Date(), new Date(Date.now() + 9_000));
    await expect(failing.getToken('s')).rejects.toThrow('needs client_id, tenant_id and client_secret');
    rmSync(own);
    await expect(failing.getToken('s')).rejects.toThrow('cannot be read: ENOENT');
  });

  test('is as large as may be', async () => {
    const content = { client_id: 'large', tenant_id: 't', client_secret: certificate.pkcs12('').toString('base64') };
    const text = JSON.stringify(content);
    writeFileSync(file, text + ' '.repeat(MAX_IDENTITY_FILE_BYTES - text.length));
    utimesSync(file, new Date(), new Date(Date.now() + 8_000));
    await credential.getToken('s');
    expect(made.at(-1)).toMatchObject(['t', 'large', expect.anything(), expect.anything()]);
  });

  test('is no pipe and no folder', async () => {
    const folder = tokenCredential({ mode: 'identityFile', file: directory }, PUBLIC_CLOUD);
    await expect(folder.getToken('s')).rejects.toThrow(`the identity file ${directory} is no file of 1 to 262144 bytes`);
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(tokenCredential({ mode: 'identityFile', file: pipe }, PUBLIC_CLOUD).getToken('s')).rejects.toThrow('is no file of');
  });

  test('says what is wrong with it, without quoting it', async () => {
    writeFileSync(file, '{"client_secret": hunter2');
    utimesSync(file, new Date(), new Date(Date.now() + 9_000));
    await expect(credential.getToken('s')).rejects.toThrow(`identity file ${file} is no JSON`);
  });
});

describe('a managed identity', () => {
  const identityOf = (getToken: () => Promise<unknown>, load = jest.fn(async () => undefined)) =>
    tokenCredential({ mode: 'managedIdentity' }, PUBLIC_CLOUD, {
      load: async () => {
        await load();
        return {
          ManagedIdentityCredential: class {
            public readonly getToken = getToken;
          },
        } as never;
      },
    });

  test.each<[string, () => Promise<unknown>]>([
    ['a token that has come', async () => ({ token: 'token', expiresOnTimestamp: 0 })],
    ['a refusal', () => Promise.reject(new Error('refused'))],
  ])('%s keeps no timer, for which a command would wait at its end', async (_, getToken) => {
    expect(await timersLeftBy(() => identityOf(getToken).getToken('s'))).toBe(0);
  });

  test('what could not be loaded once is loaded with the next token', async () => {
    const load = jest.fn(async () => undefined).mockRejectedValueOnce(new Error('no memory for another module'));
    const credential = identityOf(async () => ({ token: 'token', expiresOnTimestamp: 0 }), load);
    await expect(credential.getToken('s')).rejects.toThrow('no memory for another module');
    expect(await credential.getToken('s')).toMatchObject({ token: 'token' });
    await credential.getToken('s');
    expect(load).toHaveBeenCalledTimes(2);
  });
});
