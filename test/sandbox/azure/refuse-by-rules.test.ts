import { Azure, GROUP } from './client';

let azure: Azure;
beforeEach(async () => {
  azure = await Azure.start({ rules: true });
  await azure.group();
});
afterEach(() => azure.close());

const NETWORK = `${GROUP}/providers/Microsoft.Network/virtualNetworks/net`;
const BUS = `${GROUP}/providers/Microsoft.ServiceBus/namespaces/shopbus`;
const refusal = ({ status, body }: { status: number; body: any }) => [status, body.error?.code, body.error?.message];
const done = async (path: string, body: object) => {
  const { status } = await azure.put(path, body);
  azure.clock.advance(600);
  return status;
};

test('a limit of one member', async () => {
  const server = { location: 'uksouth', properties: { administratorLogin: 'shopadmin', backup: { backupRetentionDays: 40 } } };
  expect(refusal(await azure.put(`${GROUP}/providers/Microsoft.DBforPostgreSQL/flexibleServers/shoppg`, server))).toEqual([
    400, 'InvalidParameterValue', "The value of 'backup.backupRetentionDays' is not valid: is 40.",
  ]);
});

test('subnets of one network must not overlap; a subnet may be written again', async () => {
  expect(await done(NETWORK, { location: 'uksouth', properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } })).toBeLessThan(300);
  expect(await done(`${NETWORK}/subnets/a`, { properties: { addressPrefix: '10.0.1.0/24' } })).toBeLessThan(300);
  const b = (addressPrefix: string) => azure.put(`${NETWORK}/subnets/b`, { properties: { addressPrefix } });
  expect(refusal(await b('10.0.1.128/25'))[1]).toBe('NetcfgSubnetRangesOverlap');
  expect(refusal(await b('10.1.0.0/24'))[1]).toBe('NetcfgInvalidSubnet');
  expect((await b('10.0.2.0/24')).status).toBeLessThan(300);
  azure.clock.advance(600);
  expect(await done(`${NETWORK}/subnets/a`, { properties: { addressPrefix: '10.0.1.0/24' } })).toBe(200);
});

test('a limit that the owner sets', async () => {
  expect(await done(BUS, { location: 'uksouth', sku: { name: 'Basic' } })).toBeLessThan(300);
  expect(refusal(await azure.put(`${BUS}/topics/events`, { properties: {} }))[1]).toBe('BadRequest');
  expect((await azure.put(`${BUS}/queues/orders`, { properties: {} })).status).toBeLessThan(300);
});

test('references are ARM ids: a rule about them reads the same in a body', async () => {
  const setting = `${GROUP}/providers/Microsoft.Insights/diagnosticSettings/all`;
  expect(refusal(await azure.put(setting, { properties: {} }))[1]).toBe('BadRequest');
  expect((await azure.put(setting, { properties: { workspaceId: `${GROUP}/providers/Microsoft.OperationalInsights/workspaces/w` } })).status).toBeLessThan(300);
});

test('a region that this release does not know is no reason to refuse', async () => {
  const account = (location: string) => azure.put(`${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/one`, { location });
  expect(refusal(await account('westeurop'))[1]).toBe('LocationNotAvailableForResourceType');
  expect((await account('atlantiscentral')).status).toBeLessThan(300);
});

test('a machine needs a password when it is created, and none in a later PUT', async () => {
  const machine = `${GROUP}/providers/Microsoft.Compute/virtualMachines/one`;
  const parts = {
    hardwareProfile: { vmSize: 'Standard_D2s_v5' },
    storageProfile: { osDisk: { createOption: 'FromImage' }, imageReference: { id: `${GROUP}/providers/Microsoft.Compute/images/one` } },
    networkProfile: { networkInterfaces: [{ id: `${GROUP}/providers/Microsoft.Network/networkInterfaces/one` }] },
  };
  const body = (secret: object) => ({
    location: 'uksouth', properties: { ...parts, osProfile: { adminUsername: 'operator', computerName: 'one', ...secret } },
  });
  expect(refusal(await azure.put(machine, body({})))[1]).toBe('InvalidParameter');
  expect(await done(machine, body({ adminPassword: 'Correct-Horse-1' }))).toBe(201);
  expect(await done(machine, body({}))).toBe(200);
});

test('a property that Azure does not change keeps its value', async () => {
  const cluster = `${GROUP}/providers/Microsoft.ContainerService/managedClusters/shop`;
  const body = (dnsPrefix: string) => ({
    location: 'uksouth', properties: { dnsPrefix, agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D4s_v5' }] },
  });
  expect(await done(cluster, body('shop'))).toBeLessThan(300);
  expect(refusal(await azure.put(cluster, body('other')))).toEqual([400, 'PropertyChangeNotAllowed', "Changing property 'dnsPrefix' is not allowed."]);
  expect(await done(cluster, body('Shop'))).toBeLessThan(300);
});
