import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpHeaders, type PipelineRequest } from '@azure/core-rest-pipeline';
import { selfSigned } from './certificates';
import { FROM, GLOBAL, IDS, secret, setUp, SUBSCRIPTIONS } from './resolver';
import { readSettings, SettingsError } from '../../../controller/settings';
import { createArmClient } from '../../../engine/arm/arm-client';
import { tokenError } from '../../../engine/credentials/token-error';
import { CredentialError, type CredentialProblem } from '../../../engine/credentials/types';
import { InformerSet, type InformerSource } from '../../../engine/informers';
import { CORE_KINDS } from '../../../engine/kubernetes';
import { RECONCILE_POLICY } from '../../../src/azure/annotations';
import { settled } from '../../controller/reconcile/fake-clock';
import { GROUP_ID, group, GROUPS, TestEnvironment } from '../../controller/reconcile/harness';
import { rowTitle } from '../../docs/spec-tables';

/** A test of one row of the specification. */
function row(citation: string, name: string, what: string, check: () => unknown): void {
  test(rowTitle(citation, name, what), async () => void (await check()));
}

function refused(action: () => unknown, problem: CredentialProblem, message: string | RegExp): void {
  let error: unknown;
  try {
    action();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(CredentialError);
  expect((error as CredentialError).problem).toBe(problem);
  if (typeof message === 'string') expect((error as CredentialError).message).toBe(message);
  else expect((error as CredentialError).message).toMatch(message);
}

const directory = mkdtempSync(join(tmpdir(), 'credentials-table-'));
afterAll(() => rmSync(directory, { recursive: true }));
const certificate = selfSigned();
const PEM = certificate.certificate + certificate.key;
const NAMESPACED = 'ns/aso-credential';
const scoped = (values: Record<string, string | Buffer>, environment: Record<string, string> = GLOBAL) =>
  setUp({ [NAMESPACED]: secret({ ...IDS, ...values }) }, environment);
const made = async (values: Record<string, string | Buffer>, environment?: Record<string, string>) => {
  const { resolve, identity } = scoped(values, environment);
  resolve();
  return (await identity())[0];
};
const madeGlobal = async (values: Record<string, string>) => (setUp({}, { ...IDS, POD_NAMESPACE: 'p', ...values }).identity());

describe('selection', () => {
  const secrets = () => ({
    'ns/mine': secret({ ...IDS, AZURE_SUBSCRIPTION_ID: SUBSCRIPTIONS[1]! }),
    [NAMESPACED]: secret({ ...IDS, AZURE_SUBSCRIPTION_ID: SUBSCRIPTIONS[2]! }),
  });
  row('docs/spec/credentials.md#selection', 'object', 'object scope', () =>
    expect(setUp(secrets()).resolve({ [FROM]: 'mine' })).toMatchObject({ source: 'ns/mine', subscriptionId: SUBSCRIPTIONS[1] }),
  );
  row('docs/spec/credentials.md#selection', 'namespace', 'namespace scope', () =>
    expect(setUp(secrets()).resolve()).toMatchObject({ source: NAMESPACED, subscriptionId: SUBSCRIPTIONS[2] }),
  );
  row('docs/spec/credentials.md#selection', 'global', 'global scope', () =>
    expect(setUp(secrets()).resolve({}, 'other')).toMatchObject({
      source: 'aso-system/aso-controller-settings',
      subscriptionId: SUBSCRIPTIONS[0],
    }),
  );
  const problem = (name: string, what: string, check: () => unknown) =>
    row('docs/spec/credentials.md#selection-problems', name, what, check);
  problem('name with a slash', 'a name with /', () =>
    refused(
      () => setUp().resolve({ [FROM]: 'a/b' }),
      'CredentialInvalid',
      "serviceoperator.azure.com/credential-from cannot contain '/'. Secret must be in same namespace as resource.",
    ),
  );
  problem('annotated Secret missing', 'annotated Secret missing', () =>
    refused(
      () => setUp().resolve({ [FROM]: 'none' }),
      'CredentialNotFound',
      'ns/none does not exist (credential secret not found: Secret "none" not found)',
    ),
  );
  problem('empty annotation', 'empty value', () =>
    refused(() => setUp(secrets()).resolve({ [FROM]: '' }), 'CredentialNotFound', /^ns\/ does not exist/),
  );
  problem('keys missing', 'keys missing: every one is named, and no other scope is tried', () => {
    const { resolve } = setUp({ 'ns/poor': secret({ AZURE_CLIENT_ID: IDS.AZURE_CLIENT_ID }), [NAMESPACED]: secret({}) });
    refused(
      () => resolve({ [FROM]: 'poor' }),
      'CredentialInvalid',
      /^failed to get credential "ns\/poor": \[.*does not contain key "AZURE_SUBSCRIPTION_ID", .*does not contain key "AZURE_TENANT_ID"\]$/,
    );
    refused(() => resolve(), 'CredentialInvalid', /^failed to get credential "ns\/aso-credential"/);
  });
  problem('no global credential', 'no global credential', () =>
    refused(
      () => setUp({}, {}).resolve(),
      'CredentialNotFound',
      'global credential not configured, you must use either namespaced or per-resource credentials',
    ),
  );

  const blocked = (what: string, prepare: (env: TestEnvironment) => Promise<unknown>) =>
    row('docs/spec/credentials.md#selection-problems', 'blocked', `${what}: a Warning, retried slowly, nothing sent`, async () => {
      const env = new TestEnvironment();
      await prepare(env);
      const before = env.azure.requests.length;
      const reconciles = env.reconciles.length;
      await env.clock.advance(1_000_000);
      expect(env.ready(GROUPS, 'rg')).toMatchObject({ status: 'False', severity: 'Warning', reason: 'CredentialNotFound' });
      expect(env.azure.requests).toHaveLength(before);
      // 1, 2, 4 … 128, 180, 180 …
      expect(
        env.reconciles
          .slice(reconciles)
          .map(({ nextIn }) => nextIn)
          .filter((delay) => delay === 180_000).length,
      ).toBeGreaterThan(2);
    });
  blocked('PUT', async (env) => {
    env.credential = undefined;
    await env.cluster.create(GROUPS, group());
    await env.start();
  });
  blocked('refresh under skip', async (env) => {
    await env.cluster.create(GROUPS, { ...group(), metadata: { ...group().metadata, annotations: { [RECONCILE_POLICY]: 'skip' } } });
    env.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID }, polls: 0 });
    await env.start();
    env.credential = undefined;
    await env.clock.advance(3_600_000 * 1.5);
  });
  blocked('deletion', async (env) => {
    await env.cluster.create(GROUPS, group());
    await env.start();
    env.credential = undefined;
    await env.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
  });
  row('docs/spec/credentials.md#selection', 'global', 'event CredentialFrom', async () => {
    const env = new TestEnvironment();
    await env.cluster.create(GROUPS, group());
    await env.start();
    expect(env.events).toContainEqual({
      type: 'Normal',
      reason: 'CredentialFrom',
      message: 'Using credential from "aso/aso-controller-settings"',
    });
  });
});

