import type { JournalState } from '../../../cli/migrate/journal-state';
import { PausedError, type MigrationContext } from '../../../cli/migrate/migration-context';
import { AWAIT_ASO, AWAIT_WATCHERS } from '../../../cli/migrate/to-aso/user-installs';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';
import { Catalog } from '../../../src/catalog';
import { crdManifest } from '../../../src/catalog/crd';
import { asoCrd } from '../../e2e/migration/aso-crd';
import { asoInstallation } from '../../e2e/migration/aso-installation';

const catalog = Catalog.default();
const account = catalog.kind('storage.azure.com', 'StorageAccount')!;
const asObject = (value: unknown) => value as KubernetesObject;
const webhooks = { port: 443, caBundle: '' };
const aso = asObject({
  ...asoInstallation({ webhooks, settings: {}, kinds: [account] }).find((object: any) => object.kind === 'Deployment'),
  status: { observedGeneration: 1, updatedReplicas: 2, availableReplicas: 2 },
});
const bundled = asObject({ ...aso, spec: { template: { metadata: { annotations: { 'aso.cdk8s.io/settings-digest': 'x' } }, spec: { containers: [{ name: 'manager' }] } } } });
const theirs = asObject(asoCrd(account, webhooks));
const ours = asObject(crdManifest(account));

interface Cluster {
  readonly deployment?: KubernetesObject;
  readonly settings?: Record<string, string>;
  readonly crd?: KubernetesObject;
}

function contextOf({ deployment, settings = {}, crd = ours }: Cluster) {
  const kind = { crd: account.crdName, group: account.group, kind: account.kind, plural: account.facts.plural, from: 'v20250601', to: 'v20250601storage' };
  const updates: Partial<JournalState>[] = [];
  const patches: unknown[] = [];
  const data = Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
  const objects: Record<string, unknown> = { Deployment: deployment, Secret: { data, metadata: {} }, CustomResourceDefinition: crd };
  const client = {
    get: async ({ kind: of }: ResourceType) => objects[of],
    list: async () => ({ items: [], resourceVersion: '1' }),
    patch: async (...args: unknown[]) => void patches.push(args[3]),
  };
  const context = {
    client,
    catalog,
    namespace: 'operators',
    clock: { now: () => 0, sleep: async () => undefined },
    journal: { state: { kinds: [kind], asoRelease: 'v2.17.0' }, update: async (change: Partial<JournalState>) => void updates.push(change) },
    progress: () => undefined,
  } as unknown as MigrationContext;
  return { context, updates, patches };
}

async function pausedOf(cluster: Cluster, step = AWAIT_ASO): Promise<string> {
  const error = await step.run(contextOf(cluster).context).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(PausedError);
  return (error as PausedError).lines.join('\n');
}

test('without ASO the user is told how to install it, with release, namespace and kinds', async () => {
  const text = await pausedOf({});
  expect(text).toContain('Install ASO now, in mode webhooks');
  expect(text).toMatch(/--version v2\.\d+\.0 --namespace operators --take-ownership/);
  expect(text).toContain("--set azureOperatorMode=webhooks --set azureTargetNamespaces=null --set crdPattern='storage.azure.com/StorageAccount'");
  expect(text).toContain('The cluster had v2.17.0 before the hand-over. Another release has to serve v20250601 of StorageAccount.');
});

test('watchers that run already are to be stopped first', async () => {
  const text = await pausedOf({ deployment: aso, crd: theirs });
  expect(text).toContain('ASO runs, and not in mode webhooks');
  expect(text).toContain('helm upgrade aso2 azure-service-operator');
  expect(text).toContain('kubectl rollout restart deployment/azureserviceoperator-controller-manager --namespace operators');
});

test('CRDs that ASO has not replaced are named, with the file of its release', async () => {
  const text = await pausedOf({ deployment: aso, settings: { AZURE_OPERATOR_MODE: 'Webhooks' } });
  expect(text).toContain('these CRDs are not its own: storageaccounts.storage.azure.com');
  expect(text).toMatch(/azureserviceoperator_customresourcedefinitions_v2\.\d+\.0\.yaml/);
});

test("ASO's storage version is that of the CRD that its pods have installed", async () => {
  const { context, updates } = contextOf({ deployment: aso, crd: theirs, settings: { AZURE_OPERATOR_MODE: 'webhooks' } });
  expect(await AWAIT_ASO.run(context)).toBe('ASO v2.20.0, 1 CRD');
  expect(updates).toEqual([{ kinds: [expect.objectContaining({ from: 'v20250601', to: `${account.facts.storageVersion}storage` })] }]);
});

test('this controller in the place of ASO stops the migration', async () => {
  await expect(AWAIT_ASO.run(contextOf({ deployment: bundled }).context)).rejects.toThrow("is this package's controller again: suspend what deploys it, and delete it");
});

test('the last step waits for the mode to go, and restarts the pods', async () => {
  expect(await pausedOf({ deployment: aso, settings: { AZURE_OPERATOR_MODE: 'webhooks' } }, AWAIT_WATCHERS)).toContain('Start its watchers now');
  const { context, patches } = contextOf({ deployment: aso });
  expect(await AWAIT_WATCHERS.run(context)).toBe('1 Deployment');
  expect(patches).toEqual([{ spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '1970-01-01T00:00:00.000Z' } } } } }]);
  await expect(AWAIT_WATCHERS.run(contextOf({}).context)).rejects.toThrow('was deleted: install it again');
});
