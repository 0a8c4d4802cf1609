import type { KubernetesClient, KubernetesObject } from '../../../engine/kubernetes/types';
import { EventRecorder } from '../../../runtime/events/event-recorder';
import { EVENT_CODE, EVENT_REQUEST_ID, EVENT_STATUS } from '../../../src/azure/annotations';
import { FakeClock } from '../../controller/reconcile/fake-clock';

const object: KubernetesObject = {
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { name: 'group', namespace: 'shop', uid: 'u' },
};
const refused = (requestId: string) => ({
  type: 'Warning', reason: 'CreateOrUpdateActionError', message: 'no rights', answer: { code: 'AuthorizationFailed', status: 403, requestId },
} as const);

test('the request id of the last answer is an annotation, and makes no event of its own', async () => {
  const created: KubernetesObject[] = [];
  const patches: unknown[] = [];
  const client = {
    create: (_type: unknown, event: KubernetesObject) => Promise.resolve(created.push(event)),
    patch: (...[, , , patch]: unknown[]) => Promise.resolve(patches.push(patch)),
  } as unknown as KubernetesClient;
  const clock = new FakeClock();
  const recorder = new EventRecorder({ client, clock, instance: 'here', componentOf: ({ kind }) => kind });
  recorder.record(object, refused('request-1'));
  await clock.advance(90_000);
  recorder.record(object, refused('request-2'));
  await clock.advance(1);
  expect(created.map(({ metadata }) => metadata.annotations)).toEqual([
    { [EVENT_CODE]: 'AuthorizationFailed', [EVENT_STATUS]: '403', [EVENT_REQUEST_ID]: 'request-1' },
  ]);
  expect(JSON.stringify({ ...created[0], metadata: {} })).not.toContain('request-1');
  expect(patches).toMatchObject([{ count: 2, metadata: { annotations: { [EVENT_REQUEST_ID]: 'request-2' } } }]);
});

test('an event about no answer has no annotations', () => {
  const created: KubernetesObject[] = [];
  const client = { create: (_type: unknown, event: KubernetesObject) => Promise.resolve(created.push(event)) };
  new EventRecorder({ client: client as unknown as KubernetesClient, clock: new FakeClock(), instance: 'here', componentOf: ({ kind }) => kind })
    .record(object, { type: 'Normal', reason: 'BeginDelete', message: 'x' });
  expect(created[0]!.metadata.annotations).toBeUndefined();
});

test('messages that differ each time make 25 events of an object at once, then one in five minutes', async () => {
  const created: KubernetesObject[] = [];
  const client = { create: (_type: unknown, event: KubernetesObject) => Promise.resolve(created.push(event)) };
  const clock = new FakeClock();
  const recorder = new EventRecorder({
    client: client as unknown as KubernetesClient, clock, instance: 'here', componentOf: ({ kind }) => kind,
  });
  const recordMany = (from: KubernetesObject) => {
    for (let count = 0; count < 100; count += 1) {
      recorder.record(from, { type: 'Warning', reason: 'CreateOrUpdateActionError', message: `at ${clock.now()}, number ${count}` });
    }
  };
  recordMany(object);
  expect(created).toHaveLength(25);
  recordMany({ ...object, metadata: { ...object.metadata, uid: 'another' } });
  expect(created).toHaveLength(50);
  await clock.advance(300_000);
  recordMany(object);
  expect(created).toHaveLength(51);
});
