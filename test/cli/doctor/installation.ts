import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runDoctor, type DoctorOptions } from '../../../cli/doctor/run';
import { createHttpClient } from '../../../engine/http/http-client';
import { makeCertificate } from '../../../runtime/certificates/make-certificate';
import { startAzure, type AzureSimulator, type LoggedRequest } from '../../../sandbox/azure';
import { startKubernetes, type SandboxKubernetes } from '../../../sandbox/kubernetes';
import { install, type Manifest } from '../../operator/app';
import { send } from '../../sandbox/kubernetes/client';
import { captured, filesIn } from '../capture';

export const OPERATOR = 'azureserviceoperator-system';
const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';
/** A tenant that exists, and does not have the subscription. */
export const OTHER_TENANT = '77777777-8888-9999-0000-111111111111';
const DAY = 86_400_000;
const GROUP_ID = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop`;
const ACCOUNT_ID = `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/data`;

/** An Azure that refuses all that it does not know, with the resources of the installation. */
export function strictAzure(): Promise<AzureSimulator> {
  return startAzure({
    tenantId: '66666666-7777-8888-9999-000000000000',
    otherTenants: [OTHER_TENANT],
    subscriptionIds: [SUBSCRIPTION],
    strictIdentities: true,
    existing: [ACCOUNT_ID],
  });
}

export interface FoundFinding {
  readonly id: string;
  readonly severity: string;
  readonly object: string;
  readonly message: string;
  readonly cure: string;
}

/** The objects of a cluster, which a test changes before they are applied. Their status is applied, too. */
export class Installation {
  /** A healthy installation, with a team that has a resource group and a storage account. */
  public static async healthy(azure: AzureSimulator): Promise<Installation> {
    const now = Date.now();
    azure.faults.clear();
    const { AZURE_RESOURCE_MANAGER_ENDPOINT, AZURE_RESOURCE_MANAGER_AUDIENCE, AZURE_AUTHORITY_HOST } = azure.env;
    const cloud = { AZURE_RESOURCE_MANAGER_ENDPOINT, AZURE_RESOURCE_MANAGER_AUDIENCE, AZURE_AUTHORITY_HOST };
    const { AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET } = azure.env;
    const credential = { AZURE_SUBSCRIPTION_ID: SUBSCRIPTION, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET };
    const names = [`azureserviceoperator-webhook-service.${OPERATOR}.svc`];
    const certificate = await makeCertificate(names, now, 365 * DAY);
    const caBundle = Buffer.from(certificate.ca).toString('base64');
    const own = install().synth().map((manifest) => trusting(inCloud(manifest, cloud), caBundle));
    const time = new Date(now).toISOString().replace('Z', '000Z');
    return new Installation([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
      ...own.map((manifest) => (manifest.kind === 'Deployment' ? { ...manifest, status: { replicas: 2, readyReplicas: 2 } } : manifest)),
      pod({}),
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'webhook-server-cert', namespace: OPERATOR },
        type: 'kubernetes.io/tls',
        stringData: { 'tls.crt': certificate.cert, 'tls.key': certificate.key },
      },
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'controllers-leader-election-azinfra-generated', namespace: OPERATOR },
        spec: { holderIdentity: 'controller-0', leaseDurationSeconds: 15, renewTime: time, acquireTime: time, leaseTransitions: 0 },
      },
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name: 'webhooks', namespace: OPERATOR, labels: { 'kubernetes.io/service-name': 'azureserviceoperator-webhook-service' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.0.0.4'], conditions: { ready: true } }],
      },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aso-credential', namespace: 'shop' }, stringData: credential },
      azureObject('resources.azure.com/v1api20200601', 'ResourceGroup', 'shop', { location: 'uksouth' }, GROUP_ID),
      azureObject('storage.azure.com/v20250601', 'StorageAccount', 'data', {
        owner: { name: 'shop' }, location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' },
      }, ACCOUNT_ID),
    ], azure);
  }

  /** Plural of a kind that the user may not read or create. */
  public forbidden: string | undefined;

  private readonly before: number;

  private constructor(public objects: Manifest[], public readonly azure: AzureSimulator) {
    this.before = azure.log().length;
  }

  /** Requests to Azure Resource Manager since. */
  public get asked(): readonly LoggedRequest[] {
    return this.azure.log().slice(this.before);
  }

  public one(kind: string, name?: string): Manifest {
    const found = this.objects.find((object) => object.kind === kind && (name === undefined || object.metadata.name === name));
    if (!found) throw new Error(`there is no ${kind} ${name ?? ''}`);
    return found;
  }

  public change(kind: string, change: (object: any) => void, name?: string): this {
    change(this.one(kind, name));
    return this;
  }

  public remove(matches: (object: Manifest) => boolean): this {
    this.objects = this.objects.filter((object) => !matches(object));
    return this;
  }

  public add(...objects: Manifest[]): this {
    this.objects.push(...objects);
    return this;
  }

  /** Applies the objects to an embedded API server, and runs the doctor. */
  public async doctor(options: Partial<DoctorOptions> = {}) {
    let refused: string | undefined;
    const kubernetes = await startKubernetes({
      crds: [],
      intercept: ({ path }) => (refused !== undefined && path.split('/').includes(refused)
        ? { code: 403, reason: 'Forbidden', message: `User "you" cannot list resource "${refused}"` }
        : undefined),
    });
    try {
      for (const object of inOrder(this.objects)) await apply(kubernetes, object);
      refused = this.forbidden;
      const kubeconfig = join(filesIn({}), 'kubeconfig');
      writeFileSync(kubeconfig, kubernetes.kubeconfig());
      const terminal = captured();
      const all: DoctorOptions = { kubeconfig, azure: true, strict: false, output: 'json', ...options };
      const status = await runDoctor(all, terminal, {}, createHttpClient({ mostIdle: 4, idleMs: 30_000, ca: this.azure.caPem }));
      const out = terminal.out.join('\n');
      const report = all.output === 'json' && out !== ''
        ? JSON.parse(out) as { areas: { area: string; unread: string[]; findings: FoundFinding[] }[] }
        : { areas: [] };
      return {
        status,
        out,
        err: terminal.err,
        areas: report.areas,
        findings: report.areas.flatMap((area) => area.findings),
        unread: report.areas.flatMap((area) => area.unread),
      };
    } finally {
      await kubernetes.close();
    }
  }
}

export function pod(containerStatus: object): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'controller-0', namespace: OPERATOR, labels: { 'control-plane': 'controller-manager', 'app.kubernetes.io/name': 'azure-service-operator' } },
    spec: { containers: [{ name: 'manager', image: 'x' }] },
    status: { phase: 'Running', containerStatuses: [{ name: 'manager', ready: true, state: { running: {} }, ...containerStatus }] },
  };
}

export function azureObject(apiVersion: string, kind: string, name: string, spec: object, id?: string): Manifest {
  return {
    apiVersion,
    kind,
    metadata: {
      name, namespace: 'shop', ...(id !== undefined && { annotations: { 'serviceoperator.azure.com/resource-id': id, 'serviceoperator.azure.com/operator-namespace': OPERATOR } }),
    },
    spec,
    ...(id !== undefined && { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'Succeeded', lastTransitionTime: new Date().toISOString() }] } }),
  };
}

function inCloud(manifest: Manifest, cloud: Record<string, string>): Manifest {
  return manifest.kind === 'Secret' ? { ...manifest, stringData: { ...manifest.stringData, ...cloud } } : manifest;
}

/** With the authority that the controller injects. */
function trusting(manifest: Manifest, caBundle: string): Manifest {
  const copy = structuredClone(manifest) as any;
  if (copy.spec?.conversion?.webhook) copy.spec.conversion.webhook.clientConfig.caBundle = caBundle;
  for (const webhook of copy.webhooks ?? []) webhook.clientConfig.caBundle = caBundle;
  return copy as Manifest;
}

/** Namespaces and CRDs first. */
function inOrder(objects: readonly Manifest[]): Manifest[] {
  const rank = ({ kind }: Manifest) => (kind === 'Namespace' ? 0 : kind === 'CustomResourceDefinition' ? 1 : 2);
  return [...objects].sort((a, b) => rank(a) - rank(b));
}

async function apply(kubernetes: SandboxKubernetes, object: Manifest): Promise<void> {
  const { apiVersion, kind, metadata, status } = object;
  const plural = kind === 'EndpointSlice' || !kind.endsWith('y') ? `${kind.toLowerCase()}s` : `${kind.toLowerCase().slice(0, -1)}ies`;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const collection = `${root}${metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`}/${plural}`;
  const { code, body } = await send(kubernetes.url, 'POST', collection, object);
  expect([collection, code < 300 ? '' : body]).toEqual([collection, '']);
  if (status === undefined) return;
  const merge = { 'Content-Type': 'application/merge-patch+json' };
  const { code: patched, body: answer } = await send(kubernetes.url, 'PATCH', `${collection}/${metadata.name}/status`, { status }, merge);
  expect([collection, patched < 300 ? '' : answer]).toEqual([collection, '']);
}
