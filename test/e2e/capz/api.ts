import { capzKinds, CLASSIC_CONTROL_PLANE, CLUSTER, CONTROL_PLANE, MACHINE_POOL, MANAGED_CLUSTER } from './kinds';
import type { Connection, KubernetesObject, PatchType, ResourceType } from '../../../engine/kubernetes';

export const FIELD_MANAGER = 'capz-manager';
export const NAMESPACE = 'default';
const MAX_TRIES = 240;

const plurals = new Map<string, string>([
  ['v1/Secret', 'secrets'],
  ...[CLUSTER, MANAGED_CLUSTER, CONTROL_PLANE, MACHINE_POOL, CLASSIC_CONTROL_PLANE].map(
    ({ group, kind, plural }): [string, string] => [`${group}/${kind}`, plural],
  ),
  ...capzKinds.map(({ group, kind, facts }): [string, string] => [`${group}/${kind}`, facts.plural]),
]);

/** The name of an object: enough for its path. */
export interface ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The Kubernetes API as CAPZ uses it. */
export class Api {
  public constructor(private readonly connection: Connection) {}

  /**
   * As a controller's client: client-go waits and asks again on a 429 with Retry-After, and a controller comes back when a webhook cannot
   * be reached for a moment, because its certificate is new, or it starts.
   */
  private async request(...asked: Parameters<Connection['request']>): ReturnType<Connection['request']> {
    for (let tries = 0; ; tries += 1) {
      const answer = await this.connection.request(...asked);
      const isPassing = answer.status === 429 || (answer.status === 500 && /webhook/.test(answer.text));
      if (!isPassing || tries === MAX_TRIES) return answer;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  public async get(object: ObjectName): Promise<KubernetesObject | undefined> {
    const { status, text } = await this.request({ method: 'GET', path: pathOf(object) });
    if (status === 404) return undefined;
    return read(`GET ${pathOf(object)}`, status, text);
  }

  public async must(object: ObjectName): Promise<KubernetesObject> {
    const found = await this.get(object);
    if (!found) throw new Error(`there is no ${pathOf(object)}`);
    return found;
  }

  public async list(type: Pick<ObjectName, 'apiVersion' | 'kind'>): Promise<readonly KubernetesObject[]> {
    const path = collectionOf(type);
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const { status, text } = await this.request({ method: 'GET', path, accept });
    return (read(`GET ${path}`, status, text) as unknown as { items: KubernetesObject[] }).items;
  }

  public async create(object: KubernetesObject): Promise<KubernetesObject> {
    const path = collectionOf(object);
    const { status, text } = await this.request({
      method: 'POST', path, query: { fieldManager: FIELD_MANAGER }, body: JSON.stringify(object),
    });
    return read(`POST ${path}`, status, text);
  }

  /** As a creation that stores nothing: all webhooks see it. */
  public async tryCreate(object: KubernetesObject): Promise<KubernetesObject> {
    const path = collectionOf(object);
    const { status, text } = await this.request({ method: 'POST', path, query: { dryRun: 'All' }, body: JSON.stringify(object) });
    return read(`POST ${path}`, status, text);
  }

  /** Server-side apply as `capz-manager`; undefined: 404, which is only answered for what is being deleted with its namespace. */
  public async apply(object: KubernetesObject, { force }: { readonly force: boolean }): Promise<KubernetesObject> {
    return this.patch(object, object, 'application/apply-patch+yaml', { fieldManager: FIELD_MANAGER, ...(force && { force }) });
  }

  public async merge(object: ObjectName, patch: object): Promise<KubernetesObject> {
    return this.patch(object, patch, 'application/merge-patch+json', { fieldManager: FIELD_MANAGER });
  }

  /** Answers whether the object is gone. */
  public async delete(object: ObjectName): Promise<boolean> {
    const { status, text } = await this.request({ method: 'DELETE', path: pathOf(object) });
    if (status !== 404 && status > 202) throw new Error(`DELETE ${pathOf(object)}: ${text}`);
    return (await this.get(object)) === undefined;
  }

  private async patch(
    object: ObjectName, patch: object, contentType: PatchType, query: Record<string, string | boolean>,
  ): Promise<KubernetesObject> {
    const path = pathOf(object);
    const { status, text } = await this.request({ method: 'PATCH', path, query, contentType, body: JSON.stringify(patch) });
    return read(`PATCH ${path}`, status, text);
  }
}

function read(request: string, status: number, text: string): KubernetesObject {
  if (status > 201) throw new Error(`${request}: ${status} ${text}`);
  return JSON.parse(text) as KubernetesObject;
}

function collectionOf({ apiVersion, kind }: Pick<ObjectName, 'apiVersion' | 'kind'>): string {
  const { group, version, plural } = typeOf({ apiVersion, kind });
  return `${group === '' ? `/api/${version}` : `/apis/${group}/${version}`}/namespaces/${NAMESPACE}/${plural}`;
}

const pathOf = (object: ObjectName): string => `${collectionOf(object)}/${object.metadata.name}`;

export function typeOf({ apiVersion, kind }: Pick<ObjectName, 'apiVersion' | 'kind'>): ResourceType {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const plural = plurals.get(`${group === '' ? apiVersion : group}/${kind}`);
  if (plural === undefined || version === undefined) throw new Error(`the replay does not know ${apiVersion} ${kind}`);
  return { group, version, plural, kind, namespaced: true };
}
