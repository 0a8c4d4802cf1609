import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  anonymousAccess,
  Connection,
  RestClient,
  type Condition,
  type KubernetesObject,
  type ResourceType,
} from '../../../engine/kubernetes';
import {
  startAzure,
  startKubernetes,
  type AzureOptions,
  type AzureSimulator,
  type KubernetesOptions,
  type SandboxKubernetes,
} from '../../../sandbox';
import { Catalog } from '../../../src/catalog';
import { until } from '../../setup/until';

const CONTROLLER = join(__dirname, '..', '..', '..', 'lib', 'controller', 'main.js');
const VERSIONS: Record<string, string> = {
  ResourceGroup: 'resources.azure.com/v1api20200601',
  RoleAssignment: 'authorization.azure.com/v1api20220401',
  UserAssignedIdentity: 'managedidentity.azure.com/v1api20230131',
  FederatedIdentityCredential: 'managedidentity.azure.com/v1api20230131',
  NamespacesQueue: 'servicebus.azure.com/v1api20211101',
};
export const OPERATOR_NAMESPACE = 'azureserviceoperator-system';
export const OPERATOR_SUBJECT = `system:serviceaccount:${OPERATOR_NAMESPACE}:azureserviceoperator-default`;

type Environment = Record<string, string>;

/** The embedded cluster and the simulated Azure in this process, and the built controller in one of its own. */
export class CredentialEnvironment {
  /** `shared`: the Azure of another env, which closes it. */
  public static async start(
    azure: AzureOptions = {},
    kubernetes: KubernetesOptions = {},
    shared?: AzureSimulator,
  ): Promise<CredentialEnvironment> {
    if (!existsSync(CONTROLLER)) throw new Error(`${CONTROLLER} is not there: build it first (npx projen make)`);
    const cluster = await startKubernetes({
      crds: Catalog.default().allKinds.filter(({ group, kind }) => VERSIONS[kind]?.startsWith(`${group}/`)),
      namespaceGracePeriod: 50,
      ...kubernetes,
    });
    const { tokens } = cluster;
    const federation = { issuers: [{ issuer: tokens.issuer, keys: () => tokens.jwks }], refuseUnknownClients: true, ...azure.federation };
    const simulator = shared ?? await startAzure({ timeScale: 600, ...azure, federation });
    const connection = new Connection(anonymousAccess(cluster.url), { userAgent: 'test' });
    const client = new RestClient(connection);
    return new CredentialEnvironment(cluster, simulator, connection, client, await client.discover(), shared === undefined);
  }

  private readonly directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-credentials-'));
  private controller?: ChildProcess | undefined;
  private output = '';

  private constructor(
    public readonly cluster: SandboxKubernetes,
    public readonly azure: AzureSimulator,
    private readonly connection: Connection,
    public readonly client: RestClient,
    private readonly types: readonly ResourceType[],
    private readonly ownsAzure: boolean,
  ) {}

  /** The controller's projected token, as a file. */
  public operatorToken(): string {
    const file = join(this.directory, 'token');
    const [, , namespace, name] = OPERATOR_SUBJECT.split(':');
    writeFileSync(file, this.cluster.tokens.token({ namespace: namespace!, name: name! }, ['api://AzureADTokenExchange']));
    return file;
  }

