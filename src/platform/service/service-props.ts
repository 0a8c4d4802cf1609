import type { DatabaseRequest } from './database';
import type { PrivateDnsRecordRequest } from './private-dns-record';
import type { QueueRequest } from './queue-request';
import type { ServiceIdentityRequest } from './service-identity';
import type { StorageAccountRequest } from './storage-request';
import type { TopicRequest } from './topic-request';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** What a service is, and what it needs. */
export interface ServiceProps {
  /** The team, in the environment: `team.in(environment)`. */
  readonly team: TeamInEnvironment;
  /** Name of the service, e.g. `fin-ledger-postings`. */
  readonly name: string;
  /**
   * The identity as which its pods run.
   * @default - one that trusts the service account of the team's namespace that is called as the service
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
   * Storage accounts, with what is in them.
   * @default - none
   */
  readonly storageAccounts?: StorageAccountRequest[];
  /**
   * Secrets of the shared Key Vault that the service may read, by what the team calls them: `x` is the secret `<team>--<service>--x`, or as
   * the naming strategy has it.
   * @default - none
   */
  readonly keyVaultSecrets?: string[];
  /**
   * Records in the private DNS zones of other regions, for storage accounts whose endpoints' addresses are known.
   * @default - none
   */
  readonly privateDnsRecords?: PrivateDnsRecordRequest[];
  /**
   * Annotations of everything that the service has, but for subscriptions, rules, federated credentials and DNS records.
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
  /**
   * Tags of everything that can have tags, besides those of environment and team.
   * @default - none
   */
  readonly tags?: { [key: string]: string };
  /**
   * Name of the cluster for which the objects are written. On a passive one they only watch (`skip`).
   * @default - the active cluster
   */
  readonly cluster?: string;
}
