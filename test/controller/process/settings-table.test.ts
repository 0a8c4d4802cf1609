import { PassThrough } from 'node:stream';
import { unknownSettings } from '../../../controller/process/known-settings';
import { logSettings } from '../../../controller/process/log-lines';
import { runController } from '../../../controller/run-controller';
import { readSettings, SettingsError, type Environment, type Settings } from '../../../controller/settings';
import { createArmClient } from '../../../engine/arm/arm-client';
import { CredentialError } from '../../../engine/credentials/types';
import { createLogger } from '../../../runtime/log/log';
import { rowTitle, specRows } from '../../docs/spec-tables';
import { selfSigned } from '../../engine/credentials/certificates';
import { GLOBAL, IDS, secret, setUp } from '../../engine/credentials/resolver';
import { createdGroup, waits } from '../../rows/arrange';
import { TestEnvironment } from '../reconcile/harness';


const SETTINGS = 'docs/spec/settings.md#settings';
const FAILURES = 'docs/spec/settings.md#startup-failures';
const tested = { [SETTINGS]: new Set<string>(), [FAILURES]: new Set<string>() };

/**
 * One row of the table of settings. That its name is no typing mistake is part of every row; so is that an empty value equals an absent
 * one.
 */
function row(key: string, what: string, check: () => unknown): void {
  tested[SETTINGS].add(key);
  test(rowTitle(SETTINGS, key, what), async () => {
    // AUTH_MODE is for Secrets, so it is none of the process's settings.
    if (key !== 'AUTH_MODE') expect(unknownSettings({ [key]: 'x' })).toEqual([]);
    expect(readSettings({ [key]: '' })).toEqual(readSettings({}));
    await check();
  });
}

function failure(what: string, check: () => unknown): void {
  tested[FAILURES].add(what);
  test(rowTitle(FAILURES, what, 'ends the process'), async () => void (await check()));
}

const certificate = selfSigned();
const PEM = certificate.certificate + certificate.key;
const identityOf = async (environment: Environment) => setUp({}, environment).identity();
const scopedIdentity = async (values: Record<string, string | Buffer>) => {
  const { resolve, identity } = setUp({ 'ns/aso-credential': secret({ ...IDS, ...values }) });
  resolve();
  return identity();
};
const setting = <K extends keyof Settings>(key: string, member: K) => (value?: string) => readSettings({ [key]: value })[member];
const notSecret = (key: string) => ({ ...IDS, POD_NAMESPACE: 'p', [key]: undefined });

