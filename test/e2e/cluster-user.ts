import { spawn } from 'node:child_process';
import type { TestCluster } from './cluster';
import {
  collectionPath,
  Connection,
  loadClusterAccess,
  objectPath,
  RestClient,
  type HttpRequest,
  type ResourceType,
} from '../../engine/kubernetes';
import { apiVersionOf } from '../../src/object-id';

/** The API server's answer. */
export interface Answer {
  readonly passed: boolean;
  /** The whole text; of a refusal, the message alone. */
  readonly said: string;
}

/** As much of an object as a request needs. */
export interface NamedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}

/** An element of `status.objects`. */
export interface ListedObject {
  readonly group?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
}

export interface ApplyOptions {
  readonly dryRun?: boolean;
  /** A part of the object, e.g. `status`. */
  readonly subresource?: string;
}

/** A user of a cluster, whom the administrator impersonates: the API server knows the user by name and groups, and asks RBAC. */
export class ClusterUser {
  public static async of(cluster: TestCluster, user: string, group?: string): Promise<ClusterUser> {
    const access = await loadClusterAccess({ path: cluster.kubeconfig });
    const authenticate = async () => {
      const own = await access.authenticate();
      return { headers: { ...own.headers, 'impersonate-user': user, ...(group !== undefined && { 'impersonate-group': group }) }, tls: own.tls };
    };
    return new ClusterUser(cluster, user, group, new Connection({ ...access, authenticate }), new RestClient(new Connection(access)));
  }

  private types: readonly ResourceType[] = [];

  private constructor(
    private readonly cluster: TestCluster,
    public readonly name: string,
    private readonly group: string | undefined,
    private readonly connection: Connection,
    private readonly administrator: RestClient,
  ) {}

  public async request(request: HttpRequest): Promise<Answer> {
    const { status, text } = await this.connection.request(request);
    const passed = status < 300;
    return { passed, said: passed ? text : messageIn(text) };
  }

  /** Server-side apply, as `kubectl apply --server-side --force-conflicts`. */
  public async apply(object: NamedObject, { dryRun = false, subresource }: ApplyOptions = {}): Promise<Answer> {
    return this.request({
      method: 'PATCH',
      path: await this.pathOf(object, subresource),
      query: { fieldManager: 'test', force: true, ...(dryRun && { dryRun: 'All' }) },
      contentType: 'application/apply-patch+yaml',
      body: JSON.stringify(object),
    });
  }

  public async create(object: NamedObject): Promise<Answer> {
    const path = collectionPath(await this.typeOf(object), object.metadata.namespace);
    return this.request({ method: 'POST', path, body: JSON.stringify(object) });
  }

  /** A JSON merge patch. */
  public async patch(object: NamedObject, change: object, subresource?: string): Promise<Answer> {
    return this.request({
      method: 'PATCH',
      path: await this.pathOf(object, subresource),
      contentType: 'application/merge-patch+json',
      body: JSON.stringify(change),
    });
  }

  public async delete(object: NamedObject): Promise<Answer> {
    return this.request({ method: 'DELETE', path: await this.pathOf(object) });
  }

  public async get(object: NamedObject): Promise<Answer> {
    return this.request({ method: 'GET', path: await this.pathOf(object) });
  }

  public async list(object: Pick<NamedObject, 'apiVersion' | 'kind'>, namespace?: string): Promise<Answer> {
    return this.request({ method: 'GET', path: collectionPath(await this.typeOf(object), namespace) });
  }

  public async deleteAll(object: Pick<NamedObject, 'apiVersion' | 'kind'>, namespace?: string): Promise<Answer> {
    return this.request({ method: 'DELETE', path: collectionPath(await this.typeOf(object), namespace) });
  }

  /** The object that an inventory names without a version. */
  public async named({ group = '', kind, namespace, name }: ListedObject): Promise<NamedObject> {
    const type = await this.served(`${kind} of ${group}`, (one) => one.group === group && one.kind === kind);
    return { apiVersion: apiVersionOf(type), kind, metadata: { name, namespace } };
  }

  /** The same user at a terminal. */
  public kubectl(args: readonly string[], input?: object): Promise<Answer> {
    const as = [`--as=${this.name}`, ...(this.group === undefined ? [] : [`--as-group=${this.group}`])];
    return new Promise((resolve) => {
      const child = spawn('kubectl', ['--kubeconfig', this.cluster.kubeconfig, ...as, ...args], { env: { ...process.env, KUBECTL_APPLYSET: 'true' } });
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
      child.on('close', (status) => resolve({ passed: status === 0, said }));
      child.stdin.end(input ? JSON.stringify(input) : '');
    });
  }

  private async pathOf(object: NamedObject, subresource?: string): Promise<string> {
    const path = objectPath(await this.typeOf(object), object.metadata.name, object.metadata.namespace);
    return subresource === undefined ? path : `${path}/${subresource}`;
  }

  private typeOf({ apiVersion, kind }: Pick<NamedObject, 'apiVersion' | 'kind'>): Promise<ResourceType> {
    return this.served(`${kind} of ${apiVersion}`, (type) => apiVersionOf(type) === apiVersion && type.kind === kind);
  }

  /** The kinds that are served are known to everybody; the administrator asks for all users, again where a kind is new. */
  private async served(what: string, isWanted: (type: ResourceType) => boolean): Promise<ResourceType> {
    const found = this.types.find(isWanted) ?? (this.types = await this.administrator.discover()).find(isWanted);
    if (!found) throw new Error(`the cluster does not serve ${what}`);
    return found;
  }
}

function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}
