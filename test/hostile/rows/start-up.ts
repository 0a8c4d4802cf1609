import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultyKubernetes, type Disturbance, type ProxiedRequest } from '../../e2e/faulty-kubernetes';
import { MortalController } from '../../e2e/kill/mortal-controller';
import { until } from '../../setup/until';
import type { Attack } from '../attack';
import { OPERATOR_NAMESPACE, type HostileEnvironment } from '../hostile-environment';

const POLICY = 'serviceoperator.azure.com/reconcile-policy';
const OTHER_SUBSCRIPTION = '22222222-2222-4222-8222-222222222222';
const LOCATION = { location: 'uksouth' };
const IN_RG = { location: 'uksouth', owner: { name: 'rg' } };

const listOf = (resource: string) => (request: ProxiedRequest) => request.isList && request.resource === resource;
const watchOf = (resource: string) => (request: ProxiedRequest) => request.isWatch && request.resource === resource;

/** Disturbs until the returned function is called. */
function disturb(environment: HostileEnvironment, which: (request: ProxiedRequest) => boolean, how: Disturbance): () => void {
  environment.proxy.disturb = (request) => (which(request) ? how : undefined);
  return () => (environment.proxy.disturb = undefined);
}

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1_000));
const isWaiting = (...texts: string[]) => ({ status, reason, message = '' }: { status: string; reason: string; message?: string }) =>
  status === 'False' && reason === 'CacheNotSynced' && texts.every((text) => message.includes(text));

async function restart({ controller }: HostileEnvironment): Promise<void> {
  const { starts } = controller!;
  controller!.kill();
  await until('the controller starts again', () => controller!.starts > starts);
}

/** Like `environment.secret`, of values that the controller's own settings show as well. */
async function ownCredential(environment: HostileEnvironment, namespace: string): Promise<void> {
  const { AZURE_TENANT_ID = '', AZURE_CLIENT_ID = '', AZURE_CLIENT_SECRET = '' } = environment.azure.env;
  const texts = { AZURE_SUBSCRIPTION_ID: OTHER_SUBSCRIPTION, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET };
  const data = Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
  environment.secrets.push(AZURE_CLIENT_SECRET);
  await environment.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aso-credential', namespace }, data });
}

async function gone(environment: HostileEnvironment, kind: string, namespace: string, name: string): Promise<void> {
  await until(`${kind} ${namespace}/${name} is gone`, async () => (await environment.get(kind, namespace, name)) === undefined);
}

/**
 * A namespace whose policy says to keep what is in Azure, with a resource group that is made, and then deleted while the controller starts.
 */
async function deletedUnderDetach(environment: HostileEnvironment, whileStarting: () => Promise<void>): Promise<void> {
  await environment.namespace('team', { [POLICY]: 'detach-on-delete' });
  await environment.object('team', 'ResourceGroup', 'kept', LOCATION);
  await environment.isReady('ResourceGroup', 'team', 'kept');
  await whileStarting();
  expect(environment.writes('/resourcegroups/kept').filter(({ method }) => method === 'DELETE')).toEqual([]);
  await gone(environment, 'ResourceGroup', 'team', 'kept');
  expect(environment.writes('/resourcegroups/kept').filter(({ method }) => method === 'DELETE')).toEqual([]);
}

