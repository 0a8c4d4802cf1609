import {
  annotate, answering, createdGroup, deleted, edit, failing, HOUR, operation, POLICY, readyGroup, refusedGroup, secret, waits,
} from './arrange';
import { inWorld, table } from './table';
import { KubernetesError } from '../../engine/kubernetes/types';
import { noAnswer } from '../reconcile/fake-azure';
import { settled } from '../reconcile/fake-clock';
import { BLOBS, group, GROUP_ID, GROUPS, IDENTITIES, identity, object, SECRETS, type World } from '../reconcile/harness';

const ready = (world: World) => world.ready(GROUPS, 'rg');
const SLOW = [1, 2, 4, 8, 16, 32, 64, 128, 180, 180].map((seconds) => seconds * 1_000);

table('docs/spec/errors.md#intervals', (row) => {
  for (const [chance, factor] of [[0, 0.75], [0.5, 1], [0.999999, 1.25]]) {
    row('success', `the sync period × ${factor} where chance gives ${chance}`, inWorld(async (world) => {
      world.clock.chance = chance;
      await readyGroup(world);
      expect(waits(world)[0]! / HOUR).toBeCloseTo(factor, 4);
    }));
  }
  row('success', 'never: no timer', inWorld(async (world) => {
    await readyGroup(world, { syncPeriod: 'never' });
    expect(waits(world)).toEqual([undefined]);
    await world.clock.advance(100 * HOUR);
    expect(world.azure.count('PUT')).toBe(1);
  }));
  row('requeue', '1 s × 2^n (better: at most 15 s, so the end of an operation is seen sooner)', inWorld(async (world) => {
    world.azure.polls = 7;
    await createdGroup(world);
    await world.clock.advance(100_000);
    expect(waits(world).slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  }));
  row('requeue after d', 'exactly d, and n begins anew', inWorld(async (world) => {
    world.clock.chance = 0.9;
    world.azure.polls = 1;
    await createdGroup(world);
    operation(world, { body: { status: 'InProgress' } }, { body: { status: 'InProgress' }, headers: { 'retry-after': '13' } }, { body: { status: 'InProgress' } });
    await world.clock.advance(18_000);
    expect(waits(world)).toEqual([1_000, 2_000, 13_000, 1_000, 2_000]);
  }));
  row('Fast', '1 s × 2^k, at most 30 s, no jitter', inWorld(async (world) => {
    world.clock.chance = 0.9;
    await world.cluster.create(IDENTITIES, identity());
    await world.start();
    await world.clock.advance(90_000);
    expect(waits(world)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  }));
  row('Slow', '1 s × 2^k, at most 3 min, no jitter', inWorld(async (world) => {
    world.clock.chance = 0.9;
    await refusedGroup(world, 409, failing('Conflict'));
    await world.clock.advance(440_000);
    expect(waits(world)).toEqual(SLOW.slice(0, 10));
  }));
  row('VerySlow', 'the sync period with jitter, at once', inWorld(async (world) => {
    world.clock.chance = 0;
    await refusedGroup(world, 400, failing('BadRequest'));
    await world.clock.advance(HOUR);
    expect(waits(world)).toEqual([0.75 * HOUR, 0.75 * HOUR]);
  }));
  row('VerySlow', 'an hour when the period is never', inWorld(async (world) => {
    answering(world, 'PUT', { status: 400, body: failing('BadRequest') });
    await createdGroup(world, undefined, { syncPeriod: 'never' });
    expect(waits(world)).toEqual([HOUR]);
  }));
  row('Error', '(better: the sync period, so what was put right in Azure heals)', inWorld(async (world) => {
    const giveBack = answering(world, 'PUT', { status: 400, body: failing('LocationRequired') });
    await createdGroup(world);
    giveBack();
    await world.clock.advance(HOUR - 1);
    expect(world.azure.count('PUT')).toBe(1);
    await world.clock.advance(1);
    expect(ready(world)).toMatchObject({ status: 'True' });
  }));
  row('Error', 'no timer when the period is never: only a trigger', inWorld(async (world) => {
    answering(world, 'PUT', { status: 400, body: failing('LocationRequired') });
    await createdGroup(world, undefined, { syncPeriod: 'never' });
    expect(waits(world)).toEqual([undefined]);
    await edit(world, { tags: {} });
    expect(world.azure.count('PUT')).toBe(2);
  }));
  row('unclassified', 'a Kubernetes conflict goes to the queue limiter', inWorld(async (world) => {
    let conflicts = 3;
    world.cluster.before = (what) => {
      if (what === 'patch ResourceGroup' && conflicts-- > 0) throw new KubernetesError(409, 'Conflict', 'modified');
    };
    await createdGroup(world);
    expect(world.errors.splice(0)).toHaveLength(1);
    await world.clock.advance(1_000);
    expect(world.errors.splice(0)).toHaveLength(1);
    await world.clock.advance(2_000);
    expect(world.errors.splice(0)).toHaveLength(1);
    await world.clock.advance(4_000);
    expect(ready(world)).toMatchObject({ status: 'True' });
    expect(world.azure.count('PUT')).toBe(1);
  }));
  row('Kubernetes NotFound', 'nothing more: the object is gone', inWorld(async (world) => {
    world.cluster.before = (what) => {
      if (what === 'patch ResourceGroup') throw new KubernetesError(404, 'NotFound', 'gone');
    };
    await createdGroup(world);
    await world.clock.advance(10 * HOUR);
    expect(world.passes).toHaveLength(1);
    expect(world.azure.requests).toEqual([]);
  }));
});

table('docs/spec/errors.md#counters', (row) => {
  row('k', 'failures in a row; the first waits 1 s', inWorld(async (world) => {
    await refusedGroup(world, 409, failing('Conflict'));
    await world.clock.advance(3_000);
    expect(waits(world)).toEqual([1_000, 2_000, 4_000]);
  }));
  row('reset', 'by a pass without an error', inWorld(async (world) => {
    const giveBack = answering(world, 'PUT', { status: 409, body: failing('Conflict') });
    await createdGroup(world);
    await world.clock.advance(1_000);
    giveBack();
    await world.clock.advance(2_000);
    expect(ready(world)).toMatchObject({ status: 'True' });
    answering(world, 'PUT', { status: 409, body: failing('Conflict') });
    await edit(world, { tags: {} });
    expect(waits(world)).toEqual([1_000, 2_000, HOUR, 1_000]);
  }));
  row('reset', 'by a pass that only requeues', inWorld(async (world) => {
    const giveBack = answering(world, 'PUT', { status: 409, body: failing('Conflict') });
    await createdGroup(world);
    await world.clock.advance(1_000);
    giveBack();
    answering(world, 'PUT', { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x' } });
    operation(world, { body: { status: 'Failed', error: { code: 'Conflict', message: 'm' } } });
    await world.clock.advance(3_000);
    expect(waits(world)).toEqual([1_000, 2_000, 1_000, 1_000]);
  }));
  row('reset', 'by a fatal pass', inWorld(async (world) => {
    const giveBack = answering(world, 'PUT', { status: 409, body: failing('Conflict') });
    await createdGroup(world);
    await world.clock.advance(1_000);
    giveBack();
    const fatal = answering(world, 'PUT', { status: 400, body: failing('LocationRequired') });
    await world.clock.advance(2_000);
    fatal();
    answering(world, 'PUT', { status: 409, body: failing('Conflict') });
    await edit(world, { tags: {} });
    expect(waits(world)).toEqual([1_000, 2_000, HOUR, 1_000]);
  }));
  row('scope', '(better: counted by kind too; objects of one name do not slow each other)', inWorld(async (world) => {
    await refusedGroup(world, 409, failing('Conflict'));
    await world.clock.advance(7_000);
    await world.cluster.create(IDENTITIES, identity('rg', { owner: { name: 'nobody' } }));
    await settled();
    expect(world.passes.at(-1)).toMatchObject({ key: { kind: 'UserAssignedIdentity', name: 'rg' }, nextIn: 1_000 });
  }));
  row('queue limiter', '(better: one count an object, with its kind)', inWorld(async (world) => {
    world.azure.polls = 3;
    await createdGroup(world);
    await world.clock.advance(3_000);
    await world.cluster.create(BLOBS, object(BLOBS, 'rg', { owner: { armId: `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/sa` } }));
    await settled();
    const of = (kind: string) => world.passes.filter(({ key }) => key.kind === kind).map(({ nextIn }) => nextIn);
    expect([of('ResourceGroup'), of('StorageAccountsBlobService')]).toEqual([[1_000, 2_000, 4_000], [1_000]]);
  }));
});

table('docs/spec/errors.md#sequences', (row) => {
  row('Fast', 'what an object waits for', inWorld(async (world) => {
    await world.cluster.create(IDENTITIES, identity());
    await world.start();
    await world.clock.advance(200_000);
    expect(waits(world).slice(0, 7)).toEqual([1, 2, 4, 8, 16, 30, 30].map((seconds) => seconds * 1_000));
  }));
  row('Slow', 'what Azure refuses, and lost answers', inWorld(async (world) => {
    world.azure.before = noAnswer;
    await createdGroup(world);
    await world.clock.advance(500_000);
    expect(waits(world).slice(0, 10)).toEqual(SLOW);
  }));
});

table('docs/spec/errors.md#rate-limit', (row) => {
  row('RATE_LIMIT_MODE=bucket', 'the larger of both delays, for requeues without a time alone', inWorld(async (world) => {
    world.azure.polls = 9;
    for (const name of ['rg', 'rg2', 'rg3', 'rg4']) await world.cluster.create(GROUPS, group(name));
    await world.start({ rateLimit: { qps: 0.1, bucketSize: 2 } });
    expect(waits(world)).toEqual([1_000, 1_000, 10_000, 20_000]);
  }));
  row('RATE_LIMIT_MODE=bucket', 'exact delays and failures are as they are', inWorld(async (world) => {
    answering(world, 'PUT', { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x', 'retry-after': '3' } });
    for (const name of ['rg', 'rg2', 'rg3']) await world.cluster.create(GROUPS, group(name));
    await world.cluster.create(IDENTITIES, identity('id', { owner: { name: 'nobody' } }));
    await world.start({ rateLimit: { qps: 0.1, bucketSize: 1 } });
    expect(waits(world)).toEqual([1_000, 3_000, 3_000, 3_000]);
  }));
});

table('docs/spec/conditions.md#events', (row) => {
  const events = (world: World, reason: string) => world.events.filter((event) => event.reason === reason);
  const only = (type: 'Normal' | 'Warning', reason: string, message: string) => [{ type, reason, message }];
  row('Overlap', 'Warning', inWorld(async (world) => {
    await createdGroup(world, { 'serviceoperator.azure.com/operator-namespace': 'other' });
    expect(world.events).toEqual(only('Warning', 'Overlap', 'Operators in "aso" and "other" are both configured to manage this resource'));
  }));
  row('CredentialFrom', 'Normal (better: once, when the object is claimed)', inWorld(async (world) => {
    await readyGroup(world);
    world.azure.meddle(GROUP_ID, { location: 'elsewhere' });
    await world.clock.advance(HOUR);
    expect(world.azure.count('PUT')).toBe(2);
    expect(events(world, 'CredentialFrom')).toEqual(only('Normal', 'CredentialFrom', 'Using credential from "aso/aso-controller-settings"'));
  }));
  row('BeginCreateOrUpdate', 'Normal', inWorld(async (world) => {
    await readyGroup(world);
    expect(events(world, 'BeginCreateOrUpdate')).toEqual(only('Normal', 'BeginCreateOrUpdate', `Successfully sent resource to Azure with ID "${GROUP_ID}"`));
  }));
  const deleting = (world: World) => {
    answering(world, 'DELETE', { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x' } });
    operation(world, { body: { status: 'InProgress' } }, { body: { status: 'Succeeded' } });
  };
  row('BeginDelete', 'Normal', inWorld(async (world) => {
    await readyGroup(world);
    deleting(world);
    await deleted(world);
    await world.clock.advance(10_000);
    expect(events(world, 'BeginDelete')).toEqual(only('Normal', 'BeginDelete', 'Starting delete of resource'));
  }));
  row('MonitorDelete', 'Normal, each pass', inWorld(async (world) => {
    await readyGroup(world);
    deleting(world);
    await deleted(world);
    await world.clock.advance(10_000);
    expect(events(world, 'MonitorDelete')).toEqual(Array(2).fill({ type: 'Normal', reason: 'MonitorDelete', message: 'Continue monitoring deletion' }));
  }));
  row('NotPossibleInAzure', 'Normal, with the text of docs/spec/deletion.md#kinds-without-delete', inWorld(async (world) => {
    await world.cluster.create(BLOBS, object(BLOBS, 'blob', { owner: { armId: `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/sa` } }));
    await world.start();
    await deleted(world, BLOBS, 'blob');
    const message = "Resource does not support deletion in Azure; set annotation 'serviceoperator.azure.com/reconcile-policy: detach-on-delete'"
      + ' to permit deletion in Kubernetes';
    expect(events(world, 'NotPossibleInAzure')).toEqual(only('Normal', 'NotPossibleInAzure', message));
  }));
  const text = (reason: string, retry = 'Slow', severity = 'Warning') =>
    `Reason: ${reason}, Severity: ${severity}, RetryClassification: ${retry}, Cause: said by Azure`;
  const refusal = (what: string, status: number, code: string, message: string) => row('errors', what, inWorld(async (world) => {
    await refusedGroup(world, status, failing(code));
    expect(world.events.at(-1)).toEqual({ type: 'Warning', reason: 'CreateOrUpdateActionError', message });
  }));
  refusal('CreateOrUpdateActionError, Slow', 409, 'Conflict', text('Conflict'));
  refusal('CreateOrUpdateActionError, VerySlow', 400, 'BadRequest', text('BadRequest', 'VerySlow'));
  refusal('CreateOrUpdateActionError, fatal', 400, 'LocationRequired', text('LocationRequired', 'None', 'Error'));
  row('errors', 'DetermineCreateOrUpdateActionError (better: every error is printed with its reason and class)', inWorld(async (world) => {
    await readyGroup(world);
    await world.kill();
    const stored = world.stored(GROUPS, 'rg')!;
    const conditions = [{ ...ready(world)!, reason: 'Deleting' }];
    await world.cluster.replaceStatus(GROUPS, { ...stored, status: { conditions } });
    await world.start();
    const message = 'Reason: Failed, Severity: Warning, RetryClassification: Slow, Cause: resource is currently deleting; it can not be applied';
    expect(world.events.at(-1)).toEqual({ type: 'Warning', reason: 'DetermineCreateOrUpdateActionError', message });
  }));
  row('errors', 'DeleteActionError; a deletion needs no determining, so nothing fails there', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', { status: 409, body: failing('Conflict') });
    await deleted(world);
    expect(world.events.at(-1)).toEqual({ type: 'Warning', reason: 'DeleteActionError', message: text('Conflict') });
  }));
  row('none', 'for success, and for claims that fail', inWorld(async (world) => {
    await world.cluster.create(IDENTITIES, identity());
    await world.start();
    expect(world.events).toEqual([]);
    await world.cluster.create(GROUPS, group());
    await settled();
    expect(new Set(world.events.map(({ reason }) => reason))).toEqual(new Set(['CredentialFrom', 'BeginCreateOrUpdate']));
  }));
  row('none', 'and none with a secret', inWorld(async (world) => {
    await world.cluster.create(SECRETS, secret('passwords', { db: 'swordfish' }));
    await readyGroup(world);
    await annotate(world, { [POLICY]: 'skip' });
    expect(JSON.stringify(world.events)).not.toContain('swordfish');
  }));
});