row('AZURE_SUBSCRIPTION_ID', 'empty is no global credential; also of Secrets', () => {
  expect(setUp({}, notSecret('AZURE_SUBSCRIPTION_ID')).resolver.global).toBeUndefined();
  expect(setUp().resolver.global).toMatchObject({ subscriptionId: IDS.AZURE_SUBSCRIPTION_ID });
  expect(
    setUp({ 'ns/aso-credential': secret({ ...IDS, AZURE_SUBSCRIPTION_ID: '00000000-1111-4222-8333-00000000000f' }) }).resolve(),
  ).toMatchObject({ subscriptionId: '00000000-1111-4222-8333-00000000000f' });
});
row('AZURE_TENANT_ID', 'whose tokens are asked for', async () =>
  expect(await identityOf(GLOBAL)).toEqual(expect.arrayContaining(['tenant'])),
);
row('AZURE_CLIENT_ID', 'who asks', async () => expect(await identityOf(GLOBAL)).toEqual(expect.arrayContaining([IDS.AZURE_CLIENT_ID])));
row('AZURE_CLIENT_SECRET', 'makes a service principal, of both scopes', async () => {
  expect((await identityOf(GLOBAL)).slice(0, 4)).toEqual(['ClientSecretCredential', 'tenant', IDS.AZURE_CLIENT_ID, 'global-s3cret']);
  expect((await scopedIdentity({ AZURE_CLIENT_SECRET: 'own' })).slice(0, 4)).toEqual([
    'ClientSecretCredential',
    'tenant',
    IDS.AZURE_CLIENT_ID,
    'own',
  ]);
});
row('AZURE_CLIENT_CERTIFICATE', 'PEM or PKCS#12, of both scopes', async () => {
  expect((await identityOf({ ...IDS, AZURE_CLIENT_CERTIFICATE: PEM }))[0]).toBe('ClientCertificateCredential');
  for (const value of [PEM, certificate.pkcs12('')]) {
    expect((await scopedIdentity({ AZURE_CLIENT_CERTIFICATE: value }))[0]).toBe('ClientCertificateCredential');
  }
});
row('AZURE_CLIENT_CERTIFICATE_PASSWORD', 'opens it', async () => {
  const values = { AZURE_CLIENT_CERTIFICATE: certificate.pkcs12('pw') };
  expect((await scopedIdentity({ ...values, AZURE_CLIENT_CERTIFICATE_PASSWORD: 'pw' }))[0]).toBe('ClientCertificateCredential');
  await expect(scopedIdentity({ ...values, AZURE_CLIENT_CERTIFICATE_PASSWORD: 'no' })).rejects.toThrow(CredentialError);
});
row('AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS', 'a path, of both scopes', async () => {
  const values = { AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: '/nowhere/identity' };
  await expect(identityOf({ ...IDS, ...values })).rejects.toThrow('/nowhere/identity');
  await expect(scopedIdentity(values)).rejects.toThrow('/nowhere/identity');
});
row('AZURE_ADDITIONAL_TENANTS', 'a comma list, of both scopes', () => {
  const values = { AZURE_ADDITIONAL_TENANTS: 'a, b' };
  expect(setUp({}, { ...GLOBAL, ...values }).clients[0]?.additionalTenants).toEqual(['a', 'b']);
  const { resolve, clients } = setUp({ 'ns/aso-credential': secret({ ...IDS, ...values }) });
  resolve();
  expect(clients.at(-1)!.additionalTenants).toEqual(['a', 'b']);
});
row('USE_WORKLOAD_IDENTITY_AUTH', 'a boolean, unparsable is false; Secrets need no such key', async () => {
  for (const value of ['true', '1', 'T']) {
    expect((await identityOf({ ...IDS, USE_WORKLOAD_IDENTITY_AUTH: value }))[0]).toBe('WorkloadIdentityCredential');
  }
  for (const value of ['false', 'yes', 'on', '']) {
    expect((await identityOf({ ...IDS, USE_WORKLOAD_IDENTITY_AUTH: value }))[0]).toBe('ManagedIdentityCredential');
  }
  for (const value of ['false', 'true']) {
    expect((await scopedIdentity({ USE_WORKLOAD_IDENTITY_AUTH: value }))[0]).toBe('WorkloadIdentityCredential');
  }
});
row('AUTH_MODE', 'of Secrets only: workloadidentity or podidentity', async () => {
  expect((await scopedIdentity({}))[0]).toBe('WorkloadIdentityCredential');
  expect((await scopedIdentity({ AUTH_MODE: 'podidentity' }))[0]).toBe('ManagedIdentityCredential');
  expect((await identityOf({ ...GLOBAL, AUTH_MODE: 'podidentity' }))[0]).toBe('ClientSecretCredential');
});
row('AZURE_AUTHORITY_HOST', 'https://login.microsoftonline.com/ by default', async () => {
  expect((await identityOf(GLOBAL)).at(-1)).toMatchObject({ authorityHost: 'https://login.microsoftonline.com/' });
  expect((await identityOf({ ...GLOBAL, AZURE_AUTHORITY_HOST: 'https://login.chinacloudapi.cn' })).at(-1)).toMatchObject({
    authorityHost: 'https://login.chinacloudapi.cn',
  });
});
row('AZURE_RESOURCE_MANAGER_ENDPOINT', 'https://management.azure.com by default', () => {
  expect(setUp().clients[0]?.endpoint).toBe('https://management.azure.com');
  expect(setUp({}, { ...GLOBAL, AZURE_RESOURCE_MANAGER_ENDPOINT: 'https://arm.example' }).clients[0]?.endpoint).toBe('https://arm.example');
});
row('AZURE_RESOURCE_MANAGER_AUDIENCE', 'https://management.core.windows.net/ by default', () => {
  expect(setUp().clients[0]?.audience).toBe('https://management.core.windows.net/');
  expect(setUp({}, { ...GLOBAL, AZURE_RESOURCE_MANAGER_AUDIENCE: 'https://arm.example/' }).clients[0]?.audience).toBe(
    'https://arm.example/',
  );
});
row('ALLOW_MULTI_ENV_MANAGEMENT', 'permits clouds in Secrets; unparsable is false', () => {
  const cloud = {
    AZURE_AUTHORITY_HOST: 'https://a.example',
    AZURE_RESOURCE_MANAGER_ENDPOINT: 'https://b.example',
    AZURE_RESOURCE_MANAGER_AUDIENCE: 'c',
  };
  const resolve = (allowed?: string) =>
    setUp({ 'ns/aso-credential': secret({ ...IDS, ...cloud }) }, { ...GLOBAL, ALLOW_MULTI_ENV_MANAGEMENT: allowed }).resolve();
  expect(resolve('true').client.endpoint).toBe('https://b.example');
  for (const refused of [undefined, 'false', 'yes']) expect(() => resolve(refused)).toThrow('"ALLOW_MULTI_ENV_MANAGEMENT" is not enabled');
});
row('AZURE_TARGET_NAMESPACES', 'a comma list, trimmed; empty is all', () => {
  const namespaces = setting('AZURE_TARGET_NAMESPACES', 'targetNamespaces');
  expect(namespaces(' a , b,')).toEqual(['a', 'b']);
  expect(namespaces()).toEqual([]);
});
row('AZURE_OPERATOR_MODE', 'whatever the case; both by default', () => {
  const mode = setting('AZURE_OPERATOR_MODE', 'operatorMode');
  expect([mode(), mode('Watchers'), mode('WEBHOOKS'), mode('watchers-and-Webhooks')]).toEqual([
    'watchers-and-webhooks',
    'watchers',
    'webhooks',
    'watchers-and-webhooks',
  ]);
});
row('AZURE_SYNC_PERIOD', 'a Go duration or never; 1h by default', () => {
  const period = setting('AZURE_SYNC_PERIOD', 'syncPeriod');
  expect([period(), period('15m'), period('1h30m'), period('never')]).toEqual([3_600_000, 900_000, 5_400_000, undefined]);
});
row('AZURE_USER_AGENT_SUFFIX', 'at the end of User-Agent', async () => {
  expect(readSettings({ AZURE_USER_AGENT_SUFFIX: 'team/1' }).userAgentSuffix).toBe('team/1');
  expect(await userAgentOf('team/1')).toMatch(/^cdk8s-aso-controller\/\S+ .* team\/1$/);
  expect(await userAgentOf(undefined)).toMatch(/\)$/);
});
row('MAX_CONCURRENT_RECONCILES', 'an integer; where ASO has 4 by default, the controller has its own', () => {
  const workers = setting('MAX_CONCURRENT_RECONCILES', 'maxConcurrentReconciles');
  expect([workers(), workers('1'), workers('32')]).toEqual([undefined, 1, 32]);
});
row('RATE_LIMIT_MODE', 'disabled by default, or bucket', () => {
  const limit = setting('RATE_LIMIT_MODE', 'rateLimit');
  expect([limit(), limit('disabled'), limit('bucket')]).toEqual([undefined, undefined, { qps: 5, bucketSize: 100 }]);
});
row('RATE_LIMIT_QPS', 'a number; 5 by default', () =>
  expect(readSettings({ RATE_LIMIT_MODE: 'bucket', RATE_LIMIT_QPS: '0.5' }).rateLimit).toEqual({ qps: 0.5, bucketSize: 100 }),
);
row('RATE_LIMIT_BUCKET_SIZE', 'an integer; 100 by default', () => {
  expect(readSettings({ RATE_LIMIT_MODE: 'bucket', RATE_LIMIT_BUCKET_SIZE: '7' }).rateLimit).toEqual({ qps: 5, bucketSize: 7 });
});
row('DEFAULT_RECONCILE_POLICY', 'manage by default; what objects without one get', async () => {
  const policy = setting('DEFAULT_RECONCILE_POLICY', 'defaultReconcilePolicy');
  expect([policy(), policy('skip'), policy('detach-on-delete')]).toEqual(['manage', 'skip', 'detach-on-delete']);
  const environment = new TestEnvironment();
  await createdGroup(environment, undefined, { defaultPolicy: policy('skip') });
  await environment.kill();
  expect(waits(environment).length).toBeGreaterThan(0);
  expect(environment.azure.count('PUT')).toBe(0);
});
row('POD_NAMESPACE', 'the own namespace; required in a pod', () => {
  expect(readSettings({ POD_NAMESPACE: 'aso', KUBERNETES_SERVICE_HOST: '10.0.0.1' }).podNamespace).toBe('aso');
  expect(() => readSettings({ KUBERNETES_SERVICE_HOST: '10.0.0.1' })).toThrow('POD_NAMESPACE');
});
row('ENTRA_APP_ID', 'not read, and nothing is said of it', () => {
  expect(readSettings({ ENTRA_APP_ID: 'x' })).toEqual(readSettings({}));
  expect(settingsLog({ ENTRA_APP_ID: 'x' })).toHaveLength(1);
});

