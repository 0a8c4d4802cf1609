import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { ResourceGroup } from '../../src/services/resources';
import { PublicAccess, StorageAccount, StorageAccountKind, type StorageAccountProps } from '../../src/services/storage';

beforeEach(() => delete process.env.CDK8S_ASO_FRAMES);
afterAll(() => {
  process.env.CDK8S_ASO_FRAMES = 'off';
});

const chart = () => new Chart(new App(), 'shop', { disableResourceNameHashes: true });
const bad = { azureName: 'shopdata', location: 'uksouth', kind: 'StorageV3', sku: { name: 'Standard_LRS' } } as unknown as StorageAccountProps;

/** The line of this file from which it is called. */
function line(): number {
  return Number(/made-at\.test\.ts:(\d+)/.exec(new Error().stack!.split('\n')[2]!)![1]);
}

const placesOf = (construct: Construct) => construct.node.validate().map((finding) => /\n {6}at (\S+):(\d+):\d+$/.exec(finding)?.slice(1));

test('a finding ends with the place where the construct is made', () => {
  const group = new ResourceGroup(chart(), 'group', { location: 'uksouth' });
  const account = new StorageAccount(group.chart, 'shopdata', { ...bad, owner: group }); const made = line();
  expect(placesOf(account)).toEqual([['test/core/made-at.test.ts', String(made)]]);
  expect(group.node.validate()).toEqual([]);
});

test('a class or function of the user counts, what the library adds for it does not', () => {
  class Data extends StorageAccount {
    public constructor(scope: Construct, id: string, owner: ResourceGroup) {
      super(scope, id, { ...bad, owner });
    }
  }
  const group = new ResourceGroup(chart(), 'group', { location: 'uksouth' });
  const data = new Data(group.chart, 'shopdata', group); const made = line();
  expect(placesOf(data)).toEqual([['test/core/made-at.test.ts', String(made)]]);
  const good = new StorageAccount(group.chart, 'good', { ...bad, azureName: 'good', owner: group, kind: StorageAccountKind.STORAGE_V2 });
  const child = good.addContainer('orders', { publicAccess: 'Public' as PublicAccess }); const added = line();
  expect(placesOf(child)).toEqual([['test/core/made-at.test.ts', String(added)]]);
});

test('the limit of frames of the process stays', () => {
  const before = Error.stackTraceLimit;
  new ResourceGroup(chart(), 'group', { location: 'uksouth' });
  expect(Error.stackTraceLimit).toBe(before);
});

test.each([['CDK8S_ASO_FRAMES', 'off'], ['JSII_AGENT', 'Python/3.12']])('%s=%s leaves the place out', (name, value) => {
  process.env[name] = value;
  try {
    const account = new StorageAccount(chart(), 'shopdata', { ...bad, owner: ResourceGroup.fromName('group') });
    expect(account.node.validate()).toEqual([expect.not.stringContaining('\n')]);
  } finally {
    delete process.env[name];
  }
});

