import { applySetId } from '../../../composer/apply/apply-set';
import { desiredObject } from '../../../composer/apply/desired-object';
import { reviewClaim, type ClaimReviewOptions } from '../../../composer/webhooks/claim-review';
import { KubernetesError, unknownState, type KubernetesObject } from '../../../engine/kubernetes';
import { boxOf } from '../render/bundles';

const NAME = { group: 'platform.example.com', kind: 'Box', namespace: 'team', name: 'one' };
const COMPOSE = `
  if (claim.spec.fail) throw new Error('no region is free');
  if (claim.spec.read) claim.read({ group: '', kind: 'ConfigMap', name: 'settings' });
  for (const name of claim.spec.names ?? []) configMap(scope, name, { metadata: { name }, data: { size: claim.spec.size ?? '1' } });`;
const renderer = boxOf({
  compose: COMPOSE,
  validate: "return value.size === 13 ? { issues: [{ message: 'brings bad luck', path: ['size'] }] } : { value };",
  more: "reads: [{ group: '', kind: 'ConfigMap' }],",
});
const claim = (spec: object, more: object = {}, metadata: object = {}) =>
  ({ apiVersion: 'platform.example.com/v1', kind: 'Box', metadata: { name: 'one', namespace: 'team', ...metadata }, spec, ...more }) as unknown as KubernetesObject;

interface Response {
  readonly allowed: boolean;
  readonly status?: { readonly message: string; readonly code: number };
  readonly warnings?: readonly string[];
}

type Patch = (name: string, manifest: KubernetesObject) => unknown;

async function review(
  object: KubernetesObject, oldObject?: KubernetesObject, patch: Patch = () => undefined,
  more: Partial<ClaimReviewOptions> & { readonly live?: KubernetesObject } = {},
) {
  const tried: string[] = [];
  const answer = await reviewClaim(
    { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: 'u1', operation: oldObject ? 'UPDATE' : 'CREATE', object, oldObject } },
    {
      renderer,
      find: () => ({ state: 'absent' }),
      budgetMs: 5_000,
      cache: { typeOf: (group, kind) => ({ group, kind, version: 'v1', plural: 'configmaps', namespaced: true }) },
      client: {
        get: () => Promise.resolve(more.live),
        patch: (_type, name, _namespace, manifest) => {
          tried.push(name);
          const refused = patch(name, manifest as KubernetesObject);
          return refused instanceof Error ? Promise.reject(refused) : Promise.resolve(manifest as KubernetesObject);
        },
      },
      ...more,
    },
  );
  return { response: answer.response as Response, tried };
}

test('a claim whose objects may be applied is allowed: each is tried as it would be created', async () => {
  const versions: unknown[] = [];
  const { response, tried } = await review(claim({ names: ['a', 'b'] }), undefined, (_, { metadata }) => versions.push([metadata.resourceVersion, metadata.labels]));
  expect([response, tried]).toEqual([{ uid: 'u1', allowed: true }, ['a', 'b']]);
  expect(versions).toEqual(Array.from({ length: 2 }, () => ['1', { 'applyset.kubernetes.io/part-of': applySetId(NAME) }]));
});

test.each<[string, object, number, string]>([
  ['the schema', { size: 13 }, 422, 'InvalidSpec: spec.size: brings bad luck'],
  ['compose', { fail: true }, 403, 'ComposeFailed: no region is free'],
  ['a limit', { names: Array.from({ length: 300 }, (_, index) => `n${index}`) }, 403, 'TooManyObjects: compose gave 300 objects; 200 is the limit of the definition (limits.objects)'],
])('a claim that %s refuses has the words of the condition', async (_, spec, code, message) => {
  const { response, tried } = await review(claim(spec));
  expect([response.allowed, response.status, tried]).toEqual([false, expect.objectContaining({ code, message }), []]);
});

test('a claim that composes what a guard rail forbids is refused', async () => {
  const { response } = await review(claim({ names: ['a', 'b'] }), undefined, (name) => (name === 'b' ? new KubernetesError(403, 'Forbidden', 'policy: no b here') : undefined));
  expect(response.status).toMatchObject({ code: 403, message: 'Forbidden: cannot create ConfigMap team/b (team/one/b): 403 Forbidden: policy: no b here' });
});