describe('scoped Secrets', () => {
  row('docs/spec/credentials.md#keys', 'AZURE_SUBSCRIPTION_ID', 'AZURE_SUBSCRIPTION_ID', () => {
    expect(scoped({}).resolve().subscriptionId).toBe(SUBSCRIPTIONS[0]);
    refused(
      () => scoped({ AZURE_SUBSCRIPTION_ID: '' }).resolve(),
      'CredentialInvalid',
      'credential Secret "ns/aso-credential": key "AZURE_SUBSCRIPTION_ID" is empty',
    );
    refused(
      () => scoped({ AZURE_SUBSCRIPTION_ID: 'Visual Studio' }).resolve(),
      'CredentialInvalid',
      /^credential Secret "ns\/aso-credential": key "AZURE_SUBSCRIPTION_ID" is no GUID: write an id/,
    );
  });
  row('docs/spec/credentials.md#keys', 'AZURE_TENANT_ID', 'AZURE_TENANT_ID', () => {
    expect(scoped({}).resolve().tenantId).toBe('tenant');
    refused(() => scoped({ AZURE_TENANT_ID: '' }).resolve(), 'CredentialInvalid', /key "AZURE_TENANT_ID" is empty$/);
    refused(
      () => scoped({ AZURE_TENANT_ID: 'no tenant' }).resolve(),
      'CredentialInvalid',
      /is no tenant: a GUID or a domain name is needed$/,
    );
  });
  row('docs/spec/credentials.md#keys', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_ID, whose wrong value is not shown: it may be the secret', () => {
    refused(() => scoped({ AZURE_CLIENT_ID: '' }).resolve(), 'CredentialInvalid', /key "AZURE_CLIENT_ID" is empty$/);
    for (const values of [{}, { AZURE_CLIENT_SECRET: 'x' }, { AUTH_MODE: 'podidentity' }] as Record<string, string>[]) {
      refused(
        () => scoped({ AZURE_CLIENT_ID: 'hunter2~hunter2', ...values }).resolve(),
        'CredentialInvalid',
        /^(?!.*hunter2).*key "AZURE_CLIENT_ID" is no GUID/,
      );
    }
  });
  row('docs/spec/credentials.md#keys', 'AZURE_CLIENT_SECRET', 'AZURE_CLIENT_SECRET', async () =>
    expect(await made({ AZURE_CLIENT_SECRET: 's' })).toBe('ClientSecretCredential'),
  );
  row(
    'docs/spec/credentials.md#keys',
    'AZURE_CLIENT_CERTIFICATE',
    'AZURE_CLIENT_CERTIFICATE with and without password, PEM or PKCS#12',
    async () => {
      expect(await made({ AZURE_CLIENT_CERTIFICATE: PEM })).toBe('ClientCertificateCredential');
      expect(await made({ AZURE_CLIENT_CERTIFICATE: certificate.pkcs12('pw'), AZURE_CLIENT_CERTIFICATE_PASSWORD: 'pw' })).toBe(
        'ClientCertificateCredential',
      );
      refused(
        () => scoped({ AZURE_CLIENT_CERTIFICATE: certificate.pkcs12('pw') }).resolve(),
        'CredentialInvalid',
        /cannot be read as PKCS#12: it is damaged, or the password is wrong or missing$/,
      );
      refused(() => scoped({ AZURE_CLIENT_CERTIFICATE: certificate.certificate }).resolve(), 'CredentialInvalid', /has no private key/);
    },
  );
  row('docs/spec/credentials.md#keys', 'AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS', 'AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS', async () => {
    const file = join(directory, 'identity.json');
    writeFileSync(file, JSON.stringify({ client_id: 'c', tenant_id: 't', client_secret: certificate.pkcs12('').toString('base64') }));
    expect(await made({ AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: file })).toBe('ClientCertificateCredential');
    await expect(made({ AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: '/nowhere' })).rejects.toMatchObject({
      problem: 'CredentialUnavailable',
      message: 'the identity file /nowhere cannot be read: ENOENT',
    });
  });
  row('docs/spec/credentials.md#keys', 'AUTH_MODE', 'AUTH_MODE', async () =>
    expect(await made({ AUTH_MODE: 'podidentity' })).toBe('ManagedIdentityCredential'),
  );
  row('docs/spec/credentials.md#keys', 'AZURE_ADDITIONAL_TENANTS', 'AZURE_ADDITIONAL_TENANTS, blanks trimmed', () => {
    const { resolve, clients } = scoped({ AZURE_ADDITIONAL_TENANTS: ' a ,b,, ' });
    resolve();
    expect(clients.at(-1)!.additionalTenants).toEqual(['a', 'b']);
  });
  row('docs/spec/credentials.md#keys', 'cloud', 'the keys of the cloud', () =>
    refused(() => scoped({ AZURE_AUTHORITY_HOST: 'https://x' }).resolve(), 'CredentialInvalid', /must specify ALL or NONE/),
  );

  const all = {
    AZURE_CLIENT_SECRET: 's',
    AZURE_CLIENT_CERTIFICATE: PEM,
    AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: '/nowhere',
    AUTH_MODE: 'podidentity',
  };
  const { AZURE_CLIENT_SECRET: _, ...withoutSecret } = all;
  row('docs/spec/credentials.md#modes', 'client secret', 'client secret, before all others', async () =>
    expect(await made(all)).toBe('ClientSecretCredential'),
  );
  row('docs/spec/credentials.md#modes', 'certificate', 'certificate', async () =>
    expect(await made(withoutSecret)).toBe('ClientCertificateCredential'),
  );
  row('docs/spec/credentials.md#modes', 'identity file', 'identity file, without additional tenants', async () => {
    const { resolve, clients } = scoped({
      AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: '/nowhere',
      AUTH_MODE: 'podidentity',
      AZURE_ADDITIONAL_TENANTS: 'a',
    });
    resolve();
    expect(clients.at(-1)!.additionalTenants).toEqual([]);
    await expect(clients.at(-1)!.credential.getToken('s')).rejects.toThrow('identity file /nowhere');
  });
  row('docs/spec/credentials.md#modes', 'managed identity', 'managed identity by client id, without additional tenants', async () => {
    const { resolve, identity, clients } = scoped({ AUTH_MODE: 'podidentity', AZURE_ADDITIONAL_TENANTS: 'a' });
    resolve();
    expect(await identity()).toEqual(['ManagedIdentityCredential', { clientId: IDS.AZURE_CLIENT_ID }]);
    expect(clients.at(-1)!.additionalTenants).toEqual([]);
  });
  row('docs/spec/credentials.md#modes', 'workload identity', 'workload identity: no mode, an empty one, or said', async () => {
    for (const values of [{}, { AUTH_MODE: '' }, { AUTH_MODE: 'workloadidentity' }] as Record<string, string>[]) {
      expect(await made(values)).toBe('WorkloadIdentityCredential');
    }
  });
  row('docs/spec/credentials.md#modes', 'unknown mode', 'any other mode', () =>
    refused(
      () => scoped({ AUTH_MODE: 'PodIdentity' }).resolve(),
      'CredentialInvalid',
      'invalid identity auth mode for "ns/aso-credential" encountered: authorization mode "PodIdentity" not valid',
    ),
  );

  row('docs/spec/credentials.md#workload-identity', 'token file', 'token file', async () => {
    const { resolve, identity } = scoped({});
    resolve();
    expect((await identity())[1]).toMatchObject({ tokenFilePath: '/var/run/secrets/tokens/azure-identity' });
  });
  row(
    'docs/spec/credentials.md#workload-identity',
    'subject',
    "subject: the service account of the controller's namespace; a token that nothing federates names it, and what to add",
    () => {
      const claims = Buffer.from(
        JSON.stringify({ iss: 'https://issuer', sub: 'system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default' }),
      );
      const facts = {
        where: 'credential',
        mode: 'workloadIdentity',
        clientId: 'c',
        tenantId: 't',
        authorityHost: 'https://login',
        assertion: `eyJ.${claims.toString('base64url')}.x`,
      };
      expect(tokenError(new Error('AADSTS70021: No matching federated identity record found'), facts)).toMatchObject({
        problem: 'FederatedCredentialNotFound',
        message: expect.stringContaining(
          'issuer "https://issuer", subject "system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default"',
        ),
      });
    },
  );
  row(
    'docs/spec/credentials.md#workload-identity',
    'no webhook',
    'no webhook of the workload-identity project: its variables are not needed',
    async () => {
      const { resolve, identity } = setUp({ [NAMESPACED]: secret(IDS) }, { POD_NAMESPACE: 'p' });
      resolve();
      expect((await identity())[1]).toMatchObject({
        clientId: IDS.AZURE_CLIENT_ID,
        tenantId: 'tenant',
        tokenFilePath: '/var/run/secrets/tokens/azure-identity',
      });
    },
  );
  row('docs/spec/credentials.md#workload-identity', 'whose token', "whose token: the controller's, and in strict mode never", async () => {
    const asked: string[] = [];
    const namespaceTokens = { token: async (namespace: string) => `token-${asked.push(namespace)}` };
    const { resolve, identity } = setUp(
      { [NAMESPACED]: secret(IDS), 'ns/own': secret(IDS) },
      { ...GLOBAL, AZURE_CLIENT_SECRET: '', USE_WORKLOAD_IDENTITY_AUTH: 'true' },
      { namespaceTokens },
    );
    expect((await identity())[0]).toBe('WorkloadIdentityCredential');
    for (const annotations of [{}, { [FROM]: 'own' }] as Record<string, string>[]) {
      resolve(annotations);
      expect((await identity()).slice(0, 3)).toEqual(['ClientAssertionCredential', 'tenant', IDS.AZURE_CLIENT_ID]);
    }
    expect(asked).toEqual(['ns', 'ns']);
  });
});

