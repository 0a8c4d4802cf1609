import { convertedCrds } from '../../../composer/definition/composer-rights';
import { crdManifest } from '../../../composer/definition/crd-manifest';
import { conversionAnswer } from '../../../composer/webhooks/conversion';
import { boxOf } from '../render/bundles';

const VERSIONED = `olderVersions: [olderVersion({
  version: 'v1alpha1', schema: schemaOf((value) => typeof value.width === 'number' ? { value } : { issues: [{ message: 'expected a number' }] }),
  upgrade: ({ width }) => ({ size: width.toFixed(1) }), downgrade: ({ size }) => ({ width: Number(size) }),
})],`;
const renderer = () => boxOf({ more: VERSIONED });
const box = (version: string, name: string, spec: object, more: object = {}) =>
  ({ apiVersion: `platform.example.com/${version}`, kind: 'Box', metadata: { name, namespace: 'team', uid: name }, spec, ...more });

async function converted(objects: readonly object[], wanted = 'platform.example.com/v1') {
  const box1 = renderer();
  const jobs: number[] = [];
  const counted: Pick<typeof box1, 'convert'> = {
    convert: (job) => {
      jobs.push(job.specs.length);
      return box1.convert(job);
    },
  };
  const review = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request: { uid: 'u1', desiredAPIVersion: wanted, objects } };
  const parts = await conversionAnswer(Buffer.from(JSON.stringify(review)), 1_000, await box1.describe(), counted);
  const { response, ...rest } = JSON.parse(Buffer.concat(parts).toString('utf8')) as { response: { convertedObjects: { readonly spec: { readonly size: string } }[] } };
  return { response, rest, jobs };
}

test('specs are converted in order; everything else stays', async () => {
  const status = { objects: [{ kind: 'X', name: 'y' }], conditions: [] };
  const { response, rest } = await converted([
    box('v1alpha1', 'a', { width: 3 }, { status }), box('v1', 'b', { size: '7.0' }), box('v1alpha1', 'c', { width: 4 }), box('v1alpha1', 'd', { width: 5 }),
  ]);
  expect(rest).toEqual({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' });
  expect(response).toMatchObject({ uid: 'u1', result: { status: 'Success' } });
  expect(response.convertedObjects).toEqual([
    box('v1', 'a', { size: '3.0' }, { status }), box('v1', 'b', { size: '7.0' }), box('v1', 'c', { size: '4.0' }), box('v1', 'd', { size: '5.0' }),
  ]);
  expect((await converted([], 'platform.example.com/v1')).response.convertedObjects).toEqual([]);
});

test('there and back a spec is the same', async () => {
  const { response } = await converted([box('v1', 'a', { size: '2.0' })], 'platform.example.com/v1alpha1');
  expect(response.convertedObjects).toEqual([box('v1alpha1', 'a', { width: 2 })]);
  expect((await converted(response.convertedObjects)).response.convertedObjects).toEqual([box('v1', 'a', { size: '2.0' })]);
});

test('a long list is converted in several jobs', async () => {
  const { response, jobs } = await converted(Array.from({ length: 250 }, (_, index) => box('v1alpha1', `b${index}`, { width: index })));
  expect(jobs).toEqual([100, 100, 50]);
  expect(response.convertedObjects.map(({ spec }) => spec.size)).toEqual(Array.from({ length: 250 }, (_, index) => `${index}.0`));
  const large = Array.from({ length: 4 }, (_, index) => box('v1alpha1', `b${index}`, { width: index, text: 'x'.repeat(400_000) }));
  expect((await converted(large)).jobs).toEqual([2, 2]);
});

test.each<[string, object, string, string]>([
  ['that the function refuses', box('v1alpha1', 'bad', { width: 'x' }), 'platform.example.com/v1', 'cannot convert Box team/bad from platform.example.com/v1alpha1 to platform.example.com/v1: upgrade of v1alpha1: '],
  ['of a version that there is not', box('v7', 'new', {}), 'platform.example.com/v1', 'cannot convert Box team/new from platform.example.com/v7 to platform.example.com/v1: this revision of the definition does not have both versions'],
  ['that is wanted in a version that there is not', box('v1', 'new', {}), 'platform.example.com/v7', 'this revision of the definition does not have both versions'],
  ['of another group', { ...box('v1', 'x', {}), apiVersion: 'other.example.com/v1' }, 'platform.example.com/v1', 'this revision of the definition does not have both versions'],
])('a claim %s is named', async (_, object, wanted, message) => {
  const { response } = await converted([box('v1', 'fine', { size: '1.0' }), object], wanted);
  expect(response).toEqual({ uid: 'u1', result: { status: 'Failure', message: expect.stringContaining(message) } });
});

test.each<[string, unknown]>([
  ['no review', { kind: 'Pod' }],
  ['a review without a list', { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request: { uid: 'u', desiredAPIVersion: 'a/v1' } }],
  ['an element that is no object', { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request: { uid: 'u', desiredAPIVersion: 'a/v1', objects: [7] } }],
])('%s is malformed', async (_, review) => {
  await expect(conversionAnswer(Buffer.from(JSON.stringify(review)), 1_000, [], renderer())).rejects.toThrow(expect.objectContaining({ name: 'MalformedReviewError' }));
});

test('the CRD of a kind with several versions names the Service of its composer', async () => {
  const facts = await renderer().describe();
  const composer = { name: 'boxes', namespace: 'platform' };
  type Spec = { readonly conversion: object; readonly versions: readonly { readonly name: string; readonly storage: boolean }[] };
  const { spec } = crdManifest(facts[0]!, composer).manifest as { spec: Spec };
  expect(spec.conversion).toEqual({
    strategy: 'Webhook',
    webhook: { conversionReviewVersions: ['v1'], clientConfig: { service: { namespace: 'platform', name: 'boxes-webhooks', path: '/convert', port: 443 } } },
  });
  expect(spec.versions.map(({ name, storage }) => [name, storage])).toEqual([['v1', true], ['v1alpha1', false]]);
  const [plain] = await boxOf({}).describe();
  expect(crdManifest(plain!, composer).manifest.spec).not.toHaveProperty('conversion');
  expect([convertedCrds(facts), convertedCrds([plain!])]).toEqual([['boxes.platform.example.com'], []]);
});
