import type { DatabaseRequest } from './database-request';
import type { DnsRecordRequest } from './dns-record-request';
import type { DomainRequest } from './domain-request';
import type { PrivateDnsRecordRequest } from './private-dns-record';
import type { QueueRequest } from './queue-request';
import type { RouteOriginRequest, ServiceRouteRequest } from './route-request';
import type { RuleRequest } from './rule';
import type { ServiceIdentityRequest, ServiceAccountName } from './service-identity';
import type { ServiceProps } from './service-props';
import type { SharedChildRequest, SharedResourceRequest } from './shared-resource-request';
import type { ContainerRequest, FileShareRequest, StorageAccountRequest } from './storage-request';
import type { SubscriptionRequest } from './subscription';
import type { TopicRequest } from './topic-request';
import { formatValue } from '../../core/schema/conversion';
import { suggestion } from '../../util/nearest';
import { isRecord } from '../../util/records';
import type { PlatformProblems } from '../model/problems';

/** The type of a field of plain data; `other` is checked where it is used. */
type Field = 'text' | 'number' | 'flag' | 'texts' | 'record' | 'other' | { readonly list: Shape } | { readonly struct: Shape };
type Shape = Readonly<Record<string, Field>>;
/** Every field of a struct: the compiler reports a missing one. */
type ShapeOf<T> = { readonly [name in keyof Required<T>]: Field };

const LIFECYCLE = { removalPolicy: 'other', reconcilePolicy: 'other' } as const;

const RULE = { name: 'text', sqlExpression: 'text', correlation: 'other' } satisfies ShapeOf<RuleRequest>;
const CHILD = { ...LIFECYCLE, name: 'text', kind: 'text', settings: 'record' } satisfies ShapeOf<SharedChildRequest>;
const SUBSCRIPTION = { ...LIFECYCLE, name: 'text', settings: 'other', rules: { list: RULE } } satisfies ShapeOf<SubscriptionRequest>;

/** Shapes of the requests of a service. */
export const SHAPES = {
  queue: { ...LIFECYCLE, name: 'text', on: 'text', owned: 'flag', roles: 'texts', settings: 'other' } satisfies ShapeOf<QueueRequest>,
  topic: {
    ...LIFECYCLE, name: 'text', on: 'text', owned: 'flag', roles: 'texts', settings: 'other', subscriptions: { list: SUBSCRIPTION },
  } satisfies ShapeOf<TopicRequest>,
  storage: {
    ...LIFECYCLE,
    name: 'text',
    owned: 'flag',
    roles: 'texts',
    location: 'text',
    resourceGroup: 'text',
    sku: 'text',
    accessTier: 'text',
    allowSharedKeyAccess: 'flag',
    allowCrossTenantReplication: 'flag',
    defaultToOAuthAuthentication: 'flag',
    hierarchicalNamespace: 'flag',
    allowedIpRanges: 'texts',
    privateAccess: 'flag',
    privateEndpoints: 'texts',
    containers: { list: { name: 'text' } satisfies ShapeOf<ContainerRequest> },
    tables: 'texts',
    fileShares: { list: { name: 'text', accessTier: 'text', shareQuota: 'number' } satisfies ShapeOf<FileShareRequest> },
    blobService: 'other',
    fileService: 'other',
    tags: 'other',
  } satisfies ShapeOf<StorageAccountRequest>,
  resource: {
    ...LIFECYCLE, on: 'text', name: 'text', kind: 'text', owned: 'flag', roles: 'texts', settings: 'record', children: { list: CHILD },
  } satisfies ShapeOf<SharedResourceRequest>,
  domain: {
    ...LIFECYCLE, hostName: 'text', on: 'text', owned: 'flag', certificate: 'text', validationToken: 'text', dnsRecords: 'flag',
  } satisfies ShapeOf<DomainRequest>,
  route: {
    ...LIFECYCLE,
    name: 'text',
    on: 'text',
    domains: 'texts',
    defaultDomain: 'flag',
    origin: {
      struct: { hostName: 'text', hostHeader: 'text', httpsPort: 'number', probePath: 'text' } satisfies ShapeOf<RouteOriginRequest>,
    },
    patterns: 'texts',
    originPath: 'text',
    httpsRedirect: 'flag',
    caching: 'flag',
  } satisfies ShapeOf<ServiceRouteRequest>,
  dnsRecord: { name: 'text', type: 'text', values: 'texts', ttl: 'number' } satisfies ShapeOf<DnsRecordRequest>,
  database: { ...LIFECYCLE, name: 'text', on: 'text', roles: 'texts', charset: 'text', collation: 'text' } satisfies ShapeOf<DatabaseRequest>,
} as const;

