import { isIPv4, isIPv6 } from 'node:net';
import { DnsRecordType, type DnsRecordRequest } from './dns-record-request';
import { noteProblems } from './request-problems';
import type { ServiceScope } from './service-scope';
import type { AzureResource, IAzureResourceRef } from '../../core';
import { DnsZone } from '../../services/network/dns-zone';
import { DnsZonesARecord, type DnsZonesARecordOptions } from '../../services/network/dns-zones-a-record';
import { DnsZonesAAAARecord } from '../../services/network/dns-zones-aaaa-record';
import { DnsZonesCNAMERecord } from '../../services/network/dns-zones-cname-record';
import { DnsZonesTXTRecord } from '../../services/network/dns-zones-txt-record';
import { suggestion } from '../../util/nearest';
import { relativeName, zoneOfName } from '../model/dns-zones';
import { hostNameOfRecord, hostNameRule, isAllowedHostName, isHostName } from '../model/host-names';
import type { PlatformProblems } from '../model/problems';
import { armTypeOfService } from '../model/shared-kind-facts';
import { DNS_ZONE } from '../model/shared-service-types';
import { credentialFor } from '../model/subscription-credential';

const DEFAULT_TTL = 3600;
/** The most characters of one part of a text. */
const TEXT_PART = 255;
/** The most records of a record set. */
const MAX_RECORDS = 20;

const KINDS = { A: DnsZonesARecord, AAAA: DnsZonesAAAARecord, CNAME: DnsZonesCNAMERecord, TXT: DnsZonesTXTRecord } as const;

/** A record set before its zone is known. `values` of an alias is the resource whose addresses or name the record has. */
interface RecordContents {
  readonly name: string;
  readonly type: DnsRecordType;
  readonly values: readonly string[] | IAzureResourceRef;
  readonly ttl?: number | undefined;
}

/** Creates a record set of a request, or adds problems. */
export function makeDnsRecord(
  service: ServiceScope, request: DnsRecordRequest, field: string, problems: PlatformProblems,
): AzureResource | undefined {
  const types: string[] = Object.values(DnsRecordType);
  problems.require(`${field}.name`, request.name, 'Give the full name, e.g. api.ledger.example.com.');
  problems.require(`${field}.type`, request.type, `Give one of ${types.join(', ')}.`);
  if (request.type && !types.includes(request.type)) {
    problems.add(`${field}.type`, `'${request.type}' is no type of record for services.${suggestion(request.type, types)} Give one of ${types.join(', ')}.`);
  } else if (request.type) {
    checkValues(request, `${field}.values`, problems);
  }
  if (request.name) {
    checkHostName(service, request.name, isRecordName(request.name), `${field}.name`, problems, hostNameOfRecord(request.name));
    if (!zoneOfName(service.team, request.name)) problems.add(`${field}.name`, noZone(service, request.name));
  }
  return problems.none ? writeRecord(service, request, field, problems) : undefined;
}

/** Creates a record set in the zone of its name, in the platform's namespace: teams have no role on a zone. */
export function writeRecord(
  service: ServiceScope, { name, type, values, ttl }: RecordContents, field: string, problems: PlatformProblems,
): AzureResource | undefined {
  const { team, _objects: objects } = service;
  const id = recordId(type, name);
  if (service.node.tryFindChild(id)) {
    problems.add(field, `there is a record set '${name}' of type ${type} already. Give all its values at once.`);
    return undefined;
  }
  const zone = zoneOfName(team, name)!;
  const azureName = relativeName(name, zone.name);
  const others = typesAt(service, name);
  if (azureName === '@' && type === DnsRecordType.CNAME) {
    problems.add(field, `'${name}' is the zone itself, where no CNAME can be. Give A and AAAA records.`);
    return undefined;
  }
  if (others.length > 0 && [type, ...others].includes(DnsRecordType.CNAME)) {
    problems.add(field, `'${name}' has a record set of type ${others[0]!}, and a CNAME can have none beside it. Leave one out.`);
    return undefined;
  }
  const objectName = team.environment.naming.dnsRecord(objects.id, zone.name, azureName, type);
  const credential = credentialFor(zone.armId, team.environment);
  const record = new KINDS[type](service, id, {
    ...objects.plain(['network.azure.com', `DnsZones${type}Record`], objectName, team.environment.platformNamespace),
    ...(credential && { credential }),
    azureName,
    owner: DnsZone.fromArmId(zone.armId),
    ttl: ttl ?? DEFAULT_TTL,
    ...contentsOf(type, values),
  });
  objects.endsWithService(record);
  noteProblems(record, { 'ttl': `${field}.ttl`, 'azureName': `${field}.name`, 'metadata.name': `${field}.name`, '*': `${field}.values` }, problems);
  return record;
}