const starts = (environment: Environment) =>
  runController({ environment, access: { server: 'http://127.0.0.1:9' } as never }, AbortSignal.abort());
failure('no POD_NAMESPACE', () =>
  expect(starts({ KUBERNETES_SERVICE_HOST: 'x' })).rejects.toThrow(/^missing value for POD_NAMESPACE: set it in the pod template/),
);
failure('target namespaces without watchers', () =>
  expect(starts({ AZURE_TARGET_NAMESPACES: 'a', AZURE_OPERATOR_MODE: 'webhooks' })).rejects.toThrow(
    /^AZURE_TARGET_NAMESPACES must include watchers to specify target namespaces/,
  ),
);
failure('workers', async () => {
  for (const MAX_CONCURRENT_RECONCILES of ['0', '-1']) {
    await expect(starts({ MAX_CONCURRENT_RECONCILES })).rejects.toThrow(/^MAX_CONCURRENT_RECONCILES must be at least 1/);
  }
});
failure('policy', () =>
  expect(starts({ DEFAULT_RECONCILE_POLICY: 'x' })).rejects.toThrow(
    /^DEFAULT_RECONCILE_POLICY must be set to any of \(detach-on-delete, manage, skip\)/,
  ),
);
failure('mode, number, duration', async () => {
  const wrong: [string, string][] = [
    ['AZURE_OPERATOR_MODE', 'both'],
    ['AZURE_SYNC_PERIOD', '1 hour'],
    ['MAX_CONCURRENT_RECONCILES', 'x'],
    ['RATE_LIMIT_MODE', 'x'],
    ['RATE_LIMIT_QPS', 'x'],
    ['RATE_LIMIT_BUCKET_SIZE', 'x'],
  ];
  for (const [key, value] of wrong) {
    const error = await starts({ [key]: value }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SettingsError);
    expect((error as Error).message).toContain(key);
    expect((error as Error).message).toContain(`"${value}"`);
  }
  await expect(starts({ RATE_LIMIT_MODE: 'x' })).rejects.toThrow(/^invalid rate limit mode "x"/);
});
failure('global credential', async () => {
  await expect(starts({ ...IDS, AZURE_CLIENT_CERTIFICATE: 'x' })).rejects.toThrow(CredentialError);
  await expect(starts({ ...IDS, AZURE_TENANT_ID: 'no tenant', AZURE_CLIENT_SECRET: 'x' })).rejects.toThrow(/AZURE_TENANT_ID/);
});

