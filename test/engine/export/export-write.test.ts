import * as fc from 'fast-check';
import { latest, ownerReference, stored, storageAccount } from './fixtures';
import { exportsOf, exportWrite, type ExportedObject } from '../../../engine/export';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { EXPORTED } from '../../../src/azure/annotations';

const storage = latest('storage', 'StorageAccount');
const owner = storageAccount({
  secrets: { key1: { name: 's', key: 'k', labels: { l: 'v' } } },
  configMaps: { blobEndpoint: { name: 'c', key: 'blob' } },
});
const { secrets: [secret], configMaps: [configMap] } = exportsOf(storage, owner, { values: { key1: 'K' }, notThere: [] });

/** The object as it is kept after the write. */
function after(existing: KubernetesObject | undefined, desired: ExportedObject, exporter = owner): KubernetesObject {
  const write = exportWrite(existing, desired, exporter);
  return write.action === 'none' ? existing! : stored(write.object);
}

describe('writing', () => {
  test.each([['Secret', secret!], ['ConfigMap', configMap!]])('a %s that is absent is created, and one that is equal is not written', (_, desired) => {
    expect(exportWrite(undefined, desired, owner)).toMatchObject({ action: 'create', object: desired });
    expect(exportWrite(after(undefined, desired), desired, owner)).toEqual({ action: 'none' });
  });

  const own = after(undefined, secret!);
  const withMetadata = (metadata: object) => ({ ...own, metadata: { ...own.metadata, ...metadata } });
  const another = { ...ownerReference, kind: 'Cluster', uid: 'x', controller: true };

  test.each<[string, KubernetesObject]>([
    ['a foreign key', { ...own, data: { ...own.data, foreign: 'eA==' } }],
    ['a foreign label', withMetadata({ labels: { l: 'v', m: 'w' } })],
    ['a foreign annotation', withMetadata({ annotations: { ...own.metadata.annotations, a: 'b' } })],
    ['a further owner', withMetadata({ ownerReferences: [another, ...own.metadata.ownerReferences!] })],
    ['a finalizer', withMetadata({ finalizers: ['f'] })],
    ['another type', { ...own, type: 'cluster.x-k8s.io/secret' }],
    ['immutable data', { ...own, immutable: true } as KubernetesObject],
  ])('%s stays, and is no reason to write', (_, existing) => {
    expect(exportWrite(existing, secret!, owner)).toEqual({ action: 'none' });
    const old = { ...existing, immutable: undefined, data: { ...existing.data, k: 'b2xk' } };
    expect(exportWrite(old, secret!, owner)).toEqual({ action: 'replace', object: { ...old, data: existing.data } });
  });

  test.each<[string, KubernetesObject]>([
    ['another value', { ...own, data: { k: 'eA==' } }],
    ['a missing key', { ...own, data: {} }],
    ['another value of a label', withMetadata({ labels: { l: 'x' } })],
    ['no record', withMetadata({ annotations: undefined })],
    ['a record that is no JSON', withMetadata({ annotations: { [EXPORTED]: '{' } })],
    ['an older reference', withMetadata({ ownerReferences: [{ ...ownerReference, apiVersion: 'storage.azure.com/v1' }] })],
  ])('%s is put right, at the version that was read', (_, existing) => {
    expect(exportWrite(existing, secret!, owner)).toEqual({ action: 'replace', object: own });
  });

  test('what an older record names goes, and nothing else', () => {
    const record = { 'StorageAccount.storage.azure.com/acc': { data: ['gone', 'k'], labels: ['was'], annotations: ['old', EXPORTED] } };
    const existing = {
      ...own,
      data: { ...own.data, gone: 'eA==', kept: 'eA==' },
      metadata: { ...own.metadata, labels: { l: 'v', was: 'x', kept: 'x' }, annotations: { [EXPORTED]: JSON.stringify(record), old: 'x', kept: 'x' } },
    };
    expect(exportWrite(existing, secret!, owner)).toEqual({
      action: 'replace',
      object: {
        ...own, data: { ...own.data, kept: 'eA==' }, metadata: { ...own.metadata, labels: { l: 'v', kept: 'x' }, annotations: { ...own.metadata.annotations, kept: 'x' } },
      },
    });
  });

  test('binary data of a ConfigMap stays, but for a key that is exported', () => {
    const existing = { ...after(undefined, configMap!), binaryData: { blob: 'eA==', other: 'eQ==' }, data: {} };
    expect(exportWrite(existing, configMap!, owner)).toMatchObject({ action: 'replace', object: { data: configMap!.data, binaryData: { other: 'eQ==' } } });
    const { object } = exportWrite(existing, configMap!, owner) as { object: KubernetesObject };
    expect(object).toHaveProperty('binaryData', { other: 'eQ==' });
  });

  test('a record that would be too long is not written: the object is still created, and not written again', () => {
    const many = { ...secret!, stringData: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`${'k'.repeat(80)}${i}`, 'v'])) };
    const kept = after(undefined, many);
    expect(kept.metadata.annotations).toBeUndefined();
    expect(exportWrite(kept, many, owner)).toEqual({ action: 'none' });
    const fewer = after(kept, secret!);
    expect(Object.keys(fewer.data!)).toHaveLength(1001);
    expect(exportWrite(fewer, secret!, owner)).toEqual({ action: 'none' });
  });

  test.each<[string, object, object]>([
    ['data and labels of null', { data: null }, { labels: null, annotations: null }],
    ['data and labels that are texts', { data: 'x' }, { labels: 'x', annotations: 'x' }],
    ['owners that are none', {}, { ownerReferences: [null, 'x', ownerReference] }],
  ])('%s are taken as they come', (_, members, metadata) => {
    const existing = after(undefined, configMap!);
    const write = exportWrite(
      { ...existing, ...members, metadata: { ...existing.metadata, ...metadata } } as KubernetesObject,
      configMap!,
      owner,
    );
    expect(write).toEqual('ownerReferences' in metadata ? { action: 'none' } : { action: 'replace', object: existing });
  });

  test('what belongs to somebody else is not touched', () => {
    const foreign = { ...stored(secret!), metadata: { name: 's', namespace: 'team' } };
    expect(() => exportWrite(foreign, secret!, owner)).toThrow(
      'cannot overwrite Secret team/s which is not owned by StorageAccount.storage.azure.com team/acc',
    );
  });
});

