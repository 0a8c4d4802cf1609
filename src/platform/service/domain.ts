import { Construct } from 'constructs';
import { checkHostName, writeRecord } from './dns-record';
import { DnsRecordType } from './dns-record-request';
import type { DomainRequest } from './domain-request';
import { noteProblems } from './request-problems';
import type { Kind } from './service-objects';
import type { ServiceScope } from './service-scope';
import { checkReference } from './settings';
import { placeId, sharedServiceFor, type SharedTypeNeeded } from './shared-place';
import { shortHash } from '../../azure/names/fit-name';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import { AzureReference } from '../../core';
import type { AzureResource, AzureResourceReference, IAzureResourceRef, Output } from '../../core';
import { AfdCustomDomain, CertificateType, MinimumTlsVersion } from '../../services/cdn/afd-custom-domain';
import { Profile } from '../../services/cdn/profile';
import { profileIdOf } from '../model/arm-id-parts';
import { zoneOfName } from '../model/dns-zones';
import { isDomainName, withoutWildcard } from '../model/host-names';
import { PlatformProblems } from '../model/problems';
import type { SharedService } from '../model/shared-service';
import { FRONT_DOOR_ENDPOINT } from '../model/shared-service-types';

const KIND: Kind = ['cdn.azure.com', 'AfdCustomDomain'];
const NEEDED: SharedTypeNeeded = { armType: FRONT_DOOR_ENDPOINT, what: 'domains', factory: 'frontDoorEndpoint' };
const OWNERS = ['certificate', 'validationToken', 'dnsRecords', 'removalPolicy', 'reconcilePolicy'] as const;
/** A name of a secret of a Front Door profile. */
const SECRET_NAME = /^[A-Za-z0-9][-A-Za-z0-9]*$/;
/** The label of the record with which Azure validates a domain. A wildcard can only be the first label of a record, so it is left out. */
const VALIDATION_LABEL = '_dnsauth';
/** The most characters of the name in a certificate that Azure issues. */
const MAX_IN_CERTIFICATE = 64;

/**
 * A custom domain in the profile of the shared Front Door endpoint, with its DNS records where the platform shares the zone.
 * @see https://learn.microsoft.com/azure/frontdoor/domain
 */
export class ServiceDomain extends Construct implements IAzureResourceRef {
  /** @internal */
  public static _of(service: ServiceScope, request: DomainRequest, field: string, problems: PlatformProblems): ServiceDomain | undefined {
    const { hostName, certificate } = request;
    problems.require(`${field}.hostName`, hostName, 'Give the host name, e.g. shop.example.com.');
    const on = sharedServiceFor(service.team, NEEDED, request.on, field, problems);
    if (hostName) checkHostName(service, hostName, isDomainName(hostName), `${field}.hostName`, problems);
    if (hostName && hostName.length > MAX_IN_CERTIFICATE && certificate === undefined && request.owned !== false) {
      problems.add(`${field}.hostName`, `'${hostName}' has ${hostName.length} characters, and a certificate of Azure takes ${MAX_IN_CERTIFICATE}. Give a shorter name, or a certificate.`);
    }
    if (request.owned === false) checkReference(request, OWNERS, 'domain', field, problems);
    if (certificate !== undefined && !SECRET_NAME.test(certificate)) {
      problems.add(`${field}.certificate`, `'${certificate}' is no name of a secret of the Front Door profile. Write letters, digits and '-', or leave it out for a certificate of Azure.`);
    }
    const wantsRecords = request.dnsRecords === true || (request.validationToken !== undefined && request.dnsRecords !== false);
    if (hostName && wantsRecords && !zoneOfName(service.team, hostName)) {
      const cause = request.dnsRecords === true ? 'dnsRecords' : 'validationToken';
      problems.add(`${field}.${cause}`, `there is no shared DNS zone for '${hostName}' that the team uses, so the records are for you to write. Leave ${cause} out, or add SharedService.dnsZone({ … }) to shared.services and the team's uses.`);
    }
    if (hostName && on && service.node.tryFindChild(placeId('domain', on, hostName))) {
      problems.add(`${field}.hostName`, `'${hostName}' is there already. Leave one out.`);
    }
    return on && problems.none ? new ServiceDomain(service, on, request, field, problems) : undefined;
  }

  /** The host name. */
  public readonly hostName: string;
  /** Name in Azure. */
  public readonly azureName: string;
  /** ARM id. */
  public readonly armId: string;
  /** The shared service. */
  public readonly on: SharedService;
  /** The domain's object, if the service owns the domain. */
  public readonly resource?: AfdCustomDomain;
  /** The records of the domain, in the platform's namespace. */
  public readonly records: AzureResource[] = [];
  /**
   * The token with which Azure validates the domain: a key of a ConfigMap of the team's namespace that the operator writes when Azure has
   * made the domain. Undefined if another service owns the domain.
   */
  public readonly validationToken?: Output;
  /** Reference to the domain. */
  public readonly azureResourceRef: AzureResourceReference;

