import { selfSigned, type TestCertificate } from './certificates';
import { FROM, GLOBAL, IDS, secret, setUp, SUBSCRIPTIONS } from './resolver';
import { MAX_CACHED_CREDENTIALS } from '../../../engine/credentials/credential-resolver';
import { CredentialError } from '../../../engine/credentials/types';
import { CREDENTIAL_REQUIRED } from '../../../src/azure/annotations';
import { requiresCredential } from '../../../src/azure/credential-required';

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(CredentialError);
    return (error as Error).message;
  }
  throw new Error('nothing was thrown');
}

const pemOf = ({ certificate, key }: TestCertificate): string => `${certificate}${key}`;

describe('selection', () => {
  test('object, then namespace, then global', () => {
    const secrets = {
      'ns/mine': secret({ ...IDS, AZURE_SUBSCRIPTION_ID: SUBSCRIPTIONS[1]! }),
      'ns/aso-credential': secret({ ...IDS, AZURE_SUBSCRIPTION_ID: SUBSCRIPTIONS[2]! }),
    };
    const { resolve } = setUp(secrets);
    expect(resolve({ [FROM]: 'mine' })).toMatchObject({ source: 'ns/mine', subscriptionId: SUBSCRIPTIONS[1], tenantId: 'tenant' });
    expect(resolve()).toMatchObject({ source: 'ns/aso-credential', subscriptionId: SUBSCRIPTIONS[2] });
    expect(resolve({}, 'elsewhere')).toMatchObject({
      source: 'aso-system/aso-controller-settings',
      subscriptionId: IDS.AZURE_SUBSCRIPTION_ID,
    });
  });

  test('a namespace that requires a credential never gets the global one', () => {
    const asked: string[] = [];
    const secrets: Parameters<typeof setUp>[0] = {};
    const { resolve } = setUp(secrets, GLOBAL, { requiresCredential: (namespace) => asked.push(namespace) > 0 });
    expect(messageOf(() => resolve())).toBe('namespace "ns" requires a credential of its own (annotation aso.cdk8s.io/credential-required), and Secret "ns/aso-credential" does not exist: '
      + 'the object waits for it, and the global credential is not used. Create the Secret, or see why the identity that is to fill it is not ready');
    expect(asked).toEqual(['ns']);
    expect(() => resolve()).toThrow(expect.objectContaining({ problem: 'CredentialNotFound' }));
    secrets['ns/aso-credential'] = secret({ ...IDS, AZURE_CLIENT_ID: '99999999-9999-4999-8999-999999999999', AZURE_SUBSCRIPTION_ID: SUBSCRIPTIONS[2]! });
    expect(resolve().source).toBe('ns/aso-credential');
    delete secrets['ns/aso-credential'];
    expect(() => resolve()).toThrow(CredentialError);
  });

  test('where nobody can tell whether the namespace requires one, the global one is not used either', () => {
    const { resolve } = setUp({}, GLOBAL, { requiresCredential: () => { throw new Error('not known yet'); } });
    expect(() => resolve()).toThrow('not known yet');
  });

  test.each<[Record<string, string> | undefined, boolean]>([
    [undefined, false],
    [{}, false],
    [{ [CREDENTIAL_REQUIRED]: 'true' }, true],
    [{ [CREDENTIAL_REQUIRED]: '' }, true],
    [{ [CREDENTIAL_REQUIRED]: 'flase' }, true],
    [{ [CREDENTIAL_REQUIRED]: ' False ' }, false],
    [Object.create({ [CREDENTIAL_REQUIRED]: 'true' }) as Record<string, string>, false],
  ])('annotations %j require one: %s', (annotations, required) => expect(requiresCredential(annotations)).toBe(required));

  test.each<[string, Record<string, string>, boolean, boolean]>([
    ['the client id of the controller', {}, true, true],
    ['it in another case', { AZURE_CLIENT_ID: IDS.AZURE_CLIENT_ID.toUpperCase() }, true, true],
    ['it with a secret, which proves it', { AZURE_CLIENT_SECRET: 's' }, true, false],
    ['it, where none of its own is required', {}, false, false],
    ['another client id', { AZURE_CLIENT_ID: '99999999-9999-4999-8999-999999999999' }, true, false],
  ])('a Secret with %s', (_, more, isRequired, isRefused) => {
    const { resolve } = setUp({ 'ns/aso-credential': secret({ ...IDS, ...more }) }, GLOBAL, { requiresCredential: () => isRequired });
    const resolved = () => resolve();
    if (isRefused) expect(resolved).toThrow('names the identity of the controller itself');
    else expect(resolved).not.toThrow();
  });

  test.each<[string, Record<string, string>, Partial<Parameters<typeof setUp>[2]>, boolean]>([
    ['by workload identity', {}, {}, true],
    ['by the identity of the node', { AUTH_MODE: 'podidentity' }, {}, true],
    ['by the identity of the node, under a strict controller', { AUTH_MODE: 'podidentity' }, { namespaceTokens: { token: async () => 't' } }, true],
    ['with the token of the namespace', {}, { namespaceTokens: { token: async () => 't' } }, false],
    ['with a secret, which proves it', { AZURE_CLIENT_SECRET: 's' }, {}, false],
    ['with a certificate, which proves it', { AZURE_CLIENT_CERTIFICATE: pemOf(selfSigned()) }, {}, false],
  ])("another namespace's identity, %s", (_, more, options, isRefused) => {
    const asked: string[] = [];
    const { resolve } = setUp({ 'ns/aso-credential': secret({ ...IDS, ...more }) }, {}, {
      ...options, identityWithheld: (...question) => { asked.push(question.join(' ')); return 'platform/id-shop'; },
    });
    if (!isRefused) return expect(resolve().source).toBe('ns/aso-credential');
    expect(messageOf(() => resolve())).toBe('Secret "ns/aso-credential" names the client id of UserAssignedIdentity "platform/id-shop", which is in another namespace: '
      + 'it is not used. If this namespace may act as the identity, have the platform annotate Namespace "ns" with aso.cdk8s.io/accepts-credentials-from: platform/id-shop');
    // A Secret that is kept in memory is asked for each time: the identity may have come later.
    expect(() => resolve()).toThrow(CredentialError);
    expect(asked).toEqual(Array.from({ length: 2 }, () => `ns ${IDS.AZURE_CLIENT_ID}`));
  });

  test('while the identities are not known, no identity is borrowed', () => {
    const { resolve } = setUp({ 'ns/aso-credential': secret(IDS) }, {}, { identityWithheld: () => { throw new Error('not known yet'); } });
    expect(() => resolve()).toThrow('not known yet');
  });

  test('errors, to the letter', () => {
    const { resolve } = setUp(
      {
        'ns/poor': secret({ AZURE_CLIENT_ID: 'x' }),
        'ns/poorer': secret({ AZURE_CLIENT_ID: 'x', AZURE_TENANT_ID: 'x' }),
        'ns/aso-credential': secret({}),
      },
      {},
    );
    expect(messageOf(() => resolve({ [FROM]: 'other/x' }))).toBe(
      "serviceoperator.azure.com/credential-from cannot contain '/'. Secret must be in same namespace as resource.",
    );
    expect(messageOf(() => resolve({ [FROM]: 'none' }))).toBe(
      'ns/none does not exist (credential secret not found: Secret "none" not found)',
    );
    expect(messageOf(() => resolve({ [FROM]: '' }))).toMatch(/^ns\/ does not exist \(credential secret not found/);
    expect(messageOf(() => resolve({ [FROM]: 'poor' }))).toBe(
      'failed to get credential "ns/poor": [credential Secret "ns/poor" does not contain key "AZURE_SUBSCRIPTION_ID", credential Secret "ns/poor" does not contain key "AZURE_TENANT_ID"]',
    );
    expect(messageOf(() => resolve({ [FROM]: 'poorer' }))).toBe(
      'failed to get credential "ns/poorer": credential Secret "ns/poorer" does not contain key "AZURE_SUBSCRIPTION_ID"',
    );
    expect(messageOf(() => resolve())).toMatch(/^failed to get credential "ns\/aso-credential"/);
    expect(messageOf(() => resolve({}, 'elsewhere'))).toBe(
      'global credential not configured, you must use either namespaced or per-resource credentials',
    );
  });

  test('an annotation by an inherited name is none', () => {
    const annotations = Object.create({ [FROM]: 'mine' }) as Record<string, string>;
    expect(setUp().resolve(annotations).source).toBe('aso-system/aso-controller-settings');
  });
});

describe('modes of a Secret', () => {
  const certificate = selfSigned();
  const pem = certificate.certificate + certificate.key;
  const options = { authorityHost: 'https://login.microsoftonline.com/', disableInstanceDiscovery: false, additionallyAllowedTenants: [] };

  test.each<[string, Record<string, string | Buffer>, unknown[]]>([
    [
      'client secret, before everything else',
      { AZURE_CLIENT_SECRET: ' s3cret\n', AZURE_CLIENT_CERTIFICATE: pem, AUTH_MODE: 'podidentity' },
      ['ClientSecretCredential', 'tenant', IDS.AZURE_CLIENT_ID, ' s3cret\n', options],
    ],
    [
      'certificate',
      { AZURE_CLIENT_CERTIFICATE: pem },
      ['ClientCertificateCredential', 'tenant', IDS.AZURE_CLIENT_ID, { certificate: expect.stringContaining('PRIVATE KEY') }, options],
    ],
    [
      'certificate in PKCS#12',
      { AZURE_CLIENT_CERTIFICATE: certificate.pkcs12('pw'), AZURE_CLIENT_CERTIFICATE_PASSWORD: 'pw' },
      ['ClientCertificateCredential', 'tenant', IDS.AZURE_CLIENT_ID, { certificate: expect.stringContaining('PRIVATE KEY') }, options],
    ],
    ['managed identity', { AUTH_MODE: 'podidentity' }, ['ManagedIdentityCredential', { clientId: IDS.AZURE_CLIENT_ID }]],
    [
      'workload identity',
      {},
      [
        'WorkloadIdentityCredential',
        { tenantId: 'tenant', clientId: IDS.AZURE_CLIENT_ID, tokenFilePath: '/var/run/secrets/tokens/azure-identity', ...options },
      ],
    ],
    [
      'workload identity, said',
      { AUTH_MODE: 'workloadidentity', AZURE_ADDITIONAL_TENANTS: 'a, b,' },
      [
        'WorkloadIdentityCredential',
        {
          tenantId: 'tenant',
          clientId: IDS.AZURE_CLIENT_ID,
          tokenFilePath: '/var/run/secrets/tokens/azure-identity',
          ...options,
          additionallyAllowedTenants: ['a', 'b'],
        },
      ],
    ],
  ])('%s', async (_, values, expected) => {
    const { resolve, identity } = setUp({ 'ns/aso-credential': secret({ ...IDS, ...values }) });
    resolve();
    expect(await identity()).toEqual(expected);
  });

  test('additional tenants go to the client of the modes that can', () => {
    const tenants = { AZURE_ADDITIONAL_TENANTS: 'a,b' };
    const { resolve, clients } = setUp({
      'one/aso-credential': secret({ ...IDS, ...tenants }),
      'two/aso-credential': secret({ ...IDS, ...tenants, AUTH_MODE: 'podidentity' }),
    });
    resolve({}, 'one');
    resolve({}, 'two');
    expect(clients.slice(-2).map(({ additionalTenants }) => additionalTenants)).toEqual([['a', 'b'], []]);
  });

  test.each<[Record<string, string>, string]>([
    [{ AUTH_MODE: 'magic' }, 'invalid identity auth mode for "ns/aso-credential" encountered: authorization mode "magic" not valid'],
    [{ AZURE_CLIENT_SECRET: '' }, 'credential Secret "ns/aso-credential": key "AZURE_CLIENT_SECRET" is empty'],
    [{ AZURE_CLIENT_ID: ' ' }, 'credential Secret "ns/aso-credential": key "AZURE_CLIENT_ID" is empty'],
    [{ AZURE_SUBSCRIPTION_ID: '' }, 'credential Secret "ns/aso-credential": key "AZURE_SUBSCRIPTION_ID" is empty'],
    [
      { AZURE_TENANT_ID: 'p4ss/w0rd' },
      'credential Secret "ns/aso-credential": key "AZURE_TENANT_ID" is no tenant: a GUID or a domain name is needed',
    ],
    [
      { AZURE_CLIENT_CERTIFICATE: 'p4ss/w0rd' },
      'credential Secret "ns/aso-credential": key "AZURE_CLIENT_CERTIFICATE" is neither PEM nor PKCS#12',
    ],
  ])('malformed: names Secret and key, never the value', (values, message) => {
    const { resolve } = setUp({ 'ns/aso-credential': secret({ ...IDS, ...values }) });
    expect(messageOf(() => resolve())).toBe(message);
  });
});

describe('cloud', () => {
  const own = {
    AZURE_RESOURCE_MANAGER_ENDPOINT: 'https://management.chinacloudapi.cn',
    AZURE_RESOURCE_MANAGER_AUDIENCE: 'https://management.core.chinacloudapi.cn/',
    AZURE_AUTHORITY_HOST: 'https://login.chinacloudapi.cn',
  };
  const listed = '"AZURE_RESOURCE_MANAGER_ENDPOINT", "AZURE_RESOURCE_MANAGER_AUDIENCE", and "AZURE_AUTHORITY_HOST"';

  test('of the settings, for scoped Secrets as well; an authority that Microsoft does not know is not looked up', async () => {
    const local = {
      AZURE_RESOURCE_MANAGER_ENDPOINT: 'https://localhost:1',
      AZURE_RESOURCE_MANAGER_AUDIENCE: 'https://arm',
      AZURE_AUTHORITY_HOST: 'https://localhost:2/',
    };
    const { resolve, clients, identity } = setUp(
      { 'ns/aso-credential': secret({ ...IDS, AZURE_CLIENT_SECRET: 'x' }) },
      { ...GLOBAL, ...local },
    );
    resolve();
    expect(clients).toHaveLength(2);
    for (const client of clients) expect(client).toMatchObject({ endpoint: 'https://localhost:1', audience: 'https://arm' });
    expect((await identity()).at(-1)).toMatchObject({ authorityHost: 'https://localhost:2/', disableInstanceDiscovery: true });
  });

  test('of a Secret, where the controller allows it', async () => {
    const { resolve, clients, identity } = setUp(
      { 'ns/aso-credential': secret({ ...IDS, ...own }) },
      { ...GLOBAL, ALLOW_MULTI_ENV_MANAGEMENT: 'true' },
    );
    resolve();
    expect(clients.at(-1)).toMatchObject({ endpoint: own.AZURE_RESOURCE_MANAGER_ENDPOINT, audience: own.AZURE_RESOURCE_MANAGER_AUDIENCE });
    expect(await identity()).toEqual([
      'WorkloadIdentityCredential',
      expect.objectContaining({ authorityHost: own.AZURE_AUTHORITY_HOST, disableInstanceDiscovery: false }),
    ]);
  });

  test('all keys or none, and only where it is allowed', () => {
    const { AZURE_AUTHORITY_HOST, ...two } = own;
    const { resolve } = setUp({
      'ns/two': secret({ ...IDS, ...two }),
      'ns/one': secret({ ...IDS, AZURE_AUTHORITY_HOST }),
      'ns/three': secret({ ...IDS, ...own }),
    });
    expect(messageOf(() => resolve({ [FROM]: 'two' }))).toBe(
      `credential Secret "ns/two" must specify ALL or NONE of ${listed} (found 2 of 3)`,
    );
    expect(messageOf(() => resolve({ [FROM]: 'one' }))).toBe(
      `credential Secret "ns/one" must specify ALL or NONE of ${listed} (found 1 of 3)`,
    );
    expect(messageOf(() => resolve({ [FROM]: 'three' }))).toBe(
      `credential Secret "ns/three" specifies cloud configuration (${listed}) but "ALLOW_MULTI_ENV_MANAGEMENT" is not enabled`,
    );
  });
});

describe('global credential', () => {
  test.each<[string, Record<string, string>, unknown[]]>([
    [
      'secret',
      { AZURE_CLIENT_SECRET: 's' },
      ['ClientSecretCredential', 'tenant', IDS.AZURE_CLIENT_ID, 's', expect.objectContaining({ additionallyAllowedTenants: [] })],
    ],
    [
      'secret with tenants',
      { AZURE_CLIENT_SECRET: 's', AZURE_ADDITIONALLY_ALLOWED_TENANTS: 'a;b' },
      ['ClientSecretCredential', 'tenant', IDS.AZURE_CLIENT_ID, 's', expect.objectContaining({ additionallyAllowedTenants: ['a', 'b'] })],
    ],
    [
      'workload identity before a secret',
      { USE_WORKLOAD_IDENTITY_AUTH: 'True', AZURE_CLIENT_SECRET: 's', AZURE_FEDERATED_TOKEN_FILE: '/token' },
      ['WorkloadIdentityCredential', expect.objectContaining({ tokenFilePath: '/token' })],
    ],
    [
      'what does not parse is false',
      { USE_WORKLOAD_IDENTITY_AUTH: 'yes', AZURE_CLIENT_SECRET: 's' },
      ['ClientSecretCredential', 'tenant', IDS.AZURE_CLIENT_ID, 's', expect.anything()],
    ],
    ['managed identity at last', {}, ['ManagedIdentityCredential', { clientId: IDS.AZURE_CLIENT_ID }]],
    ['managed identity of the node', { AZURE_CLIENT_ID: '' }, ['ManagedIdentityCredential', {}]],
  ])('%s', async (_, values, expected) => {
    const { identity } = setUp({}, { ...IDS, POD_NAMESPACE: 'p', ...values });
    expect(await identity()).toEqual(expected);
  });

  test('one that cannot be made ends the start', () => {
    expect(messageOf(() => setUp({}, { ...IDS, POD_NAMESPACE: 'p', AZURE_CLIENT_CERTIFICATE: 'p4ss/w0rd' }))).toBe(
      'the controller\'s settings (Secret "p/aso-controller-settings"): key "AZURE_CLIENT_CERTIFICATE" is neither PEM nor PKCS#12',
    );
    expect(messageOf(() => setUp({}, { AZURE_RESOURCE_MANAGER_ENDPOINT: 'nowhere' }))).toMatch(
      /setting AZURE_RESOURCE_MANAGER_ENDPOINT must be a URL/,
    );
  });
});

describe('changes', () => {
  test('the same data keeps its client, other data makes another one', () => {
    const { resolve, clients, secrets } = setUp({ 'ns/aso-credential': secret({ ...IDS, AZURE_CLIENT_SECRET: 'one' }) });
    const first = resolve().client;
    secrets['ns/aso-credential'] = secret({ AZURE_CLIENT_SECRET: 'one', ...IDS });
    expect(resolve().client).toBe(first);
    secrets['ns/aso-credential'] = secret({ ...IDS, AZURE_CLIENT_SECRET: 'two' });
    expect(resolve().client).not.toBe(first);
    expect(clients).toHaveLength(3);
  });

  test('a value that is put under the right key is other data', async () => {
    const { resolve, identity, secrets } = setUp({ 'ns/aso-credential': secret({ ...IDS, AZURE_CLIENT_SECRE: 's' }) });
    resolve();
    expect((await identity())[0]).toBe('WorkloadIdentityCredential');
    secrets['ns/aso-credential'] = secret({ ...IDS, AZURE_CLIENT_SECRET: 's' });
    resolve();
    expect((await identity())[0]).toBe('ClientSecretCredential');
  });

  test('nothing of a Secret that is gone is kept in memory', () => {
    const { resolve, resolver } = setUp({ 'ns/aso-credential': secret({ ...IDS, AZURE_CLIENT_SECRET: 'x' }) });
    const first = resolve().client;
    resolver.forget('ns', 'another');
    expect(resolve().client).toBe(first);
    resolver.forget('ns', 'aso-credential');
    expect(resolve().client).not.toBe(first);
  });

  test('the credential that was used longest ago is forgotten first, not the one that was made first', () => {
    const named = (index: number) => `s${index}`;
    const count = MAX_CACHED_CREDENTIALS + 1;
    const { resolve } = setUp(Object.fromEntries(Array.from({ length: count }, (_, index) => [`ns/${named(index)}`, secret(IDS)])));
    const clientOf = (index: number) => resolve({ [FROM]: named(index) }).client;
    const made = Array.from({ length: MAX_CACHED_CREDENTIALS }, (_, index) => clientOf(index));
    expect(clientOf(0)).toBe(made[0]);
    clientOf(MAX_CACHED_CREDENTIALS);
    expect(clientOf(0)).toBe(made[0]);
    expect(clientOf(2)).toBe(made[2]);
    expect(clientOf(1)).not.toBe(made[1]);
  });

  test('nothing of a Secret is kept whose new content cannot be used', () => {
    const before = secret({ ...IDS, AZURE_CLIENT_SECRET: 'one' });
    const { resolve, secrets } = setUp({ 'ns/aso-credential': before });
    const first = resolve().client;
    secrets['ns/aso-credential'] = secret({ ...IDS, AZURE_CLIENT_ID: 'none' });
    expect(() => resolve()).toThrow('is no GUID');
    secrets['ns/aso-credential'] = before;
    expect(resolve().client).not.toBe(first);
  });

  test('a namespace Secret that comes and goes switches the scope at once', () => {
    const { resolve, secrets } = setUp();
    expect(resolve().source).toBe('aso-system/aso-controller-settings');
    secrets['ns/aso-credential'] = secret(IDS);
    expect(resolve().source).toBe('ns/aso-credential');
    delete secrets['ns/aso-credential'];
    expect(resolve().source).toBe('aso-system/aso-controller-settings');
  });

  test('the resolver keeps no secret for comparison', () => {
    const { resolver, resolve } = setUp({ 'ns/aso-credential': secret({ ...IDS, AZURE_CLIENT_SECRET: 'pl4in' }) }, {});
    resolve();
    const cache = (resolver as unknown as { cache: Map<string, { digest: string }> }).cache;
    expect(JSON.stringify([...cache])).not.toMatch(new RegExp(`pl4in|${Buffer.from('pl4in').toString('base64')}`));
  });
});
