import type { KubernetesObject } from '../../../engine/kubernetes';
import {
  ACCEPTS_CREDENTIALS_FROM,
  MANAGED_BY_NAME,
  MANAGED_BY_NAMESPACE,
  PROPAGATE_TO,
  WORKLOAD_CLIENT_ID,
  WORKLOAD_TENANT_ID,
} from '../../../src/azure/annotations';
import { CredentialEnvironment, OPERATOR_SUBJECT } from '../../engine/credentials/environment';
import { until } from '../../setup/until';

const sorted = (texts: Record<string, string>) => Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
const texts = (object: KubernetesObject | undefined) =>
  sorted(Object.fromEntries(Object.entries(object?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()])));

describe('a team namespace gets its credential from an identity of the platform namespace', () => {
  let environment: CredentialEnvironment;
  const idsOf = (identity: string) => ({
    AZURE_CLIENT_ID: environment.clientIdOf(identity),
    AZURE_TENANT_ID: environment.azure.env.AZURE_TENANT_ID,
    AZURE_SUBSCRIPTION_ID: environment.azure.env.AZURE_SUBSCRIPTION_ID,
    USE_WORKLOAD_IDENTITY_AUTH: 'true',
  });
  const identity = (name: string, targets?: string) =>
    environment.object(
      'UserAssignedIdentity',
      'platform',
      name,
      { owner: { name: 'platform' } },
      targets === undefined ? {} : { [PROPAGATE_TO]: targets },
    );
  const start = () => environment.startController({ AZURE_SUBSCRIPTION_ID: '', AZURE_FEDERATED_TOKEN_FILE: environment.operatorToken() });
  /** The operator may act as the identity. */
  const trust = (owner: string) =>
    environment.object('FederatedIdentityCredential', 'platform', `${owner}-aso`, {
      owner: { name: owner },
      issuer: environment.cluster.tokens.issuer,
      subject: OPERATOR_SUBJECT,
      audiences: ['api://AzureADTokenExchange'],
    });
  const accept = (namespace: string, from: string | null) =>
    environment.annotate('Namespace', '', namespace, { [ACCEPTS_CREDENTIALS_FROM]: from });
  const secret = (namespace: string, name = 'aso-credential') => environment.get('Secret', namespace, name);
  const propagated = (namespace: string, from: string, name?: string) =>
    until(
      `${namespace} has the ids of ${from}`,
      async () => texts(await secret(namespace, name)).AZURE_CLIENT_ID === environment.clientIdOf(from),
    );
  const events = async (of: string): Promise<{ readonly reason: string; readonly message: string }[]> => {
    const answer = await fetch(`${environment.cluster.url}/api/v1/namespaces/platform/events`);
    const { items } = (await answer.json()) as { items: { involvedObject: { name: string }; reason: string; message: string }[] };
    return items.filter(({ involvedObject }) => involvedObject.name === of);
  };
  const reported = (of: string, reason: string, text: string) =>
    until(
      `${reason} of ${of}`,
      async () => (await events(of)).some((event) => event.reason === reason && event.message.includes(text)),
    );

  beforeAll(async () => {
    environment = await CredentialEnvironment.start({ federation: { refuseUnknownClients: false } });
    await environment.namespace('platform');
    start();
    // The global credential is empty: a namespace without a credential can do nothing.
    await environment.secret('platform', 'aso-credential', {
      AZURE_SUBSCRIPTION_ID: environment.azure.env.AZURE_SUBSCRIPTION_ID,
      AZURE_TENANT_ID: environment.azure.env.AZURE_TENANT_ID,
      AZURE_CLIENT_ID: environment.azure.env.AZURE_CLIENT_ID,
      AZURE_CLIENT_SECRET: environment.azure.env.AZURE_CLIENT_SECRET,
    });
    await environment.object('ResourceGroup', 'platform', 'platform');
  });
  afterAll(() => environment.close());

  test('all applied at once, in the wrong order: nothing is empty in between, the team\'s object becomes Ready without a second reconcile', async () => {
    await environment.namespace('team-a');
    await accept('team-a', 'platform/team-a');
    const seen: Record<string, string>[] = [];
    await environment.object('ResourceGroup', 'team-a', 'of-a');
    await environment.reason('CredentialNotFound', 'ResourceGroup', 'team-a', 'of-a');
    await trust('team-a');
    await identity('team-a', 'Secret/team-a/aso-credential');
    await until('the object is Ready', async () => {
      const found = await secret('team-a');
      if (found) seen.push(texts(found));
      return (await environment.ready('ResourceGroup', 'team-a', 'of-a'))?.status === 'True';
    });
    // Every read returned it whole.
    expect(new Set(seen.map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(sorted(idsOf('team-a')))]));
    const written = await secret('team-a');
    expect(written?.metadata.labels).toEqual({ [MANAGED_BY_NAMESPACE]: 'platform', [MANAGED_BY_NAME]: 'team-a' });
    expect(written?.type).toBe('Opaque');
    await reported('team-a', 'CredentialPropagated', 'Secret/team-a/aso-credential');
  });

  test('a namespace, and a service account, that come after the identity is Ready', async () => {
    await identity('late', 'Secret/late/aso-credential,ServiceAccount/late/app,ConfigMap/late/ids');
    await environment.reason('Succeeded', 'UserAssignedIdentity', 'platform', 'late');
    await reported('late', 'CredentialPropagationWaiting', 'namespace late does not exist yet');
    await environment.namespace('late');
    await reported('late', 'CredentialPropagationRefused', 'aso.cdk8s.io/accepts-credentials-from: "platform/late"');
    await accept('late', 'platform/late');
    await propagated('late', 'late');
    await reported('late', 'CredentialPropagationWaiting', 'the service account does not exist yet');
    await environment.account('late', 'app');
    const account = () => environment.get('ServiceAccount', 'late', 'app');
    await until(
      'the account has the client id',
      async () => (await account())?.metadata.annotations?.[WORKLOAD_CLIENT_ID] === environment.clientIdOf('late'),
    );
    expect((await account())?.metadata.annotations?.[WORKLOAD_TENANT_ID]).toBe(environment.azure.env.AZURE_TENANT_ID);
    const { data } = (await environment.get('ConfigMap', 'late', 'ids'))!;
    expect(data).toEqual({
      clientId: environment.clientIdOf('late'),
      principalId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tenantId: environment.azure.env.AZURE_TENANT_ID,
    });
  });

  test('a Secret of the team\'s own stays what it is', async () => {
    await environment.namespace('own');
    await environment.secret('own', 'aso-credential', { AZURE_CLIENT_ID: 'mine' });
    await accept('own', 'platform');
    await identity('own', 'Secret/own/aso-credential');
    await reported('own', 'CredentialPropagationRefused', 'exists and was not written by this controller');
    expect(texts(await secret('own'))).toEqual({ AZURE_CLIENT_ID: 'mine' });
  });

  test('an identity that is replaced: the Secret stays in use, and gets the new client id', async () => {
    const before = environment.clientIdOf('team-a');
    // Its users stay, so the deletion would wait for them.
    await environment.annotate('UserAssignedIdentity', 'platform', 'team-a', { 'aso.cdk8s.io/delete-in-use': 'true' });
    await environment.delete('UserAssignedIdentity', 'platform', 'team-a');
    await until(
      'the identity is gone',
      async () => (await environment.get('UserAssignedIdentity', 'platform', 'team-a')) === undefined,
    );
    expect(texts(await secret('team-a')).AZURE_CLIENT_ID).toBe(before);
    await until(
      'its federated credential is gone',
      async () => (await environment.get('FederatedIdentityCredential', 'platform', 'team-a-aso')) === undefined,
    );
    await trust('team-a');
    await identity('team-a', 'Secret/team-a/aso-credential');
    await environment.reason('Succeeded', 'UserAssignedIdentity', 'platform', 'team-a');
    expect(environment.clientIdOf('team-a')).not.toBe(before);
    await propagated('team-a', 'team-a');
  });

  test('a controller that starts anew writes nothing', async () => {
    const before = (await secret('team-a'))?.metadata.resourceVersion;
    await environment.stopController();
    start();
    await environment.object('ResourceGroup', 'team-a', 'another');
    await environment.reason('Succeeded', 'ResourceGroup', 'team-a', 'another');
    expect((await secret('team-a'))?.metadata.resourceVersion).toBe(before);
  });

  test('without consent a credential in use stays until its last user is deleted, in Azure too', async () => {
    await accept('team-a', null);
    await reported('team-a', 'CredentialKept', 'stays until no object of its namespace uses it');
    await environment.delete('ResourceGroup', 'team-a', 'of-a');
    await until('one is gone', async () => (await environment.get('ResourceGroup', 'team-a', 'of-a')) === undefined);
    expect(await secret('team-a')).toBeDefined();
    await environment.delete('ResourceGroup', 'team-a', 'another');
    await until('the Secret is gone', async () => (await secret('team-a')) === undefined);
    for (const name of ['of-a', 'another']) expect(environment.azure.resources().map((resource) => resource.name)).not.toContain(name);
    await reported('team-a', 'CredentialTakenBack', 'Secret/team-a/aso-credential');
    await environment.delete('UserAssignedIdentity', 'platform', 'late');
    await until('the Secret and the ConfigMap are gone', async () =>
      (await secret('late')) === undefined && (await environment.get('ConfigMap', 'late', 'ids')) === undefined);
    const annotations = async () => (await environment.get('ServiceAccount', 'late', 'app'))?.metadata.annotations ?? {};
    await until('the service account is cleared', async () => Object.keys(await annotations()).length === 0);
  });
});