  private readonly service: ServiceScope;

  private constructor(service: ServiceScope, on: SharedService, request: DomainRequest, field: string, problems: PlatformProblems) {
    super(service, placeId('domain', on, request.hostName));
    const { team, _objects: objects } = service;
    const { environment } = team;
    const { hostName, certificate } = request;
    const endpointId = withoutTrailingSlashes(environment.armIdOf(on.resource));
    const profileId = profileIdOf(endpointId);
    const names = environment.naming.sharedResource({ team, service: on, kind: KIND[1], name: nameOf(hostName) });
    this.service = service;
    this.on = on;
    this.hostName = hostName;
    this.azureName = names.azureName;
    this.armId = `${profileId}/customDomains/${names.azureName}`;
    this.azureResourceRef = { armId: this.armId };
    if (request.owned === false) return;
    this.resource = new AfdCustomDomain(this, 'resource', {
      ...objects.inTeam(KIND, names.objectName, request),
      azureName: names.azureName,
      owner: Profile.fromArmId(profileId),
      hostName,
      tlsSettings: {
        minimumTlsVersion: MinimumTlsVersion.TLS12,
        ...(certificate === undefined
          ? { certificateType: CertificateType.MANAGED_CERTIFICATE }
          : {
            certificateType: CertificateType.CUSTOMER_CERTIFICATE,
            secret: { reference: AzureReference.fromArmId(`${profileId}/secrets/${certificate}`) },
          }),
      },
    });
    objects.keep(this.resource, on);
    this.validationToken = this.resource.outputs.validationToken;
    noteProblems(this.resource, { 'azureName': `${field}.hostName`, 'metadata.name': `${field}.hostName`, '*': field }, problems);
    if (request.dnsRecords !== false && zoneOfName(team, hostName)) this.writeRecords(endpointId, request, field, problems);
  }

  /**
   * Adds the record `_dnsauth.<host name>` to the shared zone, with which Azure validates the domain: the same as `validationToken` of the
   * request, for a token that is known later, e.g. in a kind of the platform's own that reads the domain's status.
   * @param token the token that Azure gave the domain
   * @throws when another service owns the domain, the team uses no zone for its name, or the record is there already
   */
  public addValidationRecord(token: string): AzureResource {
    const problems = new PlatformProblems(`[${this.node.path}] Domain '${this.hostName}'`);
    problems.require('validationToken', token, 'Give the token that Azure gave the domain.');
    if (!this.resource) {problems.add('validationToken', 'belongs to the service that owns the domain. Add the record there.');} else if (!zoneOfName(this.service.team, this.hostName)) {
      problems.add('validationToken', `there is no shared DNS zone for '${this.hostName}' that the team uses, so the record is for you to write.`);
    }
    problems.throwIfAny();
    const record = this.writeValidation(token, 'validationToken', problems);
    problems.throwIfAny();
    return record!;
  }

  private writeRecords(endpointId: string, request: DomainRequest, field: string, problems: PlatformProblems): void {
    const { hostName, validationToken } = request;
    const atApex = zoneOfName(this.service.team, hostName)!.name === hostName;
    // No CNAME can be at the apex, and Front Door has no address of its own there.
    const endpoint = AzureReference.fromArmId(endpointId);
    const contents = atApex
      ? [DnsRecordType.A, DnsRecordType.AAAA].map((type) => ({ name: hostName, type, values: endpoint }))
      : [{ name: hostName, type: DnsRecordType.CNAME, values: this.on.hostName === undefined ? endpoint : [this.on.hostName] }];
    for (const one of contents) this.written(writeRecord(this.service, one, field, problems));
    if (validationToken !== undefined) this.writeValidation(validationToken, field, problems);
  }

  private writeValidation(token: string, field: string, problems: PlatformProblems): AzureResource | undefined {
    const name = `${VALIDATION_LABEL}.${withoutWildcard(this.hostName)}`;
    return this.written(writeRecord(this.service, { name, type: DnsRecordType.TXT, values: [token] }, field, problems));
  }

  private written(record: AzureResource | undefined): AzureResource | undefined {
    if (record) this.records.push(record);
    return record;
  }
}

/** A name without dots, different for every host name. */
function nameOf(hostName: string): string {
  return `${hostName.replace('*', 'all').replaceAll('.', '-')}-${shortHash(hostName)}`;
}
