import { LeaseApi } from './simulation/lease-api';
import { Machine } from './simulation/machine';
import { Claims } from '../../../runtime/shards/claims';
import { Fence } from '../../../runtime/shards/fence';
import { LeaseRenewal } from '../../../runtime/shards/lease-renewal';
import { MemberLease } from '../../../runtime/shards/member-lease';
import { MemberLifetime } from '../../../runtime/shards/member-lifetime';
import { OwnershipUpdater } from '../../../runtime/shards/ownership-updater';
import { publicationText, type Publication } from '../../../runtime/shards/publication';
import { Random } from '../../simulation/random';
import { Scheduler } from '../../simulation/scheduler';

const publish = (...members: string[]): Publication => (
  { phase: 'active', view: { members, split: [] }, wantsSplit: [], shards: 'auto', version: '1' });

/** A member that renews its Lease, whose requests take some milliseconds. */
async function renewing() {
  const scheduler = new Scheduler();
  const random = new Random(1);
  const api = new LeaseApi(scheduler, random);
  const machine = new Machine(scheduler, random, 0);
  const time = machine.time();
  const options = { identity: 'a', time, fence: new Fence(time), onSnapshot: async () => undefined };
  const claims = new Claims();
  const lifetime = new MemberLifetime(options, () => undefined);
  const lease = new MemberLease(api.clientOf({ trouble: 'none' }, machine.deliver), 'aso', 'a', () => time.now());
  const updater = new OwnershipUpdater(options, claims);
  const renewal = new LeaseRenewal(options, { lifetime, lease, claims, updater }, publish('a'), () => undefined);
  void renewal.create(new AbortController().signal).then(() => renewal.repeat());
  await scheduler.advance(3_000);
  const isStored = (publication: Publication) =>
    api.leases.get(lease.name)?.metadata.annotations?.['aso.cdk8s.io/shard-view'] === publicationText(publication);
  return { scheduler, renewal, isStored };
}

test('a publication is acknowledged only when the Lease has it, also one that comes while the one before is being written', async () => {
  for (let afterMs = 0; afterMs < 150; afterMs += 3) {
    const { scheduler, renewal, isStored } = await renewing();
    const next = publish('a', 'b', 'c');
    let wasStored: boolean | undefined;
    renewal.publish(publish('a', 'b'));
    await scheduler.advance(afterMs);
    renewal.publish(next);
    void renewal.isAcknowledged(next).then(() => (wasStored = isStored(next)));
    await scheduler.advance(1_000);
    expect([afterMs, wasStored, renewal.isPublishing]).toEqual([afterMs, true, false]);
  }
});
