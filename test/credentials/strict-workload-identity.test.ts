import { CredentialWorld, OPERATOR_SUBJECT } from './world';

/** Two teams, each with an identity of its own; the one of team-a trusts the controller's own service account as well. */
async function twoTeams(environment: Record<string, string>, forbidden?: string): Promise<CredentialWorld> {
  const operator = '9b0f6a1e-3d9c-4b52-8c1f-2f6a7d1c5e42';
  const issuer = 'https://kubernetes.default.svc.cluster.local';
  const world = await CredentialWorld.start(
    { federation: { credentials: [{ clientId: operator, issuer, subject: OPERATOR_SUBJECT }], delaySeconds: 300 } },
    {
      intercept: ({ path }) => (forbidden && path === `/api/v1/namespaces/${forbidden}/serviceaccounts/aso-workload/token`
        ? { code: 403, reason: 'Forbidden', message: 'serviceaccounts "aso-workload" is forbidden: User "aso" cannot create resource "serviceaccounts/token"' } : undefined),
    });
  for (const name of ['platform', 'team-a', 'team-b', 'team-c', 'team-d']) await world.namespace(name);
  // The controller's own credential is workload identity as well: strict mode leaves it alone.
  world.startController({ USE_WORKLOAD_IDENTITY_AUTH: 'true', AZURE_CLIENT_ID: operator, AZURE_CLIENT_SECRET: '', AZURE_FEDERATED_TOKEN_FILE: world.operatorToken(), ...environment });
  await world.object('ResourceGroup', 'platform', 'platform');
  const federation = (owner: string, name: string, subject: string) =>
    world.object('FederatedIdentityCredential', 'platform', name, { owner: { name: owner }, issuer, subject, audiences: ['api://AzureADTokenExchange'] });
  for (const team of ['team-a', 'team-b']) {
    await world.object('UserAssignedIdentity', 'platform', `${team}-identity`, { owner: { name: 'platform' } });
    await federation(`${team}-identity`, `${team}-own`, `system:serviceaccount:${team}:aso-workload`);
  }
  await federation('team-a-identity', 'team-a-operator', OPERATOR_SUBJECT);
  for (const name of ['team-a-own', 'team-b-own', 'team-a-operator']) await world.reason('Succeeded', 'FederatedIdentityCredential', 'platform', name);
  return world;
}

const idsOf = (world: CredentialWorld, clientId: string) => ({
  AZURE_SUBSCRIPTION_ID: world.azure.env.AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID: world.azure.env.AZURE_TENANT_ID, AZURE_CLIENT_ID: clientId,
});

describe('docs/spec/workload-identity.md#contract', () => {
  let world: CredentialWorld;
  beforeAll(async () => {
    world = await twoTeams({ AZURE_WORKLOAD_IDENTITY_AUTH_MODE: 'strict' }, 'team-d');
  });
  afterAll(() => world.close());

  test('a namespace that names its own identity gets a token, after a while that a new federated credential takes', async () => {
    await world.account('team-a');
    await world.secret('team-a', 'aso-credential', idsOf(world, world.clientIdOf('team-a-identity')));
    await world.object('ResourceGroup', 'team-a', 'of-a');
    await world.reason('Succeeded', 'ResourceGroup', 'team-a', 'of-a');
    expect(world.requestsOf('of-a').filter(({ method }) => method === 'PUT')).toEqual([{ method: 'PUT', status: 201 }]);
  });

  test.each([['namespace', 'aso-credential', {}], ['object', 'borrowed', { 'serviceoperator.azure.com/credential-from': 'borrowed' }]])(
    'a namespace that names another namespace\'s client id gets a condition, not a token: credential of the %s', async (scope, secret, annotations) => {
      const clientId = world.clientIdOf('team-a-identity');
      if (scope === 'namespace') await world.account('team-b');
      await world.secret('team-b', secret, idsOf(world, clientId));
      const name = `thief-of-${scope}`;
      await world.object('ResourceGroup', 'team-b', name, {}, annotations);
      const condition = await world.reason('FederatedCredentialNotFound', 'ResourceGroup', 'team-b', name);
      expect(condition).toMatchObject({ status: 'False', severity: 'Warning' });
      expect(condition.message).toContain(`no federated credential of the identity with client id "${clientId}" (credential Secret "team-b/${secret}") names this service account`);
      expect(condition.message).toContain('subject "system:serviceaccount:team-b:aso-workload"');
      expect(condition.message).toContain('AADSTS700213');
      expect(condition.message).not.toMatch(/eyJ/);
      // Without a token nothing reaches Resource Manager.
      expect(world.requestsOf(name)).toEqual([]);
    });

  test('with its own client id it is Ready: no restart, no other change', async () => {
    await world.secret('team-b', 'aso-credential', idsOf(world, world.clientIdOf('team-b-identity')));
    await world.reason('Succeeded', 'ResourceGroup', 'team-b', 'thief-of-namespace');
  });

  test('a missing service account is named, and nothing falls back to the controller\'s token', async () => {
    // The controller's token would be taken: this identity trusts it.
    await world.secret('team-c', 'aso-credential', idsOf(world, world.clientIdOf('team-a-identity')));
    await world.object('ResourceGroup', 'team-c', 'of-c');
    const { message } = await world.reason('ServiceAccountNotFound', 'ResourceGroup', 'team-c', 'of-c');
    expect(message).toContain('service account "team-c/aso-workload" does not exist; create it');
    expect(world.requestsOf('of-c')).toEqual([]);
    await world.account('team-c');
    await world.reason('FederatedCredentialNotFound', 'ResourceGroup', 'team-c', 'of-c');
  });

  test('a missing grant is named, with the rule that is missing', async () => {
    await world.account('team-d');
    await world.secret('team-d', 'aso-credential', idsOf(world, world.clientIdOf('team-a-identity')));
    await world.object('ResourceGroup', 'team-d', 'of-d');
    const { message, severity } = await world.reason('ServiceAccountTokenForbidden', 'ResourceGroup', 'team-d', 'of-d');
    expect(severity).toBe('Warning');
    expect(message).toContain('grant it "create" on "serviceaccounts/token" with resourceNames ["aso-workload"]');
    expect(world.requestsOf('of-d')).toEqual([]);
  });
});

test('relaxed, the gap that strict closes: whoever names an identity that trusts the controller gets its token', async () => {
  const world = await twoTeams({});
  try {
    await world.secret('team-b', 'aso-credential', idsOf(world, world.clientIdOf('team-a-identity')));
    await world.object('ResourceGroup', 'team-b', 'borrowed');
    await world.reason('Succeeded', 'ResourceGroup', 'team-b', 'borrowed');
    // And one that trusts only its own namespace is of no use to the controller.
    await world.secret('team-a', 'aso-credential', idsOf(world, world.clientIdOf('team-b-identity')));
    await world.object('ResourceGroup', 'team-a', 'refused');
    const { message } = await world.reason('FederatedCredentialNotFound', 'ResourceGroup', 'team-a', 'refused');
    expect(message).toContain(`subject "${OPERATOR_SUBJECT}"`);
  } finally {
    await world.close();
  }
});
