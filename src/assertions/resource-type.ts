import { parseApiVersion } from '../object-id';
import { KubernetesObject, nameOf } from './kubernetes-object';
import { suggestion } from '../util/nearest';
import { plural } from '../util/words';

/**
 * Selects objects by `StorageAccount`, `storage.azure.com/StorageAccount`, `storage.azure.com/v20250601/StorageAccount` or `v1/Secret`; or
 * by an API version alone, `apps/v1`, for all its kinds.
 */
export class ResourceType {
  /** @throws when the text has none of these forms */
  public static parse(text: string): ResourceType {
    const parts = typeof text === 'string' ? text.split('/') : [];
    const kind = /^[A-Z]\w*$/.test(parts.at(-1) ?? '') ? parts.pop() : undefined;
    const version = VERSION.test(parts.at(-1) ?? '') ? parts.pop() : undefined;
    const [group, ...rest] = parts;
    if (rest.length > 0 || group === '' || (kind === undefined && version === undefined)) {
      throw new Error(`'${text}' names no kind of objects. Write a kind ('StorageAccount'), a group or an API version with it ('storage.azure.com/StorageAccount', 'apps/v1/Deployment'), or an API version alone ('v1').`);
    }
    return new ResourceType(text, kind, group, version);
  }

  private constructor(
    public readonly text: string,
    private readonly kind: string | undefined,
    private readonly group: string | undefined,
    private readonly version: string | undefined,
  ) {}

  public of(objects: readonly KubernetesObject[]): KubernetesObject[] {
    return objects.filter((object) => this.includes(object));
  }

  /** The message that no object matches, with the existing types. */
  public none(objects: readonly KubernetesObject[]): string {
    if (objects.length === 0) return `There is no ${this.text}: there are no objects at all.`;
    const counts = new Map<string, number>();
    for (const { kind } of objects) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const sameKind = this.kind !== undefined && counts.has(this.kind);
    const others = sameKind
      ? objects.filter(({ kind }) => kind === this.kind).map((object) => `${object.apiVersion} ${nameOf(object)}`)
      : [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => (count === 1 ? kind : `${kind} (${count})`));
    const hint = this.kind !== undefined && !sameKind ? suggestion(this.kind, counts.keys()) : '';
    return `There is no ${this.text} among the ${objects.length} objects.${hint} There ${plural(others.length, 'is', 'are')}: ${others.join(', ')}.`;
  }

  private includes({ apiVersion, kind }: KubernetesObject): boolean {
    if (this.kind !== undefined && kind !== this.kind) return false;
    const { group, version } = parseApiVersion(apiVersion);
    // A version without group belongs to the core group: `v1/Secret`.
    if (this.version !== undefined && version !== this.version) return false;
    return this.group === undefined ? this.version === undefined || group === '' : group === this.group;
  }
}

const VERSION = /^v\d\w*$/;
