import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NAMESPACE } from './resources';
import { ControllerProcess } from '../../cli/sandbox/controller-process';
import { anonymousAccess, Connection, RestClient, type KubernetesObject, type ResourceType } from '../../engine/kubernetes';
import { startKubernetes, type SandboxKubernetes } from '../../sandbox';
import { Catalog } from '../../src/catalog';
import { parseApiVersion } from '../../src/object-id';

const NAMESPACES: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
const LOOK_AGAIN_MS = 250;

export interface ClusterOptions {
  /** Address of the recorder, which the controller takes for Azure Resource Manager and for the identity platform. */
  readonly endpoint: string;
  readonly caPem: string;
  readonly subscriptionId: string;
  readonly syncPeriodSeconds: number;
  readonly logFile: string;
  readonly signal: AbortSignal;
}

/** An embedded Kubernetes API and the controller in a process of its own, which reconciles against the recorder. */
export class AcceptanceCluster {
  public static async start(options: ClusterOptions): Promise<AcceptanceCluster> {
    const { endpoint, caPem, subscriptionId, syncPeriodSeconds, logFile, signal } = options;
    const directory = mkdtempSync(join(tmpdir(), 'accept-azure-'));
    const [caFile, kubeconfig] = [join(directory, 'ca.pem'), join(directory, 'kubeconfig')];
    const kubernetes = await startKubernetes({ defaultAzureName: true });
    writeFileSync(caFile, caPem);
    writeFileSync(kubeconfig, kubernetes.kubeconfig());
    const id = '00000000-0000-0000-0000-000000000000';
    const controller = new ControllerProcess({
      environment: {
        KUBECONFIG: kubeconfig,
        AZURE_RESOURCE_MANAGER_ENDPOINT: endpoint,
        AZURE_RESOURCE_MANAGER_AUDIENCE: endpoint,
        AZURE_AUTHORITY_HOST: endpoint,
        AZURE_SUBSCRIPTION_ID: subscriptionId,
        AZURE_TENANT_ID: id,
        AZURE_CLIENT_ID: id,
        AZURE_CLIENT_SECRET: 'recorder',
        NODE_EXTRA_CA_CERTS: caFile,
        AZURE_SYNC_PERIOD: `${syncPeriodSeconds}s`,
        DATABASE_USERS: 'disabled',
      },
      inherited: process.env,
      simulated: true,
      flags: [],
      logFile,
      say: () => undefined,
    });
    controller.start();
    const connection = new Connection(anonymousAccess(kubernetes.url), { userAgent: 'cdk8s-aso-accept' });
    const client = new RestClient(connection, { fieldManager: 'accept' });
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }).catch(() => undefined);
    return new AcceptanceCluster(kubernetes, client, connection, controller, directory, signal);
  }

  private constructor(
    private readonly kubernetes: SandboxKubernetes,
    private readonly client: RestClient,
    private readonly connection: Connection,
    private readonly controller: ControllerProcess,
    private readonly directory: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Applies the object, with its annotations in the place of those that it had. */
  public async apply(object: KubernetesObject): Promise<KubernetesObject> {
    const { name, annotations } = object.metadata;
    return this.client.patch(
      typeOf(object), name, NAMESPACE, { ...object, metadata: { name, namespace: NAMESPACE, ...(annotations && { annotations }) } }, 'application/apply-patch+yaml',
    );
  }

  public get(object: KubernetesObject): Promise<KubernetesObject | undefined> {
    return this.client.get(typeOf(object), object.metadata.name, NAMESPACE);
  }

  public async delete(object: KubernetesObject): Promise<void> {
    await this.client.delete(typeOf(object), object.metadata.name, NAMESPACE).catch(() => undefined);
  }

  /** Waits until the condition holds; undefined: it does. Otherwise why not, in the end. */
  public async until(timeoutMs: number, condition: () => Promise<string | undefined>): Promise<string | undefined> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const why = await condition();
      if (why === undefined || Date.now() > end) return why;
      await sleep(LOOK_AGAIN_MS, undefined, { signal: this.signal });
    }
  }

  /** Why an object is not Ready in its current generation. */
  public async notReady(object: KubernetesObject): Promise<string | undefined> {
    const found = await this.get(object);
    const ready = found?.status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready?.status === 'True' && ready.observedGeneration === found?.metadata.generation) return undefined;
    return ready ? `${ready.reason}: ${ready.message ?? ''}` : 'the controller has not looked at it';
  }

  public async close(): Promise<void> {
    await this.controller.stop();
    await this.connection.close();
    await this.kubernetes.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function typeOf({ apiVersion, kind }: KubernetesObject): ResourceType {
  const { group, version } = parseApiVersion(apiVersion);
  return { group, version, plural: Catalog.default().kind(group, kind)!.facts.plural, kind, namespaced: true };
}
