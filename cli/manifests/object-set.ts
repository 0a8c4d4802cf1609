import type { Manifest } from './manifests';
import { ObjectSet } from '../../src/core/rules/object-set';

/** Where kubectl puts objects without a namespace. */
const DEFAULT_NAMESPACE = 'default';

/** The set of the objects of files, by the indexes of the files. */
export function objectSetOf(manifests: readonly Pick<Manifest, 'object'>[]): ObjectSet {
  return ObjectSet.ofManifests(manifests.map(({ object }) => object), { defaultNamespace: DEFAULT_NAMESPACE });
}
