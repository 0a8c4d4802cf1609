import { AzureResourceReference, IAzureResourceRef } from './resource-reference';
import { isArmId } from '../azure/arm-id';
import { BUILT_IN_ROLES, builtInRoleId, BuiltInRoleName, builtInRoleNames } from '../azure/built-in-roles';
import { UUID } from '../azure/uuid';
import { suggestion } from '../util/nearest';


/**
 * A role definition for `roleDefinitionReference`: one of Azure's own, or a custom one by id.
 *
 * The reference is an ARM id with an all-zero subscription, which Azure reads as the subscription of the assignment's scope: one manifest
 * serves every subscription, and every version of the operator understands it.
 *
 * @see https://learn.microsoft.com/azure/role-based-access-control/built-in-roles
 */
export class BuiltInRole implements IAzureResourceRef {
  /** Owner: full access, including the right to assign roles. */
  public static readonly OWNER = BuiltInRole.named('Owner');
  /** Contributor: full access to manage all resources, without the right to assign roles. */
  public static readonly CONTRIBUTOR = BuiltInRole.named('Contributor');
  /** Reader: view all resources, change none. */
  public static readonly READER = BuiltInRole.named('Reader');
  /** User Access Administrator: manage user access to Azure resources. */
  public static readonly USER_ACCESS_ADMINISTRATOR = BuiltInRole.named('User Access Administrator');
  /** Role Based Access Control Administrator: assign roles, manage no other access. */
  public static readonly ROLE_BASED_ACCESS_CONTROL_ADMINISTRATOR = BuiltInRole.named('Role Based Access Control Administrator');
  /** Tag Contributor: manage tags without access to the resources themselves. */
  public static readonly TAG_CONTRIBUTOR = BuiltInRole.named('Tag Contributor');
  /** Managed Identity Contributor: create, read, update and delete user-assigned identities. */
  public static readonly MANAGED_IDENTITY_CONTRIBUTOR = BuiltInRole.named('Managed Identity Contributor');
  /** Managed Identity Operator: read and assign user-assigned identities. */
  public static readonly MANAGED_IDENTITY_OPERATOR = BuiltInRole.named('Managed Identity Operator');
  /** AcrPull: pull artefacts from a container registry. */
  public static readonly ACR_PULL = BuiltInRole.named('AcrPull');
  /** AcrPush: push artefacts to and pull them from a container registry. */
  public static readonly ACR_PUSH = BuiltInRole.named('AcrPush');
  /** AcrDelete: delete artefacts of a container registry. */
  public static readonly ACR_DELETE = BuiltInRole.named('AcrDelete');
  /** AcrImageSigner: sign images of a container registry. */
  public static readonly ACR_IMAGE_SIGNER = BuiltInRole.named('AcrImageSigner');
  /** Azure Kubernetes Service Cluster Admin Role: list the cluster administrator's credential. */
  public static readonly KUBERNETES_SERVICE_CLUSTER_ADMIN_ROLE = BuiltInRole.named('Azure Kubernetes Service Cluster Admin Role');
  /** Azure Kubernetes Service Cluster User Role: list the cluster user's credential. */
  public static readonly KUBERNETES_SERVICE_CLUSTER_USER_ROLE = BuiltInRole.named('Azure Kubernetes Service Cluster User Role');
  /** Azure Kubernetes Service Contributor Role: read and write AKS clusters. */
  public static readonly KUBERNETES_SERVICE_CONTRIBUTOR_ROLE = BuiltInRole.named('Azure Kubernetes Service Contributor Role');
  /** Azure Kubernetes Service RBAC Admin: manage everything in a cluster or namespace but quotas and namespaces. */
  public static readonly KUBERNETES_SERVICE_RBAC_ADMIN = BuiltInRole.named('Azure Kubernetes Service RBAC Admin');
  /** Azure Kubernetes Service RBAC Cluster Admin: manage everything in a cluster. */
  public static readonly KUBERNETES_SERVICE_RBAC_CLUSTER_ADMIN = BuiltInRole.named('Azure Kubernetes Service RBAC Cluster Admin');
  /** Azure Kubernetes Service RBAC Reader: see most objects of a namespace. */
  public static readonly KUBERNETES_SERVICE_RBAC_READER = BuiltInRole.named('Azure Kubernetes Service RBAC Reader');
  /** Azure Kubernetes Service RBAC Writer: read and write most objects of a namespace. */
  public static readonly KUBERNETES_SERVICE_RBAC_WRITER = BuiltInRole.named('Azure Kubernetes Service RBAC Writer');
  /** Storage Account Contributor: manage storage accounts, with their keys. */
  public static readonly STORAGE_ACCOUNT_CONTRIBUTOR = BuiltInRole.named('Storage Account Contributor');
  /** Storage Account Key Operator Service Role: list and regenerate the keys of storage accounts. */
  public static readonly STORAGE_ACCOUNT_KEY_OPERATOR_SERVICE_ROLE = BuiltInRole.named('Storage Account Key Operator Service Role');
  /** Reader and Data Access: view everything and read all data with the account keys. */
  public static readonly READER_AND_DATA_ACCESS = BuiltInRole.named('Reader and Data Access');
  /** Storage Blob Data Contributor: read, write and delete containers and blobs. */
  public static readonly STORAGE_BLOB_DATA_CONTRIBUTOR = BuiltInRole.named('Storage Blob Data Contributor');
  /** Storage Blob Data Owner: full access to containers and blobs, with POSIX access control. */
  public static readonly STORAGE_BLOB_DATA_OWNER = BuiltInRole.named('Storage Blob Data Owner');
  /** Storage Blob Data Reader: read and list containers and blobs. */
  public static readonly STORAGE_BLOB_DATA_READER = BuiltInRole.named('Storage Blob Data Reader');
  /** Storage Blob Delegator: get a user delegation key. */
  public static readonly STORAGE_BLOB_DELEGATOR = BuiltInRole.named('Storage Blob Delegator');
  /** Storage File Data SMB Share Contributor: read, write and delete files of shares over SMB. */
  public static readonly STORAGE_FILE_DATA_SMB_SHARE_CONTRIBUTOR = BuiltInRole.named('Storage File Data SMB Share Contributor');
  /** Storage File Data SMB Share Elevated Contributor: read, write, delete and change access control of files of shares over SMB. */
  public static readonly STORAGE_FILE_DATA_SMB_SHARE_ELEVATED_CONTRIBUTOR = BuiltInRole.named(
    'Storage File Data SMB Share Elevated Contributor',
  );
  /** Storage File Data SMB Share Reader: read files of shares over SMB. */
  public static readonly STORAGE_FILE_DATA_SMB_SHARE_READER = BuiltInRole.named('Storage File Data SMB Share Reader');
  /** Storage Queue Data Contributor: read, write and delete queues and messages. */
  public static readonly STORAGE_QUEUE_DATA_CONTRIBUTOR = BuiltInRole.named('Storage Queue Data Contributor');
  /** Storage Queue Data Message Processor: peek, retrieve and delete messages. */
  public static readonly STORAGE_QUEUE_DATA_MESSAGE_PROCESSOR = BuiltInRole.named('Storage Queue Data Message Processor');
  /** Storage Queue Data Message Sender: add messages. */
  public static readonly STORAGE_QUEUE_DATA_MESSAGE_SENDER = BuiltInRole.named('Storage Queue Data Message Sender');
  /** Storage Queue Data Reader: read and list queues and messages. */
  public static readonly STORAGE_QUEUE_DATA_READER = BuiltInRole.named('Storage Queue Data Reader');
  /** Storage Table Data Contributor: read, write and delete tables and entities. */
  public static readonly STORAGE_TABLE_DATA_CONTRIBUTOR = BuiltInRole.named('Storage Table Data Contributor');
  /** Storage Table Data Reader: read tables and entities. */
  public static readonly STORAGE_TABLE_DATA_READER = BuiltInRole.named('Storage Table Data Reader');
  /** Azure Service Bus Data Owner: full access to Service Bus. */
  public static readonly SERVICE_BUS_DATA_OWNER = BuiltInRole.named('Azure Service Bus Data Owner');
  /** Azure Service Bus Data Receiver: receive from queues and subscriptions. */
  public static readonly SERVICE_BUS_DATA_RECEIVER = BuiltInRole.named('Azure Service Bus Data Receiver');
  /** Azure Service Bus Data Sender: send to queues and topics. */
  public static readonly SERVICE_BUS_DATA_SENDER = BuiltInRole.named('Azure Service Bus Data Sender');
  /** Azure Event Hubs Data Owner: full access to Event Hubs. */
  public static readonly EVENT_HUBS_DATA_OWNER = BuiltInRole.named('Azure Event Hubs Data Owner');
  /** Azure Event Hubs Data Receiver: receive events. */
  public static readonly EVENT_HUBS_DATA_RECEIVER = BuiltInRole.named('Azure Event Hubs Data Receiver');
  /** Azure Event Hubs Data Sender: send events. */
  public static readonly EVENT_HUBS_DATA_SENDER = BuiltInRole.named('Azure Event Hubs Data Sender');
  /** EventGrid Contributor: manage Event Grid. */
  public static readonly EVENT_GRID_CONTRIBUTOR = BuiltInRole.named('EventGrid Contributor');
  /** EventGrid Data Sender: send events to Event Grid topics. */
  public static readonly EVENT_GRID_DATA_SENDER = BuiltInRole.named('EventGrid Data Sender');
  /** EventGrid EventSubscription Contributor: manage event subscriptions. */
  public static readonly EVENT_GRID_EVENT_SUBSCRIPTION_CONTRIBUTOR = BuiltInRole.named('EventGrid EventSubscription Contributor');
  /** Key Vault Administrator: all data plane operations on a vault and all in it. */
  public static readonly KEY_VAULT_ADMINISTRATOR = BuiltInRole.named('Key Vault Administrator');
  /** Key Vault Certificates Officer: any action on certificates, but for permissions. */
  public static readonly KEY_VAULT_CERTIFICATES_OFFICER = BuiltInRole.named('Key Vault Certificates Officer');
  /** Key Vault Contributor: manage vaults, without access to their contents. */
  public static readonly KEY_VAULT_CONTRIBUTOR = BuiltInRole.named('Key Vault Contributor');
  /** Key Vault Crypto Officer: any action on keys, but for permissions. */
  public static readonly KEY_VAULT_CRYPTO_OFFICER = BuiltInRole.named('Key Vault Crypto Officer');
  /** Key Vault Crypto Service Encryption User: read metadata of keys, wrap and unwrap. */
  public static readonly KEY_VAULT_CRYPTO_SERVICE_ENCRYPTION_USER = BuiltInRole.named('Key Vault Crypto Service Encryption User');
  /** Key Vault Crypto User: cryptographic operations with keys. */
  public static readonly KEY_VAULT_CRYPTO_USER = BuiltInRole.named('Key Vault Crypto User');
  /** Key Vault Reader: read metadata of vaults and of their contents. */
  public static readonly KEY_VAULT_READER = BuiltInRole.named('Key Vault Reader');
  /** Key Vault Secrets Officer: any action on secrets, but for permissions. */
  public static readonly KEY_VAULT_SECRETS_OFFICER = BuiltInRole.named('Key Vault Secrets Officer');
  /** Key Vault Secrets User: read the contents of secrets. */
  public static readonly KEY_VAULT_SECRETS_USER = BuiltInRole.named('Key Vault Secrets User');
  /** App Configuration Data Owner: full access to App Configuration data. */
  public static readonly APP_CONFIGURATION_DATA_OWNER = BuiltInRole.named('App Configuration Data Owner');
  /** App Configuration Data Reader: read App Configuration data. */
  public static readonly APP_CONFIGURATION_DATA_READER = BuiltInRole.named('App Configuration Data Reader');
  /** DocumentDB Account Contributor: manage Cosmos DB accounts. */
  public static readonly DOCUMENTDB_ACCOUNT_CONTRIBUTOR = BuiltInRole.named('DocumentDB Account Contributor');
  /** Cosmos DB Account Reader Role: read Cosmos DB account data. */
  public static readonly COSMOS_DB_ACCOUNT_READER_ROLE = BuiltInRole.named('Cosmos DB Account Reader Role');
  /** Cosmos DB Operator: manage Cosmos DB accounts, without access to their data. */
  public static readonly COSMOS_DB_OPERATOR = BuiltInRole.named('Cosmos DB Operator');
  /** SQL DB Contributor: manage SQL databases. */
  public static readonly SQL_DB_CONTRIBUTOR = BuiltInRole.named('SQL DB Contributor');
  /** SQL Server Contributor: manage SQL servers and databases. */
  public static readonly SQL_SERVER_CONTRIBUTOR = BuiltInRole.named('SQL Server Contributor');
  /** Redis Cache Contributor: manage Redis caches. */
  public static readonly REDIS_CACHE_CONTRIBUTOR = BuiltInRole.named('Redis Cache Contributor');
  /** Network Contributor: manage networks. */
  public static readonly NETWORK_CONTRIBUTOR = BuiltInRole.named('Network Contributor');
  /** Private DNS Zone Contributor: manage private DNS zones. */
  public static readonly PRIVATE_DNS_ZONE_CONTRIBUTOR = BuiltInRole.named('Private DNS Zone Contributor');
  /** DNS Zone Contributor: manage DNS zones. */
  public static readonly DNS_ZONE_CONTRIBUTOR = BuiltInRole.named('DNS Zone Contributor');
  /** Virtual Machine Contributor: manage virtual machines. */
  public static readonly VIRTUAL_MACHINE_CONTRIBUTOR = BuiltInRole.named('Virtual Machine Contributor');
  /** Website Contributor: manage websites. */
  public static readonly WEBSITE_CONTRIBUTOR = BuiltInRole.named('Website Contributor');
  /** Web Plan Contributor: manage the plans of websites. */
  public static readonly WEB_PLAN_CONTRIBUTOR = BuiltInRole.named('Web Plan Contributor');
  /** Logic App Contributor: manage logic apps. */
  public static readonly LOGIC_APP_CONTRIBUTOR = BuiltInRole.named('Logic App Contributor');
  /** API Management Service Contributor: manage API Management services. */
  public static readonly API_MANAGEMENT_SERVICE_CONTRIBUTOR = BuiltInRole.named('API Management Service Contributor');
  /** Monitoring Contributor: read all monitoring data and change monitoring settings. */
  public static readonly MONITORING_CONTRIBUTOR = BuiltInRole.named('Monitoring Contributor');
  /** Monitoring Reader: read all monitoring data. */
  public static readonly MONITORING_READER = BuiltInRole.named('Monitoring Reader');
  /** Monitoring Metrics Publisher: publish metrics. */
  public static readonly MONITORING_METRICS_PUBLISHER = BuiltInRole.named('Monitoring Metrics Publisher');
  /** Monitoring Data Reader: read data of Azure Monitor workspaces. */
  public static readonly MONITORING_DATA_READER = BuiltInRole.named('Monitoring Data Reader');
  /** Log Analytics Contributor: read all monitoring data and change monitoring settings of workspaces. */
  public static readonly LOG_ANALYTICS_CONTRIBUTOR = BuiltInRole.named('Log Analytics Contributor');
  /** Log Analytics Reader: view and search all monitoring data. */
  public static readonly LOG_ANALYTICS_READER = BuiltInRole.named('Log Analytics Reader');
  /** Cognitive Services Contributor: manage Cognitive Services accounts and their keys. */
  public static readonly COGNITIVE_SERVICES_CONTRIBUTOR = BuiltInRole.named('Cognitive Services Contributor');
  /** Cognitive Services User: read and list keys, use the services. */
  public static readonly COGNITIVE_SERVICES_USER = BuiltInRole.named('Cognitive Services User');
  /** Cognitive Services OpenAI Contributor: full access to OpenAI models, with fine-tuning and deployment. */
  public static readonly COGNITIVE_SERVICES_OPENAI_CONTRIBUTOR = BuiltInRole.named('Cognitive Services OpenAI Contributor');
  /** Cognitive Services OpenAI User: use OpenAI models. */
  public static readonly COGNITIVE_SERVICES_OPENAI_USER = BuiltInRole.named('Cognitive Services OpenAI User');
  /** Search Index Data Contributor: full access to the data of search indexes. */
  public static readonly SEARCH_INDEX_DATA_CONTRIBUTOR = BuiltInRole.named('Search Index Data Contributor');
  /** Search Index Data Reader: read the data of search indexes. */
  public static readonly SEARCH_INDEX_DATA_READER = BuiltInRole.named('Search Index Data Reader');
  /** Search Service Contributor: manage search services and their objects, not the data. */
  public static readonly SEARCH_SERVICE_CONTRIBUTOR = BuiltInRole.named('Search Service Contributor');

