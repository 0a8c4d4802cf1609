import { ACCEPTS_CREDENTIALS_FROM, PROPAGATE_TO } from '../../../src/azure/annotations';
import { CredentialEnvironment, OPERATOR_SUBJECT } from '../../engine/credentials/environment';

const CONTRIBUTOR = 'b24988ac-6180-42a0-ab88-20f7382dd24c';
/** Azure's seconds; at this time scale, and with retries that come as much sooner, a test's second or two. */
const DELAY = 100;

test('an identity, its trust and its role that nobody knows for 100 s: the team\'s object is Ready once they are known, and its condition never goes back', async () => {
  const environment = await CredentialEnvironment.start({ timeScale: 20, principalDelaySeconds: DELAY });
  try {
    const { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET } = environment.azure.env;
    await environment.namespace('platform');
    await environment.namespace('team-a');
    await environment.annotate('Namespace', '', 'team-a', { [ACCEPTS_CREDENTIALS_FROM]: 'platform' });
    await environment.secret('platform', 'aso-credential', {
      AZURE_SUBSCRIPTION_ID,
      AZURE_TENANT_ID,
      AZURE_CLIENT_ID,
      AZURE_CLIENT_SECRET,
    });
    environment.startController({ AZURE_SUBSCRIPTION_ID: '', AZURE_FEDERATED_TOKEN_FILE: environment.operatorToken() });

    await environment.object('ResourceGroup', 'platform', 'team-group');
    await environment.object('UserAssignedIdentity', 'platform', 'team-a', {
      owner: { name: 'team-group' }, operatorSpec: { configMaps: { principalId: { name: 'team-a', key: 'principalId' } } },
    }, { [PROPAGATE_TO]: 'Secret/team-a/aso-credential' });
    await environment.object('FederatedIdentityCredential', 'platform', 'team-a-aso', {
      owner: { name: 'team-a' },
      issuer: environment.cluster.tokens.issuer,
      subject: OPERATOR_SUBJECT,
      audiences: ['api://AzureADTokenExchange'],
    });
    // No principal type: Azure then asks its directory.
    await environment.object('RoleAssignment', 'platform', 'team-a-contributor', {
      owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'team-group' },
      principalIdFromConfig: { name: 'team-a', key: 'principalId' },
      roleDefinitionReference: {
        armId: `/subscriptions/${AZURE_SUBSCRIPTION_ID}/providers/Microsoft.Authorization/roleDefinitions/${CONTRIBUTOR}`,
      },
    });
    await environment.object('UserAssignedIdentity', 'team-a', 'app', {
      owner: { armId: `/subscriptions/${AZURE_SUBSCRIPTION_ID}/resourceGroups/team-group` },
    });

    const reasons: string[] = [];
    let isReady = false;
    for (let tries = 0; tries < 1_200 && !isReady; tries += 1) {
      const ready = await environment.ready('UserAssignedIdentity', 'team-a', 'app');
      if (ready && reasons.at(-1) !== ready.reason) reasons.push(ready.reason);
      isReady = ready?.status === 'True';
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect([isReady, reasons]).toEqual([true, [...new Set(reasons)]]);
    // Which of them it meets depends on when it tries.
    const known = [
      'Reconciling',
      'CredentialNotFound',
      'CredentialRejected',
      'FederatedCredentialNotFound',
      'AuthorizationFailed',
      'Succeeded',
    ];
    expect(reasons.filter((reason) => !known.includes(reason))).toEqual([]);
    expect((await environment.ready('RoleAssignment', 'platform', 'team-a-contributor'))?.status).toBe('True');
    // The team's identity has created it, and no other identity has tried.
    const asked = environment.azure.log().filter(({ path }) => path.endsWith('/userAssignedIdentities/app'));
    expect(new Set(asked.map(({ client }) => client))).toEqual(new Set([environment.clientIdOf('team-a')]));
    expect(asked.filter(({ created }) => created)).toHaveLength(1);
  } finally {
    await environment.close();
  }
});
