import { isRecord } from '../../../src/util/records';
import { keyOf } from '../arm/arm-path';

export type Json = Record<string, unknown>;

/** A resource that exists. */
export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  /** The body that a GET answers, without `id`, `name` and `type`. */
  readonly body: Json;
  /** The body of the last PUT: an equal PUT changes nothing. */
  readonly sent: string;
  readonly createdAt: number;
  /** Ids like principalId differ when a resource of the same name is made again. */
  readonly incarnation: number;
}

/** All resources, by id whatever its case. */
export class ResourceStore {
  private readonly resources = new Map<string, Resource>();
  private readonly incarnations = new Map<string, number>();

  /** @param onChange called with the new state of each changed resource, by its id in lower case; undefined: it is gone */
  public constructor(private readonly onChange: (id: string, resource: Resource | undefined) => void = () => undefined) {}

  public get(id: string): Resource | undefined {
    return this.resources.get(keyOf(id));
  }

  public set(resource: Resource): void {
    this.resources.set(keyOf(resource.id), resource);
    this.onChange(keyOf(resource.id), resource);
  }

  /** How often a resource of this id was made before. */
  public nextIncarnation(id: string): number {
    const next = (this.incarnations.get(keyOf(id)) ?? 0) + 1;
    this.incarnations.set(keyOf(id), next);
    return next;
  }

  /** Removes a resource with all that lies under it, extension resources included. Answers what was removed. */
  public removeTree(id: string): Resource[] {
    const removed = [this.get(id), ...this.under(id)].filter((resource) => resource !== undefined);
    for (const resource of removed) {
      this.resources.delete(keyOf(resource.id));
      this.onChange(keyOf(resource.id), undefined);
    }
    return removed;
  }

  /** Everything under an id, the id itself excluded. */
  public under(id: string): Resource[] {
    const prefix = `${keyOf(id)}/`;
    return [...this.resources].filter(([key]) => key.startsWith(prefix)).map(([, resource]) => resource);
  }

  /** In the order in which they were made. */
  public all(): Resource[] {
    return [...this.resources.values()];
  }

  /** All of a type, wherever they are. */
  public ofType(type: string): Resource[] {
    const wanted = type.toLowerCase();
    return this.all().filter((resource) => resource.type.toLowerCase() === wanted);
  }
}


export function getPath(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, segment) => (isRecord(value) ? value[segment] : undefined), body);
}

/** A copy with a value at a path; objects on the way are made. */
export function withPath(body: Json, path: readonly string[], value: unknown): Json {
  const [head, ...rest] = path;
  if (head === undefined) return body;
  const inner = body[head];
  return { ...body, [head]: rest.length === 0 ? value : withPath(isRecord(inner) ? inner : {}, rest, value) };
}

export function provisioningStateOf(resource: Resource): string | undefined {
  return getPath(resource.body, ['properties', 'provisioningState']) as string | undefined;
}
