import { assert, constantFrom, dictionary, option, property } from 'fast-check';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { withAnnotations } from '../../../engine/objects/annotations';

const names = constantFrom('a', 'b', 'c', 'toString');
const texts = constantFrom('', 'x', 'y');

function objectWith(annotations: Record<string, string> | undefined): KubernetesObject {
  return { apiVersion: 'g/v1', kind: 'K', metadata: { name: 'n', ...(annotations ? { annotations } : {}) } };
}

test('annotations become what was asked for, all others stay, and what does not change is the same object', () => {
  assert(
    property(
      option(dictionary(names, texts), { nil: undefined }),
      dictionary(names, option(texts, { nil: undefined })),
      (before, changes) => {
        const object = objectWith(before);
        const after = withAnnotations(object, changes);
        const wanted = new Map(Object.entries(before ?? {}));
        for (const [name, value] of Object.entries(changes)) {
          if (value) wanted.set(name, value);
          else wanted.delete(name);
        }
        expect(new Map(Object.entries(after.metadata.annotations ?? {}))).toEqual(wanted);
        const isSame = before !== undefined && JSON.stringify([...wanted]) === JSON.stringify(Object.entries(before));
        expect(after === object).toBe(isSame);
        expect(object).toEqual(objectWith(before));
      },
    ),
    { numRuns: 500 },
  );
});
