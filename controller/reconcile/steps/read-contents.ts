import { UnknownStateError } from '../../../engine/kubernetes/cache-state';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import type { KindVersion } from '../../../src/catalog';
import { referencesOf } from '../../../src/catalog/spec-references';
import type { ObjectId } from '../../../src/object-id';
import { credentialSecretOf } from '../credential-users';
import { fetchUnread } from '../fetch-unread';
import type { ObjectReconcile } from '../object-reconcile';

/**
 * Reads the Secrets and ConfigMaps that the object uses and whose contents are not in memory, all at once.
 *
 * @throws UnknownStateError where an imported Secret cannot be read: without its values, texts of Azure that quote them cannot be redacted.
 * A deletion goes on, since it sends none of them.
 */
export async function readContents({ object, version, options: { cluster } }: ObjectReconcile): Promise<void> {
  const imported = importsOf(object, version);
  const states = await fetchUnread(cluster, [credentialSecretOf(object), ...imported]);
  if (object.metadata.deletionTimestamp !== undefined) return;
  for (const [key, state] of states) {
    if (state.state === 'unknown' && key.kind === 'Secret' && imported.includes(key)) throw UnknownStateError.ofObject(state, key);
  }
}

function importsOf({ spec, metadata: { namespace = 'default' } }: KubernetesObject, version: KindVersion): readonly ObjectId[] {
  return referencesOf(spec, version).flatMap(({ to, name }) => (
    to === 'resource' ? [] : [{ group: '', kind: to === 'configMap' ? 'ConfigMap' : 'Secret', namespace, name }]
  ));
}
