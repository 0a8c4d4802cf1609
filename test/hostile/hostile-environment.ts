import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHostileServer, type HostileServer } from './hostile-server';
import { anonymousAccess, Connection, RestClient, type Condition, type KubernetesObject, type ResourceType } from '../../engine/kubernetes';
import { startAzure, startKubernetes, type AzureOptions, type AzureSimulator, type SandboxKubernetes } from '../../sandbox';
import type { LoggedRequest } from '../../sandbox/azure';
import { Catalog } from '../../src/catalog';
import { crdManifest, type CustomResourceDefinition } from '../../src/catalog/crd';
import { FaultyKubernetes } from '../e2e/faulty-kubernetes';
import { installCrds } from '../e2e/install-crds';
import { MortalController } from '../e2e/kill/mortal-controller';
import { freePorts } from '../e2e/servers';
import { ControlProcess } from '../setup/control-process';
import { until } from '../setup/until';

const TIME_SCALE = 60;
export const OPERATOR_NAMESPACE = 'azureserviceoperator-system';

/** Versions in which rows write their objects. */
export const VERSIONS = {
  ResourceGroup: 'resources.azure.com/v1api20200601',
  UserAssignedIdentity: 'managedidentity.azure.com/v1api20230131',
  FederatedIdentityCredential: 'managedidentity.azure.com/v1api20230131',
  StorageAccount: 'storage.azure.com/v1api20230101',
  FlexibleServer: 'dbforpostgresql.azure.com/v20250801',
  RoleAssignment: 'authorization.azure.com/v1api20220401',
  SecurityGroup: 'entra.azure.com/v1',
  VirtualNetwork: 'network.azure.com/v1api20201101',
  VirtualNetworksSubnet: 'network.azure.com/v1api20201101',
} as const;

export interface HostileEnvironmentOptions {
  /** Kinds whose CRDs are installed besides ResourceGroup and UserAssignedIdentity, with their `group/version`. */
  readonly kinds?: Readonly<Record<string, string>>;
  /** CRDs that take everything for a spec, as if no schema stood in the way. Default: false. */
  readonly openSchemas?: boolean;
  readonly azure?: AzureOptions;
  /** Variables of the controller, in addition to those that point it at the simulator. `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether a server is there whose answers hurt, and Microsoft Graph is that server. Default: none is. */
  readonly hostileServer?: boolean;
  /** Flags of the controller. */
  readonly flags?: readonly string[];
  /** Whether the controller serves webhooks. Default: it does not. */
  readonly webhooks?: boolean;
  /** Calls of the row itself start the controller (`start`). Default: it runs when the row begins. */
  readonly startsLater?: boolean;
}

type Metadata = Partial<KubernetesObject['metadata']>;

/** The embedded Kubernetes API behind a proxy, the simulated Azure, and the built controller as a process of its own. */
export class HostileEnvironment {
  public static async start(options: HostileEnvironmentOptions = {}): Promise<HostileEnvironment> {
    const versions = { ResourceGroup: VERSIONS.ResourceGroup, UserAssignedIdentity: VERSIONS.UserAssignedIdentity, ...options.kinds };
    const kinds = Object.entries(versions).map(([kind, apiVersion]) => Catalog.default().kind(apiVersion.split('/')[0]!, kind)!);
    const kubernetes = await startKubernetes({ crds: options.openSchemas ? [] : kinds });
    const environment = new HostileEnvironment(
      kubernetes,
      await FaultyKubernetes.start(kubernetes.url),
      await startAzure({ timeScale: TIME_SCALE, seed: 'hostile', ...options.azure }),
      await ControlProcess.start(),
      options.hostileServer ? await startHostileServer() : undefined,
      versions,
      options,
    );
    try {
      if (options.openSchemas) await installCrds(environment.connection, kinds.map((kind) => withoutSchema(crdManifest(kind))));
      await environment.prepare();
      return environment;
    } catch (error) {
      await environment.close();
      throw error;
    }
  }

