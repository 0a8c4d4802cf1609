import { ApiError } from '../api';
import type { AsoCluster, LeftObject } from './aso-cluster';
import { NAMESPACE } from './aso-names';
import { kindOf, pathOf } from './objects';
import { makeCertificate } from '../../../runtime/certificates/make-certificate';
import { until } from '../../setup/until';

/** Changes the cluster, and answers how to undo it. */
type Plant = (aso: AsoCluster) => Promise<() => Promise<unknown>>;

/** Something that would stop a migration in its middle, or that the administrator has to know of before. */
export interface Obstacle {
  readonly name: string;
  readonly severity: 'stop' | 'warning';
  /** In the message of the finding. */
  readonly finding: RegExp;
  /** Changes the manifests of the new controller. */
  readonly change?: (manifests: any[]) => void;
  readonly plant?: Plant;
}

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ASO = 'serviceoperator.azure.com/';
const deploymentOf = (manifests: any[]) => manifests.find(({ kind }) => kind === 'Deployment');
const podOf = (manifests: any[]) => deploymentOf(manifests).spec.template.spec;
const crdOf = (manifests: any[], name: string) => manifests.find(({ metadata }) => metadata.name === name);
const named = (aso: AsoCluster, kind: string, index = 0): LeftObject => aso.left.filter((left) => left.named.kind === kind)[index]!;

/** Obstacles in manifests; each is found beside the others. */
export const IN_MANIFESTS: readonly Obstacle[] = [
  {
    name: 'a client secret in a Secret that is not there',
    severity: 'stop',
    finding: /would not start: the Secret client-secret of their environment: it is not there/,
    change: (manifests) => podOf(manifests).containers[0].env.push({ name: 'CLIENT', valueFrom: { secretKeyRef: { name: 'client-secret', key: 'value' } } }),
  },
  {
    name: 'a key that a Secret has not',
    severity: 'stop',
    finding: /the Secret aso-controller-settings of their environment: it has not every key \(1 key: AZURE_ABSENT\)/,
    change: (manifests) => podOf(manifests).containers[0].env.push({ name: 'ABSENT', valueFrom: { secretKeyRef: { name: 'aso-controller-settings', key: 'AZURE_ABSENT' } } }),
  },
  {
    name: 'a ConfigMap that is not there',
    severity: 'stop',
    finding: /the ConfigMap proxy of their environment: it is not there/,
    change: (manifests) => (podOf(manifests).containers[0].envFrom = [{ configMapRef: { name: 'proxy' } }]),
  },
  {
    name: 'a pull secret that is not there',
    severity: 'stop',
    finding: /the Secret registry of their imagePullSecrets: it is not there/,
    change: (manifests) => (podOf(manifests).imagePullSecrets = [{ name: 'registry' }]),
  },
  {
    name: 'a priority class that is not there',
    severity: 'stop',
    finding: /the PriorityClass important of their priorityClassName: it is not there/,
    change: (manifests) => (podOf(manifests).priorityClassName = 'important'),
  },
  {
    name: 'a certificate that goes with ASO',
    severity: 'stop',
    finding: /the Secret metrics-server-cert of their volumes: it goes with the old controller/,
    change: (manifests) => (podOf(manifests).volumes ??= []).push({ name: 'metrics', secret: { secretName: 'metrics-server-cert' } }),
  },
  {
    name: 'a service account that is not there',
    severity: 'stop',
    finding: /the ServiceAccount absent of their serviceAccountName: it is not there/,
    change: (manifests) => (podOf(manifests).serviceAccountName = 'absent'),
  },
  {
    name: 'an object in a namespace that is not there',
    severity: 'stop',
    finding: /install: the API server would refuse the ConfigMap nowhere\/o: .*namespaces "nowhere" not found/,
    change: (manifests) => manifests.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'o', namespace: 'nowhere' } }),
  },
  {
    name: 'an object that the API server takes for invalid',
    severity: 'stop',
    finding: /install: the API server would refuse the Service .*wrong.*: .*must be between 1 and 65535/,
    change: (manifests) => manifests.push({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'wrong', namespace: NAMESPACE }, spec: { ports: [{ port: 70_000 }] } }),
  },
  {
    name: 'a CRD whose schema is none',
    severity: 'stop',
    finding: /replace-crds: the API server would refuse the CRD networkwatchers\.network\.azure\.com: .*must not be empty/,
    change: (manifests) => delete crdOf(manifests, 'networkwatchers.network.azure.com').spec.versions[0].schema.openAPIV3Schema.properties.spec.type,
  },
  {
    name: 'a CRD without a version in which objects were applied',
    severity: 'stop',
    finding: /the CRD storageaccounts\.storage\.azure\.com of the manifests does not serve v1api20220901/,
    change: (manifests) => {
      const { spec } = crdOf(manifests, 'storageaccounts.storage.azure.com');
      spec.versions = spec.versions.filter(({ name }: any) => name !== 'v1api20220901');
    },
  },
  {
    name: 'other target namespaces',
    severity: 'stop',
    finding: /AZURE_TARGET_NAMESPACES of the new installation is another one/,
    change: (manifests) => (manifests.find(({ kind }) => kind === 'Secret').stringData.AZURE_TARGET_NAMESPACES = 'team-a'),
  },
  {
    name: 'a role without rights on a kind',
    severity: 'stop',
    finding: /the service account azureserviceoperator-system\/absent of --install may not list, patch or watch .*storageaccounts\.storage\.azure\.com/,
  },
  {
    name: 'Azure objects among the manifests',
    severity: 'stop',
    finding: /the manifests have Azure objects: ResourceGroup team-a\/more/,
    change: (manifests) => manifests.push({ apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name: 'more', namespace: 'team-a' }, spec: { location: 'uksouth' } }),
  },
];

