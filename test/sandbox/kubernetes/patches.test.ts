import fc from 'fast-check';
import { ApiError } from '../../../sandbox/kubernetes/api-error';
import type { StoredObject } from '../../../sandbox/kubernetes/objects';
import { PatchError, jsonPatch } from '../../../sandbox/kubernetes/patch/json-patch';
import { mergePatch } from '../../../sandbox/kubernetes/patch/merge-patch';
import { managedFieldsAfterUpdate, serverSideApply } from '../../../sandbox/kubernetes/patch/server-side-apply';
import { strategicMergePatch } from '../../../sandbox/kubernetes/patch/strategic-merge-patch';

describe('JSON patch', () => {
  test.each<[unknown, object[], unknown]>([
    [{ a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    [{ a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    [{ a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    [{ a: { b: 1, c: 2 } }, [{ op: 'remove', path: '/a/b' }], { a: { c: 2 } }],
    [{ a: [1, 2, 3] }, [{ op: 'remove', path: '/a/1' }], { a: [1, 3] }],
    [{ 'a/b': { 'm~n': 1 } }, [{ op: 'replace', path: '/a~1b/m~0n', value: 2 }], { 'a/b': { 'm~n': 2 } }],
    [{ a: 1 }, [{ op: 'move', from: '/a', path: '/b' }], { b: 1 }],
    [{ a: { x: 1 } }, [{ op: 'copy', from: '/a', path: '/b' }], { a: { x: 1 }, b: { x: 1 } }],
    [{ a: 1 }, [{ op: 'test', path: '/a', value: 1 }, { op: 'replace', path: '', value: 5 }], 5],
  ])('%j with %j', (document, patch, result) => expect(jsonPatch(document, patch as never)).toEqual(result));

  test.each([
    [{ op: 'remove', path: '/nope' }],
    [{ op: 'replace', path: '/nope', value: 1 }],
    [{ op: 'add', path: '/nope/a', value: 1 }],
    [{ op: 'add', path: '/list/9', value: 1 }],
    [{ op: 'test', path: '/list', value: [] }],
    [{ op: 'turn', path: '/list' }],
    [{ op: 'remove', path: 'list' }],
    [{ op: 'remove', path: '/toString' }],
  ])('%j does not fit', (operation) => expect(() => jsonPatch({ list: [1] }, [operation])).toThrow(PatchError));

  test('leaves the document as it was', () => {
    const document = { a: { b: [1] } };
    jsonPatch(document, [{ op: 'add', path: '/a/b/-', value: 2 }, { op: 'remove', path: '/a/b/0' }]);
    expect(document).toEqual({ a: { b: [1] } });
  });
});

describe('merge patch', () => {
  // The table of RFC 7386, appendix A.
  test.each<[unknown, unknown, unknown]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [['a', 'b'], ['c', 'd'], ['c', 'd']],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j', (document, patch, result) => expect(mergePatch(document, patch)).toEqual(result));

  test('twice is once', () => {
    fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (document, patch) => {
      const once = mergePatch(document, patch);
      expect(mergePatch(once, patch)).toEqual(once);
    }));
  });
});

describe('strategic merge patch', () => {
  const pod = {
    spec: {
      containers: [
        { name: 'a', image: '1', ports: [{ containerPort: 80, name: 'x' }] },
        { name: 'b', image: '1' },
      ],
      nodeSelector: { k: 'v' },
    },
    metadata: { finalizers: ['one'] },
  };

  test('merges keyed lists by element and sets of scalars', () => {
    expect(
      strategicMergePatch(pod, {
        spec: { containers: [{ name: 'b', image: '2' }, { name: 'c' }] },
        metadata: { finalizers: ['two', 'one'] },
      }),
    ).toEqual({
      spec: { containers: [pod.spec.containers[0], { name: 'b', image: '2' }, { name: 'c' }], nodeSelector: { k: 'v' } },
      metadata: { finalizers: ['one', 'two'] },
    });
  });

  test('understands its directives', () => {
    expect(strategicMergePatch(pod, { spec: { containers: [{ $patch: 'delete', name: 'a' }] } })).toMatchObject({
      spec: { containers: [{ name: 'b' }] },
    });
    expect(strategicMergePatch(pod, { spec: { nodeSelector: { $patch: 'replace', z: '1' } } })).toMatchObject({
      spec: { nodeSelector: { z: '1' } },
    });
    expect(strategicMergePatch(pod, { spec: { containers: [{ $patch: 'replace' }, { name: 'z' }] } })).toMatchObject({
      spec: { containers: [{ name: 'z' }] },
    });
    expect(strategicMergePatch(pod, { spec: { $retainKeys: ['containers'], containers: [] } })).toEqual({
      ...pod,
      spec: { containers: [] },
    });
    expect(strategicMergePatch(pod, { metadata: { '$deleteFromPrimitiveList/finalizers': ['one'] } })).toMatchObject({
      metadata: { finalizers: [] },
    });
    const ordered = strategicMergePatch(pod, { spec: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] } }) as typeof pod;
    expect(ordered.spec.containers.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  test('lists without a key are one value', () => expect(strategicMergePatch({ args: ['a'] }, { args: ['b'] })).toEqual({ args: ['b'] }));
});

describe('server-side apply', () => {
  const config = (data: Record<string, unknown>, labels?: Record<string, string>): StoredObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x', ...(labels && { labels }) },
    data,
  });
  const apply = (live: StoredObject | undefined, wanted: StoredObject, manager = 'a', force = false) =>
    serverSideApply(live, wanted, { manager, force, time: '2026-01-01T00:00:00Z', keyedLists: true });

  test('what a manager no longer applies goes, what others have stays', () => {
    const first = apply(undefined, config({ one: '1', two: '2' }, { l: 'v' }));
    const withOther = { ...first, data: { ...(first.data as object), three: '3' } };
    const second = apply(withOther, config({ one: '1' }));
    expect(second.data).toEqual({ one: '1', three: '3' });
    expect(second.metadata.labels).toBeUndefined();
  });

  test('what two managers apply goes when neither does', () => {
    const both = apply(apply(undefined, config({ k: '1' })), config({ k: '1', own: '2' }), 'b');
    const one = apply(both, config({}));
    expect(one.data).toEqual({ k: '1', own: '2' });
    expect(apply(one, config({ own: '2' }), 'b').data).toEqual({ own: '2' });
  });

  test('another value for a field of another manager is a conflict, unless it is forced', () => {
    const live = apply(undefined, config({ k: '1' }));
    const conflict = (() => {
      try {
        apply(live, config({ k: '2' }), 'b');
      } catch (error) {
        return error as ApiError;
      }
      return undefined;
    })();
    expect(conflict).toMatchObject({ code: 409, reason: 'Conflict', message: 'Apply failed with 1 conflict: conflict with "a": .data.k' });
    const forced = apply(live, config({ k: '2' }), 'b', true);
    expect(forced.data).toEqual({ k: '2' });
    expect(forced.metadata.managedFields!.map((entry) => entry.manager)).toEqual(['b']);
  });

  test('applying the same again changes nothing', () => {
    const once = apply(undefined, config({ a: '1', b: { c: [] } }, { x: 'y' }));
    expect(apply(once, config({ a: '1', b: { c: [] } }, { x: 'y' }))).toEqual(once);
  });

  test('keyed lists merge by element', () => {
    const pod = (containers: object[]): StoredObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } });
    const a = apply(undefined, pod([{ name: 'x', image: '1', args: ['q'] }]));
    const b = apply(a, pod([{ name: 'y', image: '2' }]), 'b');
    expect(b.spec).toEqual({ containers: [{ name: 'x', image: '1', args: ['q'] }, { name: 'y', image: '2' }] });
    expect(apply(b, pod([]), 'a').spec).toEqual({ containers: [{ name: 'y', image: '2' }] });
  });

  test('who updates a field takes it from its owner', () => {
    const live = apply(undefined, config({ k: '1', l: '1' }));
    const fields = managedFieldsAfterUpdate(live, { ...live, data: { k: '2', l: '1' } });
    expect(fields).toMatchObject([{ manager: 'a', fieldsV1: { 'f:data': { 'f:l': {} } } }]);
    expect(fields![0]!.fieldsV1).not.toHaveProperty(['f:data', 'f:k']);
  });
});
