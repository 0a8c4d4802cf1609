// Run by azure-sdk.test.ts with the simulator's environment: the Azure SDK for JavaScript as anybody uses it. Prints what it saw as JSON.
import { ResourceManagementClient } from '@azure/arm-resources';
import { ClientSecretCredential } from '@azure/identity';

const { AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET, AZURE_AUTHORITY_HOST, AZURE_RESOURCE_MANAGER_ENDPOINT: endpoint, AZURE_SUBSCRIPTION_ID } = process.env;
const credential = new ClientSecretCredential(AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET, { authorityHost: AZURE_AUTHORITY_HOST, disableInstanceDiscovery: true });
const client = new ResourceManagementClient(credential, AZURE_SUBSCRIPTION_ID, { endpoint, credentialScopes: `${endpoint}/.default` });

const collect = async (pages) => {
  const names = [];
  for await (const { name } of pages) names.push(name);
  return names;
};

const group = await client.resourceGroups.createOrUpdate('sdk', { location: 'uksouth', tags: { made: 'by the SDK' } });
const server = await client.resources.beginCreateOrUpdateAndWait('sdk', 'Microsoft.DBforPostgreSQL', '', 'flexibleServers', 'sdkserver', '2022-12-01', {
  location: 'uksouth', properties: { administratorLogin: 'shopadmin', administratorLoginPassword: 'Not-a-secret-4711' },
});
const identity = await client.resources.beginCreateOrUpdateAndWait('sdk', 'Microsoft.ManagedIdentity', '', 'userAssignedIdentities', 'sdkidentity', '2023-01-31', {
  location: 'uksouth', properties: { administratorLogin: 'shopadmin', administratorLoginPassword: 'Not-a-secret-4711' },
});
const seen = {
  group: group.properties.provisioningState,
  server: server.name,
  principalId: identity.properties.principalId,
  groups: await collect(client.resourceGroups.list()),
  resources: await collect(client.resources.list()),
  inGroup: await collect(client.resources.listByResourceGroup('sdk', { top: 1 })),
};
const missing = await client.resourceGroups.get('none').catch((error) => error);
await client.resourceGroups.beginDeleteAndWait('sdk');
console.log(JSON.stringify({ ...seen, missing: { code: missing.code, status: missing.statusCode }, left: await collect(client.resourceGroups.list()) }));
