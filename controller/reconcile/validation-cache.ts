import type { ObjectExpressions } from '../../engine/export';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import type { KindVersion } from '../../src/catalog';
import { refusalOf } from '../admission/validation/validate';

/** Cached results of the validating webhook's rules: an object that only waits is reconciled many times. */
export class ValidationCache {
  private readonly results = new WeakMap<KubernetesObject, { readonly text: string | undefined }>();

  public constructor(private readonly expressions: Pick<ObjectExpressions, 'engine'> | undefined) {}

  /** The webhook's refusal of the object; undefined: none. */
  public refusalOf(version: KindVersion, object: KubernetesObject): string | undefined {
    const known = this.results.get(object) ?? { text: refusalOf(version, object, undefined, this.expressions?.engine) };
    this.results.set(object, known);
    return known.text;
  }
}
