import fc from 'fast-check';
import { account, assignment, changesOf, credential, detach, federation, group, identity, namespace, object, skip } from './objects';
import { isEmpty } from '../../../cli/diff/changes';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

const more = fc.constantFrom<{ readonly annotations?: Record<string, string> }>({}, skip, detach);
const where = fc.constantFrom('shop', 'hub');
const name = fc.constantFrom('a', 'b', 'c');
const tags = fc.dictionary(fc.constantFrom('team', 'x.y', 'secret'), fc.string(), { maxKeys: 2, noNullPrototype: true });

const anything: fc.Arbitrary<KubernetesObject> = fc
  .tuple(fc.nat(8), name, where, more, tags)
  .map(([kind, called, namespaceName, policy, values]) => {
    const rest = { ...policy, namespace: namespaceName };
    switch (kind) {
      case 0:
        return group(called, { tags: values }, rest);
      case 1:
        return account(called, { owner: { name: 'a' }, azureName: called, tags: values }, rest);
      case 2:
        return account(called, { owner: { name: 'b' }, azureName: 'same' }, rest);
      case 3:
        return identity(called, { owner: { name: 'a' }, tags: values }, rest);
      case 4:
        return assignment(
          called,
          {
            owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'a' },
            principalIdFromConfig: { name: 'b-ids', key: 'principalId' },
          },
          rest,
        );
      case 5:
        return federation(called, { owner: { name: 'a' }, subject: JSON.stringify(values) }, rest);
      case 6:
        return credential('aso-credential', values, { namespace: namespaceName });
      case 7:
        return namespace(namespaceName, policy.annotations);
      default:
        return object('v1', 'ConfigMap', called, undefined, { namespace: namespaceName, data: values });
    }
  });

const nameOf = ({ kind, metadata }: KubernetesObject) => [kind, metadata.namespace, metadata.name].join('/');
const synth = fc.uniqueArray(anything, { selector: nameOf, maxLength: 14 });

test('nothing differs from itself, in whatever order', () => {
  const twice = synth.chain((objects) => fc.tuple(fc.constant(objects), fc.shuffledSubarray(objects, { minLength: objects.length })));
  fc.assert(fc.property(twice, ([objects, shuffled]) => {
    expect(isEmpty(changesOf(objects, shuffled))).toBe(true);
    expect(isEmpty(changesOf(objects, JSON.parse(JSON.stringify(objects))))).toBe(true);
  }));
});

test('the order of the objects does not matter', () => {
  const shuffled = (objects: KubernetesObject[]) => fc.shuffledSubarray(objects, { minLength: objects.length });
  fc.assert(
    fc.property(
      fc.tuple(synth, synth).chain(([a, b]) => fc.tuple(fc.constant([a, b]), shuffled(a), shuffled(b))),
      ([[a, b], x, y]) => {
        expect(changesOf(x, y)).toEqual(changesOf(a, b));
      },
    ),
  );
});

test('what comes one way goes the other way', () => {
  fc.assert(
    fc.property(synth, synth, (a, b) => {
      const [there, back] = [changesOf(a, b), changesOf(b, a)];
      const names = (changes: typeof there, fates: string[]) =>
        changes.resources
          .filter(({ fate }) => fates.includes(fate))
          .map(({ kind, namespace: of, name: called }) => `${kind} ${of}/${called}`)
          .sort();
      expect(names(there, ['created', 'watched', 'adopted'])).toEqual(names(back, ['deleted', 'kept']));
      expect(names(there, ['deleted', 'kept'])).toEqual(names(back, ['created', 'watched', 'adopted']));
      expect(there.summary.rolesGranted).toBe(back.roles.filter(({ change }) => ['revoked', 'kept'].includes(change)).length);
      const federations = (changes: typeof there, ...of: string[]) =>
        changes.credentials
          .filter((found) => found.of === 'federation' && of.includes(found.change))
          .map(({ subject }) => subject)
          .sort();
      expect(federations(there, 'added')).toEqual(federations(back, 'removed', 'kept'));
    }),
    { numRuns: 300 },
  );
});

test('every object that differs is reported', () => {
  fc.assert(fc.property(synth, anything, (objects, added) => {
    const without = objects.filter((one) => nameOf(one) !== nameOf(added));
    expect(isEmpty(changesOf(without, [...without, added]))).toBe(false);
    expect(isEmpty(changesOf([...without, added], without))).toBe(false);
  }));
});
