// A right that the controller can do without: its absence is told once, whatever the informer asks meanwhile.
import { reportRefusedOnce } from '../../../engine/informers/refused-once';
import type { InformerTelemetry } from '../../../engine/informers/telemetry';
import { KubernetesError, type ResourceType } from '../../../engine/kubernetes/types';

const type = (kind: string): ResourceType => ({ group: '', version: 'v1', plural: `${kind.toLowerCase()}s`, kind, namespaced: true });
const failed = (kind: string, status: number): InformerTelemetry => (
  { resource: type(kind), event: 'failed', error: new KubernetesError(status, 'x', 'x'), failures: 1, retryInMilliseconds: 1 }
);
const listed = (kind: string): InformerTelemetry => (
  { resource: type(kind), event: 'listed', reason: 'start', objects: 0, pages: 1, changes: 0, resourceVersion: '1' }
);

test('the first refusal of each kind is passed on, all other failures are, and a list that is complete makes a refusal news again', () => {
  const events: string[] = [];
  const refusals: number[] = [];
  const report = reportRefusedOnce(
    ({ resource, ...event }) => events.push(`${resource.kind} ${event.event === 'failed' ? (event.error as KubernetesError).status : event.event}`),
    (status) => refusals.push(status),
  );
  for (const event of [
    failed('Policy', 403), failed('Policy', 403), failed('Policy', 404), failed('Binding', 404), failed('Policy', 500), failed('Policy', 500),
    listed('Policy'), failed('Binding', 404), failed('Policy', 403),
  ]) report(event);
  expect(events).toEqual(['Policy 403', 'Binding 404', 'Policy 500', 'Policy 500', 'Policy listed', 'Policy 403']);
  expect(refusals).toEqual([403, 404, 403]);
});

test('an error that is no answer of the API server is passed on', () => {
  const events: InformerTelemetry[] = [];
  const report = reportRefusedOnce((event) => events.push(event));
  const event: InformerTelemetry = { resource: type('Policy'), event: 'failed', error: new Error('403'), failures: 1, retryInMilliseconds: 1 };
  report(event);
  report(event);
  expect(events).toHaveLength(2);
});
