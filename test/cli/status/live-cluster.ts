import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anonymousAccess, Connection, KubernetesError, RestClient, type Condition, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes';
import { startKubernetes, type SandboxKubernetes } from '../../../sandbox';
import type { Interception, InterceptedRequest } from '../../../sandbox/kubernetes/options';
import { Catalog } from '../../../src/catalog';
import { until } from '../../setup/until';

/** An embedded Kubernetes API with some kinds and no controller: the test plays it. */
export class LiveCluster {
  /** @param kinds names of kinds whose CRDs are installed */
  public static async start(...kinds: string[]): Promise<LiveCluster> {
    const faults: { intercept?: (request: InterceptedRequest) => Interception | undefined } = {};
    const crds = Catalog.default().allKinds.filter(({ kind }) => kinds.includes(kind));
    const kubernetes = await startKubernetes({ crds, intercept: (request) => faults.intercept?.(request) });
    const cluster = new LiveCluster(kubernetes, faults);
    cluster.types = await cluster.client.discover();
    return cluster;
  }

  public readonly client: RestClient;
  public readonly kubeconfig: string;
  private types: ResourceType[] = [];
  private readonly connection: Connection;
  private readonly directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-live-'));

  private constructor(
    public readonly kubernetes: SandboxKubernetes,
    private readonly faults: { intercept?: (request: InterceptedRequest) => Interception | undefined },
  ) {
    this.connection = new Connection(anonymousAccess(kubernetes.url), { userAgent: 'test' });
    this.client = new RestClient(this.connection);
    this.kubeconfig = join(this.directory, 'kubeconfig');
    writeFileSync(this.kubeconfig, kubernetes.kubeconfig());
  }

  /** Answers paths that contain one of the texts as the API server answers a user without rights. */
  public refuse(...paths: string[]): void {
    this.faults.intercept = ({ path, userAgent }) => (!userAgent.startsWith('test') && paths.some((part) => path.includes(part))
      ? { code: 403, reason: 'Forbidden', message: `${path.split('/').at(-1)} is forbidden: User "jane" cannot list it` }
      : undefined);
  }

  public intercept(answer: (request: InterceptedRequest) => Interception | undefined): void {
    this.faults.intercept = answer;
  }

  public async apply(...objects: KubernetesObject[]): Promise<void> {
    for (const object of objects) {
      const type = this.typeOf(object);
      const { status, ...rest } = object;
      const created = await this.client.create(type, rest).catch(async (error: unknown) => {
        if (!(error instanceof KubernetesError) || error.reason !== 'AlreadyExists') throw error;
        return await this.client.get(type, object.metadata.name, object.metadata.namespace) as KubernetesObject;
      });
      if (status) await this.client.replaceStatus(type, { ...created, status });
    }
  }

  public async delete(object: KubernetesObject): Promise<void> {
    await this.client.delete(this.typeOf(object), object.metadata.name, object.metadata.namespace);
  }

  /** Waits until the Ready condition is as wanted. */
  public async becomes(object: KubernetesObject, wanted: (ready: Condition) => boolean): Promise<void> {
    const { name, namespace } = object.metadata;
    await until(`${object.kind} ${name} is as wanted`, async () => {
      const found = await this.client.get(this.typeOf(object), name, namespace);
      const ready = found?.status?.conditions?.find(({ type }) => type === 'Ready');
      return ready !== undefined && wanted(ready);
    });
  }

  public typeOf({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): ResourceType {
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const type = this.types.find((one) => one.kind === kind && one.group === group && one.version === version);
    if (!type) throw new Error(`${apiVersion} ${kind} is not served`);
    return type;
  }

  public async close(): Promise<void> {
    await this.connection.close();
    await this.kubernetes.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
