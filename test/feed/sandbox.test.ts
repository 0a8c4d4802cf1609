import type { KubernetesObject } from '../../controller/kubernetes';
import { ACCEPTS_CREDENTIALS_FROM, FED_BY_NAME, FED_BY_NAMESPACE, FEEDS } from '../../src/azure/credential-feeds';
import { CredentialWorld } from '../credentials/world';
import { until } from '../e2e/until';

const texts = (object: KubernetesObject | undefined) =>
  Object.fromEntries(Object.entries(object?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));

describe('a team namespace gets its credential from an identity of the platform namespace', () => {
  let world: CredentialWorld;
  const idsOf = (identity: string) => ({
    AZURE_CLIENT_ID: world.clientIdOf(identity),
    AZURE_TENANT_ID: world.azure.env.AZURE_TENANT_ID,
    AZURE_SUBSCRIPTION_ID: world.azure.env.AZURE_SUBSCRIPTION_ID,
    USE_WORKLOAD_IDENTITY_AUTH: 'true',
  });
  const identity = (name: string, feeds?: string) =>
    world.object('UserAssignedIdentity', 'platform', name, { owner: { name: 'platform' } }, feeds === undefined ? {} : { [FEEDS]: feeds });
  const accept = (namespace: string, from: string | null) => world.annotate('Namespace', '', namespace, { [ACCEPTS_CREDENTIALS_FROM]: from });
  const secret = (namespace: string, name = 'aso-credential') => world.get('Secret', namespace, name);
  const fed = (namespace: string, from: string, name?: string) =>
    until(`${namespace} has the ids of ${from}`, async () => texts(await secret(namespace, name)).AZURE_CLIENT_ID === world.clientIdOf(from), 20);
  const events = async (of: string): Promise<{ readonly reason: string; readonly message: string }[]> => {
    const answer = await fetch(`${world.cluster.url}/api/v1/namespaces/platform/events`);
    const { items } = (await answer.json()) as { items: { involvedObject: { name: string }; reason: string; message: string }[] };
    return items.filter(({ involvedObject }) => involvedObject.name === of);
  };
  const told = (of: string, reason: string, text: string) =>
    until(`${reason} of ${of}`, async () => (await events(of)).some((event) => event.reason === reason && event.message.includes(text)), 20);

  beforeAll(async () => {
    world = await CredentialWorld.start({ federation: { refuseUnknownClients: false } });
    await world.namespace('platform');
    world.startController({ AZURE_SUBSCRIPTION_ID: '' });
    // The global credential is empty, as with the model platform: a namespace without a credential can do nothing.
    await world.secret('platform', 'aso-credential', {
      AZURE_SUBSCRIPTION_ID: world.azure.env.AZURE_SUBSCRIPTION_ID,
      AZURE_TENANT_ID: world.azure.env.AZURE_TENANT_ID,
      AZURE_CLIENT_ID: world.azure.env.AZURE_CLIENT_ID,
      AZURE_CLIENT_SECRET: world.azure.env.AZURE_CLIENT_SECRET,
    });
    await world.object('ResourceGroup', 'platform', 'platform');
  });
  afterAll(() => world.close());

  test('all applied at once, in the wrong order: nothing is empty in between, the team\'s object becomes Ready without a second pass', async () => {
    await world.namespace('team-a');
    await accept('team-a', 'platform/team-a');
    const seen: (string | undefined)[] = [];
    const team = await world.object('ResourceGroup', 'team-a', 'of-a');
    expect(team.metadata.name).toBe('of-a');
    await world.reason('CredentialNotFound', 'ResourceGroup', 'team-a', 'of-a');
    await identity('team-a', 'Secret/team-a/aso-credential');
    await until('the Secret is there', async () => {
      const found = await secret('team-a');
      if (found) seen.push(texts(found).AZURE_CLIENT_ID);
      return found !== undefined;
    }, 20);
    expect(seen).toEqual([world.clientIdOf('team-a')]);
    const written = await secret('team-a');
    expect(texts(written)).toEqual(idsOf('team-a'));
    expect(written?.metadata.labels).toEqual({ [FED_BY_NAMESPACE]: 'platform', [FED_BY_NAME]: 'team-a' });
    expect(written?.type).toBe('Opaque');
    await told('team-a', 'CredentialFed', 'Secret/team-a/aso-credential');
    // The object that waited has been tried with it.
    await until('the object uses it', async () => (await world.ready('ResourceGroup', 'team-a', 'of-a'))?.reason !== 'CredentialNotFound', 10);
  });
});