describe('global credential', () => {
  row('docs/spec/credentials.md#global-credential', 'none', 'no subscription: none', () =>
    expect(setUp({}, { ...GLOBAL, AZURE_SUBSCRIPTION_ID: '' }).resolver.global).toBeUndefined(),
  );
  row(
    'docs/spec/credentials.md#global-credential',
    'workload identity',
    'USE_WORKLOAD_IDENTITY_AUTH, with additional tenants',
    async () => {
      const values = { USE_WORKLOAD_IDENTITY_AUTH: '1', AZURE_CLIENT_CERTIFICATE: 'x', AZURE_ADDITIONAL_TENANTS: 'a' };
      expect(await madeGlobal(values)).toEqual([
        'WorkloadIdentityCredential',
        expect.objectContaining({ additionallyAllowedTenants: ['a'] }),
      ]);
    },
  );
  row('docs/spec/credentials.md#global-credential', 'certificate', 'certificate', async () =>
    expect((await madeGlobal({ AZURE_CLIENT_CERTIFICATE: PEM, AZURE_CLIENT_SECRET: 's' }))[0]).toBe('ClientCertificateCredential'),
  );
  row('docs/spec/credentials.md#global-credential', 'identity file', 'identity file', async () =>
    expect(madeGlobal({ AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: '/nowhere', AZURE_CLIENT_SECRET: 's' })).rejects.toThrow(
      'identity file /nowhere',
    ),
  );
  row('docs/spec/credentials.md#global-credential', 'chain', 'chain: secret, certificate file, managed identity', async () => {
    const file = join(directory, 'certificate.pem');
    writeFileSync(file, PEM);
    const allowed = { AZURE_ADDITIONALLY_ALLOWED_TENANTS: 'a;b' };
    expect(await madeGlobal({ AZURE_CLIENT_SECRET: 's', AZURE_CLIENT_CERTIFICATE_PATH: file, ...allowed })).toEqual([
      'ClientSecretCredential',
      'tenant',
      IDS.AZURE_CLIENT_ID,
      's',
      expect.objectContaining({ additionallyAllowedTenants: ['a', 'b'] }),
    ]);
    expect((await madeGlobal({ AZURE_CLIENT_CERTIFICATE_PATH: file, ...allowed })).at(-1)).toMatchObject({
      additionallyAllowedTenants: ['a', 'b'],
    });
    expect(await madeGlobal({})).toEqual(['ManagedIdentityCredential', { clientId: IDS.AZURE_CLIENT_ID }]);
    refused(
      () => setUp({}, { ...IDS, AZURE_CLIENT_CERTIFICATE_PATH: '/nowhere' }),
      'CredentialUnavailable',
      /AZURE_CLIENT_CERTIFICATE_PATH": \/nowhere cannot be read: ENOENT$/,
    );
  });
  row('docs/spec/credentials.md#global-credential', 'failure', 'what cannot be made ends the process', () =>
    refused(() => setUp({}, { ...IDS, AZURE_CLIENT_CERTIFICATE: 'x' }), 'CredentialInvalid', /is neither PEM nor PKCS#12$/),
  );
});

describe('clouds', () => {
  type Cloud = readonly [endpoint: string, audience: string, authority: string];
  const clouds: Readonly<Record<'China' | 'US Government', Cloud>> = {
    'China': ['https://management.chinacloudapi.cn', 'https://management.core.chinacloudapi.cn/', 'https://login.chinacloudapi.cn'],
    'US Government': [
      'https://management.usgovcloudapi.net',
      'https://management.core.usgovcloudapi.net/',
      'https://login.microsoftonline.us',
    ],
  };
  const keys = ([endpoint, audience, authority]: Cloud) =>
    ({ AZURE_RESOURCE_MANAGER_ENDPOINT: endpoint, AZURE_RESOURCE_MANAGER_AUDIENCE: audience, AZURE_AUTHORITY_HOST: authority });
  const listed = '"AZURE_RESOURCE_MANAGER_ENDPOINT", "AZURE_RESOURCE_MANAGER_AUDIENCE", and "AZURE_AUTHORITY_HOST"';
  row('docs/spec/credentials.md#clouds', 'endpoint', 'default endpoint', () =>
    expect(setUp().clients[0]?.endpoint).toBe('https://management.azure.com'),
  );
  row('docs/spec/credentials.md#clouds', 'audience', 'default audience', () =>
    expect(setUp().clients[0]?.audience).toBe('https://management.core.windows.net/'),
  );
  row('docs/spec/credentials.md#clouds', 'authority', 'default authority', async () =>
    expect((await madeGlobal({ AZURE_CLIENT_SECRET: 's' })).at(-1)).toMatchObject({ authorityHost: 'https://login.microsoftonline.com/' }),
  );
  Object.entries(clouds).forEach(([name, cloud]) =>
    row('docs/spec/credentials.md#clouds', name, 'endpoint, audience and authority', async () => {
      const { resolve, clients, identity } = scoped(keys(cloud), { ...GLOBAL, ALLOW_MULTI_ENV_MANAGEMENT: 'true' });
      resolve();
      expect(clients.at(-1)).toMatchObject({ endpoint: cloud[0], audience: cloud[1] });
      expect((await identity()).at(-1)).toMatchObject({ authorityHost: cloud[2], disableInstanceDiscovery: false });
      // Of the settings, for every credential without a cloud of its own.
      const settings = scoped({}, { ...GLOBAL, ...keys(cloud) });
      settings.resolve();
      expect(settings.clients.map(({ endpoint }) => endpoint)).toEqual([cloud[0], cloud[0]]);
    }),
  );
  row('docs/spec/credentials.md#clouds-in-secrets', 'all or none', 'all three keys or none', () => {
    for (const [count, names] of [
      [1, ['AZURE_AUTHORITY_HOST']],
      [2, ['AZURE_AUTHORITY_HOST', 'AZURE_RESOURCE_MANAGER_AUDIENCE']],
    ] as const) {
      const values = Object.fromEntries(Object.entries(keys(clouds.China)).filter(([key]) => names.includes(key as never)));
      refused(
        () => scoped(values, { ...GLOBAL, ALLOW_MULTI_ENV_MANAGEMENT: 'true' }).resolve(),
        'CredentialInvalid',
        `credential Secret "ns/aso-credential" must specify ALL or NONE of ${listed} (found ${count} of 3)`,
      );
    }
  });
  row('docs/spec/credentials.md#clouds-in-secrets', 'permission', 'ALLOW_MULTI_ENV_MANAGEMENT, off by default', () => {
    const message = `credential Secret "ns/aso-credential" specifies cloud configuration (${listed}) but "ALLOW_MULTI_ENV_MANAGEMENT" is not enabled`;
    for (const environment of [GLOBAL, { ...GLOBAL, ALLOW_MULTI_ENV_MANAGEMENT: 'yes' }]) {
      refused(() => scoped(keys(clouds.China), environment).resolve(), 'CredentialInvalid', message);
    }
  });
});

row(
  'docs/spec/credentials.md#additional-tenants',
  'tokens',
  'one more token for each additional tenant, in x-ms-authorization-auxiliary',
  async () => {
    const asked: (string | undefined)[] = [];
    const requests: PipelineRequest[] = [];
    const { resolve, clients } = scoped({ AZURE_CLIENT_SECRET: 's', AZURE_ADDITIONAL_TENANTS: 't1,t2' });
    resolve();
    const credential = {
      getToken: async (_scopes: unknown, options?: { tenantId?: string }) => {
        asked.push(options?.tenantId);
        return { token: `of-${options?.tenantId ?? 'home'}`, expiresOnTimestamp: Date.now() + 3_600_000 };
      },
    };
    const client = createArmClient({
      ...clients.at(-1)!,
      credential,
      httpClient: {
        sendRequest: async (request) => {
          requests.push(request);
          return { request, status: 200, headers: createHttpHeaders(), bodyAsText: '{}' };
        },
      },
    });
    await client.send({ method: 'GET', url: '/subscriptions/x', apiVersion: '2020-01-01' });
    expect(requests[0]!.headers.get('authorization')).toBe('Bearer of-home');
    expect(requests[0]!.headers.get('x-ms-authorization-auxiliary')).toBe('Bearer of-t1, Bearer of-t2');
    expect(asked.sort()).toEqual(['t1', 't2', undefined]);
  },
);

describe('minimum keys', () => {
  const minimum: [string, Record<string, string>, string][] = [
    ['client secret', { AZURE_CLIENT_SECRET: 's' }, 'ClientSecretCredential'],
    ['certificate', { AZURE_CLIENT_CERTIFICATE: PEM }, 'ClientCertificateCredential'],
    ['workload identity', {}, 'WorkloadIdentityCredential'],
    ['managed identity', { AUTH_MODE: 'podidentity' }, 'ManagedIdentityCredential'],
  ];
  minimum.forEach(([name, values, expected]) =>
    row('docs/spec/credentials.md#minimum-keys', name, expected, async () => expect(await made(values)).toBe(expected)),
  );
  row(
    'docs/spec/credentials.md#changes',
    'settings',
    'aso-controller-settings: read once, so a change in the cluster needs a restart',
    () => {
      const environment: Record<string, string> = { ...GLOBAL };
      const settings = { 'aso-system/aso-controller-settings': secret({ ...IDS, AZURE_SUBSCRIPTION_ID: SUBSCRIPTIONS[2]! }) };
      const { resolve } = setUp(settings, environment);
      environment.AZURE_SUBSCRIPTION_ID = SUBSCRIPTIONS[1]!;
      expect(resolve({}, 'other')).toMatchObject({ source: 'aso-system/aso-controller-settings', subscriptionId: SUBSCRIPTIONS[0] });
    },
  );
  row('docs/spec/credentials.md#changes', 'expiry', 'an expired certificate is told as such, before Entra is asked', async () => {
    const old = selfSigned('old', -1);
    const { resolve, clients } = scoped({ AZURE_CLIENT_CERTIFICATE: old.certificate + old.key });
    resolve();
    await expect(clients.at(-1)!.credential.getToken('s')).rejects.toMatchObject({
      problem: 'CredentialExpired',
      message: expect.stringMatching(/^the certificate under key "AZURE_CLIENT_CERTIFICATE" of the credential Secret "ns\/aso-credential" expired on \d{4}-.*: register a new one in Entra/),
    });
  });
});

describe('several controllers', () => {
  ['', 'watchers-and-webhooks'].forEach((mode) =>
    row('docs/spec/credentials.md#operator-modes', 'both', `"${mode}"`, () =>
      expect(readSettings({ AZURE_OPERATOR_MODE: mode }).operatorMode).toBe('watchers-and-webhooks'),
    ),
  );
  row('docs/spec/credentials.md#operator-modes', 'watchers', 'watchers, whatever the case', () =>
    expect(readSettings({ AZURE_OPERATOR_MODE: 'Watchers' }).operatorMode).toBe('watchers'),
  );
  row('docs/spec/credentials.md#operator-modes', 'webhooks', 'webhooks', () =>
    expect(readSettings({ AZURE_OPERATOR_MODE: 'webhooks' }).operatorMode).toBe('webhooks'),
  );
  row('docs/spec/credentials.md#operator-modes', 'unknown mode', 'both is refused', () =>
    expect(() => readSettings({ AZURE_OPERATOR_MODE: 'both' })).toThrow(SettingsError),
  );
  row('docs/spec/credentials.md#target-namespaces', 'list', 'a list of namespaces, only with watchers', () => {
    expect(readSettings({ AZURE_TARGET_NAMESPACES: 'a, b' }).targetNamespaces).toEqual(['a', 'b']);
    expect(readSettings({}).targetNamespaces).toEqual([]);
    expect(() => readSettings({ AZURE_TARGET_NAMESPACES: 'a', AZURE_OPERATOR_MODE: 'webhooks' })).toThrow(
      'AZURE_TARGET_NAMESPACES must include watchers to specify target namespaces',
    );
  });
  row(
    'docs/spec/credentials.md#target-namespaces',
    'caches',
    'all caches are limited to the namespaces: nothing elsewhere is asked for',
    async () => {
      const lists: string[] = [];
      const types = CORE_KINDS.map(({ kind }) => ({
        group: '',
        version: 'v1',
        kind,
        plural: `${kind.toLowerCase()}s`,
        namespaced: kind !== 'Namespace',
      }));
      const source: InformerSource = {
        discovery: async () => ({ types, unknownGroups: new Set() }),
        list: async ({ kind }, { namespace }) => {
          lists.push(`${kind} in ${namespace ?? 'all'}`);
          return { resourceVersion: '1', items: [] };
        },
        watch: async function* (_type, _options, signal) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          yield* [];
        },
      };
      const stop = new AbortController();
      const { targetNamespaces } = readSettings({ AZURE_TARGET_NAMESPACES: 'a,b' });
      const informers = new InformerSet(source, CORE_KINDS, { namespaces: targetNamespaces });
      await informers.start(stop.signal);
      stop.abort();
      await informers.stopped();
      const namespaced = lists.filter((one) => !one.startsWith('Namespace ') && !one.startsWith('CustomResourceDefinition '));
      expect(namespaced.sort()).toEqual(['ConfigMap in a', 'ConfigMap in b', 'Secret in a', 'Secret in b']);
    },
  );
  row('docs/spec/credentials.md#several-controllers', 'shared deployment', 'one shared deployment: webhooks without any credential', () => {
    expect(readSettings({ AZURE_OPERATOR_MODE: 'webhooks', POD_NAMESPACE: 'azureserviceoperator-system' })).toMatchObject({
      operatorMode: 'webhooks',
    });
    expect(setUp({}, {}).resolver.global).toBeUndefined();
  });
  row(
    'docs/spec/credentials.md#several-controllers',
    "tenant's deployment",
    'one deployment a tenant: own settings, own namespaces',
    () => {
      const tenant = readSettings({ AZURE_OPERATOR_MODE: 'watchers', POD_NAMESPACE: 'one-system', AZURE_TARGET_NAMESPACES: 'one-a,one-b' });
      expect(tenant).toMatchObject({ operatorMode: 'watchers', podNamespace: 'one-system', targetNamespaces: ['one-a', 'one-b'] });
      expect(setUp({}, { ...GLOBAL, POD_NAMESPACE: 'one-system' }).resolve({}, 'one-a')).toMatchObject({
        source: 'one-system/aso-controller-settings',
      });
    },
  );
  row(
    'docs/spec/credentials.md#several-controllers',
    'one owner an object',
    'one owner an object: another controller leaves it alone',
    async () => {
      const env = new TestEnvironment();
      await env.cluster.create(GROUPS, group());
      await env.start({ operatorNamespace: 'one' });
      const before = env.azure.requests.length;
      await env.kill();
      await env.start({ operatorNamespace: 'two' });
      expect(env.events.at(-1)).toEqual({
        type: 'Warning',
        reason: 'Overlap',
        message: 'Operators in "two" and "one" are both configured to manage this resource',
      });
      expect(env.azure.requests).toHaveLength(before);
    },
  );
});
