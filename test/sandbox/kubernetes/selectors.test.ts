import { humanDuration } from '../../../sandbox/kubernetes/http/age';
import { jsonPath } from '../../../sandbox/kubernetes/http/json-path';
import { mergeKey } from '../../../sandbox/kubernetes/patch/merge-keys';
import { compareVersions } from '../../../sandbox/kubernetes/resources/definition';
import { fieldSelector, labelSelector } from '../../../sandbox/kubernetes/selectors';

const object = (labels: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'n', namespace: 'ns', labels },
  involvedObject: { kind: 'Pod' },
});

describe('label selectors', () => {
  test.each([
    ['', true],
    ['app=web', true],
    ['app==web', true],
    ['app!=web', false],
    ['app=db', false],
    ['none!=x', true],
    ['app', true],
    ['!app', false],
    ['!none', true],
    ['app in (web,db)', true],
    ['app notin (web)', false],
    ['none notin (a)', true],
    ['none in (a)', false],
    ['app=web,tier in (a, b)', true],
    ['app=web,tier=b', false],
    ['example.com/key=v', true],
    ['size>3', true],
    ['size<3', false],
  ])('%s', (selector, matches) =>
    expect(labelSelector(selector)(object({ 'app': 'web', 'tier': 'a', 'example.com/key': 'v', 'size': '4' }))).toBe(matches),
  );

  test('nonsense is a bad request', () => expect(() => labelSelector('a=b=c,(')).toThrow(/unable to parse requirement/));
});

describe('field selectors', () => {
  test.each([
    ['metadata.name=n', true],
    ['metadata.name!=n', false],
    ['metadata.namespace=ns,metadata.name=n', true],
    ['involvedObject.kind=Pod', true],
    ['involvedObject.kind=Node', false],
    ['spec.none=', true],
  ])('%s', (selector, matches) =>
    expect(fieldSelector(selector, { group: '', plural: 'others', custom: false })(object({}))).toBe(matches),
  );

  test.each([
    ['secrets', 'type=Opaque', undefined],
    ['secrets', 'data.a=b', 'field label not supported: data.a'],
    ['configmaps', 'data.a=b', '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    ['events', 'involvedObject.name=x,reason=y', undefined],
    ['events', 'message=x', 'field label not supported: message'],
  ])('of %s: %s', (plural, selector, refused) => {
    const select = () => fieldSelector(selector, { group: '', plural, custom: false });
    if (refused) expect(select).toThrow(refused);
    else expect(select()(object({}))).toBe(false);
  });

  test('custom resources know name and namespace only', () => {
    const custom = { group: 'resources.azure.com', plural: 'resourcegroups', custom: true };
    expect(fieldSelector('metadata.name=n', custom)(object({}))).toBe(true);
    expect(() => fieldSelector('spec.location=x', custom)).toThrow('field label not supported: spec.location');
  });
});

test.each([
  [".status.conditions[?(@.type=='Ready')].status", ['True']],
  ['.status.conditions[0].type', ['Other']],
  ['.status.conditions[*].type', ['Other', 'Ready']],
  ['.metadata.labels.a\\.b/c', ['d']],
  [".metadata.labels['a.b/c']", ['d']],
  ['.nope.nope', []],
  ['.status.n', [0]],
  ['.status[?(broken', []],
])('json path %s', (path, found) => {
  const value = {
    metadata: { labels: { 'a.b/c': 'd' } },
    status: {
      n: 0,
      conditions: [
        { type: 'Other', status: 'False' },
        { type: 'Ready', status: 'True' },
      ],
    },
  };
  expect(jsonPath(value, path)).toEqual(found);
});

test('versions are preferred as by Kubernetes', () => {
  expect(['v1api20210401', 'v1beta1', 'v2', 'v20250601', 'v1alpha1', 'v1api20200101', 'v1', 'v1beta2'].sort(compareVersions))
    .toEqual(['v20250601', 'v2', 'v1', 'v1beta2', 'v1beta1', 'v1alpha1', 'v1api20200101', 'v1api20210401']);
});

test.each([
  [5, '5s'],
  [119, '119s'],
  [200, '3m20s'],
  [3600, '60m'],
  [4 * 3600 + 60, '4h1m'],
  [30 * 3600, '30h'],
  [3 * 86400, '3d'],
  [100 * 86400, '100d'],
  [3 * 365 * 86400, '3y'],
])('%d seconds are %s', (seconds, text) => expect(humanDuration(seconds * 1000)).toBe(text));

test('lists merge by key only where all elements have it', () => {
  expect(mergeKey('containers', [{ name: 'a' }])).toBe('name');
  expect(mergeKey('ports', [{ port: 80 }])).toBe('port');
  expect(mergeKey('containers', [{}])).toBeUndefined();
  expect(mergeKey('constructor', [{ name: 'a' }])).toBeUndefined();
});
