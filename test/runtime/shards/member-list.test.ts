import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { MemberLease } from '../../../runtime/shards/member-lease';
import { MemberLifetime } from '../../../runtime/shards/member-lifetime';
import { MemberList } from '../../../runtime/shards/member-list';
import { publicationText, type Publication } from '../../../runtime/shards/publication';
import type { ShardClient } from '../../../runtime/shards/requests';

const publish = (...members: string[]): Publication => (
  { phase: 'active', view: { members, split: [] }, wantsSplit: [], shards: 'auto', version: '1' });

const leaseOf = (member: string, resourceVersion: string, publication: Publication): KubernetesObject => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: {
    name: `cdk8s-aso-shard-${member}`,
    namespace: 'aso',
    uid: member,
    resourceVersion,
    annotations: { 'aso.cdk8s.io/shard-view': publicationText(publication) },
  },
  spec: { holderIdentity: member, leaseDurationSeconds: 15 },
});

test('an answer that was given up does not follow that of a later list', async () => {
  const answers: ((items: readonly KubernetesObject[]) => void)[] = [];
  const timers: (() => void)[] = [];
  const client = {
    list: () => new Promise((resolve) => answers.push((items) => resolve({ resourceVersion: '1', items }))),
  } as unknown as ShardClient;
  const time = { now: () => 0, elapsed: () => 0, random: () => 0, sleep: () => new Promise<void>((resolve) => timers.push(resolve)) };
  const lifetime = new MemberLifetime({ identity: 'a', time }, () => undefined);
  const list = new MemberList({ client, namespace: 'aso', time }, lifetime, new MemberLease(client, 'aso', 'a', () => 0));

  const [older, newer] = [leaseOf('b', '1', publish()), leaseOf('b', '2', publish('a', 'b'))];
  const first = list.read(publish('a'));
  timers[0]!();
  expect(await first).toBeUndefined();
  const second = list.read(publish('a'));
  answers[1]!([newer]);
  await second;
  answers[0]!([older]);
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  expect(list.roster.rivals()).toEqual([{ member: 'b', view: { members: ['a', 'b'], split: [] } }]);
});
