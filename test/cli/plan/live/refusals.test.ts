import { account, group, object, TestEnvironment } from './environment';
import { GROUP } from '../../../sandbox/azure/client';

const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/files4711`;
const IP = `${GROUP}/providers/Microsoft.Network/publicIPAddresses/ip`;

let environment: TestEnvironment;
beforeEach(async () => { environment = await TestEnvironment.start({ timeScale: 3600, rules: true }); });
afterEach(() => environment.close());

async function apply(path: string, body: object): Promise<void> {
  await environment.azure.group();
  expect((await environment.azure.put(path, body)).status).toBeLessThan(300);
  environment.azure.clock.advance(3600);
  await environment.azure.login();
}

const publicIp = (spec: object) => object('network.azure.com/v1api20240301', 'PublicIPAddress', 'ip', { owner: { name: 'group' }, location: 'uksouth', ...spec });

test('a difference that Azure refuses to change says so, in text and in JSON', async () => {
  await apply(ACCOUNT, { location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, properties: { isHnsEnabled: false } });
  const wanted = [group(), account({ isHnsEnabled: true, sku: { name: 'Standard_GRS' } })];
  const { files } = await environment.changes(wanted);
  expect(files).toMatchObject({ change: 'update', notes: [expect.stringContaining('Azure refuses this change: /properties/isHnsEnabled (PropertyChangeNotAllowed)')] });
  expect(files!.properties).toEqual([
    { path: '/properties/isHnsEnabled', old: 'false', new: 'true', refusal: { code: 'PropertyChangeNotAllowed' } },
    { path: '/sku/name', old: 'Standard_LRS', new: 'Standard_GRS' },
  ]);
  const { out } = await environment.plan(wanted);
  expect(out).toContain('1 to update (1 that Azure refuses)');
});

test('a default that Azure does not show is what it has', async () => {
  await apply(ACCOUNT, { location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, properties: {} });
  const { files } = await environment.changes([group(), account({ isHnsEnabled: true })]);
  expect(files!.properties).toEqual([{ path: '/properties/isHnsEnabled', new: 'true', refusal: { code: 'PropertyChangeNotAllowed' } }]);
});

test('Azure answers with its own code, and takes what goes one way', async () => {
  await apply(IP, { location: 'uksouth', sku: { name: 'Standard' }, zones: ['1'], properties: { publicIPAllocationMethod: 'Static' } });
  const { ip } = await environment.changes([group(), publicIp({ sku: { name: 'Standard' }, zones: ['2'], publicIPAllocationMethod: 'Static' })]);
  expect(ip!.notes[0]).toContain('ResourceAvailabilityZonesCannotBeModified');
  const refused = await environment.azure.put(IP, { location: 'uksouth', sku: { name: 'Standard' }, zones: ['2'], properties: { publicIPAllocationMethod: 'Static' } });
  expect([refused.status, refused.body.error.code]).toEqual([400, 'ResourceAvailabilityZonesCannotBeModified']);
});
