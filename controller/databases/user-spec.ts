import type { Login } from './session';
import type { Purpose } from './user-kind';
import { KindError } from '../../engine/kinds';
import type { ExternalContext } from '../../engine/kinds/external';
import { azureNameOf } from '../../engine/resolve/azure-name';
import { clusterValues } from '../../engine/resolve/cluster-values';
import { ResolutionError } from '../../engine/resolve/types';
import { isRecord } from '../../src/util/records';

type Members = Readonly<Record<string, unknown>>;

/** Reads specs that may not match the schema: members of the wrong type count as absent. */
export function specOf({ object }: Pick<ExternalContext, 'object'>): Members {
  return recordOf(object.spec) ?? {};
}

export function recordOf(value: unknown): Members | undefined {
  return isRecord(value) ? value : undefined;
}

export function textOf(members: Members | undefined, key: string): string | undefined {
  const value = members && Object.hasOwn(members, key) ? members[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Texts of a list, each once. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value)
    ? [...new Set(value.filter((element): element is string => typeof element === 'string' && element !== ''))]
    : [];
}

export function userNameOf({ object, version }: Pick<ExternalContext, 'object' | 'version'>): string {
  const name = azureNameOf(object, version);
  if (!name) throw new KindError('the user has no name: set spec.azureName', 'Error');
  return name;
}

/** The user must not be the administrator: the reconcile would revoke its roles, and the deletion would drop it. @throws KindError */
export function checkIsNotAdmin(user: string, admin: string): void {
  if (user !== admin) return;
  throw new KindError(
    `"${user}" is the administrator that this controller logs in as: manage it with the server, and choose another spec.azureName`,
    'Error',
  );
}

/** The user's password, and the administrator's where one is given. Looked up in the informers' stores. */
export interface LocalSecrets {
  readonly password: string;
  readonly adminPassword?: string;
}

/**
 * The Secrets of `spec.localUser` (docs/spec/users.md#spec and docs/spec/users.md#errors). The administrator's password comes first:
 * without it nothing can be done.
 *
 * @param adminPassword whether a spec without the reference is an error
 */
export function localSecretsOf(context: ExternalContext, localUser: Members, adminPassword: 'required' | 'optional'): LocalSecrets {
  const admin = recordOf(localUser.serverAdminPassword);
  if (!admin && adminPassword === 'required') throw missingAdminPassword();
  const user = recordOf(localUser.password);
  if (!user) throw new KindError('spec.localUser.password names no Secret');
  return {
    ...(admin ? { adminPassword: secretValue(context, admin, 'spec.localUser.serverAdminPassword') } : {}),
    password: secretValue(context, user, 'spec.localUser.password'),
  };
}

/** The administrator's password alone: to look and to remove, the user's own is not needed. */
export function adminPasswordOf(context: ExternalContext, localUser: Members): string | undefined {
  const admin = recordOf(localUser.serverAdminPassword);
  return admin ? secretValue(context, admin, 'spec.localUser.serverAdminPassword') : undefined;
}

/** The user's password and the administrator's login where the specification has to name both. The password is empty unless it is set. */
export function localLoginsOf(context: ExternalContext, localUser: Members, purpose: Purpose): { password: string; admin: Login } {
  const { password, adminPassword } = purpose === 'ensure'
    ? localSecretsOf(context, localUser, 'required')
    : { password: '', adminPassword: adminPasswordOf(context, localUser) };
  if (adminPassword === undefined) throw missingAdminPassword();
  const user = textOf(localUser, 'serverAdminUsername');
  if (!user) throw new KindError('spec.localUser.serverAdminUsername is empty: name the administrator to log in as');
  return { password, admin: { user, password: adminPassword, isToken: false } };
}

function missingAdminPassword(): ResolutionError {
  return new ResolutionError('SecretNotFound', 'Warning', 'spec.localUser.serverAdminPassword names no Secret');
}

function secretValue({ object, lookup }: ExternalContext, reference: Members, where: string): string {
  const [name, key] = [textOf(reference, 'name'), textOf(reference, 'key')];
  if (!name || !key) throw new ResolutionError('SecretNotFound', 'Warning', `${where} needs name and key`);
  const namespace = object.metadata.namespace ?? 'default';
  const value = clusterValues(namespace, lookup).secret(name, key);
  // With an empty password anybody could log in as the user.
  if (value === '') throw new KindError(`${where}: key "${key}" of Secret "${namespace}/${name}" is empty`);
  return value;
}
