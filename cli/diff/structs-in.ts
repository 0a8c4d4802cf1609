import { struct, type Struct } from '../../src/core/rules/values';

/** The objects in a list that may contain anything. */
export function structsIn(list: readonly unknown[]): Struct[] {
  return list.map(struct).filter((element) => element !== undefined);
}
