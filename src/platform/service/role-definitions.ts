import { QueueRole, SecretRole, StorageRole, TopicRole } from './roles';
import { BuiltInRole } from '../../core';
import type { IAzureResourceRef } from '../../core';
import { suggestion } from '../../util/nearest';
import type { Environment } from '../model/environment';
import type { PlatformProblems } from '../model/problems';

/** A role of the catalogue as an Azure role definition. */
export interface GivenRole {
  /** Part of the role assignment's name. */
  readonly label: string;
  readonly definition: IAzureResourceRef;
}

type CatalogueRole = QueueRole | TopicRole | StorageRole | SecretRole;

/** The role definitions of a catalogue role in an environment: one, or one for each kind of data. */
export function givenRoles(role: CatalogueRole, { roles }: Environment): GivenRole[] {
  switch (role) {
    case QueueRole.SENDER:
    case TopicRole.SENDER:
      return [{ label: role, definition: BuiltInRole.SERVICE_BUS_DATA_SENDER }];
    case QueueRole.RECEIVER:
    case TopicRole.RECEIVER:
      return [{ label: role, definition: BuiltInRole.SERVICE_BUS_DATA_RECEIVER }];
    case SecretRole.USER:
      return [{ label: role, definition: BuiltInRole.KEY_VAULT_SECRETS_USER }];
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

/** Adds problems for roles that the catalogue does not offer for a resource, and for duplicates. */
export function checkRoles(
  roles: readonly string[] | undefined, offered: Readonly<Record<string, string>>, field: string, problems: PlatformProblems,
): void {
  const names = Object.values(offered);
  (roles ?? []).forEach((role, index) => {
    const where = `${field}.roles[${index}]`;
    if (!names.includes(role)) {
      problems.add(
        where,
        `'${role}' is not a role the catalogue offers here.${suggestion(String(role), names)} Give ${names.join(' or ')}.`,
      );
    } else if (roles!.indexOf(role) < index) {
      problems.add(where, `'${role}' is given twice, and Azure takes a role on a resource once. Leave one out.`);
    }
  });
}

function storage(label: string, chosen: IAzureResourceRef | undefined, builtIn: Readonly<Record<string, IAzureResourceRef>>): GivenRole[] {
  if (chosen) return [{ label, definition: chosen }];
  return Object.entries(builtIn).map(([data, definition]) => ({ label: `${label}-${data}`, definition }));
}
