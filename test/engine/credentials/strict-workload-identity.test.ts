import { CredentialEnvironment, OPERATOR_SUBJECT } from './environment';

/** Two teams, each with an identity of its own; the one of team-a trusts the controller's own service account as well. */
async function twoTeams(environment: Record<string, string>, forbidden?: string): Promise<CredentialEnvironment> {
  const operator = '9b0f6a1e-3d9c-4b52-8c1f-2f6a7d1c5e42';
  const issuer = 'https://kubernetes.default.svc.cluster.local';
  const env = await CredentialEnvironment.start(
    { federation: { credentials: [{ clientId: operator, issuer, subject: OPERATOR_SUBJECT }], delaySeconds: 300 } },
    {
      intercept: ({ path }) =>
        forbidden && path === `/api/v1/namespaces/${forbidden}/serviceaccounts/aso-workload/token`
          ? {
            code: 403,
            reason: 'Forbidden',
            message: 'serviceaccounts "aso-workload" is forbidden: User "aso" cannot create resource "serviceaccounts/token"',
          }
          : undefined,
    },
  );
  for (const name of ['platform', 'team-a', 'team-b', 'team-c', 'team-d']) await env.namespace(name);
  // The controller's own credential is workload identity as well: strict mode leaves it alone.
  env.startController({
    USE_WORKLOAD_IDENTITY_AUTH: 'true',
    AZURE_CLIENT_ID: operator,
    AZURE_CLIENT_SECRET: '',
    AZURE_FEDERATED_TOKEN_FILE: env.operatorToken(),
    ...environment,
  });
  await env.object('ResourceGroup', 'platform', 'platform');
  const federation = (owner: string, name: string, subject: string) =>
    env.object('FederatedIdentityCredential', 'platform', name, {
      owner: { name: owner },
      issuer,
      subject,
      audiences: ['api://AzureADTokenExchange'],
    });
  for (const team of ['team-a', 'team-b']) {
    await env.object('UserAssignedIdentity', 'platform', `${team}-identity`, { owner: { name: 'platform' } });
    await federation(`${team}-identity`, `${team}-own`, `system:serviceaccount:${team}:aso-workload`);
  }
  await federation('team-a-identity', 'team-a-operator', OPERATOR_SUBJECT);
  for (const name of ['team-a-own', 'team-b-own', 'team-a-operator']) {
    await env.reason('Succeeded', 'FederatedIdentityCredential', 'platform', name);
  }
  return env;
}

const idsOf = (env: CredentialEnvironment, clientId: string) => ({
  AZURE_SUBSCRIPTION_ID: env.azure.env.AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID: env.azure.env.AZURE_TENANT_ID, AZURE_CLIENT_ID: clientId,
});

describe('docs/spec/workload-identity.md#contract', () => {
  let env: CredentialEnvironment;
  beforeAll(async () => {
    env = await twoTeams({ AZURE_WORKLOAD_IDENTITY_AUTH_MODE: 'strict' }, 'team-d');
  });
  afterAll(() => env.close());

  test('a namespace that names its own identity gets a token, after a while that a new federated credential takes', async () => {
    await env.account('team-a');
    await env.secret('team-a', 'aso-credential', idsOf(env, env.clientIdOf('team-a-identity')));
    await env.object('ResourceGroup', 'team-a', 'of-a');
    await env.reason('Succeeded', 'ResourceGroup', 'team-a', 'of-a');
    expect(env.requestsOf('of-a').filter(({ method }) => method === 'PUT')).toEqual([{ method: 'PUT', status: 201 }]);
  });

  test.each([
    ['namespace', 'aso-credential', {}],
    ['object', 'borrowed', { 'serviceoperator.azure.com/credential-from': 'borrowed' }],
  ])(
    "a namespace that names another namespace's client id gets a condition, not a token: credential of the %s",
    async (scope, secret, annotations) => {
      const clientId = env.clientIdOf('team-a-identity');
      if (scope === 'namespace') await env.account('team-b');
      await env.secret('team-b', secret, idsOf(env, clientId));
      const name = `thief-of-${scope}`;
      await env.object('ResourceGroup', 'team-b', name, {}, annotations);
      const condition = await env.reason('FederatedCredentialNotFound', 'ResourceGroup', 'team-b', name);
      expect(condition).toMatchObject({ status: 'False', severity: 'Warning' });
      expect(condition.message).toContain(`no federated credential of the identity with client id "${clientId}" (credential Secret "team-b/${secret}") names this service account`);
      expect(condition.message).toContain('subject "system:serviceaccount:team-b:aso-workload"');
      expect(condition.message).toContain('AADSTS700213');
      expect(condition.message).not.toMatch(/eyJ/);
      // Without a token nothing reaches Resource Manager.
      expect(env.requestsOf(name)).toEqual([]);
    });

  test('with its own client id it is Ready: no restart, no other change', async () => {
    await env.secret('team-b', 'aso-credential', idsOf(env, env.clientIdOf('team-b-identity')));
    await env.reason('Succeeded', 'ResourceGroup', 'team-b', 'thief-of-namespace');
  });

  test('a missing service account is named, and nothing falls back to the controller\'s token', async () => {
    // The controller's token would be taken: this identity trusts it.
    await env.secret('team-c', 'aso-credential', idsOf(env, env.clientIdOf('team-a-identity')));
    await env.object('ResourceGroup', 'team-c', 'of-c');
    const { message } = await env.reason('ServiceAccountNotFound', 'ResourceGroup', 'team-c', 'of-c');
    expect(message).toContain('service account "team-c/aso-workload" does not exist; create it');
    expect(env.requestsOf('of-c')).toEqual([]);
    await env.account('team-c');
    await env.reason('FederatedCredentialNotFound', 'ResourceGroup', 'team-c', 'of-c');
  });

  test('a missing grant is named, with the rule that is missing', async () => {
    await env.account('team-d');
    await env.secret('team-d', 'aso-credential', idsOf(env, env.clientIdOf('team-a-identity')));
    await env.object('ResourceGroup', 'team-d', 'of-d');
    const { message, severity } = await env.reason('ServiceAccountTokenForbidden', 'ResourceGroup', 'team-d', 'of-d');
    expect(severity).toBe('Warning');
    expect(message).toContain('grant it "create" on "serviceaccounts/token" with resourceNames ["aso-workload"]');
    expect(env.requestsOf('of-d')).toEqual([]);
  });
});

test('relaxed, the gap that strict closes: whoever names an identity that trusts the controller gets its token', async () => {
  const env = await twoTeams({});
  try {
    await env.secret('team-b', 'aso-credential', idsOf(env, env.clientIdOf('team-a-identity')));
    await env.object('ResourceGroup', 'team-b', 'borrowed');
    await env.reason('Succeeded', 'ResourceGroup', 'team-b', 'borrowed');
    // And one that trusts only its own namespace is of no use to the controller.
    await env.secret('team-a', 'aso-credential', idsOf(env, env.clientIdOf('team-b-identity')));
    await env.object('ResourceGroup', 'team-a', 'refused');
    const { message } = await env.reason('FederatedCredentialNotFound', 'ResourceGroup', 'team-a', 'refused');
    expect(message).toContain(`subject "${OPERATOR_SUBJECT}"`);
  } finally {
    await env.close();
  }
});
