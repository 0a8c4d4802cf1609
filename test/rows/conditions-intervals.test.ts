import {
  annotate, answering, createdGroup, deleted, edit, failing, HOUR, operation, OTHER_SUBSCRIPTION, POLICY, readyGroup, refusedGroup, secret,
  serverWithoutSecret, waits,
} from './arrange';
import { inEnvironment, table } from './table';
import { Metrics } from '../../controller/metrics';
import { KubernetesError } from '../../engine/kubernetes/types';
import { EventRecorder } from '../../runtime/events/event-recorder';
import { noAnswer } from '../controller/reconcile/fake-azure';
import { FakeClock, settled } from '../controller/reconcile/fake-clock';
import {
  BLOBS,
  group,
  GROUP_ID,
  GROUPS,
  IDENTITIES,
  identity,
  object,
  SECRETS,
  type TestEnvironment,
} from '../controller/reconcile/harness';

const ready = (environment: TestEnvironment) => environment.ready(GROUPS, 'rg');
const SLOW = [1, 2, 4, 8, 16, 32, 64, 128, 180, 180].map((seconds) => seconds * 1_000);

table('docs/spec/errors.md#intervals', (row) => {
  for (const [chance, factor] of [[0, 0.75], [0.5, 1], [0.999999, 1.25]]) {
    row('success', `the sync period × ${factor} where chance gives ${chance}`, inEnvironment(async (environment) => {
      environment.clock.chance = chance!;
      await readyGroup(environment);
      expect(waits(environment)[0]! / HOUR).toBeCloseTo(factor!, 4);
    }));
  }
  row(
    'success',
    'never: no timer',
    inEnvironment(async (environment) => {
      await readyGroup(environment, { syncPeriod: 'never' });
      expect(waits(environment)).toEqual([undefined]);
      await environment.clock.advance(100 * HOUR);
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
  row(
    'requeue',
    '1 s × 2^n (better: at most 15 s, so the end of an operation is seen sooner)',
    inEnvironment(async (environment) => {
      environment.azure.polls = 7;
      await createdGroup(environment);
      await environment.clock.advance(100_000);
      expect(waits(environment).slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
    }),
  );
  row(
    'requeue after d',
    'exactly d, and n begins anew',
    inEnvironment(async (environment) => {
      environment.clock.chance = 0.9;
      environment.azure.polls = 1;
      await createdGroup(environment);
      operation(
        environment,
        { body: { status: 'InProgress' } },
        { body: { status: 'InProgress' }, headers: { 'retry-after': '13' } },
        { body: { status: 'InProgress' } },
      );
      await environment.clock.advance(18_000);
      expect(waits(environment)).toEqual([1_000, 2_000, 13_000, 1_000, 2_000]);
    }),
  );
  row(
    'Fast',
    '1 s × 2^k, at most 30 s, no jitter',
    inEnvironment(async (environment) => {
      environment.clock.chance = 0.9;
      await serverWithoutSecret(environment);
      await environment.start();
      await environment.clock.advance(90_000);
      expect(waits(environment)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    }),
  );
  row('waits for an owner', '(better: every 30 s, and at once when the owner is Ready)', inEnvironment(async (environment) => {
    await environment.cluster.create(IDENTITIES, identity());
    await environment.start();
    await environment.clock.advance(70_000);
    expect(waits(environment)).toEqual([30_000, 30_000, 30_000]);
    await environment.cluster.create(GROUPS, group());
    await settled();
    expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True' });
  }));
  row(
    'Slow',
    '1 s × 2^k, at most 3 min, no jitter',
    inEnvironment(async (environment) => {
      environment.clock.chance = 0.9;
      await refusedGroup(environment, 409, failing('Conflict'));
      await environment.clock.advance(440_000);
      expect(waits(environment)).toEqual(SLOW.slice(0, 10));
    }),
  );
  row(
    'absent',
    '1 s × 2^k, at most the sync period with jitter',
    inEnvironment(async (environment) => {
      environment.clock.chance = 0;
      await createdGroup(environment, { [POLICY]: 'skip' });
      await environment.clock.advance(3 * HOUR);
      const doubled = Array.from({ length: 12 }, (_, k) => 2 ** k * 1_000);
      expect(waits(environment).slice(0, 14)).toEqual([...doubled, 0.75 * HOUR, 0.75 * HOUR]);
    }),
  );
  row(
    'VerySlow',
    'the sync period with jitter, at once',
    inEnvironment(async (environment) => {
      environment.clock.chance = 0;
      await refusedGroup(environment, 400, failing('BadRequest'));
      await environment.clock.advance(HOUR);
      expect(waits(environment)).toEqual([0.75 * HOUR, 0.75 * HOUR]);
    }),
  );
  row(
    'VerySlow',
    'an hour when the period is never',
    inEnvironment(async (environment) => {
      answering(environment, 'PUT', { status: 400, body: failing('BadRequest') });
      await createdGroup(environment, undefined, { syncPeriod: 'never' });
      expect(waits(environment)).toEqual([HOUR]);
    }),
  );
  row(
    'Error',
    '(better: the sync period, so what was put right in Azure heals)',
    inEnvironment(async (environment) => {
      const giveBack = answering(environment, 'PUT', { status: 400, body: failing('LocationRequired') });
      await createdGroup(environment);
      giveBack();
      await environment.clock.advance(HOUR - 1);
      expect(environment.azure.count('PUT')).toBe(1);
      await environment.clock.advance(1);
      expect(ready(environment)).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'Error',
    'no timer when the period is never: only a trigger',
    inEnvironment(async (environment) => {
      answering(environment, 'PUT', { status: 400, body: failing('LocationRequired') });
      await createdGroup(environment, undefined, { syncPeriod: 'never' });
      expect(waits(environment)).toEqual([undefined]);
      await edit(environment, { tags: { edited: 'x' } });
      expect(environment.azure.count('PUT')).toBe(2);
    }),
  );
  row(
    'unclassified',
    'a Kubernetes conflict goes to the queue limiter',
    inEnvironment(async (environment) => {
      let conflicts = 3;
      environment.cluster.before = (what) => {
        if (what === 'patch ResourceGroup' && conflicts-- > 0) throw new KubernetesError(409, 'Conflict', 'modified');
      };
      await createdGroup(environment);
      expect(environment.errors.splice(0)).toHaveLength(1);
      await environment.clock.advance(1_000);
      expect(environment.errors.splice(0)).toHaveLength(1);
      await environment.clock.advance(2_000);
      expect(environment.errors.splice(0)).toHaveLength(1);
      await environment.clock.advance(4_000);
      expect(ready(environment)).toMatchObject({ status: 'True' });
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
  row(
    'Kubernetes NotFound',
    'nothing more: the object is gone',
    inEnvironment(async (environment) => {
      environment.cluster.before = (what) => {
        if (what === 'patch ResourceGroup') throw new KubernetesError(404, 'NotFound', 'gone');
      };
      await createdGroup(environment);
      await environment.clock.advance(10 * HOUR);
      expect(environment.reconciles).toHaveLength(1);
      expect(environment.azure.requests).toEqual([]);
    }),
  );
});

/** The values of `result` that metrics count for the reconciles. */
async function resultsOf(environment: TestEnvironment): Promise<string[]> {
  const labels: string[] = [];
  for (const report of environment.reconciles) {
    const metrics = new Metrics();
    metrics.reconciled(report);
    const [, label] = /controller_runtime_reconcile_total\{controller="resourcesazurecom_resourcegroup",result="(\w+)"\} 1/.exec(await metrics.registry.metrics())!;
    labels.push(label!);
    const retries = label === 'success' ? 0 : 1;
    expect((await metrics.registry.getSingleMetricAsString('workqueue_retries_total')).endsWith('} 1') ? 1 : 0).toBe(retries);
  }
  return labels;
}

table('docs/spec/errors.md#results', (row) => {
  row('success', 'a deletion, and a sync period of never', inEnvironment(async (environment) => {
    await readyGroup(environment, { syncPeriod: 'never' });
    await deleted(environment);
    expect(await resultsOf(environment)).toEqual(['success', 'success']);
  }));
  row(
    'success',
    'an Error (better: it is tried again after the sync period, and counts as a terminal error)',
    inEnvironment(async (environment) => {
      answering(environment, 'PUT', { status: 400, body: failing('LocationRequired') });
      await createdGroup(environment);
      expect(await resultsOf(environment)).toEqual(['success']);
      expect(waits(environment)).toEqual([HOUR]);
      const metrics = new Metrics();
      metrics.reconciled(environment.reconciles[0]!);
      expect(await metrics.registry.getSingleMetricAsString('controller_runtime_terminal_reconcile_errors_total')).toContain('} 1');
    }),
  );
  row('requeue', 'after a PUT, and after a poll without Retry-After', inEnvironment(async (environment) => {
    environment.azure.polls = 3;
    await createdGroup(environment);
    await environment.clock.advance(1_000);
    expect(await resultsOf(environment)).toEqual(['requeue', 'requeue']);
  }));
  row('requeue_after', 'Retry-After, a Warning, and the sync period', inEnvironment(async (environment) => {
    const giveBack = answering(environment, 'PUT', { status: 409, body: failing('Conflict') });
    await createdGroup(environment);
    giveBack();
    const accepted = answering(environment, 'PUT', { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x', 'retry-after': '7' } });
    await environment.clock.advance(1_000);
    accepted();
    operation(environment, { body: { status: 'Succeeded' } });
    environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID }, polls: 0 });
    await environment.clock.advance(7_000);
    expect(await resultsOf(environment)).toEqual(['requeue_after', 'requeue_after', 'requeue_after']);
  }));
  row('error', 'a Conflict of the API server', inEnvironment(async (environment) => {
    environment.cluster.before = (what) => {
      if (what === 'patch ResourceGroup') throw new KubernetesError(409, 'Conflict', 'modified');
    };
    await createdGroup(environment);
    expect(environment.errors.splice(0)).toHaveLength(1);
    expect(environment.reconciles).toEqual([]);
    const metrics = new Metrics();
    metrics.reconcileError('resources.azure.com', 'ResourceGroup', new KubernetesError(409, 'Conflict', 'modified'));
    expect(await metrics.registry.getSingleMetricAsString('controller_runtime_reconcile_total')).toContain('result="error"} 1');
  }));
});

table('docs/spec/errors.md#counters', (row) => {
  row(
    'k',
    'failures in a row; the first waits 1 s',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 409, failing('Conflict'));
      await environment.clock.advance(3_000);
      expect(waits(environment)).toEqual([1_000, 2_000, 4_000]);
    }),
  );
  row(
    'reset',
    'by a reconcile without an error',
    inEnvironment(async (environment) => {
      const giveBack = answering(environment, 'PUT', { status: 409, body: failing('Conflict') });
      await createdGroup(environment);
      await environment.clock.advance(1_000);
      giveBack();
      await environment.clock.advance(2_000);
      expect(ready(environment)).toMatchObject({ status: 'True' });
      answering(environment, 'PUT', { status: 409, body: failing('Conflict') });
      await edit(environment, { tags: { edited: 'x' } });
      expect(waits(environment)).toEqual([1_000, 2_000, HOUR, 1_000]);
    }),
  );
  row(
    'reset',
    'by a reconcile that only requeues',
    inEnvironment(async (environment) => {
      const giveBack = answering(environment, 'PUT', { status: 409, body: failing('Conflict') });
      await createdGroup(environment);
      await environment.clock.advance(1_000);
      giveBack();
      answering(environment, 'PUT', { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x' } });
      operation(environment, { body: { status: 'Failed', error: { code: 'Conflict', message: 'm' } } });
      await environment.clock.advance(3_000);
      expect(waits(environment)).toEqual([1_000, 2_000, 1_000, 1_000]);
    }),
  );
  row(
    'reset',
    'by a fatal reconcile',
    inEnvironment(async (environment) => {
      const giveBack = answering(environment, 'PUT', { status: 409, body: failing('Conflict') });
      await createdGroup(environment);
      await environment.clock.advance(1_000);
      giveBack();
      const fatal = answering(environment, 'PUT', { status: 400, body: failing('LocationRequired') });
      await environment.clock.advance(2_000);
      fatal();
      answering(environment, 'PUT', { status: 409, body: failing('Conflict') });
      await edit(environment, { tags: { edited: 'x' } });
      expect(waits(environment)).toEqual([1_000, 2_000, HOUR, 1_000]);
    }),
  );
  row(
    'scope',
    '(better: counted by kind too; objects of one name do not slow each other)',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 409, failing('Conflict'));
      await environment.clock.advance(7_000);
      await environment.cluster.create(IDENTITIES, identity('rg', { owner: { armId: GROUP_ID } }));
      await settled();
      expect(environment.reconciles.at(-1)).toMatchObject({ key: { kind: 'UserAssignedIdentity', name: 'rg' }, nextIn: 1_000 });
    }),
  );
  row(
    'queue limiter',
    '(better: one count an object, with its kind)',
    inEnvironment(async (environment) => {
      environment.azure.polls = 3;
      await createdGroup(environment);
      await environment.clock.advance(3_000);
      await environment.cluster.create(
        BLOBS,
        object(BLOBS, 'rg', { owner: { armId: `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/sa` } }),
      );
      await settled();
      const of = (kind: string) => environment.reconciles.filter(({ key }) => key.kind === kind).map(({ nextIn }) => nextIn);
      expect([of('ResourceGroup'), of('StorageAccountsBlobService')]).toEqual([[1_000, 2_000, 4_000], [1_000]]);
    }),
  );
});

table('docs/spec/errors.md#sequences', (row) => {
  row('Fast', 'what an object waits for', inEnvironment(async (environment) => {
    await serverWithoutSecret(environment);
    await environment.start();
    await environment.clock.advance(200_000);
    expect(waits(environment).slice(0, 7)).toEqual([1, 2, 4, 8, 16, 30, 30].map((seconds) => seconds * 1_000));
  }));
  row('Slow', 'what Azure refuses, and lost answers', inEnvironment(async (environment) => {
    environment.azure.before = noAnswer;
    await createdGroup(environment);
    await environment.clock.advance(500_000);
    expect(waits(environment).slice(0, 10)).toEqual(SLOW);
  }));
});

table('docs/spec/errors.md#rate-limit', (row) => {
  row(
    'RATE_LIMIT_MODE=bucket',
    'the larger of both delays, for requeues without a time alone',
    inEnvironment(async (environment) => {
      environment.azure.polls = 9;
      for (const name of ['rg', 'rg2', 'rg3', 'rg4']) await environment.cluster.create(GROUPS, group(name));
      await environment.start({ rateLimit: { qps: 0.1, bucketSize: 2 } });
      expect(waits(environment)).toEqual([1_000, 1_000, 10_000, 20_000]);
    }),
  );
  row(
    'RATE_LIMIT_MODE=bucket',
    'exact delays and failures are as they are',
    inEnvironment(async (environment) => {
      answering(environment, 'PUT', {
        status: 202,
        headers: { 'azure-asyncoperation': 'https://arm.test/operations/x', 'retry-after': '3' },
      });
      for (const name of ['rg', 'rg2', 'rg3']) await environment.cluster.create(GROUPS, group(name));
      await serverWithoutSecret(environment);
      await environment.start({ rateLimit: { qps: 0.1, bucketSize: 1 } });
      expect(waits(environment)).toEqual([1_000, 3_000, 3_000, 3_000]);
    }),
  );
});

table('docs/spec/conditions.md#events', (row) => {
  const events = (environment: TestEnvironment, reason: string) => environment.events.filter((event) => event.reason === reason);
  const only = (type: 'Normal' | 'Warning', reason: string, message: string) => [{ type, reason, message }];
  row(
    'Overlap',
    'Warning',
    inEnvironment(async (environment) => {
      await createdGroup(environment, { 'serviceoperator.azure.com/operator-namespace': 'other' });
      expect(environment.events).toEqual(
        only('Warning', 'Overlap', 'Operators in "aso" and "other" are both configured to manage this resource'),
      );
    }),
  );
  row(
    'CredentialFrom',
    'Normal (better: once, when the object is claimed)',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.azure.meddle(GROUP_ID, { location: 'elsewhere' });
      await environment.clock.advance(HOUR);
      expect(environment.azure.count('PUT')).toBe(2);
      expect(events(environment, 'CredentialFrom')).toEqual(
        only('Normal', 'CredentialFrom', 'Using credential from "aso/aso-controller-settings"'),
      );
    }),
  );
  row(
    'BeginCreateOrUpdate',
    'Normal',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(events(environment, 'BeginCreateOrUpdate')).toEqual(
        only('Normal', 'BeginCreateOrUpdate', `Successfully sent resource to Azure with ID "${GROUP_ID}"`),
      );
    }),
  );
  const deleting = (environment: TestEnvironment) => {
    answering(environment, 'DELETE', { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x' } });
    operation(environment, { body: { status: 'InProgress' } }, { body: { status: 'Succeeded' } });
  };
  row(
    'BeginDelete',
    'Normal',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      deleting(environment);
      await deleted(environment);
      await environment.clock.advance(10_000);
      expect(events(environment, 'BeginDelete')).toEqual(only('Normal', 'BeginDelete', 'Starting delete of resource'));
    }),
  );
  row(
    'MonitorDelete',
    'Normal, each reconcile',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      deleting(environment);
      await deleted(environment);
      environment.azure.resources.clear();
      await environment.clock.advance(10_000);
      expect(events(environment, 'MonitorDelete')).toEqual(
        Array(2).fill({ type: 'Normal', reason: 'MonitorDelete', message: 'Continue monitoring deletion' }),
      );
    }),
  );
  row(
    'NotPossibleInAzure',
    'Normal, with the text of docs/spec/deletion.md#kinds-without-delete',
    inEnvironment(async (environment) => {
      await environment.cluster.create(
        BLOBS,
        object(BLOBS, 'blob', { owner: { armId: `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/sa` } }),
      );
      await environment.start();
      await deleted(environment, BLOBS, 'blob');
      const message =
        "Resource does not support deletion in Azure; set annotation 'serviceoperator.azure.com/reconcile-policy: detach-on-delete'"
        + ' to permit deletion in Kubernetes';
      expect(events(environment, 'NotPossibleInAzure')).toEqual(only('Normal', 'NotPossibleInAzure', message));
    }),
  );
  row('limit', '25 new events of an object at once, then one in five minutes', async () => {
    const created: string[] = [];
    const clock = new FakeClock();
    const client = { create: async (_: unknown, { metadata }: { metadata: { name: string } }) => created.push(metadata.name) };
    const recorder = new EventRecorder({ client: client as never, clock, instance: 'here', componentOf: () => 'tests' });
    const recordMany = () => {
      for (let count = 0; count < 30; count += 1) recorder.record(group('rg'), { type: 'Normal', reason: 'X', message: `${clock.now()} ${count}` });
    };
    recordMany();
    expect(created).toHaveLength(25);
    await clock.advance(300_000);
    recordMany();
    expect(created).toHaveLength(26);
  });
  const text = (reason: string, retry = 'RetrySlow', severity = 'Warning') =>
    `Reason: ${reason}, Severity: ${severity}, RetryClassification: ${retry}, Cause: said by Azure`;
  const refusal = (what: string, status: number, code: string, message: string) =>
    row(
      'errors',
      what,
      inEnvironment(async (environment) => {
        await refusedGroup(environment, status, failing(code));
        expect(environment.events.at(-1)).toEqual({ type: 'Warning', reason: 'CreateOrUpdateActionError', message });
      }),
    );
  refusal('CreateOrUpdateActionError, Slow', 409, 'Conflict', text('Conflict'));
  refusal('CreateOrUpdateActionError, VerySlow', 400, 'BadRequest', text('BadRequest', 'RetryVerySlow'));
  refusal('CreateOrUpdateActionError, fatal', 400, 'LocationRequired', text('LocationRequired', 'RetrySlow', 'Error'));
  row(
    'errors',
    'CreateOrUpdateActionError, RetryFast: SubscriptionMismatch, and a Secret that is missing',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      const last = () => environment.events.at(-1)!.message.slice(0, 'Reason: SubscriptionMismatch, Severity: Error, RetryClassification: RetryFast'.length);
      environment.credential = { subscriptionId: OTHER_SUBSCRIPTION };
      await edit(environment, { tags: { edited: 'x' } });
      expect(last()).toBe('Reason: SubscriptionMismatch, Severity: Error, RetryClassification: RetryFast');
    }),
  );
  row(
    'errors',
    'DetermineCreateOrUpdateActionError (better: every error is printed with its reason and class)',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await environment.kill();
      const stored = environment.stored(GROUPS, 'rg')!;
      const conditions = [{ ...ready(environment)!, reason: 'Deleting' }];
      await environment.cluster.replaceStatus(GROUPS, { ...stored, status: { conditions } });
      await environment.start();
      const message =
        'Reason: Failed, Severity: Warning, RetryClassification: RetrySlow, Cause: resource is currently deleting; it can not be applied';
      expect(environment.events.at(-1)).toEqual({ type: 'Warning', reason: 'DetermineCreateOrUpdateActionError', message });
    }),
  );
  row(
    'errors',
    'DeleteActionError; a deletion needs no determining, so nothing fails there',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      answering(environment, 'DELETE', { status: 409, body: failing('Conflict') });
      await deleted(environment);
      expect(environment.events.at(-1)).toEqual({ type: 'Warning', reason: 'DeleteActionError', message: text('Conflict') });
    }),
  );
  row(
    'none',
    'for success, and for claims that fail',
    inEnvironment(async (environment) => {
      await environment.cluster.create(IDENTITIES, identity());
      await environment.start();
      expect(environment.events).toEqual([]);
      await environment.cluster.create(GROUPS, group());
      await settled();
      expect(new Set(environment.events.map(({ reason }) => reason))).toEqual(new Set(['CredentialFrom', 'BeginCreateOrUpdate']));
    }),
  );
  row(
    'none',
    'and none with a secret',
    inEnvironment(async (environment) => {
      await environment.cluster.create(SECRETS, secret('passwords', { db: 'swordfish' }));
      await readyGroup(environment);
      await annotate(environment, { [POLICY]: 'skip' });
      expect(JSON.stringify(environment.events)).not.toContain('swordfish');
    }),
  );
});