/** Id of the construct of a record set in its service. */
function recordId(type: string, name: string): string {
  return `dns-${type}-${name}`.toLowerCase();
}

/** The types of the service's record sets of a name. */
function typesAt(service: ServiceScope, name: string): DnsRecordType[] {
  return Object.values(DnsRecordType).filter((type) => service.node.tryFindChild(recordId(type, name)));
}

/** Adds a problem if a name is malformed, or the team may not have it. */
export function checkHostName(
  { team }: ServiceScope, name: string, wellFormed: boolean, field: string, problems: PlatformProblems, host = name,
): void {
  if (!wellFormed) {
    problems.add(field, `'${name}' is no host name. Write lower-case letters, digits and '-' between dots, no dot at the end, and other scripts as 'xn--…'.`);
  } else if (!isAllowedHostName(host, team.hostNames)) {
    problems.add(field, `'${name}' ${hostNameRule(team.hostNames)}${suggestion(name, team.hostNames)} The platform team gives the names: hostNames of team '${team.team.name}' in '${team.environment.name}'.`);
  }
}

function isRecordName(name: unknown): boolean {
  return typeof name === 'string' && isTarget(name.replace(/^\*\./, ''));
}

/** A host name whose labels may begin with `_`. */
function isTarget(name: string): boolean {
  return isHostName(name.replace(/(^|\.)_(?=[a-z0-9])/g, '$1'));
}

function noZone({ team: { environment, uses } }: ServiceScope, name: string): string {
  const zones = (environment.shared.services ?? []).filter((one) => armTypeOfService(one)?.toLowerCase() === DNS_ZONE.toLowerCase());
  const unused = zones.filter((one) => !uses.includes(one)).map((one) => `'${one.name}'`);
  if (unused.length > 0) return `'${name}' is in no shared DNS zone that the team uses. Add its zone to the team's uses: there is ${unused.join(' and ')}.`;
  return `'${name}' is in no shared DNS zone of environment '${environment.name}'. Give it SharedService.dnsZone({ … }) for the name's zone in shared.services, or leave the record out.`;
}

function checkValues({ type, values }: DnsRecordRequest, field: string, problems: PlatformProblems): void {
  if (!values?.length) {
    problems.add(field, 'required. Give at least one.');
    return;
  }
  if (type === DnsRecordType.CNAME && values.length > 1) problems.add(field, 'a CNAME has one value, the host name that it stands for. Leave the others out.');
  if (values.length > MAX_RECORDS) problems.add(field, `${values.length} values, and Azure takes ${MAX_RECORDS} in a record set.`);
  values.forEach((value, index) => {
    const [fits, what] = EXPECTED[type];
    if (!fits(value)) problems.add(`${field}[${index}]`, `'${value}' is no ${what}.`);
  });
}

const EXPECTED: Readonly<Record<DnsRecordType, readonly [fits: (value: string) => boolean, what: string]>> = {
  A: [isIPv4, 'IPv4 address. Write one such as 192.0.2.10'],
  AAAA: [isIPv6, 'IPv6 address. Write one such as 2001:db8::10'],
  CNAME: [isTarget, 'host name. Write one such as shop.azurefd.net, in lower case and without a dot at the end'],
  TXT: [(value) => value !== '', 'text. Write at least one character'],
};

function contentsOf(type: DnsRecordType, values: readonly string[] | IAzureResourceRef): Partial<DnsZonesARecordOptions> {
  if (!isList(values)) return { targetResource: { reference: values } };
  switch (type) {
    case DnsRecordType.A:
      return { aRecords: values.map((ipv4Address) => ({ ipv4Address })) };
    case DnsRecordType.AAAA:
      return { aaaaRecords: values.map((ipv6Address) => ({ ipv6Address })) };
    case DnsRecordType.CNAME:
      return { cnameRecord: { cname: values[0]! } };
    case DnsRecordType.TXT:
      return { txtRecords: values.map((value) => ({ value: partsOf(value) })) };
  }
}

function isList(values: readonly string[] | IAzureResourceRef): values is readonly string[] {
  return Array.isArray(values);
}

function partsOf(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / TEXT_PART) }, (_, index) => text.slice(index * TEXT_PART, (index + 1) * TEXT_PART));
}