  /**
   * A built-in role by its name, for the roles that have no constant here.
   * @param name e.g. `AcrQuarantineReader`; case-insensitive
   * @throws when Azure has no built-in role of that name
   * @see https://learn.microsoft.com/azure/role-based-access-control/built-in-roles
   */
  public static fromName(name: string): BuiltInRole {
    const id = typeof name === 'string' ? builtInRoleId(name) : undefined;
    if (id) return new BuiltInRole(id);
    throw new Error(`'${name}' is not the name of a built-in role.${suggestion(String(name), builtInRoleNames())} Give a name of Azure's list, or the id of a role definition to BuiltInRole.custom.`);
  }

  /**
   * A role by the id of its definition: a custom role, or a built-in one that has no constant here.
   * @param id the role definition's UUID, or its whole ARM id
   * @throws when the text is neither
   */
  public static custom(id: string): BuiltInRole {
    if (typeof id === 'string' && UUID.test(id)) return new BuiltInRole(id.toLowerCase());
    if (typeof id === 'string' && isArmId(id) && /\/providers\/Microsoft\.Authorization\/roleDefinitions\/[^/]+$/i.test(id)) {
      return new BuiltInRole(id.slice(id.lastIndexOf('/') + 1), id);
    }
    throw new Error(
      `'${id}' is not the id of a role definition. Give its UUID, or /subscriptions/<id>/providers/Microsoft.Authorization/roleDefinitions/<uuid>.`,
    );
  }

  private static named(name: BuiltInRoleName): BuiltInRole {
    return new BuiltInRole(BUILT_IN_ROLES[name]);
  }

  /** The name (a UUID) of the role definition. */
  public readonly roleDefinitionId: string;

  /** The reference to the role definition. */
  public readonly azureResourceRef: AzureResourceReference;

  private constructor(roleDefinitionId: string, armId?: string) {
    this.roleDefinitionId = roleDefinitionId;
    this.azureResourceRef = {
      armId:
        armId
        ?? `/subscriptions/00000000-0000-0000-0000-000000000000/providers/Microsoft.Authorization/roleDefinitions/${roleDefinitionId}`,
    };
  }
}