/** A writer of one Secret beside others: what it last wrote is there, what the others wrote stays, and then it has nothing to do. */
test('writers in any order leave what each of them has last written', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', '__proto__');
  const texts = (prefix: string) => fc.dictionary(key, fc.constantFrom('1', '2')).map((entries) =>
    Object.fromEntries(Object.entries(entries).map(([name, value]) => [`${prefix}${name}`, value])));
  const content = (prefix: string) => fc.record({ data: texts(prefix), labels: texts(prefix), annotations: texts(prefix) });
  const turn = fc.oneof(
    content('first-').map((wanted) => ({ by: 'first' as const, wanted })),
    content('second-').map((wanted) => ({ by: 'second' as const, wanted })),
    content('other-').map((wanted) => ({ by: 'other' as const, wanted })),
  );
  const exporters = Object.fromEntries(['first', 'second'].map((name) =>
    [name, { ...owner, metadata: { ...owner.metadata, name, uid: `uid-${name}` } }])) as Record<'first' | 'second', KubernetesObject>;
  const references = Object.values(exporters).map(({ metadata: { name, uid } }) => ({ ...ownerReference, name, uid: uid! }));
  fc.assert(fc.property(fc.array(turn, { minLength: 1, maxLength: 12 }), (turns) => {
    let live: KubernetesObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'team', ownerReferences: references } };
    const last: Record<string, { data: object; labels: object; annotations: object }> = {};
    for (const { by, wanted } of turns) {
      const before = last[by];
      last[by] = wanted;
      if (by === 'other') {
        // A client that knows its own keys, as one that applies.
        const exchanged = (present: object | undefined, old: object | undefined, next: object) => {
          const others = Object.entries(present ?? {}).filter(([name]) => !Object.hasOwn(old ?? {}, name));
          return Object.fromEntries([...others, ...Object.entries(next)]) as Record<string, string>;
        };
        const { labels, annotations } = live.metadata;
        live = {
          ...live,
          data: exchanged(live.data, before?.data, wanted.data),
          metadata: {
            ...live.metadata,
            labels: exchanged(labels, before?.labels, wanted.labels),
            annotations: exchanged(annotations, before?.annotations, wanted.annotations),
          },
        };
        continue;
      }
      const { uid } = exporters[by].metadata;
      const { data, ...marks } = wanted;
      const ownerReferences = references.filter((one) => one.uid === uid);
      const metadata = { name: 'c', namespace: 'team', ...marks, ownerReferences };
      const desired: ExportedObject = { apiVersion: 'v1', kind: 'ConfigMap', data, metadata };
      live = after(live, desired, exporters[by]);
      expect(exportWrite(live, desired, exporters[by])).toEqual({ action: 'none' });
    }
    const all = (member: 'data' | 'labels' | 'annotations') => Object.assign({}, ...Object.values(last).map((one) => one[member])) as object;
    const { [EXPORTED]: _, ...annotations } = live.metadata.annotations ?? {};
    expect({ data: live.data ?? {}, labels: live.metadata.labels ?? {}, annotations }).toEqual(
      { data: all('data'), labels: all('labels'), annotations: all('annotations') });
    expect(live.metadata.ownerReferences).toEqual(references);
  }));
});
