import { namedBy, writerOf } from './named-objects';
import type { ObjectSet } from './object-set';
import { ofSet, type FoundAt } from './rule';
import { titleOf, type AzureObject, type SetObject } from './set-object';
import { elementAt } from '../../util/elements';
import { cyclesOf } from '../graph/cycles';

/** Owners, references or values form a cycle. */
export const cycle = ofSet(ownerCycles);

interface Wait {
  readonly field: string;
  /** Position among the Azure objects of the set. */
  readonly target: number;
}

/** The objects of the set that an object waits for: its owner, referenced objects, and the writers of the values that it reads. */
function waitsOf(object: AzureObject, set: ObjectSet, positions: ReadonlyMap<SetObject, number>): Wait[] {
  const { owner, references, reads } = object.facts;
  if (references.length + reads.length > 0) {
    return namedBy(object).flatMap((named) => {
      const found = set.find(named.group, named.kind, object.namespace, named.name) ?? writerOf(object, named, set);
      const target = found && positions.get(found);
      return target === undefined ? [] : [{ field: named.field, target }];
    });
  }
  // Most objects wait for their owner only.
  const target = owner && set.ownerOf(object);
  return target ? [{ field: `${owner.path}.name`, target: positions.get(target)! }] : [];
}

function ownerCycles(set: ObjectSet): FoundAt[] {
  const positions = new Map<SetObject, number>(set.azure.map((object, position) => [object, position]));
  const objectAt = (position: number) => elementAt(set.azure, position);
  return cyclesOf(set.azure.length, (at) => waitsOf(objectAt(at), set, positions), ({ target }) => target).map((steps): FoundAt => {
    const { at, edge: { field } } = elementAt(steps, 0);
    const object = objectAt(at);
    if (steps.length === 1) {
      return {
        object,
        field,
        message: 'the resource refers to itself, and would wait for itself for ever',
        fix: 'refer to another one, or by ARM id',
      };
    }
    const way = steps.map((step) => `${titleOf(objectAt(step.at))} (${objectAt(step.at).fieldName(step.edge.field)})`).join(' → ');
    return {
      object,
      field,
      message: `these resources wait for each other: ${way} → ${titleOf(object)}`,
      fix: 'take one of the references out, or give it by ARM id',
    };
  });
}