  public startController(environment: Environment = {}): void {
    const kubeconfig = join(this.directory, 'kubeconfig');
    writeFileSync(kubeconfig, this.cluster.kubeconfig());
    const { AZURE_CLIENT_ID, ...env } = this.azure.env;
    this.controller = spawn(process.execPath, [CONTROLLER, '--delay-scale', '20'], {
      env: { PATH: process.env.PATH, ...env, AZURE_CLIENT_ID, POD_NAMESPACE: OPERATOR_NAMESPACE, KUBECONFIG: kubeconfig, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.controller.stdout!, this.controller.stderr!]) {
      stream.on('data', (data: Buffer) => (this.output += data.toString()));
    }
  }

  public async stopController(): Promise<void> {
    const { controller } = this;
    this.controller = undefined;
    if (!controller || controller.exitCode !== null || controller.signalCode !== null) return;
    const ended = new Promise((resolve) => controller.once('close', resolve));
    controller.kill('SIGKILL');
    await ended;
  }

  public get log(): string {
    return this.output;
  }

  public async close(): Promise<void> {
    await this.stopController();
    await Promise.all([this.connection.close(), this.cluster.close(), this.ownsAzure ? this.azure.close() : undefined]);
    rmSync(this.directory, { recursive: true, force: true });
  }

  public typeOf(kind: string): ResourceType {
    const version = (VERSIONS[kind] ?? 'v1').split('/').at(-1);
    return this.types.find((type) => type.kind === kind && type.version === version)!;
  }

  public async namespace(name: string): Promise<void> {
    await this.client.create(this.typeOf('Namespace'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }

  public async secret(namespace: string, name: string, values: Record<string, string>): Promise<void> {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData: values };
    const existing = await this.client.get(this.typeOf('Secret'), name, namespace);
    await (existing
      ? this.client.replace(this.typeOf('Secret'), { ...secret, metadata: existing.metadata })
      : this.client.create(this.typeOf('Secret'), secret));
  }

  public async account(namespace: string, name = 'aso-workload'): Promise<void> {
    await this.client.create(this.typeOf('ServiceAccount'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
  }

  public object(
    kind: string, namespace: string, name: string, spec: Record<string, unknown> = {}, annotations: Record<string, string> = {},
  ): Promise<KubernetesObject> {
    const location = ['FederatedIdentityCredential', 'RoleAssignment', 'NamespacesQueue'].includes(kind) ? {} : { location: 'uksouth' };
    const metadata = { name, namespace, annotations };
    return this.client.create(this.typeOf(kind), { apiVersion: VERSIONS[kind]!, kind, metadata, spec: { ...location, ...spec } });
  }

  public annotate(kind: string, namespace: string, name: string, annotations: Record<string, string | null>): Promise<KubernetesObject> {
    return this.client.patch(this.typeOf(kind), name, namespace, { metadata: { annotations } }, 'application/merge-patch+json');
  }

  public delete(kind: string, namespace: string, name: string): Promise<void> {
    return this.client.delete(this.typeOf(kind), name, namespace);
  }

  public get(kind: string, namespace: string, name: string): Promise<KubernetesObject | undefined> {
    return this.client.get(this.typeOf(kind), name, namespace);
  }

  public async ready(kind: string, namespace: string, name: string): Promise<Condition | undefined> {
    return (await this.get(kind, namespace, name))?.status?.conditions?.find(({ type }) => type === 'Ready');
  }

  /** Waits for a reason of the Ready condition; answers the condition. */
  public async reason(reason: string, kind: string, namespace: string, name: string): Promise<Condition> {
    let last: Condition | undefined;
    await until(`${namespace}/${name} is ${reason}`, async () => {
      last = await this.ready(kind, namespace, name);
      return last?.reason === reason;
    }).catch((error: unknown) => {
      throw new Error(`${(error as Error).message}; it is ${JSON.stringify(last)}\n${this.output.split('\n').slice(-8).join('\n')}`);
    });
    return last!;
  }

  /** The ARM requests about one resource, without polls. */
  public requestsOf(name: string): { readonly method: string; readonly status: number }[] {
    return this.azure
      .log()
      .filter(({ path, poll }) => !poll && path.endsWith(`/${name}`))
      .map(({ method, status }) => ({ method, status: status ?? 0 }));
  }

  public clientIdOf(identity: string): string {
    const found = this.azure.resources().find(({ name }) => name === identity) as { properties: { clientId: string } } | undefined;
    return found!.properties.clientId;
  }
}
