import { FakeAzure } from './fake-azure';
import { GROUP_ID } from './harness';
import { changeBody, type KindContext } from '../../../engine/kinds';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { Catalog } from '../../../src/catalog';

const nobody = { find: () => undefined, serves: () => true };
const ID = `${GROUP_ID}/providers/Microsoft.X/x/x`;

/** The body that is sent for a wanted one, with these paths left to others, when Azure has that. */
async function sent(
  group: string,
  kind: string,
  paths: unknown,
  wanted: Record<string, unknown>,
  azure?: object,
): Promise<Record<string, unknown>> {
  const version = Catalog.default().kind(`${group}.azure.com`, kind)!.latest;
  const fake = new FakeAzure();
  if (azure) fake.resources.set(ID.toLowerCase(), { body: azure as Record<string, unknown>, polls: 0 });
  const annotations = { 'aso.cdk8s.io/ignore-changes': typeof paths === 'string' ? paths : JSON.stringify(paths) };
  const object: KubernetesObject = {
    apiVersion: version.apiVersion,
    kind,
    metadata: { name: 'x', namespace: 'default', annotations },
    spec: {},
  };
  const context: KindContext = { object, version, armId: ID, client: fake, lookup: nobody };
  return changeBody(wanted, context);
}

const cluster = (paths: unknown, wanted: object, azure?: object) =>
  sent('containerservice', 'ManagedCluster', paths, { location: 'x', ...wanted }, azure);
const pool = (name: string, count: number, more = {}) => ({ name, count, ...more });
const pools = (...agentPoolProfiles: object[]) => ({ properties: { agentPoolProfiles } });

describe('what others may change', () => {
  test('is not read for a resource that is yet to be made', async () => {
    expect(await cluster(['tags.team'], { tags: { team: 'a' } })).toEqual({ location: 'x', tags: { team: 'a' } });
  });

  test('a key of a map: changed, taken away and added by others', async () => {
    expect(await cluster(['tags.team'], { tags: { team: 'a', b: '1' } }, { tags: { team: 'z', b: '2', c: '3' } })).toEqual({
      location: 'x',
      tags: { team: 'z', b: '1' },
    });
    expect(await cluster(['tags.team'], { tags: { team: 'a', b: '1' } }, { tags: { b: '2' } })).toEqual({
      location: 'x',
      tags: { b: '1' },
    });
    expect(await cluster(['tags.team'], { tags: { b: '1' } }, { tags: { team: 'z' } })).toEqual({
      location: 'x',
      tags: { b: '1', team: 'z' },
    });
    expect(await cluster(['tags["a.b"]'], { tags: { 'a.b': '1' } }, { tags: { 'a.b': '2' } })).toEqual({
      location: 'x',
      tags: { 'a.b': '2' },
    });
    expect(await cluster(['tags[*]'], { tags: { a: '1' } }, { tags: { b: '2' } })).toEqual({ location: 'x', tags: { b: '2' } });
  });

  test('a property of each element, by the name of the element', async () => {
    const wanted = pools(pool('a', 1, { vmSize: 'S' }), pool('new', 2));
    const azure = pools(pool('b', 9), pool('a', 5, { vmSize: 'L', powerState: { code: 'Running' } }));
    expect(await cluster(['agentPoolProfiles[*].count'], wanted, azure)).toEqual({
      location: 'x',
      ...pools(pool('a', 5, { vmSize: 'S' }), pool('new', 2)),
    });
  });

  test('a whole list, without what a request must not have', async () => {
    const azure = pools(pool('a', 5, { vmSize: 'L', provisioningState: 'Succeeded', currentOrchestratorVersion: '1.30' }));
    expect(await cluster(['agentPoolProfiles'], pools(pool('a', 1)), azure)).toEqual({
      location: 'x',
      ...pools(pool('a', 5, { vmSize: 'L' })),
    });
  });

  test('a property deep in the body, and one that Azure does not give back', async () => {
    const wanted = { sku: { name: 'Base', tier: 'Free' } };
    expect(await cluster(['sku.tier'], wanted, { sku: { name: 'Base', tier: 'Standard' } })).toEqual({
      location: 'x',
      sku: { name: 'Base', tier: 'Standard' },
    });
    expect(await cluster(['sku.tier'], wanted, {})).toEqual({ location: 'x', ...wanted });
    expect(await cluster(['owner.name', 'operatorSpec'], wanted, { sku: { tier: 'Standard' } })).toEqual({ location: 'x', ...wanted });
  });

  test("the kind's own changes of the body read Azure once for both", async () => {
    const body = await sent(
      'network',
      'VirtualNetwork',
      ['tags.team'],
      { tags: { team: 'a' } },
      { tags: { team: 'z' }, properties: { subnets: [{ name: 's' }] } },
    );
    expect(body).toEqual({ tags: { team: 'z' }, properties: { subnets: [{ name: 's' }] } });
  });

  test.each([
    ['{', 'is no JSON'],
    ['"tags"', 'is no list'],
    [[1], '1 is no path of a property'],
    [['tags..a'], '"tags..a" is no path of a property'],
    [['nothing'], 'has no property nothing'],
    [['location.a'], 'stands after a single value'],
    [['agentPoolProfiles[0].count'], 'elements of a list change places'],
  ])('%j is reported, and nothing is sent', async (paths, why) => {
    const failing = cluster(paths, { tags: {} }, { location: 'y', properties: { agentPoolProfiles: [] }, tags: {} });
    await expect(failing).rejects.toThrow('annotation aso.cdk8s.io/ignore-changes: ');
    await expect(failing).rejects.toThrow(why);
    await expect(failing).rejects.toThrow('e.g. ["sku.capacity", "tags.team"]');
  });
});