/** A policy that refuses writes of objects with a name. */
function refusing(name: string, operation: string, group: string, plural: string, object: string): Plant {
  return async ({ api }) => {
    const rules = [{ apiGroups: [group], apiVersions: ['*'], operations: [operation], resources: [plural] }];
    await api.send('POST', `${ADMISSION}/validatingadmissionpolicies`, {
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules: rules },
        validations: [{ expression: `(object == null ? oldObject : object).metadata.name != '${object}'`, message: `house rule ${name}` }],
      },
    });
    await api.send('POST', `${ADMISSION}/validatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } });
    return async () => {
      await api.send('DELETE', `${ADMISSION}/validatingadmissionpolicybindings/${name}`);
      await api.send('DELETE', `${ADMISSION}/validatingadmissionpolicies/${name}`);
    };
  };
}

/** A merge patch of an object of ASO, in the version that it stores. */
function patched(kind: string, patch: object, undo: object): Plant {
  return async (aso) => {
    const path = pathOf(named(aso, kind).named);
    await aso.api.send('PATCH', path, patch);
    return () => aso.api.send('PATCH', path, undo);
  };
}

/** Obstacles in the cluster; each is found beside the others. */
export const IN_CLUSTER: readonly Obstacle[] = [
  { name: 'a policy for Deployments', severity: 'stop', finding: /stop-watchers: the API server would refuse the Deployment .*house rule deployments/, plant: refusing('deployments', 'UPDATE', 'apps', 'deployments', 'azureserviceoperator-controller-manager') },
  { name: 'a policy for objects', severity: 'stop', finding: /rewrite-objects: the API server would refuse the Fleet team-a\/fleet: .*house rule fleets/, plant: refusing('fleets', 'UPDATE', 'containerservice.azure.com', 'fleets', 'fleet') },
  { name: 'a policy for CRDs', severity: 'stop', finding: /move-storage: the API server would refuse the CRD topics\.eventgrid\.azure\.com: .*house rule crds/, plant: refusing('crds', 'UPDATE', 'apiextensions.k8s.io', 'customresourcedefinitions', 'topics.eventgrid.azure.com') },
  { name: 'a policy for the journal', severity: 'stop', finding: /begin: the API server would refuse the ConfigMap .*house rule journals/, plant: refusing('journals', 'CREATE', '', 'configmaps', 'cdk8s-aso-migration') },
  { name: 'a policy for what is created after ASO is gone', severity: 'stop', finding: /install: the API server would refuse the PodDisruptionBudget azureserviceoperator-system\/azureserviceoperator-pdb: .*house rule budgets/, plant: refusing('budgets', 'CREATE', 'policy', 'poddisruptionbudgets', 'azureserviceoperator-pdb') },
  { name: 'a policy against deletion', severity: 'stop', finding: /remove-aso: the API server would refuse the deletion of the Service azureserviceoperator-webhook-service: .*house rule services/, plant: refusing('services', 'DELETE', '', 'services', 'azureserviceoperator-webhook-service') },
  {
    name: 'a policy for exported objects',
    severity: 'stop',
    finding: /owner-references: the API server would refuse the Secret team-[ab]\/keys-\d+: .*house rule exports/,
    plant: async (aso) => {
      const path = [...aso.exported.keys()].find((each) => each.includes('/secrets/'))!;
      return refusing('exports', 'UPDATE', '', 'secrets', path.split('/').pop()!)(aso);
    },
  },
  {
    name: 'Helm at work',
    severity: 'stop',
    finding: /Helm is at work on the release azureserviceoperator-system\/aso2, or was interrupted: pending-upgrade/,
    plant: async ({ api }) => {
      const path = `/api/v1/namespaces/${NAMESPACE}/secrets`;
      const labels = { owner: 'helm', name: 'aso2', status: 'pending-upgrade', version: '2' };
      await api.send('POST', path, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'sh.helm.release.v1.aso2.v2', labels }, type: 'helm.sh/release.v1' });
      return () => api.send('DELETE', `${path}/sh.helm.release.v1.aso2.v2`);
    },
  },
  {
    name: 'CRDs of another Helm release',
    severity: 'stop',
    finding: /the Helm release platform\/azure-crds owns CRDs that are replaced: domains\.eventgrid\.azure\.com/,
    plant: async ({ api }) => {
      const annotations = (of: (text: string) => string | null) => ({ metadata: { annotations: { 'meta.helm.sh/release-name': of('azure-crds'), 'meta.helm.sh/release-namespace': of('platform') } } });
      await api.send('PATCH', `${CRDS}/domains.eventgrid.azure.com`, annotations((text) => text));
      return () => api.send('PATCH', `${CRDS}/domains.eventgrid.azure.com`, annotations(() => null));
    },
  },
  {
    name: 'a conversion whose authority is gone',
    severity: 'stop',
    finding: /ASO's webhook does not convert privatednszones\.network\.azure\.com: .*certificate/,
    plant: async ({ api }) => {
      const path = `${CRDS}/privatednszones.network.azure.com`;
      const { spec: { conversion } } = await api.send('GET', path);
      const { ca } = await makeCertificate(['localhost'], Date.now(), 3_600_000);
      const wrong = { ...conversion, webhook: { ...conversion.webhook, clientConfig: { ...conversion.webhook.clientConfig, caBundle: Buffer.from(ca).toString('base64') } } };
      await api.send('PATCH', path, { spec: { conversion: wrong } });
      return () => api.send('PATCH', path, { spec: { conversion } });
    },
  },
  { name: 'an operation of Azure', severity: 'warning', finding: /Azure works on 1 object: DnsZone/, plant: patched('DnsZone', { metadata: { annotations: { [`${ASO}poller-resume-token`]: '{}' } } }, { metadata: { annotations: { [`${ASO}poller-resume-token`]: null } } }) },
  { name: 'an object that ASO has not claimed', severity: 'warning', finding: /objects? without ASO's finalizer: .*RouteTable/, plant: patched('RouteTable', { metadata: { finalizers: null } }, { metadata: { finalizers: [`${ASO}finalizer`] } }) },
  {
    name: 'an object that is not Ready',
    severity: 'warning',
    finding: /1 object is not Ready \(AzureError, and ASO has given up\): Component/,
    plant: async (aso) => {
      const { named: of, object } = named(aso, 'Component');
      const path = `${pathOf(of)}/status`;
      const failed = { ...object.status.conditions[0], status: 'False', severity: 'Error', reason: 'AzureError', message: 'no' };
      await aso.api.send('PATCH', path, { status: { conditions: [failed] } });
      return () => aso.api.send('PATCH', path, { status: { conditions: object.status.conditions } });
    },
  },
  {
    name: 'an object without room in its annotations',
    severity: 'stop',
    finding: /the annotations of 1 object leave no room/,
    plant: async (aso) => {
      const { named: of } = aso.left.find(({ named: { apiVersion, kind } }) => kind === 'StorageAccount' && apiVersion.endsWith('v1api20220901'))!;
      await aso.api.send('PATCH', pathOf(of), { metadata: { annotations: { large: 'x'.repeat(230 * 1024) } } });
      return () => aso.api.send('PATCH', pathOf(of), { metadata: { annotations: { large: null } } });
    },
  },
  {
    name: 'a finalizer of somebody else on an object that goes',
    severity: 'warning',
    finding: /the Service azureserviceoperator-controller-manager-metrics-service would be held by example\.com\/held/,
    plant: async ({ api }) => {
      const path = `/api/v1/namespaces/${NAMESPACE}/services/azureserviceoperator-controller-manager-metrics-service`;
      await api.send('PATCH', path, { metadata: { finalizers: ['example.com/held'] } });
      return () => api.send('PATCH', path, { metadata: { finalizers: null } });
    },
  },
  {
    name: 'a CRD that is older than its objects',
    severity: 'stop',
    finding: /availabilitysets\.compute\.azure\.com cannot be read: .*/,
    plant: async (aso) => {
      const left = named(aso, 'AvailabilitySet');
      const path = `${CRDS}/${kindOf(left.named).crdName}`;
      const before = await aso.api.send('GET', path);
      const stored = before.spec.versions.find(({ storage }: any) => storage).name;
      const older = before.spec.versions.filter(({ name }: any) => name !== stored);
      const storage = older.find(({ name }: any) => name.endsWith('storage')).name;
      const versions = (of: any[], to: string) => of.map((version) => ({ ...version, storage: version.name === to }));
      await aso.api.send('PATCH', path, { spec: { versions: versions(before.spec.versions, storage) } });
      await until('the API server stores the older version', async () => (await aso.api.send('GET', path)).status.storedVersions.includes(storage));
      await aso.api.send('PATCH', `${path}/status`, { status: { storedVersions: [storage] } });
      await aso.api.send('PATCH', path, { spec: { versions: versions(older, storage) } });
      return async () => {
        await aso.api.send('PATCH', path, { spec: { versions: before.spec.versions } });
        await until('the API server stores the newer version', async () => (await aso.api.send('GET', path)).status.storedVersions.includes(stored));
        await aso.api.send('PATCH', `${path}/status`, { status: { storedVersions: [stored] } });
      };
    },
  },
];

/** Policies take a moment until each API server knows them. */
export async function policiesKnown({ api }: AsoCluster): Promise<void> {
  await until('the API server knows the policies', async () => {
    const path = `/api/v1/namespaces/${NAMESPACE}/services/azureserviceoperator-webhook-service`;
    const refused = await api.send('DELETE', path, undefined, { dryRun: 'All' }).then(() => false, (error: unknown) => error instanceof ApiError);
    return refused;
  });
}
