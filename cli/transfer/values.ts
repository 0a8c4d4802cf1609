import type { ResourceType } from '../../engine/kubernetes/types';
import { CONFIG_MAPS, SECRETS } from '../cluster/resource-types';

const TYPES: Readonly<Record<string, ResourceType>> = { Secret: SECRETS, ConfigMap: CONFIG_MAPS };

/** Type and name of a value, which a journal has as `Secret/name` or `ConfigMap/name`. */
export function valueOf(key: string): [type: ResourceType, name: string] {
  const slash = key.indexOf('/');
  const type = TYPES[key.slice(0, slash)];
  if (!type) throw new TypeError(`${key} is neither a Secret nor a ConfigMap`);
  return [type, key.slice(slash + 1)];
}
