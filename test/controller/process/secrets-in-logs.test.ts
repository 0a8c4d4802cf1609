import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { QuotingAzure } from './quoting-azure';
import { anonymousAccess, Connection, RestClient, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes';
import { startKubernetes, type SandboxKubernetes } from '../../../sandbox';
import { Catalog } from '../../../src/catalog';
import { selfSigned } from '../../engine/credentials/certificates';
import { until } from '../../setup/until';

const CONTROLLER = join(__dirname, '..', '..', '..', 'lib', 'controller', 'main.js');
const SUBSCRIPTION = '11111111-1111-4111-8111-111111111111';
const CLIENT = '33333333-aaaa-4bbb-8ccc-dddddddddddd';
const VERSIONS = {
  ResourceGroup: ['resources.azure.com', 'v1api20200601'],
  FlexibleServer: ['dbforpostgresql.azure.com', 'v1api20240801'],
  StorageAccount: ['storage.azure.com', 'v1api20230101'],
} as const;

/** One of every sort. Each begins with a word of its own, so that a part that is left over is found as well. */
const SECRETS = {
  globalSecret: 'gulliver~Global.Client.Secret',
  clientSecret: 'hunter2~Client.Secret/of+a=namespace',
  wrongSecret: 'mistaken~Client "Secret" of\\another',
  certificatePassword: 'xylophone-password-of-the-certificate',
  imported: 'pa55w0rd "quoted" & with % signs',
  importedTwice: 'zeppelin-pass\nword-of-two-lines',
  key: 'kumquat-key-AAAA/BBBB+CCCC==',
  signature: 'signature0fTheOperationUrl',
  bearer: `eyJhbGciOiJub25lIn0.${Buffer.from('{"sub":"bearer-of-azure"}').toString('base64url')}.c2lnbmF0dXJl`,
  opaqueBearer: 'opaquebearer-0123456789abcdef0123456789',
  kubernetesToken: 'kubernetes-bearer-0123456789abcdef',
  foreignAnnotation: 'annotated-by-somebody-else',
};
const certificate = selfSigned();
const clientCertificate = selfSigned('client');
/** The first line of the key says the same of all keys. */
const privateKeyLine = clientCertificate.key.split(/\r?\n/)[5];

function formsOf(secret: string): string[] {
  const [beginning = ''] = secret.split(/[^\w]/);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    ...(beginning.length >= 7 ? [beginning] : []),
  ];
}

/** The names of the secrets that a text shows. */
function loggedIn(text: string): string[] {
  const all = Object.entries({ ...SECRETS, privateKeyLine });
  return all
    .filter(([name, secret]) => (name === 'bearer' ? [secret] : formsOf(secret!)).some((form) => text.includes(form!)))
    .map(([name]) => name);
}

test('the test finds what it looks for', () => {
  for (const [name, secret] of Object.entries(SECRETS)) {
    expect(loggedIn(`… ${secret} …`)).toEqual([name]);
    expect(loggedIn(JSON.stringify({ said: secret }))).toEqual([name]);
  }
  expect(loggedIn('a text without any')).toEqual([]);
});

