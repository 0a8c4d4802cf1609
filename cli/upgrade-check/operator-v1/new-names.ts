import { kubernetesName } from '../../../engine/import/object-names';
import { isKubernetesName } from '../../../src/core/kubernetes-name';
import { isLater } from '../../manifests/later/variables';

/** The objects of v2 that a run writes and v1 did not have, and what it wrote of them. */
export class NewNames {
  private readonly resources = new Map<string, string>();
  private readonly shared = new Set<string>();

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
