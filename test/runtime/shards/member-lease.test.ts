import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { MemberLease } from '../../../runtime/shards/member-lease';
import type { Publication } from '../../../runtime/shards/publication';
import type { ShardClient } from '../../../runtime/shards/requests';

const publish = (...members: string[]): Publication => (
  { phase: 'active', view: { members, split: [] }, wantsSplit: [], shards: 'auto', version: '1' });
const [FIRST, SECOND] = [publish('a'), publish('a', 'b')];

/** The Lease of a member that has published two views, and how lists may have it. */
async function published() {
  const kept: KubernetesObject[] = [];
  const store = async (_: unknown, lease: KubernetesObject) => {
    const stored = { ...lease, metadata: { ...lease.metadata, uid: 'u', resourceVersion: String(kept.length + 1) } };
    kept.push(stored);
    return stored;
  };
  const client = { create: store, replace: store, get: async () => kept.at(-1) } as unknown as ShardClient;
  const lease = new MemberLease(client, 'aso', 'a', () => 0);
  await lease.create(FIRST);
  await lease.write(SECOND);
  return { lease, older: kept[0]!, newest: kept[1]! };
}

// A list may come from a cache on its way: only one with the publication shows who claims what since then.
test('a list has a publication where it has the Lease as it was acknowledged', async () => {
  const { lease, older, newest } = await published();
  expect(lease.isIn([newest], SECOND)).toBe(true);
  expect(lease.isIn([older], SECOND)).toBe(false);
  expect(lease.isIn([newest], FIRST)).toBe(false);
  expect(lease.isIn([], SECOND)).toBe(false);
});

test('nor does a list with the Lease of another start or holder, or one that was made anew', async () => {
  const { lease, newest } = await published();
  const { metadata, spec } = newest;
  expect(lease.isIn([{ ...newest, metadata: { ...metadata, name: `${metadata.name}-b` } }], SECOND)).toBe(false);
  expect(lease.isIn([{ ...newest, metadata: { ...metadata, uid: 'another' } }], SECOND)).toBe(false);
  expect(lease.isIn([{ ...newest, spec: { ...spec, holderIdentity: '' } }], SECOND)).toBe(false);
});

test('a write that was given up while it read the Lease publishes nothing after a newer one', async () => {
  const sent: KubernetesObject[] = [];
  const reads: (() => void)[] = [];
  let isConflict = true;
  const store = async (_: unknown, lease: KubernetesObject) => {
    if (isConflict && lease.metadata.uid !== undefined) throw new KubernetesError(409, 'Conflict', 'modified');
    const stored = { ...lease, metadata: { ...lease.metadata, uid: 'u', resourceVersion: String(sent.length + 1) } };
    sent.push(stored);
    return stored;
  };
  const get = async () => {
    await new Promise<void>((resolve) => reads.push(resolve));
    return sent.at(-1);
  };
  const lease = new MemberLease({ create: store, replace: store, get } as unknown as ShardClient, 'aso', 'a', () => 0);
  await lease.create(FIRST);
  const outdated = lease.write(FIRST);
  outdated.catch(() => undefined);
  while (reads.length < 1) await Promise.resolve();
  isConflict = false;
  const newer = lease.write(SECOND);
  while (reads.length < 2) await Promise.resolve();
  reads[1]!();
  await newer;
  reads[0]!();
  await expect(outdated).rejects.toThrow('given up');
  expect(sent).toHaveLength(2);
  expect(lease.isIn([sent.at(-1)!], SECOND)).toBe(true);
});
