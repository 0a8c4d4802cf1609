import type { GoType } from '../go/syntax';
import { localName } from '../go/types';
import type { GoPackage } from '../source/go-package';

/** The last field of a path through ARM's types, with the JSON names along the path. */
export interface ArmField {
  readonly path: readonly string[];
  readonly type: GoType;
  /** Whether the field is sent even if it is empty. */
  readonly alwaysSent: boolean;
}

/**
 * The JSON names of a path of Go fields.
 * @throws when a type has no such field
 */
export function armField(arm: GoPackage, root: string, fields: readonly string[]): ArmField {
  let struct = arm.structs.get(root);
  const path: string[] = [];
  let last: ArmField | undefined;
  for (const name of fields) {
    const field = struct?.fields.find((each) => each.name === name);
    if (!field?.tags.json) throw new Error(`ARM's type ${root} has no ${fields.join('.')}`);
    const [json = '', ...options] = field.tags.json.split(',');
    path.push(json);
    last = { path, type: field.type, alwaysSent: !options.includes('omitempty') };
    const inner = localName(field.type);
    struct = inner === undefined ? undefined : arm.structs.get(inner);
  }
  if (!last) throw new Error(`no field of ARM's type ${root}`);
  return last;
}
