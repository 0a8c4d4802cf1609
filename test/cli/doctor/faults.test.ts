import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { azureObject, Installation, OPERATOR, OTHER_TENANT, pod, strictAzure } from './installation';
import { runDoctor } from '../../../cli/doctor/run';
import { KubernetesError } from '../../../engine/kubernetes/types';
import { makeCertificate } from '../../../runtime/certificates/make-certificate';
import type { AzureSimulator } from '../../../sandbox/azure';
import { captured } from '../capture';

const DAY = 86_400_000;
const SKIP = 'serviceoperator.azure.com/reconcile-policy';
const credential = (installation: Installation, values: Record<string, string>) => installation.change('Secret', (object) => {
  Object.assign(object.stringData, values);
}, 'aso-credential');
const withoutIds = (installation: Installation) => {
  for (const kind of ['ResourceGroup', 'StorageAccount']) installation.change(kind, (object) => delete object.metadata.annotations);
  return installation;
};
const answering = ({ azure }: Installation, status: number, headers: Record<string, string> = {}) => {
  azure.faults.add({ method: 'GET', status, headers, ...(status === 200 && { text: '{}' }), times: 100 });
};
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
const micro = (milliseconds: number) => ago(milliseconds).replace('Z', '000Z');
const crd = (group: string, kind: string, plural: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: ['v1', 'v1alpha1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      subresources: { status: {} },
    })),
  },
});
const argo = (spec: object, cm: Record<string, string> | undefined = {}) => [
  crd('argoproj.io', 'Application', 'applications'),
  {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'argocd' },
    spec,
    status: { resources: [{ group: 'storage.azure.com', kind: 'StorageAccount', name: 'data' }] },
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm', namespace: 'argocd' }, data: cm },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } },
];
const HEALTH = { 'resource.customizations.health.storage.azure.com_StorageAccount': 'return {}' };
const flux = (group: string, kind: string, plural: string, version: string, spec: object) => [
  crd(group, kind, plural),
  { apiVersion: `${group}/${version}`, kind, metadata: { name: 'shop', namespace: 'flux-system' }, spec },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'flux-system' } },
];
const conversionOf = (installation: Installation) => installation.objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
const anotherController = (namespaces: string) => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'aso' } },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'azureserviceoperator-controller-manager', namespace: 'aso', labels: { 'app.kubernetes.io/name': 'azure-service-operator', 'control-plane': 'controller-manager' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { a: 'b' } },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: { serviceAccountName: 'sa', containers: [{ name: 'manager', image: 'mcr.microsoft.com/k8s/azureserviceoperator:v2.20.0', args: ['--webhook-port=0'], env: [{ name: 'AZURE_TARGET_NAMESPACES', value: namespaces }] }] },
      },
    },
    status: { replicas: 1, readyReplicas: 1 },
  },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'webhook-server-cert', namespace: 'aso' }, stringData: {} },
];

let azure: AzureSimulator;
beforeAll(async () => {
  azure = await strictAzure();
});
afterAll(() => azure.close());

type Planted = (installation: Installation) => unknown;

