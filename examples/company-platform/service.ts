import * as z from 'zod';
import { prd } from './environment';
import { GROUP, teamOf, teamSpec, type TeamSpec } from './team-spec';
import { RemovalPolicies, RemovalPolicy } from 'cdk8s-aso';
import { QueueRole, Service, StorageRole } from 'cdk8s-aso/platform';
import { ComposedValue, defineApi, type Claim } from 'cdk8s-aso/platform-api';

const name = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/);
const DOMAIN = { group: 'cdn.azure.com', kind: 'AfdCustomDomain' };

const serviceSpec = z.object({
  queues: z.array(name).max(20).default([]).describe('Queues from which the service receives, and to which it sends.'),
  database: name.optional().describe('Database in the shared PostgreSQL server.'),
  eventHubs: z.array(name).max(10).default([]).describe('Event hubs that the service reads and writes.'),
  storage: z.array(z.object({
    name: z.string().regex(/^[a-z0-9]{1,11}$/),
    containers: z.array(z.string().regex(/^[a-z0-9][a-z0-9-]{1,40}[a-z0-9]$/)).min(1).max(20),
  })).max(5).default([]).describe('Storage accounts, reached by private endpoints only. Those of data teams are data lakes.'),
  secrets: z.array(name).max(20).default([]).describe('Secrets of the shared Key Vault that the service may read.'),
  hostName: z.string().max(64).optional().describe('Public host name in Front Door: one that the team may have.'),
});

type ServiceSpec = z.infer<typeof serviceSpec>;

/** `kind: Service`, of the application teams: in the team's namespace. */
export const service = defineApi({
  group: GROUP,
  kind: 'Service',
  version: 'v1',
  description: 'A service of a team with what it needs in Azure, and an identity that may use it.',
  columns: [{ name: 'Host', jsonPath: '.spec.hostName' }],
  schema: serviceSpec,
  composes: [
    { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity' },
    { group: 'managedidentity.azure.com', kind: 'FederatedIdentityCredential' },
    { group: 'authorization.azure.com', kind: 'RoleAssignment' },
    { group: 'servicebus.azure.com', kind: 'NamespacesQueue' },
    { group: 'eventhub.azure.com', kind: 'NamespacesEventhub' },
    { group: 'dbforpostgresql.azure.com', kind: 'FlexibleServersDatabase' },
    ...['StorageAccount', 'StorageAccountsBlobService', 'StorageAccountsBlobServicesContainer', 'StorageAccountsFileService']
      .map((kind) => ({ group: 'storage.azure.com', kind })),
    ...['PrivateEndpoint', 'PrivateEndpointsPrivateDnsZoneGroup', 'DnsZonesCNAMERecord', 'DnsZonesTXTRecord']
      .map((kind) => ({ group: 'network.azure.com', kind })),
    ...['AfdCustomDomain', 'AfdOriginGroup', 'AfdOrigin', 'Route'].map((kind) => ({ group: 'cdn.azure.com', kind })),
  ],
  reads: [{ group: GROUP, kind: 'Team' }, DOMAIN],
  // Outputs are client ids, which identities export.
  configMapOutputs: true,
  compose(scope, claim) {
    // Data outlives its claim: somebody may delete it by mistake.
    RemovalPolicies.of(scope).applyToDataBearing(RemovalPolicy.RETAIN);
    const { queues, database, eventHubs, storage, secrets, hostName } = claim.spec;
    const { team, isOfData } = teamOfNamespace(claim);
    const own = new Service(scope, 'service', {
      team,
      name: claim.name,
      queues: queues.map((queue) => ({ name: queue, roles: [QueueRole.SENDER, QueueRole.RECEIVER] })),
      ...(database !== undefined && { database: { name: database, charset: 'UTF8', collation: 'en_US.utf8' } }),
      resources: eventHubs.map((hub) => ({ on: 'event-hubs', name: hub, roles: ['EventHubSender', 'EventHubReceiver'] })),
      storageAccounts: storage.map((account) => ({
        name: account.name,
        roles: [StorageRole.DATA_WRITER],
        containers: account.containers.map((container) => ({ name: container })),
        ...(isOfData && { hierarchicalNamespace: true }),
      })),
      keyVaultSecrets: secrets,
      ...(hostName !== undefined && {
        domains: [{ hostName }],
        routes: [{ name: 'web', domains: [hostName], origin: { hostName: 'ingress.aurland.example.net', probePath: '/healthz' } }],
      }),
    });
    validateDomains(own, claim);
    return {
      outputs: {
        clientId: ComposedValue.fromConfigMap(own.identity.clientId, prd.platformNamespace),
        ...(own.database && { database: own.database.azureName }),
        ...Object.fromEntries(own.queues.map(({ queueName, azureName }) => [`queue-${queueName}`, azureName])),
        ...Object.fromEntries(own.storageAccounts.map(({ accountName, azureName }) => [`storage-${accountName}`, azureName])),
      },
      ...(hostName !== undefined && { links: { site: `https://${hostName}` } }),
    };
  },
});

/** The team whose namespace the claim is in. */
function teamOfNamespace({ namespace, read }: Claim<ServiceSpec>) {
  const found = read<TeamSpec>({ group: GROUP, kind: 'Team', name: namespace });
  if (!found?.spec) throw new Error(`'${namespace}' is the namespace of no team: ask the platform team for one.`);
  const { data: spec, error } = teamSpec.safeParse(found.spec);
  if (!spec) {
    const problems = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`team '${namespace}' is not as its kind asks: ${problems.join('; ')}`);
  }
  return { team: teamOf(namespace, spec), isOfData: spec.class === 'data' };
}

/** Adds the record with which Azure validates a domain, once Azure has given its token. */
function validateDomains({ domains, team }: Service, { read }: Claim<ServiceSpec>): void {
  for (const domain of domains) {
    const found = read<unknown, { validationProperties?: { validationToken?: string } }>({
      ...DOMAIN, namespace: team.namespace, name: domain.resource!.name,
    });
    const token = found?.status?.validationProperties?.validationToken;
    if (token !== undefined) domain.addValidationRecord(token);
  }
}
