import { isSettled, type Inspection, type InspectionNode } from './types';
import { configMapIdOf, type ObjectId, objectKeyOf, secretIdOf } from '../../src/object-id';
import { NAMESPACE_SECRET } from '../credentials/credential-keys';

/**
 * The Secrets and ConfigMaps that tell more about the objects that are not settled, and about those of `keys`: their credentials and the
 * values that they read.
 */
export function neededStores({ nodes }: Inspection, keys: ReadonlySet<string> = new Set()): ObjectId[] {
  const needed = new Map<string, ObjectId>();
  const need = (name: ObjectId) => needed.set(objectKeyOf(name), name);
  for (const node of nodes) if (!isSettled(node.state) || keys.has(node.key)) for (const name of storesOf(node)) need(name);
  return [...needed.values()];
}

function storesOf({ credential, namespace, references }: InspectionNode): ObjectId[] {
  const values = references.flatMap(({ to, object }) => {
    if (to === 'resource' || !object) return [];
    return [to === 'secret' ? secretIdOf(object.namespace, object.name) : configMapIdOf(object.namespace, object.name)];
  });
  if (!credential) return values;
  const secret = credential.scope === 'object' && credential.secret ? credential.secret : { namespace, name: NAMESPACE_SECRET };
  return [...values, secretIdOf(secret.namespace, secret.name)];
}
