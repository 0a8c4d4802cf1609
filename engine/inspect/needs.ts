import { configMapName, keyOf, secretName } from './names';
import { isSettled, type Inspection, type InspectionNode, type ObjectName } from './types';
import { NAMESPACE_SECRET } from '../credentials/credential-keys';

/**
 * The Secrets and ConfigMaps that tell more about the objects that are not settled, and about those of `keys`: their credentials and the
 * values that they read.
 */
export function neededStores({ nodes }: Inspection, keys: ReadonlySet<string> = new Set()): ObjectName[] {
  const needed = new Map<string, ObjectName>();
  const need = (name: ObjectName) => needed.set(keyOf(name), name);
  for (const node of nodes) if (!isSettled(node.state) || keys.has(node.key)) for (const name of storesOf(node)) need(name);
  return [...needed.values()];
}

function storesOf({ credential, namespace, references }: InspectionNode): ObjectName[] {
  const values = references.flatMap(({ to, object }) => {
    if (to === 'resource' || !object) return [];
    return [to === 'secret' ? secretName(object.namespace, object.name) : configMapName(object.namespace, object.name)];
  });
  if (!credential) return values;
  const secret = credential.scope === 'object' && credential.secret ? credential.secret : { namespace, name: NAMESPACE_SECRET };
  return [...values, secretName(secret.namespace, secret.name)];
}