test('an object of somebody else is in the way; one of the claim is not', async () => {
  const conflict = () => new KubernetesError(409, 'Conflict', 'exists');
  const foreign = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'team' } };
  expect((await review(claim({ names: ['a'] }), undefined, conflict, { live: foreign })).response.status?.message).toMatch(/^ObjectExists: ConfigMap team\/a \(team\/one\/a\) exists already/);
  const own = { ...foreign, metadata: { ...foreign.metadata, labels: { 'applyset.kubernetes.io/part-of': applySetId(NAME) } } };
  expect((await review(claim({ names: ['a'] }), undefined, conflict, { live: own })).response.allowed).toBe(true);
});

test('of a claim that is changed, only objects that change are tried, by their uid', async () => {
  const { rendered } = await renderer.compose(claim({ names: ['a', 'b'] }) as never);
  const objects = rendered!.objects.map((object) => desiredObject(object, NAME))
    .map(({ group, kind, namespace, name, wave, hash }) => ({ group, kind, namespace, name, wave, uid: `uid-${name}`, applied: hash }));
  const old = claim({ names: ['a', 'b'] }, { status: { objects } });
  const uids: unknown[] = [];
  const { tried } = await review(claim({ names: ['a', 'b', 'c'] }), old, (_, { metadata }) => uids.push(metadata.uid));
  expect([tried, uids]).toEqual([['c'], [undefined]]);
  expect((await review(claim({ names: ['a'], size: '2' }), old, (_, { metadata }) => (metadata.uid === 'uid-a' ? new KubernetesError(422, 'Invalid', 'field is immutable') : undefined))).response.status?.message)
    .toContain('ImmutableField: cannot apply ConfigMap team/a');
});

test('the composer\'s own writes, the end of a claim and other operations are never in doubt', async () => {
  const bad = claim({ fail: true });
  const marked = claim({ fail: true }, { status: { objects: [] } }, { finalizers: ['aso.cdk8s.io/composed-objects'], annotations: { 'applyset.kubernetes.io/tooling': 'x' } });
  expect((await review(marked, bad)).response).toEqual({ uid: 'u1', allowed: true });
  expect((await review(claim({ fail: true }, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), claim({}))).response.allowed).toBe(true);
});

test('doubts of the composer are warnings: lists, other kinds, errors of the server, a lack of time', async () => {
  const unknown = await review(claim({ read: true }), undefined, undefined, { find: (name) => unknownState(name, 'the list failed') });
  expect(unknown.response).toEqual({ uid: 'u1', allowed: true, warnings: ['not checked: CacheNotSynced: compose reads ConfigMap team/settings, and nothing of this claim is written: the list failed'] });
  for (const error of [new KubernetesError(503, 'ServiceUnavailable', 'starts'), new KubernetesError(404, 'NotFound', 'namespaces "x" not found'), new KubernetesError(400, 'BadRequest', 'admission webhook "x" does not support dry run')]) {
    expect((await review(claim({ names: ['a'] }), undefined, () => error)).response).toEqual({ uid: 'u1', allowed: true });
  }
  const slow = await review(claim({ names: ['a'] }), undefined, undefined, { budgetMs: 50, renderer: { compose: () => new Promise(() => undefined) } });
  expect(slow.response).toEqual({ uid: 'u1', allowed: true, warnings: ['the composer had no time to check this claim in 0.05 s: see its condition Synced'] });
});

test('what is no review is malformed', async () => {
  await expect(reviewClaim({ kind: 'Pod' }, {} as never)).rejects.toThrow(expect.objectContaining({ name: 'MalformedReviewError' }));
});

test('reviews of many namespaces, which anybody may send, keep no claim of the cluster waiting', async () => {
  const busy = boxOf({ compose: 'for (let i = 0, end = 3e7; i < end; i++) if (i < 0) break;' });
  let answered = 0;
  const reviews = Array.from({ length: 48 }, (_, index) =>
    review(claim({}, {}, { namespace: `team-${index}` }), undefined, undefined, { renderer: busy, budgetMs: 60_000 }).then(() => void (answered += 1)));
  await busy.compose(claim({}, {}, { namespace: 'shop' }) as never);
  // On a busy machine, the first threads answer many before another one has started.
  expect(answered).toBeLessThan(40);
  await Promise.all(reviews);
});
