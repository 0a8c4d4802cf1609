import { Budget, createCelEngine, ExpressionError, type ExpressionValue } from '../../../../engine/export/cel';
import type { KubernetesObject } from '../../../../engine/kubernetes/types';
import { Catalog } from '../../../../src/catalog';

/** Expressions over the object of docs/spec/cel.md#examples. */
export const version = Catalog.default().kind('cache.azure.com', 'RedisEnterprise')!.latest;
export const engine = createCelEngine();

export const self: KubernetesObject = {
  apiVersion: version.apiVersion,
  kind: 'RedisEnterprise',
  metadata: { name: 'r1', namespace: 'default', annotations: { foo: 'bar', baz: 'qux' } },
  spec: {
    location: 'westus2',
    sku: { name: 'Enterprise_E10', capacity: 1 },
    zones: ['1', '2', '3'],
    tags: { 'tag one': 'hello', 'three': 'four' },
  },
  status: { id: '/subscriptions/S-1/resourceGroups/RG/providers/Microsoft.Cache/redisEnterprise/R1' },
};

export function evaluated(text: string, secret: Record<string, string> = {}, object = self, budget = new Budget()): ExpressionValue {
  const value = engine.compile(version, text).evaluate({ self: object, secret }, budget);
  return typeof value === 'string' ? value : { ...value };
}

/** Each expression gives the text or map beside it. */
export function gives(pairs: readonly (readonly [text: string, value: ExpressionValue])[]): () => void {
  return () => {
    for (const [text, value] of pairs) expect([text, evaluated(text)]).toEqual([text, value]);
  };
}

export function refusal(act: () => unknown): ExpressionError {
  try {
    act();
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** None of the expressions compiles. */
export function refused(...texts: readonly string[]): () => void {
  return () => {
    for (const text of texts) {
      const error = refusal(() => engine.compile(version, text));
      expect([text, error.phase]).toEqual([text, 'compile']);
      expect(error.message.startsWith(`failed to compile CEL expression: "${text}": `)).toBe(true);
    }
  };
}

export const compileError = (text: string) => refusal(() => engine.compile(version, text)).message;
export const runError = (text: string, secret: Record<string, string> = {}) => refusal(() => evaluated(text, secret)).message;
