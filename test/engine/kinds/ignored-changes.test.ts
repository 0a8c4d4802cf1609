import { keepIgnored } from '../../../engine/kinds/ignored-changes';
import type { KindContext } from '../../../engine/kinds/types';
import { IGNORE_CHANGES } from '../../../src/azure/annotations';
import { Catalog } from '../../../src/catalog';

const version =
  Catalog.default().kind('network.azure.com', 'NetworkSecurityGroup')?.latest
  ?? Catalog.default().kind('network.azure.com', 'VirtualNetwork')!.latest;
const context = (paths: unknown): KindContext =>
  ({ version, object: { metadata: { name: 'x', annotations: { [IGNORE_CHANGES]: JSON.stringify(paths) } } } } as unknown as KindContext);

function millisecondsOf(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test('maps of 30,000 keys take time by their size', async () => {
  const tags = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`k${index}`, 'a']));
  const theirs = Object.fromEntries(Object.keys(tags).map((key) => [key, 'b']));
  const before = process.cpuUsage();
  const kept = await keepIgnored({ tags }, context(['tags', 'tags.k1', 'tags["k2"]']), async () => ({ tags: theirs }));
  expect(millisecondsOf(before)).toBeLessThan(1_500);
  expect(kept).toMatchObject({ tags: { k1: 'b', k2: 'b' } });
});

test.each([
  [Array.from({ length: 10_000 }, () => 'tags'), 'has 10000 paths; 100 are read at most'],
  [[`tags${'.a'.repeat(50_000)}`], 'is no path of a property'],
])('an annotation that asks for too much is refused in a short message', async (paths, message) => {
  await expect(keepIgnored({ tags: {} }, context(paths), async () => ({ tags: {} }))).rejects.toThrow(message);
  await keepIgnored({ tags: {} }, context(paths), async () => ({})).catch((error: Error) =>
    expect(error.message.length).toBeLessThan(1_000),
  );
});
