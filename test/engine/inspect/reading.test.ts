import { ago, NOW } from './snapshots';
import { controllersOf, eventFactsOf, eventsByObject, lastAnswerOf, storeFactsOf } from '../../../engine/inspect';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { EVENT_CODE, EVENT_REQUEST_ID, EVENT_STATUS, SETTINGS_DIGEST } from '../../../src/azure/annotations';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const secret = (data: Record<string, string>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'aso-credential', namespace: 'shop' },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)])),
});

describe('of a Secret', () => {
  const subscription = '11111111-2222-3333-4444-555555555555';

  test('keys are kept, and no value but those that are no secrets', () => {
    const facts = storeFactsOf(secret({ AZURE_SUBSCRIPTION_ID: subscription, AZURE_CLIENT_SECRET: 'hunter2hunter2', AUTH_MODE: 'podidentity' }));
    expect(facts).toEqual({
      namespace: 'shop',
      name: 'aso-credential',
      keys: ['AUTH_MODE', 'AZURE_CLIENT_SECRET', 'AZURE_SUBSCRIPTION_ID'],
      subscriptionId: subscription,
      authMode: 'podidentity',
    });
    expect(JSON.stringify(facts)).not.toContain('hunter2');
  });

  test('a secret in the wrong place is not kept either', () => {
    const facts = storeFactsOf(secret({ AZURE_SUBSCRIPTION_ID: 'hunter2hunter2', AUTH_MODE: 'hunter2hunter2' }));
    expect(JSON.stringify(facts)).not.toContain('hunter2');
  });

  test('the object that has written it is known', () => {
    const written = secret({});
    const metadata = { ...written.metadata, ownerReferences: [{ apiVersion: 'storage.azure.com/v1', kind: 'StorageAccount', name: 'data', uid: 'x' }] };
    expect(storeFactsOf({ ...written, metadata }).writtenBy).toBe('storage.azure.com/StorageAccount/shop/data');
  });
});

describe('controllers', () => {
  const LABELS = { 'app.kubernetes.io/name': 'azure-service-operator', 'control-plane': 'controller-manager' };
  const deployment = (change: { ready?: number; ours?: boolean; mode?: string; labels?: Record<string, string> }): KubernetesObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'azureserviceoperator-controller-manager', namespace: 'aso', labels: change.labels ?? LABELS },
    spec: {
      template: {
        metadata: change.ours ? { annotations: { [SETTINGS_DIGEST]: 'x' } } : {},
        spec: {
          containers: [
            { name: 'kube-rbac-proxy', image: 'x:1' },
            {
              name: 'manager',
              image: 'mcr.microsoft.com/k8s/azureserviceoperator:v2.20.0@sha256:0',
              env: change.mode ? [{ name: 'AZURE_OPERATOR_MODE', value: change.mode }] : [],
            },
          ],
        },
      },
    },
    status: { readyReplicas: change.ready ?? 1 },
  });
  const lease = (seconds: number): KubernetesObject => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'controllers-leader-election-azinfra-generated', namespace: 'aso' },
    spec: { holderIdentity: 'pod-1', renewTime: ago(seconds) },
  });

  test('of ASO and of this package are told apart', () => {
    expect(controllersOf([deployment({})], [], NOW)).toMatchObject([{ product: 'ASO', version: 'v2.20.0', isRunning: true, reconciles: true }]);
    expect(controllersOf([deployment({ ours: true })], [], NOW)).toMatchObject([{ product: 'cdk8s-aso', isRunning: true }]);
  });

  test('with webhooks only reconcile nothing', () => {
    expect(controllersOf([deployment({ mode: 'Webhooks' })], [], NOW)).toMatchObject([{ reconciles: false }]);
  });

  test('without pods do not run, unless the Lease is renewed', () => {
    expect(controllersOf([deployment({ ready: 0 })], [lease(600)], NOW)).toMatchObject([{ isRunning: false, leader: 'pod-1' }]);
    expect(controllersOf([deployment({ ready: 0 })], [lease(5)], NOW)).toMatchObject([{ isRunning: true }]);
  });

  test('outside of the cluster show a Lease only', () => {
    expect(controllersOf([], [lease(5)], NOW)).toMatchObject([{ namespace: 'aso', isRunning: true }]);
    expect(controllersOf([], [lease(600)], NOW)).toMatchObject([{ namespace: 'aso', isRunning: false }]);
  });

  test('other Deployments are none', () => expect(controllersOf([deployment({ labels: {} })], [], NOW)).toEqual([]));
});

describe('events', () => {
  const event = (change: object): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'x', namespace: 'shop' },
    involvedObject: { uid: 'u' },
    type: 'Warning',
    reason: 'CreateOrUpdateActionError',
    message: 'Reason: AuthorizationFailed, Severity: Warning, RetryClassification: Slow, Cause: no rights, at all',
    count: 3,
    lastTimestamp: ago(60),
    ...change,
  } as KubernetesObject);

  test('have the request id, status and code of Azure', () => {
    const annotations = { [EVENT_REQUEST_ID]: 'abc', [EVENT_STATUS]: '403', [EVENT_CODE]: 'AuthorizationFailed' };
    const facts = eventFactsOf(event({ metadata: { name: 'x', annotations } }));
    expect(facts).toMatchObject({ requestId: 'abc', status: 403, code: 'AuthorizationFailed', count: 3, last: Date.parse(ago(60)) });
    expect(lastAnswerOf([facts])).toEqual({ code: 'AuthorizationFailed', message: 'no rights, at all', requestId: 'abc', status: 403, at: Date.parse(ago(60)), count: 3 });
  });

  test('of tenants have no request id and no code that Azure could not have', () => {
    const annotations = { [EVENT_REQUEST_ID]: 'id AccountKey=abcdefghijklmnopqrstuvwxyz==', [EVENT_CODE]: '<b>'.repeat(1_000), [EVENT_STATUS]: '-1' };
    expect(eventFactsOf(event({ metadata: { name: 'x', annotations } }))).toEqual(eventFactsOf(event({})));
  });

  test('of ASO have code and message', () => {
    expect(lastAnswerOf([eventFactsOf(event({}))])).toMatchObject({ code: 'AuthorizationFailed', message: 'no rights, at all', requestId: undefined });
  });

  test('of the newer API are read too, the newest comes first', () => {
    const newer = event({ involvedObject: undefined, regarding: { uid: 'u' }, message: undefined, note: 'x', count: undefined, lastTimestamp: undefined, series: { count: 7, lastObservedTime: ago(5) } });
    const list = eventsByObject([event({}), newer, event({ involvedObject: {} })]).get('u')!;
    expect(list.map(({ count, last }) => [count, last])).toEqual([[7, Date.parse(ago(5))], [3, Date.parse(ago(60))]]);
  });

  test('that are no errors say nothing about Azure', () => {
    expect(lastAnswerOf([eventFactsOf(event({ reason: 'CredentialFrom', message: 'x' }))])).toBeUndefined();
  });
});
