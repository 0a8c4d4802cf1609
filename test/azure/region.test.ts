import { Region } from '../../src';

test('regions are spelt as Azure spells them in ids, each once', () => {
  const regions = Object.entries(Region) as [string, string][];
  expect(regions.length).toBeGreaterThan(50);
  for (const [constant, region] of regions) expect(region).toBe(constant.replace(/_/g, '').toLowerCase());
});
