import { BlockList } from 'node:net';
import * as fc from 'fast-check';
import { contains, hasHostBits, overlap, parseAddress, parseCidr, textOfCidr } from '../../src/util/cidr';

const ipv4 = fc.ipV4();
const cidr4 = fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })).map(([address, prefix]) => `${address}/${prefix}`);
const cidr6 = fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })).map(([address, prefix]) => `${address}/${prefix}`);

/** Node's own list of blocked addresses as the judge. */
function isIn(range: string, address: string): boolean {
  const [net = '', prefix] = range.split('/');
  const list = new BlockList();
  list.addSubnet(net, Number(prefix), 'ipv4');
  return list.check(address, 'ipv4');
}

test('an address is in a range when Node says so', () => {
  fc.assert(fc.property(cidr4, ipv4, (range, address) => {
    expect(contains(parseCidr(range)!, parseCidr(`${address}/32`)!)).toBe(isIn(range, address));
  }));
});

test('two ranges overlap when the first address of one is in the other', () => {
  fc.assert(fc.property(cidr4, cidr4, (one, other) => {
    const [a, b] = [parseCidr(one)!, parseCidr(other)!];
    const firstOf = (text: string) => textOfCidr(parseCidr(text)!).split('/')[0]!;
    expect(overlap(a, b)).toBe(isIn(one, firstOf(other)) || isIn(other, firstOf(one)));
    expect(overlap(a, b)).toBe(overlap(b, a));
  }));
});

test('the text of a range has no host bits, and is the same range', () => {
  fc.assert(fc.property(fc.oneof(cidr4, cidr6), (range) => {
    const text = textOfCidr(parseCidr(range)!);
    expect(hasHostBits(text)).toBe(false);
    expect(parseCidr(text)).toEqual(parseCidr(range));
  }));
});

test.each([
  ['10.0.0.5/24', '10.0.0.0/24'],
  ['fd00:db8::1/48', 'fd00:db8::/48'],
  ['::ffff:10.0.0.1/128', '::ffff:a00:1/128'],
  ['2001:db8:0:0:1:0:0:1/128', '2001:db8::1:0:0:1/128'],
])('%s is %s', (range, text) => expect(textOfCidr(parseCidr(range)!)).toBe(text));

test.each(['10.0.0.0', '10.0.0.256/24', '10.0.0.0/33', '10.0.0/24', '10.0.0.0/x', 'fe80::1%eth0/64', '', '/24', '10.0.0.0/24/8'])(
  '%s is no range', (text) => expect(parseCidr(text)).toBeUndefined());

test('addresses of different versions do not overlap', () => {
  expect(overlap(parseCidr('0.0.0.0/0')!, parseCidr('::/0')!)).toBe(false);
  expect([parseAddress('10.0.0.1')?.bits, parseAddress('::1')?.bits, parseAddress('localhost')]).toEqual([32, 128, undefined]);
});