/** Lists that come late, in pieces or never. */
export const startUp: readonly Attack[] = [
  {
    id: 'namespaces-late-at-a-deletion',
    who: 'the API server',
    what: 'answers the list of namespaces 12 s after the start, and an object is deleted whose namespace says detach-on-delete',
    holds: 'nothing is deleted in Azure; the object goes when the policy is known',
    mayRestart: true,
    async run(environment) {
      await deletedUnderDetach(environment, async () => {
        const end = disturb(environment, listOf('namespaces'), { delayMs: 12_000 });
        await restart(environment);
        await environment.delete('ResourceGroup', 'team', 'kept');
        await seconds(8);
        expect((await environment.get('ResourceGroup', 'team', 'kept'))?.metadata.finalizers).toHaveLength(1);
        await seconds(6);
        end();
      });
    },
  },
  {
    id: 'namespaces-refused',
    who: 'an administrator who has taken a right away',
    what: 'the list of namespaces is answered 403, and a namespace with the policy skip has a new object',
    holds: 'nothing is sent, the object and /readyz say which list is refused, and after it is allowed the policy holds',
    environment: { startsLater: true },
    async run(environment) {
      const end = disturb(environment, listOf('namespaces'), { status: 403, message: 'namespaces is forbidden' });
      await environment.namespace('team', { [POLICY]: 'skip' });
      await environment.object('team', 'ResourceGroup', 'watched', LOCATION);
      await environment.startController({ waits: false });
      await environment.becomes('ResourceGroup', 'team', 'watched', isWaiting('namespaces', '403'));
      expect(await environment.health('/readyz')).toMatchObject({ status: 503, text: expect.stringContaining('namespaces') });
      expect(environment.writes()).toEqual([]);
      end();
      await environment.becomes('ResourceGroup', 'team', 'watched', ({ reason }) => reason === 'AzureResourceNotFound');
      await until('the controller is ready', async () => (await environment.health('/readyz')).status === 200);
      expect(environment.writes('/resourcegroups/watched')).toEqual([]);
    },
  },
  {
    id: 'namespaces-cut-in-the-middle',
    who: 'the network',
    what: 'each list of namespaces breaks off after 200 bytes for 8 s, while an object is deleted under detach-on-delete',
    holds: 'nothing is deleted in Azure',
    mayRestart: true,
    async run(environment) {
      await deletedUnderDetach(environment, async () => {
        const end = disturb(environment, listOf('namespaces'), { cutAfterBytes: 200 });
        await restart(environment);
        await environment.delete('ResourceGroup', 'team', 'kept');
        await seconds(8);
        end();
      });
    },
  },
  {
    id: 'secrets-never-listed',
    who: 'the API server',
    what: 'never answers the list of Secrets, and a namespace has a credential of its own',
    holds: 'the object waits and is not made with the global credential; it is made with its own when the list comes',
    environment: { startsLater: true },
    async run(environment) {
      const end = disturb(environment, listOf('secrets'), 'hang');
      await environment.namespace('team');
      await ownCredential(environment, 'team');
      await environment.object('team', 'ResourceGroup', 'own', LOCATION);
      await environment.startController({ waits: false });
      await environment.becomes('ResourceGroup', 'team', 'own', isWaiting('aso-credential', 'secrets'));
      expect(environment.writes()).toEqual([]);
      end();
      environment.proxy.cutConnections();
      await environment.isReady('ResourceGroup', 'team', 'own');
      expect(environment.writes('/resourcegroups/own').every(({ path }) => path.includes(OTHER_SUBSCRIPTION))).toBe(true);
    },
  },
  {
    id: 'one-kind-refused',
    who: 'an administrator who has taken a right away',
    what: 'the list of user assigned identities is answered 403',
    holds: 'objects of other kinds are Ready at once, and /readyz names the list',
    environment: { startsLater: true },
    async run(environment) {
      const end = disturb(environment, listOf('userassignedidentities'), { status: 403, message: 'userassignedidentities is forbidden' });
      await environment.namespace('team');
      await environment.object('team', 'ResourceGroup', 'rg', LOCATION);
      await environment.startController({ waits: false });
      await environment.isReady('ResourceGroup', 'team', 'rg');
      expect(await environment.health('/readyz')).toMatchObject({ status: 503, text: expect.stringContaining('userassignedidentities') });
      end();
    },
  },
  {
    id: 'owners-refused',
    who: 'an administrator who has taken a right away',
    what: 'the list of identities, which own federated credentials, is answered 403',
    holds: 'the federated credential says what it waits for, and is made when it is known',
    environment: { startsLater: true, kinds: { FederatedIdentityCredential: 'managedidentity.azure.com/v1api20230131' } },
    async run(environment) {
      const end = disturb(environment, listOf('userassignedidentities'), { status: 403 });
      await environment.namespace('team');
      await environment.object('team', 'ResourceGroup', 'rg', LOCATION);
      await environment.object('team', 'UserAssignedIdentity', 'id', IN_RG);
      const federation = {
        owner: { name: 'id' },
        issuer: 'https://example.com',
        subject: 'system:serviceaccount:a:b',
        audiences: ['api://AzureADTokenExchange'],
      };
      await environment.object('team', 'FederatedIdentityCredential', 'fed', federation);
      await environment.startController({ waits: false });
      await environment.becomes('FederatedIdentityCredential', 'team', 'fed', isWaiting('UserAssignedIdentity "id"', '403'));
      end();
      await environment.isReady('FederatedIdentityCredential', 'team', 'fed');
    },
  },
  {
    id: 'owner-left-out-by-kinds',
    who: 'an administrator',
    what: 'leaves the kind of an owner out with --kinds',
    holds: 'the object says so at once, and so does the log',
    environment: {
      kinds: { FederatedIdentityCredential: 'managedidentity.azure.com/v1api20230131' },
      flags: ['--kinds', 'resources.azure.com/*;managedidentity.azure.com/FederatedIdentityCredential'],
    },
    async run(environment) {
      await environment.namespace('team');
      const federation = {
        owner: { name: 'id' },
        issuer: 'https://example.com',
        subject: 'system:serviceaccount:a:b',
        audiences: ['api://AzureADTokenExchange'],
      };
      await environment.object('team', 'FederatedIdentityCredential', 'fed', federation);
      const { message } = await environment.becomes(
        'FederatedIdentityCredential',
        'team',
        'fed',
        ({ reason }) => reason === 'KindNotWatched',
      );
      expect(message).toContain('--kinds');
      expect(environment.controller!.log).toContain('leaves UserAssignedIdentity.managedidentity.azure.com out (--kinds)');
    },
  },
  {
    id: 'configmaps-refused',
    who: 'an administrator who has taken a right away',
    what: 'the list of ConfigMaps is answered 403, and a role assignment reads its principal from one',
    holds: 'the role assignment waits, others do not, and it goes on when the list is allowed',
    environment: { startsLater: true, kinds: { RoleAssignment: 'authorization.azure.com/v1api20220401' } },
    async run(environment) {
      const end = disturb(environment, listOf('configmaps'), { status: 403 });
      await environment.namespace('team');
      await environment.object('team', 'ResourceGroup', 'rg', LOCATION);
      await environment.object('team', 'RoleAssignment', 'role', {
        owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' },
        principalIdFromConfig: { name: 'ids', key: 'principalId' },
        roleDefinitionReference: { armId: '/subscriptions/11111111-1111-4111-8111-111111111111/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7' },
      });
      await environment.startController({ waits: false });
      await environment.isReady('ResourceGroup', 'team', 'rg');
      await environment.becomes('RoleAssignment', 'team', 'role', isWaiting('ConfigMap "ids"', '403'));
      end();
      await environment.becomes('RoleAssignment', 'team', 'role', ({ reason }) => reason === 'ConfigMapNotFound');
    },
  },
  {
    id: 'crds-refused',
    who: 'an administrator who has taken a right away',
    what: 'the list of CRDs is answered 403',
    holds: 'what the cluster serves is known by discovery all the same, and objects are Ready',
    environment: { startsLater: true },
    async run(environment) {
      disturb(environment, listOf('customresourcedefinitions'), { status: 403 });
      await environment.namespace('team');
      await environment.object('team', 'ResourceGroup', 'rg', LOCATION);
      await environment.startController();
      await environment.isReady('ResourceGroup', 'team', 'rg');
      expect((await environment.health('/readyz')).status).toBe(200);
    },
  },
  {
    id: 'namespaces-watch-is-dead',
    who: 'a load balancer before the API server',
    what: 'drops the watch of namespaces without a sign, and a namespace gets detach-on-delete before an object is deleted',
    holds: 'nothing is deleted in Azure',
    environment: { startsLater: true },
    async run(environment) {
      const end = disturb(environment, watchOf('namespaces'), 'hang');
      await environment.namespace('team');
      await environment.object('team', 'ResourceGroup', 'kept', LOCATION);
      await environment.startController();
      await environment.isReady('ResourceGroup', 'team', 'kept');
      await environment.patch('Namespace', '', 'team', { metadata: { annotations: { [POLICY]: 'detach-on-delete' } } });
      await environment.delete('ResourceGroup', 'team', 'kept');
      await gone(environment, 'ResourceGroup', 'team', 'kept');
      expect(environment.writes('/resourcegroups/kept').filter(({ method }) => method === 'DELETE')).toEqual([]);
      end();
    },
  },
  {
    id: 'skip-set-while-the-watch-is-dead',
    who: 'a load balancer before the API server',
    what: 'drops the watch of namespaces without a sign, and a namespace gets skip before an object is edited',
    holds: 'the edit is not sent',
    environment: { startsLater: true },
    async run(environment) {
      const end = disturb(environment, watchOf('namespaces'), 'hang');
      await environment.namespace('team');
      await environment.object('team', 'ResourceGroup', 'edited', LOCATION);
      await environment.startController();
      await environment.isReady('ResourceGroup', 'team', 'edited');
      const before = environment.writes('/resourcegroups/edited').length;
      await environment.patch('Namespace', '', 'team', { metadata: { annotations: { [POLICY]: 'skip' } } });
      await environment.patch('ResourceGroup', 'team', 'edited', { spec: { tags: { edited: 'yes' } } });
      await seconds(5);
      expect(environment.writes('/resourcegroups/edited')).toHaveLength(before);
      end();
    },
  },
  {
    id: 'credential-comes-while-the-watch-is-dead',
    who: 'a load balancer before the API server',
    what: 'drops the watch of Secrets without a sign, and a namespace gets a credential of its own before its first object',
    holds: 'the object is made with it, never with the global one',
    environment: { startsLater: true },
    async run(environment) {
      const end = disturb(environment, watchOf('secrets'), 'hang');
      await environment.namespace('team');
      await environment.startController();
      await ownCredential(environment, 'team');
      await environment.object('team', 'ResourceGroup', 'own', LOCATION);
      await environment.isReady('ResourceGroup', 'team', 'own');
      expect(environment.writes('/resourcegroups/own').every(({ path }) => path.includes(OTHER_SUBSCRIPTION))).toBe(true);
      end();
    },
  },
  {
    id: 'two-controllers-with-kinds-of-their-own',
    who: 'an administrator',
    what: 'runs two controllers for one namespace, each with other kinds',
    holds: 'they do not fight over the finalizer of its credential, and it stays until the last object of both is gone',
    environment: { flags: ['--kinds', 'resources.azure.com/*'] },
    async run(environment) {
      const proxy = await FaultyKubernetes.start(environment.kubernetes.url);
      const second = await secondController(environment, proxy);
      try {
        await environment.namespace('team');
        await ownCredential(environment, 'team');
        await environment.object('team', 'ResourceGroup', 'rg', LOCATION);
        await environment.isReady('ResourceGroup', 'team', 'rg');
        await environment.object('team', 'UserAssignedIdentity', 'id', {
          location: 'uksouth',
          owner: { armId: `/subscriptions/${OTHER_SUBSCRIPTION}/resourceGroups/rg` },
        });
        await environment.isReady('UserAssignedIdentity', 'team', 'id');
        const patches = () =>
          [...environment.proxy.requests, ...proxy.requests].filter(({ method, resource }) => method === 'PATCH' && resource === 'secrets')
            .length;
        await seconds(2);
        const before = patches();
        await seconds(4);
        expect(patches() - before).toBe(0);
        expect(before).toBeLessThanOrEqual(4);
        await environment.delete('Secret', 'team', 'aso-credential');
        await environment.delete('UserAssignedIdentity', 'team', 'id');
        await gone(environment, 'UserAssignedIdentity', 'team', 'id');
        expect((await environment.get('Secret', 'team', 'aso-credential'))?.metadata.finalizers).toHaveLength(1);
        await environment.delete('ResourceGroup', 'team', 'rg');
        await gone(environment, 'ResourceGroup', 'team', 'rg');
        await gone(environment, 'Secret', 'team', 'aso-credential');
      } finally {
        await second.stop();
        await proxy.close();
      }
    },
  },
];

async function secondController({ azure }: HostileEnvironment, proxy: FaultyKubernetes): Promise<MortalController> {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-second-'));
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, proxy.kubeconfig());
  const controller = new MortalController({
    environment: { ...azure.env, KUBECONFIG: kubeconfig, POD_NAMESPACE: `${OPERATOR_NAMESPACE}-2` },
    timeScale: 60,
    flags: ['--kinds', 'managedidentity.azure.com/*'],
  });
  controller.start();
  await until('the second controller reconciles', () => controller.works);
  rmSync(directory, { recursive: true, force: true });
  return controller;
}