describe.each([['JSON', ['-v=3', '--json-logging']], ['text', ['-v=3']]])('a whole run at level 3, logged as %s', (format, flags) => {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-secrets-'));
  let kubernetes: SandboxKubernetes;
  let azure: QuotingAzure;
  let connection: Connection;
  let client: RestClient;
  let types: readonly ResourceType[];
  let controller: ChildProcess;
  let log = '';
  const typeOf = (kind: string) =>
    types.find((type) => type.kind === kind && type.version === (VERSIONS[kind as keyof typeof VERSIONS]?.[1] ?? 'v1'))!;
  const readyOf = async (kind: string, name: string, namespace = 'default') =>
    (await client.get(typeOf(kind), name, namespace))?.status?.conditions?.find(({ type }) => type === 'Ready');

  beforeAll(async () => {
    azure = new QuotingAzure(certificate, SECRETS);
    await azure.listen();
    const crds = Catalog.default().allKinds.filter(({ group, kind }) => VERSIONS[kind as keyof typeof VERSIONS]?.[0] === group);
    kubernetes = await startKubernetes({ crds });
    connection = new Connection(anonymousAccess(kubernetes.url));
    client = new RestClient(connection);
    types = await client.discover();
    await setUp();
    controller = start();
  });

  afterAll(async () => {
    const ended = new Promise((resolve) => controller.once('close', resolve));
    controller.kill('SIGKILL');
    await ended;
    await Promise.all([connection.close(), kubernetes.close(), azure.close()]);
    rmSync(directory, { recursive: true });
  });

  function start(): ChildProcess {
    const kubeconfig = join(directory, 'kubeconfig');
    writeFileSync(kubeconfig, stringify({
      'apiVersion': 'v1',
      'kind': 'Config',
      'clusters': [{ name: 'c', cluster: { server: kubernetes.url } }],
      'users': [{ name: 'u', user: { token: SECRETS.kubernetesToken } }],
      'contexts': [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'c',
    }));
    const authorities = join(directory, 'ca.pem');
    writeFileSync(authorities, certificate.certificate);
    const child = spawn(process.execPath, [CONTROLLER, '--delay-scale', '20', ...flags], {
      env: {
        PATH: process.env.PATH,
        KUBECONFIG: kubeconfig,
        NODE_EXTRA_CA_CERTS: authorities,
        POD_NAMESPACE: 'aso',
        AZURE_SUBSCRIPTION_ID: SUBSCRIPTION,
        AZURE_TENANT_ID: 'tenant',
        AZURE_CLIENT_ID: CLIENT,
        AZURE_CLIENT_SECRET: SECRETS.globalSecret,
        AZURE_AUTHORITY_HOST: azure.url,
        AZURE_RESOURCE_MANAGER_ENDPOINT: azure.url,
        AZURE_RESOURCE_MANAGER_AUDIENCE: azure.url,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (log += data.toString()));
    return child;
  }

  async function credential(namespace: string, tenant: string, values: Record<string, string | Buffer>): Promise<void> {
    await client.create(typeOf('Namespace'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const all: Record<string, string | Buffer> = {
      AZURE_SUBSCRIPTION_ID: SUBSCRIPTION,
      AZURE_TENANT_ID: tenant,
      AZURE_CLIENT_ID: CLIENT,
      ...values,
    };
    const data = Object.fromEntries(Object.entries(all).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
    await client.create(typeOf('Secret'), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aso-credential', namespace }, data });
    await apply('ResourceGroup', `group-${namespace}`, { location: 'uksouth' }, namespace);
  }

  function apply(
    kind: keyof typeof VERSIONS,
    name: string,
    spec: Record<string, unknown>,
    namespace = 'default',
  ): Promise<KubernetesObject> {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': `{"note":"${SECRETS.foreignAnnotation}"}` };
    return client.create(typeOf(kind), { apiVersion: VERSIONS[kind].join('/'), kind, metadata: { name, namespace, annotations }, spec });
  }

  async function setUp(): Promise<void> {
    await credential('accepted', 'tenant-opaque', { AZURE_CLIENT_SECRET: SECRETS.clientSecret });
    await credential('wrong', 'tenant-refused', { AZURE_CLIENT_SECRET: SECRETS.wrongSecret });
    const pkcs12 = { AZURE_CLIENT_CERTIFICATE: clientCertificate.pkcs12(SECRETS.certificatePassword) };
    await credential('certificate', 'tenant-refused', { ...pkcs12, AZURE_CLIENT_CERTIFICATE_PASSWORD: SECRETS.certificatePassword });
    await credential('password', 'tenant', { ...pkcs12, AZURE_CLIENT_CERTIFICATE_PASSWORD: `${SECRETS.certificatePassword}?` });
    await apply('ResourceGroup', 'group-refused', { location: 'uksouth' }, 'accepted');
    await client.create(typeOf('Secret'), {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'passwords', namespace: 'default' },
      stringData: { one: SECRETS.imported, two: SECRETS.importedTwice },
    });
    await apply('ResourceGroup', 'group', { location: 'uksouth' });
    for (const name of ['db', 'db-refused', 'db-plain', 'db-operation', 'db-later', 'db-poll']) {
      const administratorLoginPassword = { name: 'passwords', key: name.length % 2 === 0 ? 'one' : 'two' };
      await apply('FlexibleServer', name, {
        location: 'uksouth',
        owner: { name: 'group' },
        administratorLogin: 'me',
        administratorLoginPassword,
      });
    }
    const storage = { location: 'uksouth', owner: { name: 'group' }, kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
    await apply('StorageAccount', 'exported', { ...storage, operatorSpec: { secrets: { key1: { name: 'keys', key: 'key1' } } } });
    const failing = [{ name: 'never', key: 'k', value: 'string(int(secret.key1))' }];
    await apply('StorageAccount', 'expression', { ...storage, operatorSpec: { secretExpressions: failing } });
    const labelled = [{ name: 'labelled', key: 'k', value: 'secret.key1', labels: { key: 'secret.key1' } }];
    await apply('StorageAccount', 'label', { ...storage, operatorSpec: { secretExpressions: labelled } });
  }

  test('it comes to what it was set up for', async () => {
    const wanted: [kind: string, name: string, reason: RegExp, namespace?: string][] = [
      ['ResourceGroup', 'group', /^Succeeded$/],
      ['ResourceGroup', 'group-accepted', /^Succeeded$/, 'accepted'],
      ['ResourceGroup', 'group-refused', /^InvalidParameterValue$/, 'accepted'],
      ['ResourceGroup', 'group-wrong', /^CredentialRejected$/, 'wrong'],
      ['ResourceGroup', 'group-certificate', /^CredentialRejected$/, 'certificate'],
      ['ResourceGroup', 'group-password', /^CredentialInvalid$/, 'password'],
      ['FlexibleServer', 'db', /^Succeeded$/],
      ['FlexibleServer', 'db-refused', /^InvalidParameterValue$/],
      ['FlexibleServer', 'db-plain', /^UnknownError$/],
      ['FlexibleServer', 'db-operation', /^ProvisioningFailed$/],
      ['FlexibleServer', 'db-later', /^Reconciling$/],
      ['FlexibleServer', 'db-poll', /^Busy$/],
      ['StorageAccount', 'exported', /^Succeeded$/],
      ['StorageAccount', 'expression', /^FailedWritingAdditionalKubernetesObjects$/],
      ['StorageAccount', 'label', /^Failed/],
    ];
    for (const [kind, name, reason, namespace] of wanted) {
      let last: unknown;
      await until(`${name} is ${reason.source}`, async () => {
        last = await readyOf(kind, name, namespace);
        return reason.test((last as { reason?: string } | undefined)?.reason ?? '');
      }).catch((error: unknown) => {
        throw new Error(
          `${(error as Error).message}; it is ${JSON.stringify(last)}\n${log
            .split('\n')
            .filter((line) => line.includes(name))
            .slice(-3)
            .join('\n')}`,
        );
      });
    }
    const { data } = (await client.get(typeOf('Secret'), 'keys', 'default'))!;
    expect(Buffer.from(data!.key1!, 'base64').toString()).toBe(SECRETS.key);
    await until('the running operation is in the log', () => log.includes('REDACTED'));
  });

  test('no line of the log shows a secret', () => {
    const lines = log.split('\n');
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.filter((line) => loggedIn(line).length > 0).map((line) => `${loggedIn(line).join()}: ${line}`)).toEqual([]);
    if (format === 'JSON') for (const line of lines.filter(Boolean)) expect(() => void JSON.parse(line)).not.toThrow();
    else expect(lines.filter((line) => line && !/^\d{4}-\d\d-\d\dT\S+Z (?:INFO|WARN|ERROR|DEBUG|FATAL)/.test(line))).toEqual([]);
  });

  test('no event shows one', async () => {
    const { items } = await client.list(typeOf('Event'), {});
    expect(items.length).toBeGreaterThan(10);
    expect(items.filter((event) => loggedIn(JSON.stringify(event)).length > 0)).toEqual([]);
  });

  test('no condition or status shows one, and only the resume token has the signature', async () => {
    let seen = 0;
    for (const kind of Object.keys(VERSIONS)) {
      for (const { status, metadata } of (await client.list(typeOf(kind), {})).items) {
        expect([metadata.name, loggedIn(JSON.stringify(status))]).toEqual([metadata.name, []]);
        const {
          'kubectl.kubernetes.io/last-applied-configuration': _,
          'serviceoperator.azure.com/poller-resume-token': token,
          ...annotations
        } = metadata.annotations!;
        expect(loggedIn(JSON.stringify(annotations))).toEqual([]);
        if (token) expect(loggedIn(token)).toEqual(['signature']);
        seen += 1;
      }
    }
    expect(seen).toBe(15);
  });

  test('Azure was sent all of them', () => {
    expect(azure.paths.filter((path) => path.startsWith('PUT') && path.includes('flexibleServers')).length).toBeGreaterThanOrEqual(6);
    expect(azure.paths.some((path) => path.endsWith('/listKeys'))).toBe(true);
  });
});