  /** Requests of the test; the controller's go through `proxy`. */
  public readonly client: RestClient;
  public readonly connection: Connection;
  public controller?: MortalController;
  /** The longest answer of `/healthz` so far, in answers of a process that has nothing else to do. */
  public slowestHealthBeats = 0;
  /** The most that the thread which answers `/healthz` computed before an answer, in milliseconds of the processor. */
  public mostComputedMs = 0;
  /** Secret values that must not appear in the log, in conditions or in events. */
  public readonly secrets: string[] = [];
  /** Of the webhooks, where they are served. */
  public webhookPort = 0;
  private types: ResourceType[] = [];
  public healthPort = 0;
  private probing?: NodeJS.Timeout;
  private readonly seen = new Set<LoggedRequest>();
  private readonly directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-hostile-'));

  private constructor(
    public readonly kubernetes: SandboxKubernetes,
    public readonly proxy: FaultyKubernetes,
    public readonly azure: AzureSimulator,
    /** A measure for how long something takes. */
    public readonly control: ControlProcess,
    public readonly hostileServer: HostileServer | undefined,
    private readonly versions: Readonly<Record<string, string>>,
    private readonly options: HostileEnvironmentOptions,
  ) {
    this.connection = new Connection(anonymousAccess(kubernetes.url), { userAgent: 'test' });
    this.client = new RestClient(this.connection);
  }