/** Each fault: the finding, words of its sentence, and how it is planted. Findings that follow from it are named, too. */
const FAULTS: readonly [id: string, words: RegExp, plant: Planted, ...also: string[]][] = [
  ['no-controller', /no controller reconciles 2 objects/, (it) => it.remove(({ kind }) => kind === 'Deployment' || kind === 'Lease')],
  ['controllers-overlap', /both reconcile all namespaces/, (it) => it.add(...anotherController('')), 'rights-missing', 'certificate-missing'],
  ['controllers-overlap', /both reconcile the namespace shop/, (it) => it.add(...anotherController('shop')), 'rights-missing', 'certificate-missing'],
  ['controller-stopped', /0 replicas/, (it) => it.change('Deployment', (object) => {
    object.spec.replicas = 0;
    object.status = { replicas: 0 };
  })],
  ['controller-unavailable', /has no ready pod of 2/, (it) => it.change('Deployment', (object) => {
    object.status = { replicas: 2 };
  })],
  ['controller-crash', /CrashLoopBackOff/, (it) => it.remove(({ kind }) => kind === 'Pod').add(pod({ ready: false, state: { waiting: { reason: 'CrashLoopBackOff' } } }))],
  ['controller-crash', /ImagePullBackOff/, (it) => it.remove(({ kind }) => kind === 'Pod').add(pod({ ready: false, state: { waiting: { reason: 'ImagePullBackOff' } } }))],
  ['controller-memory', /more memory than its limit/, (it) => it.remove(({ kind }) => kind === 'Pod').add(pod({ lastState: { terminated: { reason: 'OOMKilled' } } }))],
  ['crds-missing', /no CRD with the label/, (it) => it.remove(({ kind, apiVersion }) => kind === 'CustomResourceDefinition' || apiVersion.includes('azure.com'))],
  ['crd-foreign', /of another project/, (it) => it.add(crd('storage.azure.com', 'Foreign', 'foreigns'))],
  ['crd-stored-versions', /stored in v/, (it) => it.change('CustomResourceDefinition', (object) => {
    object.spec.versions.push({ ...object.spec.versions[0], name: 'v1', storage: false });
    object.status = { storedVersions: object.spec.versions.map(({ name }: { name: string }) => name) };
  })],
  ['crd-schema', /storageaccounts.storage.azure.com: has no v20250601 spec\.allowBlobPublicAccess: the API server drops/, (it) => it.change('CustomResourceDefinition', (object) => {
    delete object.spec.versions.find(({ name }: { name: string }) => name === 'v20250601').schema.openAPIV3Schema.properties.spec.properties.allowBlobPublicAccess;
  }, 'storageaccounts.storage.azure.com')],
  ['crd-schema', /has v1api20200601 status\.newer, which this release does not know/, (it) => it.change('CustomResourceDefinition', (object) => {
    object.spec.versions[0].schema.openAPIV3Schema.properties.status.properties.newer = { type: 'string' };
  }, 'resourcegroups.resources.azure.com')],
  ['crd-of-owner-missing', /does not serve it, and 1 object names/, (it) => it.remove(({ kind, metadata }) =>
    (kind === 'CustomResourceDefinition' && metadata.name === 'resourcegroups.resources.azure.com') || kind === 'ResourceGroup')],
  ['webhook-unreachable', /garbage collection/, (it) => it.remove(({ kind }) => kind === 'EndpointSlice')],
  ['webhook-unreachable', /no ready pod behind it/, (it) => it.change('EndpointSlice', (object) => {
    object.endpoints[0].conditions.ready = false;
  })],
  ['webhook-authority-missing', /has no caBundle/, (it) => it.change('ValidatingWebhookConfiguration', (object) => {
    for (const webhook of object.webhooks) delete webhook.clientConfig.caBundle;
  })],
  ['webhook-authority-other', /another authority/, async (it) => {
    const other = await makeCertificate(['x'], Date.now(), DAY);
    it.change('MutatingWebhookConfiguration', (object) => {
      for (const webhook of object.webhooks) webhook.clientConfig.caBundle = Buffer.from(other.ca).toString('base64');
    });
  }],
  ['certificate-missing', /has no certificate/, (it) => it.change('Secret', (object) => {
    object.stringData = {};
  }, 'webhook-server-cert')],
  ['certificate-unreadable', /is no certificate/, (it) => it.change('Secret', (object) => {
    object.stringData['tls.crt'] = 'x';
  }, 'webhook-server-cert'), 'webhook-authority-other'],
  ['certificate-expired', /expired \d+ days ago/, (it) => withCertificate(it, -30 * DAY), 'webhook-authority-other'],
  ['certificate-expires', /expires in [0-4] days?/, (it) => withCertificate(it, 4 * DAY), 'webhook-authority-other'],
  ['webhooks-missing', /no webhook configuration names them/, (it) => it.remove(({ kind }) => kind.endsWith('WebhookConfiguration'))],
  ['lease-missing', /holds no Lease/, (it) => it.remove(({ kind }) => kind === 'Lease')],
  ['lease-stale', /was renewed (299|30\d) seconds ago/, (it) => it.change('Lease', (object) => {
    object.spec.renewTime = micro(300_000);
  })],
  ['lease-future', /in the future/, (it) => it.change('Lease', (object) => {
    object.spec.renewTime = micro(-300_000);
  })],
  ['rights-missing', /may not create events, list configmaps/, (it) => it.remove(({ kind }) => kind === 'ClusterRoleBinding')],
  ['credential-missing', /not configured|does not exist/, (it) => it.remove(({ metadata }) => metadata.name === 'aso-credential')],
  ['credential-missing', /not-there/, (it) => it.change('StorageAccount', (object) => {
    object.metadata.annotations['serviceoperator.azure.com/credential-from'] = 'not-there';
  })],
  ['credential-keys', /does not contain key "AZURE_TENANT_ID"/, (it) => it.change('Secret', (object) => {
    delete object.stringData.AZURE_TENANT_ID;
  }, 'aso-credential')],
  ['credential-refused', /refuses its token/, (it) => credential(it, { AZURE_TENANT_ID: OTHER_TENANT })],
  ['credential-refused', /there is no tenant "99999999-[^"]+": correct AZURE_TENANT_ID/, (it) => credential(it, { AZURE_TENANT_ID: '99999999-8888-7777-6666-555555555555' })],
  ['credential-refused', /has no application or identity with client id/, (it) => credential(it, { AZURE_CLIENT_ID: '99999999-8888-7777-6666-555555555555' })],
  ['credential-refused', /the client secret is wrong/, (it) => credential(it, { AZURE_CLIENT_SECRET: 'planted-secret' })],
  ['credential-refused', /has no application or identity with client id/, (it) => {
    it.change('Secret', (object) => {
      delete object.stringData.AZURE_CLIENT_SECRET;
      object.stringData.AZURE_CLIENT_ID = '99999999-8888-7777-6666-555555555555';
    }, 'aso-credential');
  }],
  ['credential-no-role', /may not read the resource/, (it) => answering(it, 403)],
  ['credential-subscription', /does not exist, or is of another tenant/, (it) => {
    credential(withoutIds(it), { AZURE_SUBSCRIPTION_ID: '99999999-8888-7777-6666-555555555555' });
  }],
  ['credential-unanswered', /no answer: .*ECONNREFUSED/, (it) => it.change('Secret', (object) => {
    object.stringData.AZURE_RESOURCE_MANAGER_ENDPOINT = 'https://localhost:1';
  }, 'aso-controller-settings')],
  ['credential-unanswered', /no token for the credential Secret "shop\/aso-credential" from https:\/\/localhost:1/, (it) => it.change('Secret', (object) => {
    object.stringData.AZURE_AUTHORITY_HOST = 'https://localhost:1';
  }, 'aso-controller-settings')],
  ['budget-low', /3 reads left/, (it) => answering(it, 200, { 'x-ms-ratelimit-remaining-subscription-reads': '3' })],
  ['object-without-controller', /no controller looks after/, (it) => it.change('StorageAccount', (object) => {
    object.metadata.annotations['serviceoperator.azure.com/operator-namespace'] = 'elsewhere';
  })],
  ['object-without-controller', /2 objects/, (it) => it.change('Secret', (object) => {
    object.stringData.AZURE_TARGET_NAMESPACES = 'other';
  }, 'aso-controller-settings'), 'rights-missing'],
  ['policy-unknown', /"Skip"/, (it) => it.change('StorageAccount', (object) => {
    object.metadata.annotations[SKIP] = 'Skip';
  })],
  ['policy-unknown', /policy "AccountKey=\*\*\*…"/, (it) => it.change('StorageAccount', (object) => {
    object.metadata.annotations[SKIP] = `AccountKey=${'abcdefgh'.repeat(10_000)}`;
  })],
  ['policy-unknown', /Namespace shop/, (it) => it.change('Namespace', (object) => {
    object.metadata.annotations = { [SKIP]: 'detach' };
  }, 'shop')],
  ['argocd-replace', /Replace=true/, (it) => it.add(...argo({ syncPolicy: { syncOptions: ['Replace=true'] } }, HEALTH))],
  ['argocd-health', /Healthy while its resources fail/, (it) => it.add(...argo({}))],
  ['argocd-prune-order', /prunes by itself/, (it) => it.add(...argo({ syncPolicy: { automated: { prune: true } } }, HEALTH))],
  ['flux-force', /force: true/, (it) => labelled(it, 'kustomize').add(...flux('kustomize.toolkit.fluxcd.io', 'Kustomization', 'kustomizations', 'v1', { force: true }))],
  ['flux-force', /upgrade\.force/, (it) => labelled(it, 'helm').add(...flux('helm.toolkit.fluxcd.io', 'HelmRelease', 'helmreleases', 'v2', { upgrade: { force: true } }))],
];

