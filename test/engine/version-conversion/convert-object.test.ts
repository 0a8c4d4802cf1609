import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { convertObject } from '../../../engine/version-conversion/convert-object';
import { KEPT_MEMBERS } from '../../../src/azure/annotations';
import { Catalog, type KindVersion } from '../../../src/catalog';
import { objectOf, versionOf } from '../../controller/admission/objects';

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as KubernetesObject;
const kind = Catalog.default().kind('storage.azure.com', 'StorageAccount')!;
const versions = kind.versionNames.map((name) => kind.version(name)!);
const stored = kind.version(kind.facts.storageVersion)!;
const known = (version: KindVersion) => Object.keys(version.specType.props);
/** A version with a member that another one does not have. */
const [newer, older, only] = versions
  .flatMap((a) =>
    versions.map((b) => [a, b, known(a).find((name) => !known(b).includes(name) && a.specType.props[name]!.type === 'string')] as const),
  )
  .find(([, , name]) => name !== undefined)! as readonly [KindVersion, KindVersion, string];

test('what a version does not have is kept in an annotation, and comes back', () => {
  const object = objectOf(newer, { location: 'a', [only]: 'v' });
  const seen = plain(convertObject(object, older));
  expect(seen.spec).toEqual({ location: 'a' });
  expect(JSON.parse(seen.metadata.annotations![KEPT_MEMBERS]!)).toEqual({ spec: [[[only], 'v']] });
  expect(plain(convertObject(seen, newer))).toEqual(plain(object));
});

test('a change made in a version leaves alone what only another one shows', () => {
  const seen = plain(convertObject(objectOf(newer, { location: 'a', [only]: 'v' }), older));
  const changed = { ...seen, spec: { ...seen.spec, location: 'b' } };
  expect(convertObject(changed, newer).spec).toEqual({ location: 'b', [only]: 'v' });
});

test('what was set meanwhile wins, and an annotation that is none is dropped', () => {
  const seen = plain(convertObject(objectOf(newer, { [only]: 'v' }), older));
  const set = { ...seen, apiVersion: newer.apiVersion, spec: { [only]: 'new' } };
  expect(convertObject(set, newer)).toMatchObject({ spec: { [only]: 'new' } });
  for (const text of ['no JSON', '5', '{"spec":5}', '{"spec":[["x",1],[[],1],[[5],1],[[["a"]],1]]}', '{"status":[]}']) {
    const broken = objectOf(older, { location: 'a' }, 'x', { annotations: { [KEPT_MEMBERS]: text, mine: 'm' } });
    expect(convertObject(broken, newer)).toMatchObject({ spec: { location: 'a' }, metadata: { annotations: { mine: 'm' } } });
  }
});

const network = Catalog.default().kind('network.azure.com', 'VirtualNetwork')!;
test('elements of lists are found again by their names', () => {
  const [a, b, list, member] = pairWithListMember();
  const object = objectOf(a, { [list]: [{ name: 'one', [member]: '1' }, { name: 'two', [member]: '2' }] });
  const seen = plain(convertObject(object, b));
  const elements = seen.spec![list] as { name: string }[];
  expect(elements).toEqual([{ name: 'one' }, { name: 'two' }]);
  const turned = { ...seen, spec: { [list]: [elements[1], { name: 'three' }] } };
  expect(convertObject(turned, a).spec).toEqual({ [list]: [{ name: 'two', [member]: '2' }, { name: 'three' }] });
});

/** A list whose elements have a name in both versions, and a text only in one of them. */
function pairWithListMember(): [KindVersion, KindVersion, string, string] {
  for (const candidate of [network, ...Catalog.default().allKinds]) {
    const all = candidate.versionNames.map((name) => candidate.version(name)!);
    for (const a of all) {
      for (const b of all) {
        for (const [list, { type }] of Object.entries(a.specType.props)) {
          const elementOf = (version: KindVersion) => {
            const own = version.specType.props[list]?.type as { array?: { ref?: string } } | undefined;
            return own?.array?.ref === undefined ? undefined : version.type(own.array.ref).props;
          };
          const [ofA, ofB] = [elementOf(a), elementOf(b)];
          if (typeof type !== 'object' || !ofA?.name || !ofB?.name) continue;
          const member = Object.keys(ofA).find((name) => ofA[name]!.type === 'string' && !(name in ofB));
          if (member) return [a, b, list, member];
        }
      }
    }
  }
  throw new Error('the catalog has no such list');
}

describe('status', () => {
  const [a, b, member] = versions
    .flatMap((one) =>
      versions.map(
        (two) =>
          [
            one,
            two,
            Object.keys(one.statusType.props).find(
              (name) => !(name in two.statusType.props) && one.statusType.props[name]!.type === 'string',
            ),
          ] as const,
      ),
    )
    .find(([, , name]) => name !== undefined)! as readonly [KindVersion, KindVersion, string];
  const conditions = [{ type: 'Ready', status: 'True' as const, reason: 'Succeeded', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  const object = { ...objectOf(a, {}), status: { id: 'i', [member]: 'v', conditions } };

  test('comes back as it was, conditions that changed included', () => {
    const seen = plain(convertObject(object, b));
    expect(seen.status).toEqual({ id: 'i', conditions });
    // The server orders members in its own way.
    const reordered = { ...seen, status: { conditions: [], id: 'i' } } as KubernetesObject;
    expect(convertObject(seen, a).status).toEqual(object.status);
    expect(convertObject(reordered, a).status).toEqual({ ...object.status, conditions: [] });
  });
  test('of a status that was written anew nothing old comes back', () => {
    const seen = plain(convertObject(object, b));
    expect(convertObject({ ...seen, status: { id: 'other' } }, a).status).toEqual({ id: 'other' });
  });
});

test('an object without spec or status, or with one that is no object, keeps what it has', () => {
  expect(convertObject(objectOf(newer, undefined), stored)).toEqual({ ...objectOf(newer, undefined), apiVersion: stored.apiVersion });
  expect(convertObject({ ...objectOf(newer, 'text' as never), status: 5 as never }, older)).toMatchObject({ spec: 'text', status: 5 });
  expect(versionOf('storage', 'StorageAccount')).toBeDefined();
});
