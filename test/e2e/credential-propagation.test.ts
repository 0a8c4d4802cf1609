import { describeWithKubectl, kubectl, manifestFile, startController, type TestCluster } from './cluster';
import { clusters } from './clusters';
import { Catalog } from '../../src/catalog';
import { until } from '../setup/until';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const namespace = (name: string, annotations = {}) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, annotations } });
const inPlatform = (group: string, kind: string, name: string, spec: object, annotations = {}) => {
  const { facts } = Catalog.default().kind(group, kind)!;
  return { apiVersion: `${group}/${facts.storageVersion}`, kind, metadata: { name, namespace: 'platform', annotations }, spec };
};
const targets = { 'aso.cdk8s.io/propagate-credentials-to': 'Secret/team-f/team-credential,ServiceAccount/team-f/app,ConfigMap/team-f/ids' };

/** Dependent objects come first. */
const objects = manifestFile([
  namespace('platform'),
  inPlatform('managedidentity.azure.com', 'UserAssignedIdentity', 'team-f', { owner: { name: 'group' }, location: 'uksouth' }, targets),
  inPlatform('resources.azure.com', 'ResourceGroup', 'group', { location: 'uksouth' }),
]);
const later = manifestFile([
  namespace('team-f', { 'aso.cdk8s.io/accepts-credentials-from': 'platform/team-f' }),
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'app', namespace: 'team-f' } },
]);

describeWithKubectl('ids of an identity in another namespace', () =>
  describe.each(clusters)('against $name', ({ start }) => {
    let cluster: TestCluster;
    let controller: ReturnType<typeof startController> | undefined;
    const get = (plural: string, name: string) => cluster.api.find(`/api/v1/namespaces/team-f/${plural}/${name}`);
    const secret = async (): Promise<Record<string, string> | undefined> => (await get('secrets', 'team-credential'))?.data;
    const clientId = async (): Promise<string | undefined> => (await get('configmaps', 'ids'))?.data?.clientId;
    const account = async (): Promise<string | undefined> => (
      (await get('serviceaccounts', 'app'))?.metadata.annotations?.['azure.workload.identity/client-id']);
    const isNothingLeft = async () => [await secret(), await get('configmaps', 'ids'), await account()].every((value) => value === undefined);
    beforeAll(async () => {
      cluster = await start();
      controller = startController(cluster);
    });
    afterAll(async () => {
      await controller?.kill();
      await cluster?.close();
    });

    test('are written when the namespace comes, follow the consent, and go with the identity', async () => {
      kubectl(cluster, 'apply', '-f', objects);
      kubectl(cluster, 'wait', '--for=condition=Ready', '-n', 'platform', 'userassignedidentities/team-f', '--timeout=60s');
      kubectl(cluster, 'apply', '-f', later);
      await until('all three are written', async () => [(await secret())?.AZURE_CLIENT_ID, await clientId(), await account()].every(Boolean));
      const texts = Object.fromEntries(Object.entries((await secret())!).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
      const id = expect.stringMatching(UUID);
      expect(texts).toEqual({
        AZURE_CLIENT_ID: await account(),
        AZURE_TENANT_ID: id,
        AZURE_SUBSCRIPTION_ID: id,
        USE_WORKLOAD_IDENTITY_AUTH: 'true',
      });
      expect(await clientId()).toBe(await account());
      expect(await account()).toMatch(UUID);
      expect(kubectl(cluster, 'get', 'events', '-n', 'platform', '-o', 'jsonpath={.items[*].reason}')).toContain('CredentialPropagated');

      kubectl(cluster, 'apply', '-f', later);
      expect(await account()).toMatch(UUID);
      kubectl(cluster, 'annotate', 'namespace', 'team-f', 'aso.cdk8s.io/accepts-credentials-from-');
      await until('all is taken back', isNothingLeft);
      kubectl(cluster, 'annotate', 'namespace', 'team-f', 'aso.cdk8s.io/accepts-credentials-from=platform');
      await until('all is there again', async () => await secret() !== undefined && await account() !== undefined);
      kubectl(cluster, 'delete', '-n', 'platform', 'userassignedidentities/team-f', '--timeout=60s');
      await until('nothing is left', isNothingLeft);
    });
  }),
);
