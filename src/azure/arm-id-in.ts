import { parseArmId } from './arm-id';
import { segmentProblem } from './arm-segment';
import { withoutTrailingSlashes } from './trailing-slashes';

/** A resource and its place in Azure. */
export interface ArmPlace {
  /** ARM type, e.g. `Microsoft.Storage/storageAccounts`. */
  readonly type: string;
  readonly scope?: 'resourcegroup' | 'extension' | 'tenant' | 'location' | undefined;
  readonly name: string;
  /** ARM id of the owner, if it has one. */
  readonly owner?: string | undefined;
  /** For resources directly in a subscription. */
  readonly subscriptionId?: string | undefined;
}

/** The ARM id of a resource in its owner; undefined if its type cannot have this owner. */
export function armIdIn({ type, scope, name, owner, subscriptionId }: ArmPlace): string | undefined {
  if (segmentProblem(name) !== undefined) return undefined;
  const [provider = '', ...types] = type.split('/');
  const parent = owner === undefined ? undefined : withoutTrailingSlashes(owner);
  switch (scope) {
    case 'location':
      return subscriptionId && `/subscriptions/${subscriptionId}/resourceGroups/${name}`;
    case 'tenant':
      return `/providers/${provider}/${types[0]}/${name}`;
    case 'extension':
      return parent && parseArmId(parent) && `${parent}/providers/${provider}/${types[0]}/${name}`;
    default:
      return parent && inside(parent, provider, types, name);
  }
}

/** The id of a resource in a resource group, or in a parent resource of the same provider. */
function inside(owner: string, provider: string, types: readonly string[], name: string): string | undefined {
  const parts = parseArmId(owner);
  if (!parts) return undefined;
  const covered = parts.provider?.toLowerCase() === provider.toLowerCase() ? parts.types.length : 0;
  if (types.length !== covered + 1) return undefined;
  return covered > 0 ? `${owner}/${types[covered]}/${name}` : `${owner}/providers/${provider}/${types[0]}/${name}`;
}
