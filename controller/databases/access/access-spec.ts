import { KindError } from '../../../engine/kinds';
import type { ExternalContext } from '../../../engine/kinds/external';
import { clusterValues } from '../../../engine/resolve/cluster-values';
import { UUID } from '../../../src/azure/uuid';
import { checkName } from '../unsafe-characters';
import { checkIsNotAdmin, recordOf, specOf, textOf, userNameOf } from '../user-spec';

/** The rights of a user in its database; each level has those of the one before it. */
export const LEVELS = ['Reader', 'Writer', 'Owner'] as const;
export type Level = (typeof LEVELS)[number];

export const PRINCIPAL_TYPES = ['Group', 'ServicePrincipal', 'User'] as const;
export type PrincipalType = (typeof PRINCIPAL_TYPES)[number];

/** The spec of a DatabaseAccess (docs/database-access.md#properties). */
export interface AccessSpec {
  /** Name of the user in the database server. */
  readonly user: string;
  readonly administrator: string;
  readonly level: Level;
  readonly principalType: PrincipalType;
  /** Ids of the principal in Entra, in lower case. Looked up when they are needed: to drop a user, they are not. */
  readonly principalId: () => string;
  readonly clientId: () => string;
}

/** @throws KindError for a spec that can never be fulfilled; ResolutionError from the ids while their ConfigMap is missing */
export function accessSpecOf(context: ExternalContext): AccessSpec {
  const spec = specOf(context);
  const user = checkName('the user name', userNameOf(context), 'Error');
  const administrator = textOf(spec, 'administrator');
  if (!administrator) throw new KindError('spec.administrator is empty: name the Entra administrator of the server to log in as', 'Error');
  checkIsNotAdmin(user, administrator);
  return {
    user,
    administrator,
    level: oneOf(spec.level, LEVELS, 'spec.level'),
    principalType: oneOf(spec.principalType, PRINCIPAL_TYPES, 'spec.principalType'),
    principalId: () => idOf(context, 'principalId'),
    clientId: () => idOf(context, 'clientId'),
  };
}

function oneOf<T extends string>(value: unknown, values: readonly T[], where: string): T {
  const found = values.find((one) => one === value);
  if (found === undefined) throw new KindError(`${where} has to be one of ${values.join(', ')}`, 'Error');
  return found;
}

function idOf(context: ExternalContext, property: 'principalId' | 'clientId'): string {
  const spec = specOf(context);
  const id = fromConfigMap(context, `${property}FromConfig`) ?? textOf(spec, property);
  if (id === undefined) throw new KindError(`spec.${property} is missing: this server knows the principal by it`, 'Error');
  if (!UUID.test(id)) throw new KindError(`spec.${property} is no id of Entra: ${JSON.stringify(id.slice(0, 64))}`, 'Error');
  return id.toLowerCase();
}

function fromConfigMap(context: ExternalContext, property: string): string | undefined {
  const reference = recordOf(specOf(context)[property]);
  if (!reference) return undefined;
  const [name, key] = [textOf(reference, 'name'), textOf(reference, 'key')];
  if (!name || !key) throw new KindError(`spec.${property} needs name and key`, 'Error');
  return clusterValues(context.object.metadata.namespace ?? 'default', context.lookup).configMap(name, key).trim();
}
