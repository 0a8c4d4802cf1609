import type * as IgnoredChanges from '../../../engine/kinds/ignored-changes';
import type { KindContext } from '../../../engine/kinds/types';
import { IGNORE_CHANGES } from '../../../src/azure/annotations';
import { Catalog } from '../../../src/catalog';
import { asyncGrowth, counted } from '../../setup/work';

const { keepIgnored } = counted<typeof IgnoredChanges>('engine/kinds/ignored-changes');

const version =
  Catalog.default().kind('network.azure.com', 'NetworkSecurityGroup')?.latest
  ?? Catalog.default().kind('network.azure.com', 'VirtualNetwork')!.latest;
const context = (paths: unknown): KindContext =>
  ({ version, object: { metadata: { name: 'x', annotations: { [IGNORE_CHANGES]: JSON.stringify(paths) } } } } as unknown as KindContext);

test('maps of 10,000 keys take work by their size', async () => {
  const tags = (size: number, value: string) => Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, value]));
  let kept: unknown;
  const keep = async (size: number) => {
    const own = { tags: tags(size, 'a') };
    kept = await keepIgnored(own, context(['tags', 'tags.k1', 'tags["k2"]']), async () => ({ tags: tags(size, 'b') }));
  };
  expect(await asyncGrowth(2_500, keep)).toBeLessThan(5);
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
