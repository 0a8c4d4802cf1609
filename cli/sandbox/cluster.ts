import { ResourceInformer } from '../../engine/informers';
import {
  anonymousAccess,
  Connection,
  objectPath,
  RestClient,
  type KubernetesObject,
  type ObjectEvent,
  type ResourceType,
} from '../../engine/kubernetes';
import { groupOf, versionNameOf } from '../../src/object-id';
import { namespaceOf } from '../manifests/manifests';

/** One thing that the server says is wrong with an object. */
export interface Refusal {
  /** `spec.sku.name`, where it is about a field. */
  readonly field?: string | undefined;
  readonly message: string;
  /** `Invalid`, `NotFound`, … */
  readonly reason: string;
}

interface Status {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: { readonly field?: string; readonly message?: string }[] };
}

const FIELD_MANAGER = 'cdk8s-aso-sandbox';

/** The Kubernetes API, as far as the sandbox command needs it. */
export class SandboxCluster {
  public static async connect(url: string): Promise<SandboxCluster> {
    const connection = new Connection(anonymousAccess(url), { userAgent: FIELD_MANAGER });
    const client = new RestClient(connection);
    return new SandboxCluster(connection, client, await client.discover());
  }

  private constructor(
    private readonly connection: Connection, private readonly client: RestClient, private readonly types: readonly ResourceType[],
  ) {}

  /** Reads and watches the same cluster. */
  public get reader(): RestClient {
    return this.client;
  }

  /** How the server serves the kind of an object, or undefined where it does not. */
  public typeOf(object: KubernetesObject): ResourceType | undefined {
    const group = groupOf(object);
    const version = versionNameOf(object);
    return this.types.find((type) => type.group === group && type.version === version && type.kind === object.kind);
  }

  /** Server-side apply. Answers what is wrong; nothing: it is applied. */
  public async apply(type: ResourceType, object: KubernetesObject): Promise<Refusal[]> {
    const namespace = type.namespaced ? namespaceOf(object) : undefined;
    const answer = await this.connection.request({
      method: 'PATCH',
      path: objectPath(type, object.metadata.name, namespace),
      query: { fieldManager: FIELD_MANAGER, force: true, fieldValidation: 'Strict' },
      contentType: 'application/apply-patch+yaml',
      body: JSON.stringify({ ...object, metadata: { ...object.metadata, ...(namespace && { namespace }) } }),
    });
    return answer.status < 300 ? [] : refusalsOf(answer.status, answer.text);
  }

  /** Calls back for every event of a type until the signal aborts. */
  public watch(type: ResourceType, onEvent: (event: ObjectEvent) => void, signal: AbortSignal): void {
    const informer = new ResourceInformer(this.client, type);
    informer.onEvent(onEvent);
    informer.start(signal).catch(() => undefined);
  }

  public close(): Promise<void> {
    return this.connection.close();
  }
}

function refusalsOf(status: number, text: string): Refusal[] {
  let parsed: Status = {};
  try {
    parsed = JSON.parse(text) as Status;
  } catch {
    // No Status: the HTTP status has to do.
  }
  // A server that cannot give an applied field a type answers 500, without a reason.
  const untyped = [...(parsed.message ?? '').matchAll(/(?<!\S)\.(\S+): field not declared in schema/g)].map(([, field]) => field);
  const reason = parsed.reason || (untyped.length > 0 ? 'BadRequest' : 'Failed');
  const unknown = [...untyped, ...[...(parsed.message ?? '').matchAll(/unknown field "([^"]+)"/g)].map(([, field]) => field)];
  if (unknown.length > 0) return unknown.map((field) => ({ field, message: 'unknown field', reason }));
  const causes = (parsed.details?.causes ?? []).filter((cause) => cause.message);
  if (causes.length === 0) return [{ message: parsed.message || `the server answered with HTTP status ${status}`, reason }];
  return causes.map((cause) => ({ field: cause.field, message: cause.message!, reason }));
}
