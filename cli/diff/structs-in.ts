import { struct, type Struct } from '../../src/util/records';

/** The objects in a list that may contain anything. */
export function structsIn(list: readonly unknown[]): Struct[] {
  return list.map(struct).filter((element) => element !== undefined);
}
