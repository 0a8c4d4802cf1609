import { withChildrenOnce } from '../../../engine/import/children-once';
import type { ImportedResource } from '../../../engine/import/imported-resource';
import { Catalog } from '../../../src/catalog';

const version = Catalog.default().kind('containerservice.azure.com', 'ManagedCluster')!.version('v1api20250801')!;
const CLUSTER = '/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/one';
const path = (...parts: (string | number)[]) => ['agentPoolProfiles', ...parts];

function cluster(names: readonly string[]): ImportedResource {
  return {
    id: CLUSTER,
    version,
    name: 'one',
    answer: {},
    spec: { location: 'uksouth', agentPoolProfiles: names.map((name) => ({ name })) },
    secrets: names.map((name, index) => ({ path: path(index, 'secret'), required: true, map: name === 'b' })),
    missing: ['dnsPrefix', ...names.map((_, index) => path(index, 'mode').join('.'))],
    refused: names.map((value, index) => {
      const property = `spec.agentPoolProfiles[${index}].osType`;
      return { property, value, why: 'unknown', leftOut: property };
    }),
  };
}

const pool = (name: string) => ({ ...cluster([]), id: `${CLUSTER}/agentPools/${name}`, name });

test('what is said of the elements that stay names their new places', () => {
  const [found] = withChildrenOnce([cluster(['a', 'b', 'c']), pool('A')]);
  expect(found!.spec).toEqual({ location: 'uksouth', agentPoolProfiles: [{ name: 'b' }, { name: 'c' }] });
  expect(found!.secrets).toEqual([
    { path: path(0, 'secret'), required: true, map: true },
    { path: path(1, 'secret'), required: true, map: false },
  ]);
  expect(found!.missing).toEqual(['dnsPrefix', 'agentPoolProfiles.0.mode', 'agentPoolProfiles.1.mode']);
  expect(found!.refused.map(({ property, leftOut, value }) => [property, leftOut, value])).toEqual([
    ['spec.agentPoolProfiles[0].osType', 'spec.agentPoolProfiles[0].osType', 'b'],
    ['spec.agentPoolProfiles[1].osType', 'spec.agentPoolProfiles[1].osType', 'c'],
  ]);
});

test('without an element the list is left out', () => {
  const [found] = withChildrenOnce([cluster(['a']), pool('a')]);
  expect([found!.spec, found!.secrets, found!.missing]).toEqual([{ location: 'uksouth' }, [], ['dnsPrefix']]);
});
