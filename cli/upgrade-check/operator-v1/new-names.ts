import { kubernetesName } from '../../../engine/import/object-names';
import { isKubernetesName } from '../../../src/core/kubernetes-name';
import { isRecord, isText } from '../../../src/util/records';
import { isLater } from '../../manifests/later/variables';

/** An object of v2 that the files have already. */
export interface ExistingObject {
  readonly file: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly spec?: Readonly<Record<string, unknown>> | undefined;
}

/** The objects of v2 that a run writes and v1 did not have, and what it wrote of them. */
export class NewNames {
  private readonly resources = new Map<string, string>();
  private readonly shared = new Set<string>();
  private readonly existing = new Map<string, ReadonlySet<string>>();

  /** @param objects of the files: their names are taken, except by what they are themselves */
  public constructor(objects: readonly ExistingObject[] = []) {
    for (const { file, group, kind, namespace, name, spec } of objects) {
      if (name === undefined) continue;
      const key = `${group.replace('.azure.com', '')}/${kind} ${String(namespace)}/${name}`;
      this.existing.set(key, resourcesOf(name, spec));
      this.shared.add(`${file} ${key}`);
    }
  }

  /**
   * The name of an object, of words: one that Kubernetes takes, and the same wherever the resource is the same.
   * @param place kind and namespace
   */
  public nameFor(place: string, words: readonly string[], resource: string): string {
    const allowed = words.map((word) => (isLater(word) || isKubernetesName(word) ? word : kubernetesName(word)));
    const wanted = allowed.filter((word) => word !== '').join('-');
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? wanted : `${wanted}-${count}`;
      const key = `${place}/${name}`;
      const other = this.resources.get(key);
      if (other !== undefined && other !== resource) continue;
      if (this.existing.get(key)?.has(resource) === false) continue;
      this.resources.set(key, resource);
      return name;
    }
  }

  /** Whether this is the first time that the file has the object. */
  public isNew(file: string, object: string): boolean {
    const key = `${file} ${object}`;
    if (this.shared.has(key)) return false;
    this.shared.add(key);
    return true;
  }
}

/** The resource of an object as `nameFor` is given it: that of an owner that has one such resource, or a child by its name. */
function resourcesOf(name: string, spec: ExistingObject['spec']): ReadonlySet<string> {
  const owner = isRecord(spec?.owner) && isText(spec.owner.name) ? spec.owner.name : undefined;
  if (owner === undefined) return new Set();
  return new Set([owner, `${owner}/${isText(spec?.azureName) ? spec.azureName : name}`]);
}