  /** Starts the controller and waits until it reconciles, unless `waits` is false. */
  public async startController({ waits = true }: { readonly waits?: boolean } = {}): Promise<void> {
    const kubeconfig = join(this.directory, 'kubeconfig');
    writeFileSync(kubeconfig, this.proxy.kubeconfig());
    const variables = {
      ...this.azure.env,
      ...(this.hostileServer ? { AZURE_GRAPH_ENDPOINT: this.hostileServer.url } : {}),
      KUBECONFIG: kubeconfig,
      POD_NAMESPACE: OPERATOR_NAMESPACE,
      ...this.options.env,
    };
    const environment = Object.fromEntries(Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined));
    const webhooks = this.options.webhooks ? ['--webhook-port', String(this.webhookPort)] : [];
    const flags = ['--health-addr', `127.0.0.1:${this.healthPort}`, ...webhooks, ...(this.options.flags ?? [])];
    this.controller = new MortalController({ environment, timeScale: TIME_SCALE, flags });
    this.controller.start();
    if (!waits) return;
    await until('the controller reconciles', () => this.controller!.works);
    this.probing = setInterval(() => void this.probe(), 250);
  }

  public async namespace(name: string, annotations?: Record<string, string>): Promise<void> {
    await this.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...(annotations ? { annotations } : {}) } });
  }

  /** Creates an Azure object in the version of the row's options. */
  public async object(namespace: string, kind: string, name: string, spec: unknown, metadata: Metadata = {}): Promise<KubernetesObject> {
    return this.create({
      apiVersion: this.versions[kind]!,
      kind,
      metadata: { ...metadata, name, namespace },
      spec: spec as Record<string, unknown>,
    });
  }

  public async secret(namespace: string, name: string, stringData: Record<string, string>): Promise<void> {
    this.secrets.push(...Object.values(stringData).filter((value) => value.length >= 8));
    const data = Object.fromEntries(Object.entries(stringData).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
    await this.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data } as KubernetesObject);
  }

  public create(object: KubernetesObject): Promise<KubernetesObject> {
    return this.client.create(this.typeOf(object), object);
  }

  public get(kind: string, namespace: string, name: string): Promise<KubernetesObject | undefined> {
    return this.client.get(this.typeOf({ apiVersion: this.versions[kind] ?? 'v1', kind }), name, namespace);
  }

  public async delete(kind: string, namespace: string, name: string): Promise<void> {
    await this.client.delete(this.typeOf({ apiVersion: this.versions[kind] ?? 'v1', kind }), name, namespace);
  }

  /** Merges into an object, as `kubectl patch --type merge`. */
  public async patch(kind: string, namespace: string, name: string, patch: object): Promise<void> {
    const { group, version, plural } = this.typeOf({ apiVersion: this.versions[kind] ?? 'v1', kind });
    const root = group ? `/apis/${group}/${version}` : `/api/${version}`;
    const path = `${root}${namespace ? `/namespaces/${namespace}` : ''}/${plural}/${name}`;
    const answer = await this.connection.request({
      method: 'PATCH',
      path,
      body: JSON.stringify(patch),
      contentType: 'application/merge-patch+json',
    });
    if (answer.status >= 300) throw new Error(`PATCH ${path}: ${answer.text}`);
  }

  /** The Ready condition as it is now. */
  public async ready(kind: string, namespace: string, name: string): Promise<Condition | undefined> {
    const object = await this.get(kind, namespace, name);
    return object?.status?.conditions?.find(({ type }) => type === 'Ready');
  }

  /** Waits until the Ready condition is as wanted; the error tells the last one. */
  public async becomes(
    kind: string,
    namespace: string,
    name: string,
    wanted: (ready: Condition) => boolean,
  ): Promise<Condition> {
    let last: Condition | undefined;
    await until('', async () => {
      last = await this.ready(kind, namespace, name);
      return last !== undefined && wanted(last);
    }).catch(() => {
      throw new Error(`${kind} ${namespace}/${name} is ${JSON.stringify(last)?.slice(0, 800)}`);
    });
    return last!;
  }

  public isReady(kind: string, namespace: string, name: string): Promise<Condition> {
    return this.becomes(kind, namespace, name, ({ status }) => status === 'True');
  }

  /** Messages of the events of a namespace. */
  public async events(namespace: string): Promise<readonly string[]> {
    const { items } = await this.client.list(
      { group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true },
      { namespace },
    );
    return items.map((event) => String((event as { message?: unknown }).message ?? ''));
  }

  /** Every request to Azure so far, oldest first. */
  public requests(): readonly LoggedRequest[] {
    this.azure.log().forEach((logged) => this.seen.add(logged));
    return [...this.seen];
  }

  /** Requests that change something in Azure whose path contains the text, whatever its case. */
  public writes(path = ''): readonly LoggedRequest[] {
    return this.requests().filter(
      (logged) => logged.method !== 'GET' && logged.method !== 'HEAD' && logged.path.toLowerCase().includes(path.toLowerCase()),
    );
  }

  /** A GET of the controller's probes, e.g. `/readyz`. */
  public health(path: '/healthz' | '/readyz'): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port: this.healthPort, path, agent: false, timeout: 20_000 }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk)).on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      call.on('timeout', () => call.destroy(new Error(`${path} has not answered for 20 s`)));
      call.on('error', reject).end();
    });
  }

  public async close(): Promise<void> {
    clearInterval(this.probing);
    await this.controller?.stop();
    await Promise.all([this.connection.close(), this.proxy.close(), this.control.close(), this.hostileServer?.close()]);
    await Promise.all([this.kubernetes.close(), this.azure.close()]);
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async prepare(): Promise<void> {
    this.types = await this.client.discover();
    await this.namespace(OPERATOR_NAMESPACE);
    await this.namespace('neighbour');
    const [healthPort, webhookPort] = await freePorts(2);
    this.healthPort = healthPort!;
    this.webhookPort = webhookPort!;
    if (!this.options.startsLater) await this.startController();
  }

  private async probe(): Promise<void> {
    const controller = this.controller!;
    const [starts, before] = [controller.starts, controller.mainThreadMs()];
    const beats = await this.control.during(() => this.health('/healthz').catch(() => undefined));
    this.slowestHealthBeats = Math.max(this.slowestHealthBeats, beats);
    const after = controller.mainThreadMs();
    const isSameProcess = controller.starts === starts && before !== undefined && after !== undefined;
    if (isSameProcess) this.mostComputedMs = Math.max(this.mostComputedMs, after - before);
    this.requests();
  }

  private typeOf({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): ResourceType {
    const found = this.types.find((type) => `${type.group ? `${type.group}/` : ''}${type.version}` === apiVersion && type.kind === kind);
    if (!found) throw new Error(`the cluster of this row has no ${kind} of ${apiVersion}: add it to its kinds`);
    return found;
  }
}

function withoutSchema(crd: CustomResourceDefinition): CustomResourceDefinition {
  const schema = { openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    ...crd,
    spec: { ...crd.spec, versions: crd.spec.versions.map((version) => ({ ...version, schema })) },
  } as CustomResourceDefinition;
}
