import { NEWEST } from './every-kind';
import { ownedObject, SURROUNDINGS } from './owned-object';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { armIdOf, ResolutionError, versionOf } from '../../engine/resolve';
import { armIdProblem, armTypeOf } from '../../src/azure/arm-id';
import { lookupOf, SUBSCRIPTION } from '../engine/resolve/objects';

const objectsOf = (version: (typeof NEWEST)[number], change: (object: KubernetesObject) => KubernetesObject = (object) => object) => {
  const objects = [...SURROUNDINGS, ...ownedObject(version, 'k1x', 7)] as KubernetesObject[];
  return [...objects.slice(0, -1), change(objects.at(-1)!)];
};
const idOf = (objects: KubernetesObject[]) => armIdOf(objects.at(-1)!, versionOf(objects.at(-1)!)!, lookupOf(...objects), SUBSCRIPTION);

test('the id of every kind is of the type of its kind: what an annotation holds is measured by it', () => {
  const wrong = NEWEST.flatMap((version) => {
    const id = idOf(objectsOf(version));
    return armTypeOf(id)?.toLowerCase() === version.facts.arm!.type.toLowerCase() && armIdProblem(id) === undefined
      ? []
      : [`${version.kind.kind}: ${id}`];
  });
  expect(wrong).toEqual([]);
});

test('no kind takes a name that would change the resource of its request', () => {
  const named = NEWEST.filter((version) => typeof version.facts.name !== 'object');
  const taken = named.flatMap((version) => ['%2e%2e', '..', 'a/b', '<a/../..>', '<a>%2f', 'a?b', '\u202ea', ' '].filter((azureName) => {
    const objects = objectsOf(version, (object) => ({ ...object, spec: { ...object.spec, azureName } }));
    try {
      idOf(objects);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(ResolutionError);
      expect(error).toMatchObject({ reason: 'Failed', severity: 'Error' });
      return false;
    }
  }).map((azureName) => `${version.kind.kind} ${JSON.stringify(azureName)}`));
  expect(taken).toEqual([]);
});
