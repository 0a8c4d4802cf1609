import { isIPv4 } from 'node:net';
import type { Construct } from 'constructs';
import { zoneId, zoneOf } from './private-endpoint';
import { noteProblems } from './request-problems';
import type { Kind, ServiceObjects } from './service-objects';
import { checkAccountName, sameRegion } from './storage-checks';
import { PrivateDnsZone } from '../../services/network/private-dns-zone';
import { PrivateDnsZonesARecord } from '../../services/network/private-dns-zones-a-record';
import type { PlatformProblems } from '../model/problems';
import { StorageSubResource } from '../model/storage-sub-resource';

const KIND: Kind = ['network.azure.com', 'PrivateDnsZonesARecord'];

/**
 * Records of a storage account in the private DNS zones of other regions, so that these resolve the account as well. In the zones of the
 * account's own region, the zone groups of its private endpoints maintain the records with the current addresses.
 */
export interface PrivateDnsRecordRequest {
  /** The team's name for the account. */
  readonly storageAccount: string;
  /**
   * Region of the account.
   * @default - the team's
   */
  readonly location?: string;
  /** IPv4 addresses of the account's private endpoints by sub-resource: `{ blob: '10.0.0.8', table: '10.0.0.9' }`. */
  readonly addresses: { [subResource: string]: string };
  /**
   * Time to live of the records in seconds.
   * @default 3600
   */
  readonly ttl?: number;
}

/** Creates the records, or adds problems. */
export function makePrivateDnsRecords(
  scope: Construct, objects: ServiceObjects, request: PrivateDnsRecordRequest, field: string, problems: PlatformProblems,
): PrivateDnsZonesARecord[] {
  const { environment, location: own } = objects.id.team;
  const zones = environment.shared.privateDnsZones ?? [];
  const location = request.location ?? own;
  checkAccountName(request.storageAccount, objects, `${field}.storageAccount`, problems);
  checkAddresses(request.addresses, field, problems);
  if (zones.length === 0) {
    problems.add('shared.privateDnsZones', 'required for private DNS records. Give the environment the zones of its regions.');
  } else if (!zones.some((zone) => sameRegion(zone.location, location))) {
    problems.add(
      `${field}.location`,
      `environment '${environment.name}' has no private DNS zones for '${location}'. Give one of ${zones.map((zone) => zone.location).join(', ')}.`,
    );
  } else if (zones.every((zone) => sameRegion(zone.location, location))) {
    problems.add(`${field}.location`, `environment '${environment.name}' has private DNS zones for '${location}' only, and these are kept by zone groups. Leave the record out, or give shared.privateDnsZones of the other region.`);
  }
  if (!problems.none) return [];
  const { azureName } = environment.naming.storageAccount(objects.id, request.storageAccount);
  const others = zones.filter((zone) => !sameRegion(zone.location, location));
  return Object.entries(request.addresses).flatMap(([subResource, ipv4Address]) =>
    others.map((other) => {
      const zone = zoneOf(subResource);
      const name = environment.naming.privateDnsRecord(objects.id, azureName, zone, other.location);
      const record = new PrivateDnsZonesARecord(scope, `record-${subResource}-${azureName}-${other.location}`, {
        ...objects.plain(KIND, name, environment.platformNamespace),
        azureName,
        owner: PrivateDnsZone.fromArmId(zoneId(other, zone)),
        ttl: request.ttl ?? 3600,
        aRecords: [{ ipv4Address }],
      });
      noteProblems(
        record,
        { 'ttl': `${field}.ttl`, 'metadata.name': `${field}.storageAccount`, 'aRecords': `${field}.addresses.${subResource}` },
        problems,
      );
      return record;
    }),
  );
}

function checkAddresses(addresses: Readonly<Record<string, string>> | undefined, field: string, problems: PlatformProblems): void {
  const known: string[] = Object.values(StorageSubResource);
  const entries = Object.entries(addresses ?? {});
  if (entries.length === 0) {
    problems.add(`${field}.addresses`, "required. Give the address of each private endpoint, e.g. { blob: '10.0.0.8' }.");
  }
  for (const [subResource, address] of entries) {
    const where = `${field}.addresses.${subResource}`;
    if (!known.includes(subResource)) {
      problems.add(where, `'${subResource}' is no part of an account that has an endpoint. Give ${known.join(', ')}.`);
    }
    if (!isIPv4(address ?? '')) {
      problems.add(where, `'${address ?? ''}' is no IPv4 address. Give the private endpoint's, e.g. 10.0.0.8.`);
    }
  }
}
