import type { DatabaseRequest } from './database-request';
import type { DnsRecordRequest } from './dns-record-request';
import type { DomainRequest } from './domain-request';
import type { PrivateDnsRecordRequest } from './private-dns-record';
import type { QueueRequest } from './queue-request';
import type { ServiceRouteRequest } from './route-request';
import type { ServiceIdentityRequest } from './service-identity';
import type { SharedResourceRequest } from './shared-resource-request';
import type { StorageAccountRequest } from './storage-request';
import type { TopicRequest } from './topic-request';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** Properties of a `Service`. */
export interface ServiceProps {
  /** The team, in the environment: `team.in(environment)`. */
  readonly team: TeamInEnvironment;
  /** Name of the service, e.g. `fin-ledger-postings`. */
  readonly name: string;
  /**
   * The identity of the service's pods.
   * @default - one that trusts the service account in the team's namespace with the service's name
   */
  readonly identity?: ServiceIdentityRequest;
  /**
   * Queues.
   * @default - none
   */
  readonly queues?: QueueRequest[];
  /**
   * Topics, with their subscriptions.
   * @default - none
   */
  readonly topics?: TopicRequest[];
  /**
   * The database.
   * @default - none
   */
  readonly database?: DatabaseRequest;
  /**
   * Resources and roles in shared services, as their tables offer them: event hubs, databases, caches …
   * @default - none
   */
  readonly resources?: SharedResourceRequest[];
  /**
   * Storage accounts, with their contents.
   * @default - none
   */
  readonly storageAccounts?: StorageAccountRequest[];
  /**
   * Secrets of the shared Key Vault that the service may read, by the team's names: `x` is the secret `<team>--<service>--x`, or the name
   * from the naming strategy.
   * @default - none
   */
  readonly keyVaultSecrets?: string[];
  /**
   * Records in the private DNS zones of other regions, for storage accounts with known endpoint addresses.
   * @default - none
   */
  readonly privateDnsRecords?: PrivateDnsRecordRequest[];
  /**
   * Custom domains of the shared Front Door, with host names that the team may have (`hostNames` of the team).
   * @default - none
   */
  readonly domains?: DomainRequest[];
  /**
   * Routes of the shared Front Door endpoint for these domains.
   * @default - none
   */
  readonly routes?: ServiceRouteRequest[];
  /**
   * DNS records in the shared zones, with names that the team may have (`hostNames` of the team).
   * @default - none
   */
  readonly dnsRecords?: DnsRecordRequest[];
  /**
   * Annotations of all objects of the service, except subscriptions, rules, federated credentials and DNS records.
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
  /**
   * Tags of all taggable resources, besides those of environment and team.
   * @default - none
   */
  readonly tags?: { [key: string]: string };
  /**
   * Name of the objects' cluster. On a passive cluster the objects only watch (`skip`).
   * @default - the active cluster
   */
  readonly cluster?: string;
}
