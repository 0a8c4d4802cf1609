import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { publicationText, type Publication } from '../../../runtime/shards/publication';
import { Roster } from '../../../runtime/shards/roster';

const publication: Publication = {
  phase: 'active', view: { members: ['a', 'b'], split: [] }, wantsSplit: [], shards: 'auto', version: '1.0.0',
};

function lease(member: string, version: number, change: { holder?: string; view?: string; seconds?: number } = {}): KubernetesObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: `cdk8s-aso-shard-${member}`,
      uid: `uid-${member}`,
      resourceVersion: String(version),
      annotations: { 'aso.cdk8s.io/shard-view': change.view ?? publicationText(publication) },
    },
    spec: { holderIdentity: change.holder ?? member, leaseDurationSeconds: change.seconds ?? 15, acquireTime: '2026', renewTime: '1999' },
  };
}

const valid = (roster: Roster) => roster.rivals().map(({ member }) => member);

test('a member may act until its Lease was seen unchanged for 15 s, whatever its renewTime says', () => {
  const roster = new Roster('cdk8s-aso-shard-a');
  roster.observe([lease('a', 1), lease('b', 1)], 0, 500);
  expect(roster.rivals()).toEqual([{ member: 'b', view: publication.view }]);
  roster.observe([lease('b', 1)], 15_499, 16_000);
  expect(valid(roster)).toEqual(['b']);
  roster.observe([lease('b', 1)], 15_500, 16_000);
  expect([valid(roster), roster.live(), roster.hasOthers]).toEqual([[], [], false]);
  roster.observe([lease('b', 2)], 17_000, 17_010);
  expect(valid(roster)).toEqual(['b']);
});

test('a member seems to be gone when its Lease was seen unchanged for 7 s, and no more when it is renewed', () => {
  const roster = new Roster('cdk8s-aso-shard-a');
  const suspects = () => roster.live().filter(({ isSuspect }) => isSuspect).map(({ member }) => member);
  roster.observe([lease('b', 1)], 0, 500);
  roster.observe([lease('b', 1)], 7_499, 7_600);
  expect(suspects()).toEqual([]);
  roster.observe([lease('b', 1)], 7_500, 7_600);
  expect([suspects(), valid(roster)]).toEqual([['b'], ['b']]);
  roster.observe([lease('b', 2)], 8_000, 8_100);
  expect(suspects()).toEqual([]);
});

test('a member that another source names counts as a claim to everything for 15 s, unless its Lease says more', () => {
  const roster = new Roster('cdk8s-aso-shard-a');
  roster.observe([lease('b', 1)], 0, 10, ['x']);
  expect(roster.rivals()).toEqual([{ member: 'b', view: publication.view }, { member: 'x' }]);
  expect(roster.missing()).toEqual(['x']);
  roster.observe([lease('b', 2)], 15_010, 15_020);
  expect(valid(roster)).toEqual(['b']);
  roster.observe([lease('b', 3)], 15_030, 15_040, ['b']);
  expect(roster.rivals()).toEqual([{ member: 'b', view: publication.view }]);
});

test.each([['too short', 1, 15_000], ['longer', 40, 40_000], ['far too long', 1e9, 600_000]])('a duration that is %s', (_, seconds, end) => {
  const roster = new Roster('cdk8s-aso-shard-a');
  roster.observe([lease('b', 1, { seconds })], 0, 0);
  roster.observe([lease('b', 1, { seconds })], end - 1, end);
  expect(roster.hasOthers).toBe(true);
  roster.observe([lease('b', 1, { seconds })], end, end);
  expect(roster.hasOthers).toBe(false);
});

test('a Lease that its holder has released counts no more at once', () => {
  const roster = new Roster('cdk8s-aso-shard-a');
  roster.observe([lease('b', 1)], 0, 0);
  roster.observe([lease('b', 2, { holder: '' })], 1_000, 1_010);
  expect(roster.hasOthers).toBe(false);
  expect(roster.garbage()).toEqual([]);
  roster.observe([lease('b', 2, { holder: '' })], 61_010, 61_020);
  expect(roster.garbage()).toMatchObject([{ name: 'cdk8s-aso-shard-b', uid: 'uid-b', resourceVersion: '2' }]);
});

test('a Lease that somebody has deleted is a claim to everything for 15 s more', () => {
  const roster = new Roster('cdk8s-aso-shard-a');
  roster.observe([lease('b', 1)], 0, 0);
  roster.observe([], 10_000, 10_100);
  expect(roster.rivals()).toEqual([{ member: 'b' }]);
  expect(roster.live()).toEqual([]);
  roster.observe([], 25_099, 25_100);
  expect(roster.hasOthers).toBe(true);
  roster.observe([], 25_100, 25_101);
  expect(roster.hasOthers).toBe(false);
});

test('a member that others name, and that has no Lease, counts like one whose Lease was deleted, once', () => {
  const roster = new Roster('cdk8s-aso-shard-own');
  // The view of b names a.
  roster.observe([lease('b', 1)], 0, 100);
  expect(roster.rivals()).toEqual([{ member: 'b', view: publication.view }, { member: 'a' }]);
  expect(roster.missing()).toEqual(['a']);
  roster.observe([lease('b', 2)], 15_100, 15_200);
  expect(roster.missing()).toEqual([]);
  roster.observe([lease('b', 3)], 16_000, 16_100);
  expect([roster.missing(), valid(roster), roster.garbage()]).toEqual([[], ['b'], []]);
});

test('a Lease that was released and deleted does not count, whoever still names it', () => {
  const roster = new Roster('own');
  roster.observe([lease('a', 1, { holder: '' }), lease('b', 1)], 0, 0);
  roster.observe([lease('b', 2)], 1_000, 1_100);
  expect([valid(roster), roster.missing()]).toEqual([['b'], []]);
});

test.each([
  ['an unknown protocol', lease('b', 1, { view: '{"protocol":2}' })],
  ['another holder', lease('b', 1, { holder: 'c' })],
  ['nothing of ours', { ...lease('b', 1), spec: { holderIdentity: 7, leaseDurationSeconds: 'long' } }],
])('%s: a claim to everything, and no member of a view', (_, object) => {
  const roster = new Roster('own');
  roster.observe([object], 0, 0);
  expect(roster.live()).toEqual([]);
  expect(roster.rivals()).toEqual([{ member: 'b' }]);
});

test('garbage: unchanged for 10 minutes', () => {
  const roster = new Roster('cdk8s-aso-shard-a');
  roster.observe([lease('b', 1)], 0, 0);
  roster.observe([lease('b', 1)], 599_999, 600_000);
  expect(roster.garbage()).toEqual([]);
  roster.observe([lease('b', 1)], 600_000, 600_001);
  expect(roster.garbage()).toHaveLength(1);
});
