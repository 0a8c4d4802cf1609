import { StorageRole } from './roles';
import { BuiltInRole } from '../../core';
import type { IAzureResourceRef } from '../../core';
import { suggestion } from '../../util/nearest';
import type { Environment } from '../model/environment';
import type { PlatformProblems } from '../model/problems';
import type { SharedResourceKind } from '../model/shared-resource-kind';
import { SharedRole } from '../model/shared-role';

/** The role definitions of a role on an account's data in an environment: one, or one for each kind of data. */
export function storageRoles(role: StorageRole, { roles }: Environment): SharedRole[] {
  switch (role) {
    case StorageRole.DATA_WRITER:
      return storage(role, roles.storageDataWriter, {
        blob: BuiltInRole.STORAGE_BLOB_DATA_CONTRIBUTOR,
        table: BuiltInRole.STORAGE_TABLE_DATA_CONTRIBUTOR,
        file: BuiltInRole.fromName('Storage File Data Privileged Contributor'),
      });
    case StorageRole.DATA_READER:
      return storage(role, roles.storageDataReader, {
        blob: BuiltInRole.STORAGE_BLOB_DATA_READER,
        table: BuiltInRole.STORAGE_TABLE_DATA_READER,
        file: BuiltInRole.fromName('Storage File Data Privileged Reader'),
      });
  }
}

/** The roles of a kind that are named. */
export function rolesNamed({ roles = [] }: Pick<SharedResourceKind, 'roles'>, names: readonly string[]): SharedRole[] {
  return names.flatMap((name) => roles.filter((role) => role.name === name));
}

/** Adds problems for roles that the catalogue does not offer for a resource, and for duplicates. */
export function checkRoles(
  roles: readonly string[] | undefined, offered: readonly string[], field: string, problems: PlatformProblems,
): void {
  (roles ?? []).forEach((role, index) => {
    const where = `${field}.roles[${index}]`;
    if (!offered.includes(role)) {
      const choice = offered.length > 0 ? `Give ${offered.join(' or ')}.` : 'It offers none.';
      problems.add(where, `'${role}' is not a role the catalogue offers here.${suggestion(String(role), offered)} ${choice}`);
    } else if (roles!.indexOf(role) < index) {
      problems.add(where, `'${role}' is given twice, and Azure takes a role on a resource once. Leave one out.`);
    }
  });
}

function storage(label: string, chosen: IAzureResourceRef | undefined, builtIn: Readonly<Record<string, IAzureResourceRef>>): SharedRole[] {
  if (chosen) return [SharedRole.assignment(label, chosen)];
  return Object.entries(builtIn).map(([data, definition]) => SharedRole.assignment(`${label}-${data}`, definition));
}
