import { checkRoles } from './role-definitions';
import { StorageRole } from './roles';
import type { ServiceObjects } from './service-objects';
import { checkNames, checkReference } from './settings';
import type { BlobServiceOptions, FileServiceOptions, StorageAccountRequest } from './storage-request';
import { suggestion } from '../../util/nearest';
import type { PlatformProblems } from '../model/problems';
import { StorageSubResource } from '../model/storage-sub-resource';
import type { TeamInEnvironment } from '../model/team-in-environment';
import type { TeamResourceGroup } from '../model/team-resource-group';

const OWNERS: (keyof StorageAccountRequest)[] = [
  'location',
  'sku',
  'accessTier',
  'allowSharedKeyAccess',
  'allowCrossTenantReplication',
  'defaultToOAuthAuthentication',
  'hierarchicalNamespace',
  'allowedIpRanges',
  'privateAccess',
  'privateEndpoints',
  'blobService',
  'fileService',
  'tags',
];
const BLOB_SERVICE: { readonly [name in keyof Required<BlobServiceOptions>]: true } = {
  changeFeed: true, containerDeleteRetentionPolicy: true, deleteRetentionPolicy: true, restorePolicy: true, isVersioningEnabled: true,
};
const FILE_SERVICE: { readonly [name in keyof Required<FileServiceOptions>]: true } = { shareDeleteRetentionPolicy: true };
const ADDRESS_OR_RANGE = /^(\d{1,3})(\.\d{1,3}){3}(\/([0-9]|[12][0-9]|3[0-2]))?$/;

/** Adds the problems of a request, before any object is created. */
export function checkStorageAccount(
  request: StorageAccountRequest,
  objects: ServiceObjects,
  field: string,
  problems: PlatformProblems,
): void {
  checkAccountName(request.name, objects, `${field}.name`, problems);
  checkGroup(request.resourceGroup, objects, `${field}.resourceGroup`, problems);
  checkRoles(request.roles, Object.values(StorageRole), field, problems);
  if (request.owned === false) checkReference(request, OWNERS, 'account', field, problems);
  checkChildren(request, field, problems);
  checkNetwork(request, objects, field, problems);
  checkNames(request.blobService, BLOB_SERVICE, `${field}.blobService`, problems);
  checkNames(request.fileService, FILE_SERVICE, `${field}.fileService`, problems);
  const { changeFeed, restorePolicy } = request.blobService ?? {};
  if (changeFeed?.enabled && withoutNull(changeFeed.retentionInDays) === undefined) {
    problems.add(
      `${field}.blobService.changeFeed.retentionInDays`,
      'required when the change feed is on. Give the days for which changes are kept.',
    );
  }
  if (restorePolicy?.enabled && withoutNull(restorePolicy.days) === undefined) {
    problems.add(
      `${field}.blobService.restorePolicy.days`,
      'required when the restore policy is on. Give the days back to which the account can be restored.',
    );
  }
}

/** The team's resource group of that name, by default its first. */
export function groupNamed({ resourceGroups }: TeamInEnvironment, name: string | undefined): TeamResourceGroup | undefined {
  return name === undefined ? resourceGroups[0] : resourceGroups.find((group) => group.name.toLowerCase() === name.toLowerCase());
}

function checkGroup(name: string | undefined, { id }: ServiceObjects, field: string, problems: PlatformProblems): void {
  if (groupNamed(id.team, name)) return;
  const names = id.team.resourceGroups.map((group) => group.name);
  problems.add(field, `'${name}' is no resource group of team '${id.team.team.name}'.${suggestion(String(name), names)} It has ${names.join(', ')}.`);
}

/** Adds the problems of the team's name for an account. */
export function checkAccountName(name: string, { id }: ServiceObjects, field: string, problems: PlatformProblems): void {
  problems.require(field, name, 'Give the account a name of letters and digits.');
  if (!name) return;
  const limit = id.team.environment.naming.storageAccountNameLimit(id.team);
  if (!/^[a-z0-9]+$/i.test(name)) {
    problems.add(field, `'${name}' has other characters than letters and digits, and Azure takes no others in names of storage accounts.`);
  }
  if (name.length > limit) {
    problems.add(
      field,
      `'${name}' is longer than ${limit} characters. Azure allows 24, of which the naming strategy needs the others; give a shorter name.`,
    );
  }
}

function checkChildren(
  { containers = [], tables = [], fileShares = [] }: StorageAccountRequest,
  field: string,
  problems: PlatformProblems,
): void {
  const check = (names: readonly (string | undefined)[], what: (index: number) => string) =>
    names.forEach((name, index) => {
      problems.requireName(what(index), name, 'Give it a name.');
      if (name && names.findIndex((other) => other?.toLowerCase() === name.toLowerCase()) < index) {
        problems.add(what(index), `'${name}' is given twice. Leave one out.`);
      }
    });
  check(
    containers.map(({ name }) => name),
    (index) => `${field}.containers[${index}].name`,
  );
  check(tables, (index) => `${field}.tables[${index}]`);
  check(fileShares.map(({ name }) => name), (index) => `${field}.fileShares[${index}].name`);
}

function checkNetwork(request: StorageAccountRequest, { id }: ServiceObjects, field: string, problems: PlatformProblems): void {
  const { privateAccess: wanted, privateEndpoints, allowedIpRanges, location } = request;
  (allowedIpRanges ?? []).forEach((range, index) => {
    const octets = String(range).replace(/\/.*$/s, '').split('.').map(Number);
    if (!ADDRESS_OR_RANGE.test(range) || octets.some((octet) => octet > 255)) {
      problems.add(
        `${field}.allowedIpRanges[${index}]`,
        `'${range}' is no IPv4 address or range. Write e.g. 203.0.113.7 or 203.0.113.0/29.`,
      );
    }
  });
  const known: string[] = Object.values(StorageSubResource);
  (privateEndpoints ?? []).forEach((one, index) => {
    if (!known.includes(one)) {
      problems.add(
        `${field}.privateEndpoints[${index}]`,
        `'${one}' is no part of an account that has an endpoint. Give one of ${known.join(', ')}.`,
      );
    } else if (privateEndpoints!.indexOf(one) < index) {
      problems.add(`${field}.privateEndpoints[${index}]`, `'${one}' is given twice. Leave one out.`);
    }
  });
  if (request.owned === false) return;
  const { shared, name } = id.team.environment;
  const { privateAccess } = id.team;
  if (wanted && !privateAccess) {
    problems.add(
      `${field}.privateAccess`,
      `environment '${name}' has no subnet for private endpoints. Give it shared.privateAccess, or the team a privateAccess of its own, or leave privateAccess out there.`,
    );
  }
  const region = location ?? groupNamed(id.team, request.resourceGroup)?.location ?? id.team.location;
  const zones = shared.privateDnsZones ?? [];
  if ((wanted ?? true) && privateAccess && zones.length > 0 && !zones.some((zone) => sameRegion(zone.location, region))) {
    problems.add(`${field}.location`, `environment '${name}' has no private DNS zones for '${region}'. It has them for ${zones.map((zone) => zone.location).join(', ')}; give one of these, or shared.privateDnsZones of '${region}'.`);
  }
}

/** Whether two regions are the same: Azure writes both `uksouth` and `UK South`. */
export function sameRegion(one: string, other: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/\s+/g, '');
  return plain(one) === plain(other);
}

function withoutNull<T>(value: T | null | undefined): T | undefined {
  return value ?? undefined;
}
