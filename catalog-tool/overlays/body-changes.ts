import type { BodyChangeOverlay } from './overlays';
import type { BodyChange, BodyShape } from '../../src/catalog';
import type { GoType } from '../go/syntax';
import { jsonName } from '../go/tags';
import { pointed } from '../go/types';
import type { GoPackage } from '../source/go-package';

const KEEPS_CHILDREN: readonly BodyChange['how'][] = ['keepExisting', 'mergeByName'];

/**
 * The changes of a version's body.
 * @param root ARM's type of the body
 * @throws when the body lacks the path of a change
 */
export function bodyChanges(overlays: readonly BodyChangeOverlay[], root: string, arm: GoPackage): BodyChange[] {
  return overlays.map(({ arm: place, how }) => {
    const type = typeAt(root, place, arm);
    return { arm: place, how, ...(KEEPS_CHILDREN.includes(how) ? { shape: shapeOf(type, arm, []) as BodyShape } : {}) };
  });
}

function typeAt(root: string, place: string, arm: GoPackage): GoType {
  let type: GoType = { is: 'name', name: root };
  for (const segment of place.split('/')) {
    const struct = type.is === 'name' ? arm.structs.get(type.name) : undefined;
    const field = struct?.fields.find(({ tags }) => jsonName(tags) === segment);
    if (!field) throw new Error(`overlays/body-changes.yaml names ${place}, which the body does not have`);
    type = pointed(field.type);
  }
  return type;
}

/** The properties that a request may keep of an existing element, nested; `1` for a value without properties. */
function shapeOf(type: GoType, arm: GoPackage, above: readonly string[]): 1 | BodyShape {
  const bare = pointed(type);
  if (bare.is === 'slice') return shapeOf(bare.of, arm, above);
  const struct = bare.is === 'name' && bare.package === undefined && !above.includes(bare.name) ? arm.structs.get(bare.name) : undefined;
  if (!struct) return 1;
  return Object.fromEntries(struct.fields.flatMap(({ tags, type: inner }) => {
    const name = jsonName(tags);
    return name === undefined ? [] : [[name, shapeOf(inner, arm, [...above, struct.name])]];
  }));
}
