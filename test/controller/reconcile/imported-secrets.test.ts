import fc from 'fast-check';
import type { Existing, Outcome } from '../../../controller/reconcile/core/observed';
import { importedSecrets, outcomeWithoutSecrets } from '../../../controller/reconcile/imported-secrets';
import { ArmError } from '../../../engine/arm/types';
import { toArm } from '../../../engine/convert';
import { UnknownStateError, unknownState } from '../../../engine/kubernetes/cache-state';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import type { ObjectLookup } from '../../../engine/resolve/types';
import { Catalog } from '../../../src/catalog';
import { randomSpec } from '../../engine/convert/random-spec';

const versions = Catalog.default().allKinds
  .flatMap((kind) => kind.versionNames.map((name) => kind.version(name)!))
  .filter((version) => version.isArm && version.name === version.typesOf);
/** Numbers rather than specs: the text of a version is megabytes in a message. */
const specs = fc.record({ index: fc.nat(versions.length - 1), seed: fc.nat() });
const SECRET = { group: '', kind: 'Secret', namespace: 'default', name: 'x' };

/** Secrets that have every key that is read from them. */
class ReadSecrets {
  public readonly values = new Map<string, Map<string, string>>();
  public maps = 0;

  public value(name: string, key: string): string {
    const data = this.values.get(name) ?? new Map<string, string>();
    const value = `value of ${name} ${key}`;
    // An empty name or key is none that an API server has.
    if (name !== '' && key !== '') this.values.set(name, data.set(key, value));
    return value;
  }

  public map(name: string): Record<string, string> {
    this.maps += 1;
    return Object.fromEntries(['one', 'other'].map((key) => [key, this.value(name, key)]));
  }

  public find(name: string): KubernetesObject {
    const data = [...this.values.get(name) ?? []].map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
    return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: Object.fromEntries(data) as Record<string, string> };
  }
}

test.each([
  ['', (found: KubernetesObject) => found],
  [', as far as it is remembered, where the Secret is not known now', (found: KubernetesObject) => {
    throw UnknownStateError.ofObject({ ...unknownState(SECRET, 'the watch failed'), last: found }, SECRET);
  }],
])('every value that a body has from a Secret is known for redaction%s', (_, answer) => {
  const counts = { values: 0, maps: 0 };
  fc.assert(fc.property(specs, ({ index, seed }) => {
    const version = versions[index]!;
    const spec = randomSpec(version, seed);
    const read = new ReadSecrets();
    toArm(version, spec, 'x', {
      reference: ({ armId, name }) => armId ?? `/subscriptions/s/resourceGroups/${name}`,
      secret: (name, key) => read.value(name, key),
      secretMap: (name) => read.map(name),
      configMap: (name, key) => `${name}/${key}`,
    });
    const object = { apiVersion: version.apiVersion, kind: version.kind.kind, metadata: { name: 'x', namespace: 'default' }, spec };
    const values = [...read.values.values()].flatMap((data) => [...data.values()]);
    counts.values += values.length;
    counts.maps += read.maps;
    const known = importedSecrets(object, version, { find: (__, ___, ____, name) => answer(read.find(name)) } as ObjectLookup);
    expect(values.filter((value) => !known.includes(value))).toEqual([]);
  }), { numRuns: 3_000, seed: 1 });
  expect(counts.values).toBeGreaterThan(50);
  expect(counts.maps).toBeGreaterThan(5);
});

describe('a secret that Azure quotes is hidden in every text of an outcome that a condition or an event may show', () => {
  const secret = 'the-password-that-was-sent';
  const quote = `"${secret}" is too short`;
  const failure = {
    severity: 'Warning', retry: 'slow', reason: 'BadPassword', message: quote, details: quote, answer: { code: quote, requestId: quote, status: 400 },
  } as const;
  const existing: Existing = {
    status: {}, state: { outcome: 'failed', word: quote, error: { code: quote, message: quote }, warnings: [quote] },
  };
  const state = { style: 'body', method: 'PUT', originalUrl: '/x', pollUrl: '/x', state: 'InProgress' } as const;
  const transient = new ArmError('BadPassword', quote, 400, undefined, quote);
  const outcomes: readonly [string, Outcome][] = [
    ['a failure', { of: 'failure', during: 'put', failure }],
    ['a PUT that failed', { of: 'put', failed: failure }],
    ['a poll that failed', { of: 'poll', failed: failure, accepted: true }],
    ['a poll without an answer', { of: 'poll', step: { kind: 'running', state, transient } }],
    ['a deletion without an answer', { of: 'delete', step: { kind: 'running', state: { ...state, method: 'DELETE' }, transient } }],
    ['a PUT that shows the resource', { of: 'put', step: { kind: 'succeeded' }, existing }],
    ['a read', { of: 'read', purpose: 'refresh', existing }],
    ['a read of a resource that works', { of: 'read', purpose: 'refresh', existing: { status: {}, state: { outcome: 'succeeded', warnings: [quote] } } }],
    ['a check of the kind', { of: 'preCheck', verdict: { kind: 'block', message: quote } }],
  ];

  test.each(outcomes)('%s', (_, outcome) => {
    const textOf = (value: unknown) => JSON.stringify(value, (__, member: unknown) => (
      member instanceof Error ? { ...member, message: member.message } : member
    ));
    expect(textOf(outcome)).toContain(secret);
    expect(textOf(outcomeWithoutSecrets(outcome, () => [secret]))).not.toContain(secret);
  });
});