async function withCertificate(installation: Installation, lifetime: number): Promise<void> {
  const made = await makeCertificate(['x'], Date.now() + Math.min(0, lifetime) - DAY, Math.max(lifetime, 0) + DAY);
  installation.change('Secret', (object) => {
    object.stringData['tls.crt'] = made.cert;
  }, 'webhook-server-cert');
}

function labelled(installation: Installation, tool: string): Installation {
  return installation.change('StorageAccount', (object) => {
    object.metadata.labels = { [`${tool}.toolkit.fluxcd.io/name`]: 'shop', [`${tool}.toolkit.fluxcd.io/namespace`]: 'flux-system' };
  });
}

test.each(FAULTS)('%s: %s', async (id, words, plant, ...also) => {
  const installation = await Installation.healthy(azure);
  await plant(installation);
  const { findings, status, out } = await installation.doctor({ strict: true });
  const mine = findings.find((finding) => finding.id === id && words.test(`${finding.object}: ${finding.message}`));
  expect({ findings, mine: mine !== undefined }).toEqual({ findings, mine: true });
  expect(findings.map((finding) => finding.id).filter((other) => other !== id && !also.includes(other))).toEqual([]);
  expect(mine!.cure.length).toBeGreaterThan(5);
  expect(status).toBe(findings.some(({ severity }) => severity !== 'info') ? 1 : 0);
  expect(out).not.toContain('planted-secret');
  expect(out).not.toContain(azure.env.AZURE_CLIENT_SECRET);
});

