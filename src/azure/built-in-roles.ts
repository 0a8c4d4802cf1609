import { MORE_BUILT_IN_ROLES } from './more-built-in-roles';

/**
 * Azure's built-in roles: name → id of the role definition, which is the same in every tenant.
 * @see https://learn.microsoft.com/azure/role-based-access-control/built-in-roles
 */
export const BUILT_IN_ROLES = {
  // General
  'Owner': '8e3af657-a8ff-443c-a75c-2fe8c4bcb635',
  'Contributor': 'b24988ac-6180-42a0-ab88-20f7382dd24c',
  'Reader': 'acdd72a7-3385-48ef-bd42-f606fba81ae7',
  'User Access Administrator': '18d7d88d-d35e-4fb5-a5c3-7773c20a72d9',
  'Role Based Access Control Administrator': 'f58310d9-a9f6-439a-9e8d-f62e7b41a168',
  'Tag Contributor': '4a9ae827-6dc8-4573-8ac7-8239d42aa03f',
  // Identity
  'Managed Identity Contributor': 'e40ec5ca-96e0-45a2-b4ff-59039f2c2b59',
  'Managed Identity Operator': 'f1a07417-d97a-45cb-824c-7a7467783830',
  // Containers
  'AcrPull': '7f951dda-4ed3-4680-a7ca-43fe172d538d',
  'AcrPush': '8311e382-0749-4cb8-b61a-304f252e45ec',
  'AcrDelete': 'c2f4ef07-c644-48eb-af81-4b1b4947fb11',
  'AcrImageSigner': '6cef56e8-d556-48e5-a04f-b8e64114680f',
  'Azure Kubernetes Service Cluster Admin Role': '0ab0b1a8-8aac-4efd-b8c2-3ee1fb270be8',
  'Azure Kubernetes Service Cluster User Role': '4abbcc35-e782-43d8-92c5-2d3f1bd2253f',
  'Azure Kubernetes Service Contributor Role': 'ed7f3fbd-7b88-4dd4-9017-9adb7ce333f8',
  'Azure Kubernetes Service RBAC Admin': '3498e952-d568-435e-9b2c-8d77e338d7f7',
  'Azure Kubernetes Service RBAC Cluster Admin': 'b1ff04bb-8a4e-4dc4-8eb5-8693973ce19b',
  'Azure Kubernetes Service RBAC Reader': '7f6c6a51-bcf8-42ba-9220-52d62157d7db',
  'Azure Kubernetes Service RBAC Writer': 'a7ffa36f-339b-4b5c-8bdf-e2c188b2c0eb',
  // Storage
  'Storage Account Contributor': '17d1049b-9a84-46fb-8f53-869881c3d3ab',
  'Storage Account Key Operator Service Role': '81a9662b-bebf-436f-a333-f67b29880f12',
  'Reader and Data Access': 'c12c1c16-33a1-487b-954d-41c89c60f349',
  'Storage Blob Data Contributor': 'ba92f5b4-2d11-453d-a403-e96b0029c9fe',
  'Storage Blob Data Owner': 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b',
  'Storage Blob Data Reader': '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1',
  'Storage Blob Delegator': 'db58b8e5-c6ad-4a2a-8342-4190687cbf4a',
  'Storage File Data SMB Share Contributor': '0c867c2a-1d8c-454a-a3db-ab2ea1bdc8bb',
  'Storage File Data SMB Share Elevated Contributor': 'a7264617-510b-434b-a828-9731dc254ea7',
  'Storage File Data SMB Share Reader': 'aba4ae5f-2193-4029-9191-0cb91df5e314',
  'Storage Queue Data Contributor': '974c5e8b-45b9-4653-ba55-5f855dd0fb88',
  'Storage Queue Data Message Processor': '8a0f0c08-91a1-4084-bc3d-661d67233fed',
  'Storage Queue Data Message Sender': 'c6a89b2d-59bc-44d0-9896-0f6e12d7b80a',
  'Storage Queue Data Reader': '19e7f393-937e-4f77-808e-94535e297925',
  'Storage Table Data Contributor': '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3',
  'Storage Table Data Reader': '76199698-9eea-4c19-bc75-cec21354c6b6',
  // Messaging
  'Azure Service Bus Data Owner': '090c5cfd-751d-490a-894a-3ce6f1109419',
  'Azure Service Bus Data Receiver': '4f6d3b9b-027b-4f4c-9142-0e5a2a2247e0',
  'Azure Service Bus Data Sender': '69a216fc-b8fb-44d8-bc22-1f3c2cd27a39',
  'Azure Event Hubs Data Owner': 'f526a384-b230-433a-b45c-95f59c4a2dec',
  'Azure Event Hubs Data Receiver': 'a638d3c7-ab3a-418d-83e6-5f17a39d4fde',
  'Azure Event Hubs Data Sender': '2b629674-e913-4c01-ae53-ef4638d8f975',
  'EventGrid Contributor': '1e241071-0855-49ea-94dc-649edcd759de',
  'EventGrid Data Sender': 'd5a91429-5739-47e2-a06b-3470a27159e7',
  'EventGrid EventSubscription Contributor': '428e0ff0-5e57-4d9c-a221-2c70d0e0a443',
  // Secrets and configuration
  'Key Vault Administrator': '00482a5a-887f-4fb3-b363-3b7fe8e74483',
  'Key Vault Certificates Officer': 'a4417e6f-fecd-4de8-b567-7b0420556985',
  'Key Vault Contributor': 'f25e0fa2-a7c8-4377-a976-54943a77a395',
  'Key Vault Crypto Officer': '14b46e9e-c2b7-41b4-b07b-48a6ebf60603',
  'Key Vault Crypto Service Encryption User': 'e147488a-f6f5-4113-8e2d-b22465e65bf6',
  'Key Vault Crypto User': '12338af0-0e69-4776-bea7-57ae8d297424',
  'Key Vault Reader': '21090545-7ca7-4776-b22c-e363652d74d2',
  'Key Vault Secrets Officer': 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7',
  'Key Vault Secrets User': '4633458b-17de-408a-b874-0445c86b69e6',
  'App Configuration Data Owner': '5ae67dd6-50cb-40e7-96ff-dc2bfa4b606b',
  'App Configuration Data Reader': '516239f1-63e1-4d78-a4de-a74fb236a071',
  // Databases
  'DocumentDB Account Contributor': '5bd9cd88-fe45-4216-938b-f97437e15450',
  'Cosmos DB Account Reader Role': 'fbdf93bf-df7d-467e-a4d2-9458aa1360c8',
  'Cosmos DB Operator': '230815da-be43-4aae-9cb4-875f7bd000aa',
  'SQL DB Contributor': '9b7fa17d-e63e-47b0-bb0a-15c516ac86ec',
  'SQL Server Contributor': '6d8ee4ec-f05a-4a1d-8b00-a9b17e38b437',
  'Redis Cache Contributor': 'e0f68234-74aa-48ed-b826-c38b57376e17',
  // Network
  'Network Contributor': '4d97b98b-1d4f-4787-a291-c67834d212e7',
  'Private DNS Zone Contributor': 'b12aa53e-6015-4669-85d0-8515ebb3ae7f',
  'DNS Zone Contributor': 'befefa01-2a29-4197-83a8-272ff33ce314',
  // Compute and web
  'Virtual Machine Contributor': '9980e02c-c2be-4d73-94e8-173b1dc7cf3c',
  'Website Contributor': 'de139f84-1756-47ae-9be6-808fbbe84772',
  'Web Plan Contributor': '2cc479cb-7b4d-49a8-b449-8c00fd0f0a4b',
  'Logic App Contributor': '87a39d53-fc1b-424a-814c-f7e04687dc9e',
  'API Management Service Contributor': '312a565d-c81f-4fd8-895a-4e21e48d571c',
  // Observability
  'Monitoring Contributor': '749f88d5-cbae-40b8-bcfc-e573ddc772fa',
  'Monitoring Reader': '43d0d8ad-25c7-4714-9337-8ba259a9fe05',
  'Monitoring Metrics Publisher': '3913510d-42f4-4e42-8a64-420c390055eb',
  'Monitoring Data Reader': 'b0d8363b-8ddd-447d-831f-62ca05bff136',
  'Log Analytics Contributor': '92aaf0da-9dab-42b6-94a3-d43ce8d16293',
  'Log Analytics Reader': '73c42c96-874c-492b-b04d-ab87d138a893',
  // Artificial intelligence
  'Cognitive Services Contributor': '25fbc0a9-bd7c-42a3-aa1a-3b75d497ee68',
  'Cognitive Services User': 'a97b65f3-24c7-4388-baec-2e87135dc908',
  'Cognitive Services OpenAI Contributor': 'a001fd3d-188f-4b5d-821b-7da978bf7442',
  'Cognitive Services OpenAI User': '5e0bd9bd-7b93-4f28-af87-19fc36ad61bd',
  'Search Index Data Contributor': '8ebe5a00-799e-43f5-93ac-243d3dce84a7',
  'Search Index Data Reader': '1407120a-92aa-4202-b7e9-c0e197c71c8f',
  'Search Service Contributor': '7ca78c08-252a-4471-8644-bb5ff32d4ba0',
} as const;

/** Name of a built-in role. */
export type BuiltInRoleName = keyof typeof BUILT_IN_ROLES;

let byLowerName: ReadonlyMap<string, string> | undefined;
let byId: ReadonlyMap<string, string> | undefined;

/** The names of all built-in roles. */
export function builtInRoleNames(): string[] {
  return [...Object.keys(BUILT_IN_ROLES), ...Object.keys(MORE_BUILT_IN_ROLES)];
}

/** The id of a built-in role's definition by the role's name, case-insensitive; undefined if Azure has no such role. */
export function builtInRoleId(name: string): string | undefined {
  byLowerName ??= new Map(Object.entries({ ...MORE_BUILT_IN_ROLES, ...BUILT_IN_ROLES }).map(([known, id]) => [known.toLowerCase(), id]));
  return byLowerName.get(name.toLowerCase());
}

/** The name of a built-in role by the id of its definition; undefined if Azure has no such role. */
export function builtInRoleName(id: string): string | undefined {
  // Of two names of one role, the constant's is the one that holds.
  byId ??= new Map(builtInRoleNames().reverse().map((name) => [builtInRoleId(name)!.toLowerCase(), name]));
  return byId.get(id.toLowerCase());
}
