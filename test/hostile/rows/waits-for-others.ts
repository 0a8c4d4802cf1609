import type { KubernetesObject } from '../../../engine/kubernetes';
import { until } from '../../setup/until';
import type { Attack } from '../attack';
import { VERSIONS, type HostileEnvironment } from '../hostile-environment';

const KINDS = { FederatedIdentityCredential: VERSIONS.FederatedIdentityCredential };
const OFTEN = 1_000_000;
/** Beside strangers, a victim waits for as long as three times what it takes alone, and for a second of a request that hangs. */
const MOST_TIMES = 3;
const MOST_MORE_BEATS = 60;

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** A namespace with a credential of its own, which Azure counts apart. */
async function stranger(environment: HostileEnvironment, namespace: string): Promise<void> {
  const { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID } = environment.azure.env;
  const own = { AZURE_CLIENT_ID: '00000000-0000-0000-0000-00000000beef', AZURE_CLIENT_SECRET: "a stranger's secret" };
  const values = { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, ...own };
  const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
  await environment.namespace(namespace);
  await environment.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aso-credential', namespace }, data } as KubernetesObject);
}

const federation = (owner: object, subject: string) => ({ owner, issuer: 'https://issuer.test', subject, audiences: ['api://AzureADTokenExchange'] });

/** Answers of the controller's health, while the victim's credential of its identity gets Ready. */
function victimsBeats(environment: HostileEnvironment, name: string): Promise<number> {
  return environment.control.during(async () => {
    await environment.object('victim', 'FederatedIdentityCredential', name, federation({ name: 'identity' }, name));
    await environment.isReady('FederatedIdentityCredential', 'victim', name);
  });
}

/** A stranger makes credentials of the victim's identity, which Azure has the fault for. */
async function below(environment: HostileEnvironment, fault: object): Promise<void> {
  await environment.namespace('victim');
  await environment.object('victim', 'ResourceGroup', 'group', { location: 'uksouth' });
  await environment.object('victim', 'UserAssignedIdentity', 'identity', { location: 'uksouth', owner: { name: 'group' } });
  await environment.isReady('UserAssignedIdentity', 'victim', 'identity');
  const alone = await victimsBeats(environment, 'alone');
  const armId = (await environment.get('UserAssignedIdentity', 'victim', 'identity'))?.status?.id;
  environment.azure.faults.add({ method: 'PUT', path: '/federatedidentitycredentials/stranger', times: OFTEN, ...fault });
  await stranger(environment, 'stranger');
  for (const name of names('stranger', 20)) {
    await environment.object('stranger', 'FederatedIdentityCredential', name, federation({ armId }, name));
  }
  await until('a stranger has sent', () => environment.writes('/federatedidentitycredentials/stranger').length > 0);
  const beside = await victimsBeats(environment, 'beside');
  expect(beside).toBeLessThanOrEqual(MOST_TIMES * alone + MOST_MORE_BEATS);
}

/** Waits of one tenant for what another one does. */
export const waitsForOthers: readonly Attack[] = [
  {
    id: 'strangers-below-an-identity-are-throttled',
    who: 'a tenant without rights in Azure',
    what: 'makes 20 federated credentials of another team\'s identity, with a principal that Azure throttles',
    holds: 'the team\'s own credential is Ready as soon as without them: who cannot send has no place among those who write',
    environment: { kinds: KINDS },
    run: (environment) => below(environment, { status: 429, code: 'SubscriptionRequestsThrottled', retryAfter: 36_000 }),
  },
  {
    id: 'strangers-below-an-identity-get-no-answer',
    who: 'a tenant without rights in Azure',
    what: 'makes 20 federated credentials of another team\'s identity, and no request of them is answered',
    holds: 'the team\'s own credential waits for a second, once',
    environment: { kinds: KINDS },
    run: (environment) => below(environment, { hang: true }),
  },
  {
    id: 'requests-of-a-neighbour-hang-after-a-refusal',
    who: 'Azure',
    what: 'throttles a request of a namespace, and then leaves 22 of them without an answer',
    holds: 'a namespace with the same credential is served within seconds: a probe that hangs is not the only one',
    neighbourWithinBeats: 300,
    async run(environment) {
      await environment.namespace('team');
      environment.azure.faults.add({ method: 'PUT', path: '/resourcegroups/hangs', status: 429, retryAfter: 5 });
      environment.azure.faults.add({ method: 'PUT', path: '/resourcegroups/hangs', hang: true, times: OFTEN });
      await environment.object('team', 'ResourceGroup', 'hangs', { location: 'uksouth' });
      await until('Azure has refused a request', () => environment.writes('/resourcegroups/hangs').length > 0);
      for (const name of names('hangs', 22)) await environment.object('team', 'ResourceGroup', name, { location: 'uksouth' });
      await until('the probe hangs', () => environment.writes('/resourcegroups/hangs').length > 1);
    },
  },
  {
    id: 'a-tenant-alone-has-400-requests-that-hang',
    who: 'a tenant that is alone',
    what: 'makes 400 resource groups, and no request of them is answered',
    holds: 'the first object of another namespace is served at once: workers are kept for it',
    environment: { env: { AZURE_SYNC_PERIOD: 'never' } },
    neighbourWithinBeats: 300,
    async run(environment) {
      await environment.isReady('ResourceGroup', 'neighbour', 'before-a-tenant-alone-has-400-requests-that-hang');
      await environment.namespace('team');
      environment.azure.faults.add({ method: 'PUT', path: '/resourcegroups/hangs', hang: true, times: OFTEN });
      await Promise.all(names('hangs', 400).map((name) => environment.object('team', 'ResourceGroup', name, { location: 'uksouth' })));
      await until('a hundred requests hang', () => environment.writes('/resourcegroups/hangs').length >= 100);
    },
  },
];
