import { App, Chart, Testing } from 'cdk8s';
import fc from 'fast-check';
import { VirtualNetwork, VirtualNetworksSubnet } from '../../src/services/network';
import { ResourceGroup } from '../../src/services/resources';
import { contains, overlap, parseCidr } from '../../src/util/cidr';

interface Manifest {
  readonly kind: string;
  readonly spec: { readonly azureName: string; readonly addressPrefix?: string };
}

function networkOf(space = '10.20.0.0/16') {
  const chart = new Chart(new App(), 'shop', { namespace: 'shop' });
  const owner = new ResourceGroup(chart, 'group', { location: 'uksouth' });
  return { chart, network: new VirtualNetwork(chart, 'net', { owner, addressSpace: { addressPrefixes: [space] } }) };
}

const rangesIn = (chart: Chart) => Object.fromEntries((Testing.synth(chart) as Manifest[])
  .filter(({ kind }) => kind === 'VirtualNetworksSubnet').map(({ spec }) => [spec.azureName, spec.addressPrefix]));

test('a subnet without a range gets a /24 of its network, or the size that it asks for', () => {
  const { chart, network } = networkOf();
  network.addSubnet('apps');
  network.addSubnet('nodes', { addressPrefix: '/20' });
  network.addSubnet('written', { addressPrefix: '10.20.0.0/27' });
  new VirtualNetworksSubnet(chart, 'other', { owner: network, azureName: 'data' });
  const ranges = rangesIn(chart);
  expect(ranges).toEqual({ apps: expect.stringMatching(/^10\.20\.\d+\.0\/24$/), nodes: expect.stringMatching(/^10\.20\.\d+\.0\/20$/), written: '10.20.0.0/27', data: expect.stringMatching(/\/24$/) });
});

test('a range stays when other subnets come and go', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9]{2,8}$/), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(names, names, (some, others) => {
    const range = (all: readonly string[]) => {
      const { network } = networkOf('10.0.0.0/8');
      const subnets = [...new Set(all)].map((name) => network.addSubnet(name));
      return subnets[subnets.length - 1]!._check();
    };
    const alone = range(['last']).spec.addressPrefix;
    const [first, second] = [range([...some, 'last']), range([...others, ...some, 'last'])];
    for (const { spec, problems } of [first, second]) expect(problems.length > 0 || spec.addressPrefix === alone).toBe(true);
  }), { numRuns: 30 });
});

test('ranges of one network never overlap: two names that would are a problem, with a range that is free', () => {
  const { chart, network } = networkOf('10.20.0.0/24');
  for (let index = 0; index < 5; index += 1) network.addSubnet(`subnet${index}`);
  expect(() => Testing.synth(chart)).toThrow(/addressPrefix: 10\.20\.0\.\d+\/28, the range that the name 'subnet\d' gives, overlaps with 10\.20\.0\.\d+\/28 of 'shop\/net-subnet\d-subnet'\. Write addressPrefix: '(10\.20\.0\.\d+\/28)', which is free\./);
});

test('the proposed range is right', () => {
  const proposals = /the name '(\w+)' gives.*?Write addressPrefix: '([\d./]+)'/g;
  let written: Record<string, string> = {};
  for (let round = 0; round < 20; round += 1) {
    const { chart, network } = networkOf('10.20.0.0/24');
    for (let index = 0; index < 12; index += 1) {
      const prefix = written[`subnet${index}`];
      network.addSubnet(`subnet${index}`, prefix === undefined ? {} : { addressPrefix: prefix });
    }
    try {
      const ranges = Object.values(rangesIn(chart)).map((text) => parseCidr(text!)!);
      for (const [index, range] of ranges.entries()) {
        expect(contains(parseCidr('10.20.0.0/24')!, range)).toBe(true);
        expect(ranges.slice(index + 1).some((other) => overlap(range, other))).toBe(false);
      }
      return;
    } catch (error) {
      // The first proposal only: the next ones count on a range that is taken by then.
      const [[, name, range]] = [...(error as Error).message.matchAll(proposals)] as unknown as [[string, string, string]];
      written = { ...written, [name]: range };
    }
  }
  throw new Error('no end');
});

test('a network that is full, a size that does not fit, and a network that is not known', () => {
  const { chart, network } = networkOf('10.20.0.0/27');
  network.addSubnet('all', { addressPrefix: '10.20.0.0/27' });
  network.addSubnet('more');
  expect(() => Testing.synth(chart)).toThrow('No /29 is left in 10.20.0.0/27: give a longer prefix, or the network another range.');

  const { chart: second, network: small } = networkOf('10.20.0.0/24');
  small.addSubnet('large', { addressPrefix: '/16' });
  expect(() => Testing.synth(second)).toThrow("addressPrefix: '/16' does not fit the network's 10.20.0.0/24. Give /24 to /29.");

  const third = new Chart(new App(), 'shop', { namespace: 'shop' });
  new VirtualNetworksSubnet(third, 'apps', { owner: VirtualNetwork.fromName('shared'), addressPrefix: '/26' });
  expect(() => Testing.synth(third)).toThrow("addressPrefix: '/26' is a length only, and the range of the network is not known here. Give the whole range: 10.0.1.0/24.");
});
