import { controllersIn } from '../../../cli/migrate/asos-installation';
import { settingOf } from '../../../cli/migrate/controller-settings';
import { settingsFindings } from '../../../cli/migrate/settings-findings';
import { withMode } from '../../../cli/migrate/steps/stop-watchers';
import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../../engine/kubernetes/types';
import { asoInstallation } from '../../e2e/migration/aso-installation';

const base64 = (data: Record<string, string>) => Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
const asObject = (value: unknown) => value as KubernetesObject;
const manifests = (settings: Record<string, string>) => asoInstallation({ webhooks: { port: 443, caBundle: '' }, settings, kinds: [] }).map(asObject);
const deployment = manifests({}).find(({ kind }) => kind === 'Deployment')!;
/** A cluster with one Secret. */
const cluster = (settings: Record<string, string>) => ({
  get: async (_: unknown, name: string) => (name === 'aso-controller-settings' ? asObject({ kind: 'Secret', metadata: { name }, data: base64(settings) }) : undefined),
}) as unknown as KubernetesClient;
const lines = async (before: Record<string, string>, install: readonly KubernetesObject[]) =>
  (await settingsFindings(cluster(before), deployment, install)).filter(({ severity }) => severity !== 'note').map(({ severity, check, message }) => `${severity} ${check}: ${message}`);

test.each<[string, Record<string, string>, Record<string, string>, string[]]>([
  ['the same', { AZURE_TARGET_NAMESPACES: 'a, b', AZURE_SUBSCRIPTION_ID: 'S' }, { AZURE_TARGET_NAMESPACES: 'b,a', AZURE_SUBSCRIPTION_ID: 's' }, []],
  ['defaults', { DEFAULT_RECONCILE_POLICY: 'manage', AZURE_RESOURCE_MANAGER_ENDPOINT: 'https://management.azure.com/' }, {}, []],
  ['all namespaces in place of two', { AZURE_TARGET_NAMESPACES: 'a,b' }, {}, ['stop settings: AZURE_TARGET_NAMESPACES of the new installation is another one']],
  ['another subscription', { AZURE_SUBSCRIPTION_ID: 'secret-looking-id' }, { AZURE_SUBSCRIPTION_ID: 'other' }, ['stop settings: AZURE_SUBSCRIPTION_ID of the new installation is another one']],
  ['another policy', { DEFAULT_RECONCILE_POLICY: 'detach-on-delete' }, {}, ['stop settings: DEFAULT_RECONCILE_POLICY of the new installation is another one']],
  ['another cloud', { AZURE_RESOURCE_MANAGER_ENDPOINT: 'https://management.usgovcloudapi.net' }, {}, ['stop settings: AZURE_RESOURCE_MANAGER_ENDPOINT of the new installation is another one']],
  ['a part of a split installation', { AZURE_OPERATOR_MODE: 'watchers' }, {}, ['stop settings: AZURE_OPERATOR_MODE of the Deployment azureserviceoperator-system/azureserviceoperator-controller-manager is none with webhooks']],
])('%s', async (_, before, after, expected) => {
  // ASO's chart names few of them in the pods: the others are read from the Secret.
  const found = await lines(before, manifests(after));
  expect(found).toEqual(expected.map((line) => expect.stringContaining(line)));
  expect(found.join()).not.toContain('secret-looking-id');
});

test('settings that cannot be read are said', async () => {
  const refusing = { get: async () => Promise.reject(new KubernetesError(403, 'Forbidden', 'no')) } as unknown as KubernetesClient;
  expect(await settingsFindings(refusing, deployment, [])).toEqual([expect.objectContaining({ severity: 'warning', message: 'the settings cannot be read: no' })]);
});

test('a controller that only serves webhooks has no target namespaces: it would end', async () => {
  const stopped = withMode(deployment);
  const secrets = async () => ({ AZURE_OPERATOR_MODE: '', AZURE_TARGET_NAMESPACES: 'a,b' });
  expect(await settingOf(deployment, 'AZURE_TARGET_NAMESPACES', secrets)).toBe('a,b');
  expect(await settingOf(stopped, 'AZURE_TARGET_NAMESPACES', secrets)).toBe('');
  expect(await settingOf(stopped, 'AZURE_OPERATOR_MODE', secrets)).toBe('webhooks');
  expect(withMode(stopped)).toEqual(stopped);
});

test('Deployments are found by the labels of both controllers', async () => {
  const seen: unknown[] = [];
  const client = { list: async (_: unknown, options: unknown) => (seen.push(options), { items: [deployment], resourceVersion: '1' }) };
  expect(await controllersIn(client as unknown as Parameters<typeof controllersIn>[0])).toEqual([deployment]);
  expect(seen).toEqual([expect.objectContaining({ labelSelector: 'app.kubernetes.io/name=azure-service-operator,control-plane=controller-manager' })]);
});