test('labels of several releases say nothing where the schemas are those of the catalog', async () => {
  const installation = await Installation.healthy(azure);
  conversionOf(installation).forEach((object, index) => Object.assign(object.metadata.labels!, { 'app.kubernetes.io/version': `v2.2${index}.0` }));
  expect((await installation.doctor({ azure: false })).findings).toEqual([]);
});

test('a CRD that is not established, and one of another release than ASO', async () => {
  const { crdFindings } = await import('../../../cli/doctor/checks/crds');
  const found = (differing: object, version = 'v2.20.0') => crdFindings({
    crds: [{
      name: 'resourcegroups.resources.azure.com',
      group: 'resources.azure.com',
      kind: 'ResourceGroup',
      plural: 'resourcegroups',
      isLabelled: true,
      versions: [{ name: 'v1', served: true, storage: true }],
      storedVersions: ['v1'],
      release: 'v2.20.0',
      conditions: ['Established', 'NamesAccepted'],
      ...differing,
    }],
    controllers: [{ namespace: OPERATOR, deployment: 'aso', product: 'ASO', version }],
    objects: [],
    unread: [],
  } as never).map(({ id }) => id);
  expect(found({})).toEqual([]);
  expect(found({ conditions: [] })).toEqual(['crd-not-established']);
  expect(found({}, 'v2.19.0')).toEqual(['crd-release']);
  const mixed = crdFindings({
    crds: ['v2.19.0', 'v2.20.0'].map((release, index) => ({
      name: `name-${index}`,
      group: 'resources.azure.com',
      kind: 'ResourceGroup',
      isLabelled: true,
      versions: [],
      storedVersions: [],
      release,
      conditions: ['Established', 'NamesAccepted'],
    })),
    controllers: [{ namespace: OPERATOR, deployment: 'aso', product: 'ASO', version: 'v2.20.0' }],
    objects: [],
    unread: [],
  } as never);
  expect(mixed).toEqual([expect.objectContaining({ id: 'crd-releases-mixed', message: 'CRDs are of 2 releases: v2.19.0 (name-0) and v2.20.0 (name-1)' })]);
});

test('a credential that cannot be tried from here', async () => {
  const installation = await Installation.healthy(azure);
  installation.change('Secret', (object) => {
    delete object.stringData.AZURE_CLIENT_SECRET;
    object.stringData.AUTH_MODE = 'podidentity';
  }, 'aso-credential');
  const { findings, status } = await installation.doctor();
  expect([findings.map(({ id, severity }) => [id, severity]), status, installation.asked]).toEqual([[['credential-untried', 'info']], 0, []]);
});

test('every finding of the document is planted in this file', () => {
  const source = readFileSync(__filename, 'utf8');
  const rows = readFileSync(join(__dirname, '../../../docs/doctor.md'), 'utf8').split('\n').filter((line) => /^\| `[a-z]+/.test(line));
  const ids = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([a-z0-9-]+)`/g)].map(([, id]) => id!));
  expect(ids.length).toBeGreaterThan(40);
  // The clock has no object of its own: its test looks for the sentence.
  expect(ids.filter((id) => id !== 'clock' && !source.includes(`'${id}'`))).toEqual([]);
});

