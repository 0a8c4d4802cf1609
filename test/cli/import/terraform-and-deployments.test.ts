import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHOP } from './areas/put';
import { importFrom, shopAzure } from './simulated-azure';
import type { Azure } from '../../sandbox/azure/client';

const directory = mkdtempSync(join(tmpdir(), 'import-tools-'));
const ACCOUNT = `${SHOP}/providers/Microsoft.Storage/storageAccounts/shopdata4711`;
const VAULT = `${SHOP}/providers/Microsoft.KeyVault/vaults/shop-vault-4711`;
const NETWORK = `${SHOP}/providers/Microsoft.Network/virtualNetworks/shop-vnet`;
const SERVER = `${SHOP}/providers/Microsoft.DBforPostgreSQL/flexibleServers/shop-pg-4711`;
const PROVIDER = 'provider["registry.terraform.io/hashicorp/azurerm"]';

interface Instance { readonly id: string; readonly [attribute: string]: unknown }

const managed = (type: string, name: string, ...instances: readonly Instance[]) => ({
  mode: 'managed',
  type,
  name,
  provider: type.startsWith('azapi') ? 'provider["registry.terraform.io/azure/azapi"]' : PROVIDER,
  instances: instances.map((attributes, index) => ({
    ...(instances.length > 1 ? { index_key: index } : {}), schema_version: 1, attributes, sensitive_attributes: [], private: 'bnVsbA==',
  })),
});

/** A state as Terraform 1.9 writes it. */
const STATE = {
  version: 4,
  terraform_version: '1.9.8',
  serial: 42,
  lineage: '5b9a8f1a-6f1f-4d0c-9a39-2f3f8b0f6a01',
  outputs: { account: { value: 'shopdata4711', type: 'string' } },
  resources: [
    { mode: 'data', type: 'azurerm_client_config', name: 'current', provider: PROVIDER, instances: [{ schema_version: 0, attributes: { id: 'Y2xpZW50' } }] },
    managed('azurerm_resource_group', 'shop', { id: SHOP, location: 'uksouth' }),
    managed('azurerm_virtual_network', 'shop', { id: NETWORK }),
    managed('azurerm_subnet', 'shop', { id: `${NETWORK}/subnets/nodes` }, { id: `${NETWORK}/subnets/databases` }),
    managed('azurerm_subnet_network_security_group_association', 'nodes', { id: `${NETWORK}/subnets/nodes` }),
    { ...managed('azurerm_storage_account', 'data', { id: ACCOUNT, primary_access_key: 'never-shown-4711' }), module: 'module.storage' },
    managed('azurerm_storage_container', 'images', {
      id: 'https://shopdata4711.blob.core.windows.net/images', resource_manager_id: `${ACCOUNT}/blobServices/default/containers/images`,
    }),
    managed('azurerm_key_vault', 'vault', { id: VAULT }),
    managed('azurerm_key_vault_secret', 'password', { id: 'https://shop-vault-4711.vault.azure.net/secrets/db/1', value: 'never-shown-4711' }),
    managed('azurerm_monitor_diagnostic_setting', 'audit', { id: `${VAULT}|audit` }),
    managed('azurerm_role_assignment', 'web', { id: `${ACCOUNT}/providers/Microsoft.Authorization/roleAssignments/b1000000-0000-4000-8000-000000000001` }),
    managed('azapi_resource', 'orders', { id: `${SERVER}/databases/orders`, type: 'Microsoft.DBforPostgreSQL/flexibleServers/databases@2024-08-01' }),
    managed('random_password', 'db', { id: 'none', result: 'never-shown-4711' }),
  ],
  check_results: null,
};

const DEPLOYMENT = `${SHOP}/providers/Microsoft.Resources/deployments/shop-2024`;
const operation = (id: string, provisioningOperation: string, target: string | undefined, provisioningState = 'Succeeded') => ({
  id: `${DEPLOYMENT}/operations/${id}`,
  operationId: id,
  properties: {
    provisioningOperation,
    provisioningState,
    timestamp: '2024-05-02T09:41:14.5Z',
    duration: 'PT2.4S',
    statusCode: 'OK',
    ...(target === undefined ? {} : { targetResource: { id: target, resourceType: 'x', resourceName: target.split('/').at(-1) } }),
  },
});

/** Answers of ARM about deployments, which the simulator does not have. */
function withDeployment(azure: Azure, outputResources: readonly { id: string }[] | undefined): Azure {
  const { send } = azure;
  const answers = new Map<string, unknown>([
    [DEPLOYMENT, {
      id: DEPLOYMENT,
      name: 'shop-2024',
      type: 'Microsoft.Resources/deployments',
      properties: { mode: 'Incremental', provisioningState: outputResources ? 'Succeeded' : 'Failed', ...(outputResources ? { outputResources } : {}) },
    }],
    [`${DEPLOYMENT}/operations`, {
      value: [
        operation('A1', 'Create', NETWORK), operation('B2', 'Create', ACCOUNT), operation('C3', 'Create', SERVER, 'Failed'),
        operation('D4', 'Read', VAULT), operation('E5', 'EvaluateDeploymentOutput', undefined),
      ],
    }],
  ]);
  azure.send = async (method, path, body) => {
    const answer = answers.get(path.split('?')[0]!);
    return answer === undefined ? send.call(azure, method, path, body) : { status: 200, headers: {}, body: answer };
  };
  return azure;
}

const kinds = (printed: string) => [...printed.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind!);

let azure: Azure;
beforeAll(async () => void (azure = await shopAzure()));
afterAll(() => azure.close());

test('a state of Terraform becomes what it manages', async () => {
  const file = join(directory, 'terraform.tfstate');
  writeFileSync(file, JSON.stringify(STATE, undefined, 2));
  const { status, printed, errors } = await importFrom(azure, [], { terraformState: [file], format: 'yaml', children: false, verify: true });
  expect({ status, errors }).toEqual({ status: 0, errors: [] });
  expect(kinds(printed)).toEqual([
    'ResourceGroup', 'Vault', 'DiagnosticSetting', 'VirtualNetwork', 'VirtualNetworksSubnet', 'VirtualNetworksSubnet', 'StorageAccount',
    'RoleAssignment', 'FlexibleServersDatabase', 'StorageAccountsBlobServicesContainer',
  ]);
  expect(printed).not.toContain('never-shown-4711');
});

test('a state becomes an app', async () => {
  const [file, out] = [join(directory, 'again.tfstate'), join(directory, 'app')];
  writeFileSync(file, JSON.stringify(STATE));
  expect((await importFrom(azure, [], { terraformState: [file], out, namespace: 'shop' })).status).toBe(0);
  expect(readFileSync(join(out, 'main.ts'), 'utf8')).toContain('new ShopChart(app, \'shop\')');
  expect(readFileSync(join(out, 'shop.ts'), 'utf8')).toContain('new storage.StorageAccount(this, \'storage-account\'');
});

test.each([
  ['that is done', [{ id: NETWORK }, { id: VAULT }], ['VirtualNetwork', 'Vault']],
  ['that failed: what it made before', undefined, ['VirtualNetwork', 'StorageAccount']],
] as const)('a deployment %s', async (_, outputResources, expected) => {
  const given = withDeployment(azure, outputResources);
  const { status, printed, errors } = await importFrom(given, [], { deployment: [DEPLOYMENT], format: 'yaml', children: false, verify: true });
  expect({ status, errors, kinds: kinds(printed).sort() }).toEqual({ status: 0, errors: [], kinds: [...expected].sort() });
});
