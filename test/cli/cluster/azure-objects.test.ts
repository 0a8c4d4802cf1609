import { readAzureObjects } from '../../../cli/cluster/azure-objects';
import type { ClusterReader } from '../../../cli/cluster/reader';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';

const [STORED, OLD] = ['v1api20200601', 'v1api20190101'] as const;
const type = (version: string): ResourceType => (
  { group: 'resources.azure.com', version, plural: 'resourcegroups', kind: 'ResourceGroup', namespaced: true });

/** A server with groups, each applied in a version; it answers with a property for the version that is asked for. */
function server(applied: readonly string[], { served = [STORED, OLD] as readonly string[], gone = false } = {}) {
  const requests = { list: 0, get: 0 };
  const converted = (index: number, asked: string): KubernetesObject => ({
    apiVersion: `resources.azure.com/${applied[index]}`,
    kind: 'ResourceGroup',
    metadata: { name: `g${index}`, namespace: 'team' },
    spec: { [asked]: true },
  });
  const reader: ClusterReader = {
    discovery: async () => ({ types: [type(STORED)], unknownGroups: new Set<string>() }),
    list: async ({ version }, { limit = 500, continue: from = '0' }) => {
      requests.list += 1;
      if (!served.includes(version)) throw new KubernetesError(404, 'NotFound', 'the server could not find the requested resource');
      const next = Number(from) + limit;
      const all = applied.map((_, index) => index).filter((index) => !gone || version === STORED || index > 0);
      const items = all.slice(Number(from), next).map((index) => converted(index, version));
      return { resourceVersion: '1', items, continue: next < all.length ? String(next) : undefined };
    },
    get: async ({ version }, name) => {
      requests.get += 1;
      const index = Number(name.slice(1));
      return served.includes(version) && !(gone && index === 0) ? converted(index, version) : undefined;
    },
  };
  return { reader, requests };
}

const versions = (count: number, version: string) => Array.from({ length: count }, () => version);

test('1,000 objects of another version are four lists, not a GET each', async () => {
  const { reader, requests } = server(versions(1_000, OLD));
  const { objects } = await readAzureObjects(reader, 'team');
  expect(requests).toEqual({ list: 4, get: 0 });
  expect(new Set(objects.map(({ apiVersion, spec }) => `${apiVersion} ${Object.keys(spec!).join()}`))).toEqual(
    new Set([`resources.azure.com/${OLD} ${OLD}`]),
  );
});

test('a few among many are read one by one', async () => {
  const { reader, requests } = server([...versions(3, OLD), ...versions(1_200, STORED)]);
  const { objects } = await readAzureObjects(reader);
  expect(requests).toEqual({ list: 3, get: 3 });
  expect(objects.filter(({ apiVersion, spec }) => apiVersion.endsWith(OLD) && OLD in spec!)).toHaveLength(3);
  expect(objects.filter(({ apiVersion, spec }) => apiVersion.endsWith(STORED) && STORED in spec!)).toHaveLength(1_200);
});

test.each([3, 1_000])('an object that is gone meanwhile, and a version that is not served any more: as listed first (%d)', async (count) => {
  const others = versions(1_200, STORED);
  const first = await readAzureObjects(server([...versions(count, OLD), ...others], { gone: true }).reader);
  const [lost] = first.objects.filter(({ metadata }) => metadata.name === 'g0');
  expect([lost!.apiVersion, Object.keys(lost!.spec!)]).toEqual([`resources.azure.com/${OLD}`, [STORED]]);
  const second = await readAzureObjects(server([...versions(count, OLD), ...others], { served: [STORED] }).reader);
  expect(second.objects).toHaveLength(count + 1_200);
  expect(second.objects.filter(({ spec }) => OLD in spec!)).toEqual([]);
});