test('deletions that are stuck, objects that nobody looked at', async () => {
  // Both depend on the time of the server, which the facts have.
  const { objectFindings } = await import('../../../cli/doctor/checks/objects');
  const facts = (object: object) => ({ objects: [object], namespaces: [], controllers: [{ namespace: OPERATOR, reconciles: true, mode: '', targetNamespaces: [] }], now: Date.now() });
  const account = azureObject('storage.azure.com/v20250601', 'StorageAccount', 'data', {});
  const at = (metadata: object) =>
    objectFindings(facts({ ...account, metadata: { ...account.metadata, ...metadata } }) as never).map(({ id }) => id);
  expect(at({ creationTimestamp: ago(60_000) })).toEqual([]);
  expect(at({ creationTimestamp: ago(3_600_000) })).toEqual(['object-not-reconciled']);
  expect(at({ deletionTimestamp: ago(60_000), finalizers: ['serviceoperator.azure.com/finalizer'] })).toEqual([]);
  expect(at({ deletionTimestamp: ago(DAY), finalizers: ['serviceoperator.azure.com/finalizer'] })).toEqual(['deletion-stuck']);
  expect(at({ deletionTimestamp: ago(60_000), finalizers: ['example.com/keep'] })).toEqual(['finalizer-foreign']);
});

test('a clock that differs', async () => {
  const { leaseFindings } = await import('../../../cli/doctor/checks/leases');
  const at = (serverNow: number) =>
    leaseFindings({ controllers: [], leases: [], unread: [], now: 1_000_000, serverNow } as never).map(({ message }) => message);
  expect(at(1_000_000 - 5_000)).toEqual([]);
  expect(at(1_000_000 - 90_000)).toEqual([expect.stringContaining('90 seconds ahead')]);
  expect(at(1_000_000 + 90_000)).toEqual([expect.stringContaining('90 seconds behind')]);
});

test('a webhook that does not convert', async () => {
  const { conversionFindings } = await import('../../../cli/doctor/checks/conversion');
  const crds = ['ResourceGroup', 'Other'].map((kind) => ({
    name: 'x',
    group: 'resources.azure.com',
    kind,
    plural: 'x',
    conversion: { namespace: OPERATOR, service: 'webhooks', caBundle: '' },
    versions: [{ name: 'v1', served: true, storage: true }, { name: 'v2', served: true, storage: false }],
  }));
  const facts = { crds, objects: [azureObject('resources.azure.com/v1', 'ResourceGroup', 'shop', {})] } as never;
  const asked: string[] = [];
  const failing = (message: string) => ({
    list: async ({ kind, version }: { kind: string; version: string }) => {
      asked.push(`${kind} ${version}`);
      throw new KubernetesError(500, 'InternalError', message);
    },
  });
  const down = 'conversion webhook for resources.azure.com/v1, Kind=ResourceGroup failed: connection refused';
  expect((await conversionFindings(failing(down), facts)).map(({ id, object }) => [id, object])).toEqual([['webhook-fails', `Service ${OPERATOR}/webhooks`]]);
  expect(await conversionFindings(failing('etcd is slow'), facts)).toEqual([]);
  expect(asked).toEqual(['ResourceGroup v2', 'ResourceGroup v2']);
});

test.each([
  ['secrets', ['credentials', 'webhooks', 'controllers']],
  ['customresourcedefinitions', ['CRDs']],
  ['subjectaccessreviews', ['rights']],
  ['leases', ['leases and clocks']],
  ['storageaccounts', ['objects']],
])('a user without rights on %s: said, and what depends on it is no finding', async (plural, areas) => {
  const installation = await Installation.healthy(azure);
  installation.forbidden = plural;
  const { areas: reports, findings, status } = await installation.doctor();
  expect(findings).toEqual([]);
  expect(reports.filter(({ unread }) => unread.length > 0).map(({ area }) => area).sort()).toEqual([...areas].sort());
  expect(status).toBe(1);
});

test('no cluster, and a cluster without anything', async () => {
  const terminal = captured();
  expect(await runDoctor({ kubeconfig: '/nonexistent', azure: true, strict: false, output: 'text' }, terminal, {})).toBe(1);
  expect(terminal.err).toHaveLength(1);
  const installation = await Installation.healthy(azure);
  const { findings, status } = await installation.remove(({ kind }) => kind !== 'Namespace').doctor();
  expect([findings, status]).toEqual([[], 0]);
});