const IDENTITY = {
  existing: 'flag',
  location: 'text',
  federatedServiceAccounts: { list: { namespace: 'text', name: 'text' } satisfies ShapeOf<ServiceAccountName> },
  serviceAccounts: 'other',
  delivery: 'other',
} satisfies ShapeOf<ServiceIdentityRequest>;

const SERVICE = {
  team: 'other',
  name: 'text',
  identity: { struct: IDENTITY },
  queues: { list: SHAPES.queue },
  topics: { list: SHAPES.topic },
  database: { struct: SHAPES.database },
  resources: { list: SHAPES.resource },
  storageAccounts: { list: SHAPES.storage },
  keyVaultSecrets: 'texts',
  privateDnsRecords: {
    list: { storageAccount: 'text', location: 'text', addresses: 'other', ttl: 'number' } satisfies ShapeOf<PrivateDnsRecordRequest>,
  },
  domains: { list: SHAPES.domain },
  routes: { list: SHAPES.route },
  dnsRecords: { list: SHAPES.dnsRecord },
  annotations: 'other',
  tags: 'other',
  cluster: 'text',
} satisfies ShapeOf<ServiceProps>;

/** Adds problems of the props of a service: plain data, from JSON or YAML, gets no compiler errors. */
export function checkService(props: object, problems: PlatformProblems): void {
  checkStruct(props, SERVICE, '', problems);
}

/** Adds problems for unknown fields and values of another type. Absent values, null among them, are left to the caller. */
export function checkStruct(value: unknown, shape: Shape, at: string, problems: PlatformProblems): void {
  if (!isRecord(value)) {
    problems.add(at, `is ${formatValue(value)}, but has to be an object.`);
    return;
  }
  for (const [name, each] of Object.entries(value)) {
    if (each === undefined || each === null) continue;
    const field = at === '' ? name : `${at}.${name}`;
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known !== undefined) checkField(each, known, field, problems);
    else problems.add(field, `there is no such field.${suggestion(name, Object.keys(shape))} There are: ${Object.keys(shape).join(', ')}.`);
  }
}

function checkField(value: unknown, field: Field, at: string, problems: PlatformProblems): void {
  if (typeof field === 'object') {
    if ('struct' in field) checkStruct(value, field.struct, at, problems);
    else checkList(value, at, problems, (each, place) => checkStruct(each, field.list, place, problems));
  } else if (field === 'texts') {
    checkList(value, at, problems, (each, place) => checkField(each, 'text', place, problems));
  } else if (field === 'record') {
    if (!isRecord(value)) problems.add(at, `is ${formatValue(value)}, but has to be an object.`);
  } else {
    const [type, expected] = TYPES[field];
    if (type !== undefined && typeof value !== type) problems.add(at, `is ${formatValue(value)}, but has to be ${expected}.`);
  }
}

const TYPES = { text: ['string', 'a text'], number: ['number', 'a number'], flag: ['boolean', 'true or false'], other: [undefined, ''] } as const;

function checkList(value: unknown, at: string, problems: PlatformProblems, check: (each: unknown, place: string) => void): void {
  if (Array.isArray(value)) value.forEach((each, index) => check(each, `${at}[${index}]`));
  else problems.add(at, `is ${formatValue(value)}, but has to be a list.`);
}
