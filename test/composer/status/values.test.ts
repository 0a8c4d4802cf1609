import { evaluateReadiness, linksOf, outputsOf } from '../../../composer/status/values';
import type { KubernetesObject } from '../../../engine/kubernetes';

const account: KubernetesObject = {
  apiVersion: 'storage.azure.com/v1',
  kind: 'StorageAccount',
  metadata: { name: 'data', namespace: 'shop' },
  status: { id: '/subscriptions/1', primaryEndpoints: { blob: 'https://data.blob' }, replicas: 3, isOpen: true, tags: { a: '1' } },
};
const secret = { ...account, apiVersion: 'v1', kind: 'Secret', data: { key: 'aHVudGVyMg==' } };
const id = { group: 'storage.azure.com', kind: 'StorageAccount', namespace: 'shop', name: 'data' };
const find = ({ kind, name }: { kind: string; name: string }) =>
  (name === 'data' ? { state: 'present' as const, object: kind === 'Secret' ? secret : account } : { state: 'absent' as const });

test('outputs: what has a value now, and only texts, numbers and booleans', async () => {
  expect(await outputsOf({
    outputs: {
      fixed: { value: 'x' },
      blob: { object: id, cel: 'self.status.primaryEndpoints.blob' },
      replicas: { object: id, cel: 'self.status.replicas + 1' },
      isOpen: { object: id, cel: 'self.status.isOpen' },
      later: { object: id, cel: 'self.status.nothing.here' },
      map: { object: id, cel: 'self.status.tags' },
      wrong: { object: id, cel: 'self..' },
      absent: { object: { ...id, name: 'logs' }, cel: 'self.status.id' },
      secret: { object: { group: '', kind: 'Secret', namespace: 'shop', name: 'data' }, cel: 'self.data.key' },
      client: { configMap: { namespace: 'shop', name: 'identity', key: 'clientId' } },
      missing: { configMap: { namespace: 'shop', name: 'identity', key: 'other' } },
      long: { value: 'x'.repeat(2000) },
    },
  }, find, (_namespace, _name, key) => Promise.resolve(key === 'clientId' ? 'c-1' : undefined)))
    .toEqual({ fixed: 'x', blob: 'https://data.blob', replicas: 4, isOpen: true, client: 'c-1' });
});

test('an expression that is too expensive has no value', () => {
  const many = { ...account, status: { list: Array.from({ length: 3000 }, (_, index) => index) } };
  const expensive = 'self.status.list.all(a, self.status.list.all(b, self.status.list.all(c, a + b + c >= 0)))';
  const { isReady, why } = evaluateReadiness(expensive, many);
  expect([isReady, why]).toEqual([false, expect.stringContaining('cost more than 20000 steps')]);
});

test('the conversion of an object counts, however little of it the expression reads', () => {
  const huge = { ...account, status: { list: Array.from({ length: 100_000 }, () => 1) } };
  expect(evaluateReadiness('self.kind == "StorageAccount"', huge).why).toContain('cost more than 20000 steps');
  const large = { ...account, status: { list: Array.from({ length: 20_000 }, () => 1) } };
  expect(evaluateReadiness('self.kind == "StorageAccount"', large)).toEqual({ isReady: true, why: '' });
});

test('an expression that fails for a Secret says nothing of its values', () => {
  const hidden = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' }, data: { password: 'aHVudGVyMg==' } } as unknown as KubernetesObject;
  for (const cel of ["duration(self.data.password) > duration('1s')", "self.data[self.data.password] == ''", "'a'.matches(self.data.password + '(')"]) {
    const { isReady, why } = evaluateReadiness(cel, hidden);
    expect([isReady, why]).toEqual([false, `${cel} has no value (the error is withheld: it may quote values of the Secret)`]);
  }
});

test('links are https', () => {
  expect(linksOf({ links: { a: 'https://a.example.com', b: 'http://b.example.com', c: 'javascript:alert(1)', d: 'no url' } })).toEqual({ a: 'https://a.example.com' });
});