test.each([SETTINGS, FAILURES] as const)('%s: each row has a test', (table) => {
  expect([...tested[table]].sort()).toEqual(specRows(table).map(({ name }) => name).sort());
});

test('the configuration is logged once, on one line, without secrets; a typing mistake is reported', () => {
  const values = { ...GLOBAL, AZURE_CLIENT_CERTIFICATE: 'the-certificate', AZURE_CLIENT_CERTIFICATE_PASSWORD: 'the-password' };
  const lines = settingsLog({
    ...values,
    MAX_CONCURENT_RECONCILES: '9',
    GOMEMLIMIT: '400MiB',
    HTTPS_PROXY: 'http://me:the-word@proxy',
    NO_PROXY: 'x',
  });
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain(IDS.AZURE_SUBSCRIPTION_ID);
  expect(lines[1]).toContain('MAX_CONCURRENT_RECONCILES may be meant');
  expect(lines.join()).not.toMatch(/global-s3cret|the-certificate|the-password|the-word/);
});

function settingsLog(environment: Environment): string[] {
  const output = new PassThrough();
  logSettings(createLogger({ verbosity: 2, json: true, output }), readSettings(environment), environment);
  return String(output.read() ?? '').split('\n').filter(Boolean);
}

async function userAgentOf(userAgentSuffix: string | undefined): Promise<string | undefined> {
  let sent: string | undefined;
  const credential = { getToken: async () => ({ token: 'token', expiresOnTimestamp: Date.now() + 3_600_000 }) };
  const httpClient = {
    sendRequest: async (request: { headers: { get(name: string): string | undefined } }) => {
      sent = request.headers.get('user-agent');
      throw new Error('sent');
    },
  };
  await createArmClient({
    credential,
    subscriptionId: 's',
    endpoint: 'https://arm.invalid',
    audience: 'a',
    ...(userAgentSuffix === undefined ? {} : { userAgentSuffix }),
    httpClient: httpClient as never,
  })
    .send({ method: 'GET', url: '/subscriptions/s', apiVersion: '2020-01-01' })
    .catch(() => undefined);
  return sent;
}
