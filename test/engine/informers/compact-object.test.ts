import { compactMetadata, compactObject, SharedTexts } from '../../../engine/informers/compact-object';
import type { KubernetesObject } from '../../../engine/kubernetes';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const object = (annotations?: Record<string, string>): KubernetesObject => ({
  apiVersion: 'storage.azure.com/v1api20230101',
  kind: 'StorageAccount',
  metadata: { name: 'files', namespace: 'team-of-forests', resourceVersion: '7', ...(annotations && { annotations }) },
  spec: { location: 'northeurope', tags: { a: null, b: 'x' }, rules: ['203.0.113.7', 1, { value: 'a longer text' }, [true]] },
  status: { conditions: [] },
});

test('an object keeps everything but the manifest of kubectl apply', () => {
  const stored = compactObject(object({ [LAST_APPLIED]: '{"spec":{}}', other: 'kept' }));
  expect(stored).toEqual(object({ other: 'kept' }));
  expect(compactObject(object())).toEqual(object());
});

test('the object that the manifest is left out of stays as it was, for its other readers', () => {
  const answer = object({ [LAST_APPLIED]: '{}' });
  compactObject(answer);
  expect(answer).toEqual(object({ [LAST_APPLIED]: '{}' }));
});

test('a Secret keeps its manifest and its data: it is written by a PUT', () => {
  const secret: KubernetesObject = {
    apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', annotations: { [LAST_APPLIED]: '{}' } }, data: { key: 'dmFsdWU=' },
  };
  expect(compactMetadata(structuredClone(secret))).toEqual(secret);
});

describe('shared texts', () => {
  test('are forgotten when many others came later, and kept while they are met', () => {
    const texts = new SharedTexts();
    const kept = 'a text that is met often';
    const all = texts as unknown as { young: Map<string, string>; old: Map<string, string> };
    texts.of(kept);
    texts.of('a text that is met once');
    for (let count = 0; count < 20_000; count += 1) {
      texts.of(`a text with the number ${count}`);
      if (count % 1_000 === 0) texts.of(kept);
    }
    expect(all.young.size + all.old.size).toBeLessThanOrEqual(2 * 4_096);
    expect(all.young.has(kept) || all.old.has(kept)).toBe(true);
    expect(all.young.has('a text that is met once') || all.old.has('a text that is met once')).toBe(false);
  });

  test('are neither short nor long, whatever a tenant writes', () => {
    const texts = new SharedTexts();
    const all = texts as unknown as { young: Map<string, string> };
    expect([texts.of('short'), texts.of('x'.repeat(201))]).toEqual(['short', 'x'.repeat(201)]);
    expect(all.young.size).toBe(0);
  });

  test('of an object that is nested without end are not looked for deep inside', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}"a longer text"${']'.repeat(100_000)}`) as object;
    expect(() => new SharedTexts().share(deep)).not.toThrow();
  });

  test('a member named __proto__ is left as it is', () => {
    const value = JSON.parse('{"__proto__":{"a":"a longer text"},"b":"a longer text"}') as Record<string, unknown>;
    new SharedTexts().share(value);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":"a longer text"},"b":"a longer text"}');
  });
});
