import { type Reference, TABLES } from './rows';
import { World } from '../reconcile/harness';

type Check = () => unknown;

/** Declares the test of a row: which row, what is seen, and the check. Several checks of a row are several tests. */
export type Row<R extends Reference> = (name: (typeof TABLES)[R][number], what: string, check: Check) => void;

/**
 * The tests of one table of a reference. Titles begin with the reference and the number of the row; `(better: …)` in a title says where this
 * controller differs from Azure Service Operator on purpose. A row without a test fails.
 */
export function table<R extends Reference>(reference: R, define: (row: Row<R>) => void): void {
  const rows: readonly string[] = TABLES[reference];
  const tested = new Set<string>();
  describe(reference, () => {
    define((name, what, check) => {
      tested.add(name);
      test(`${reference} row ${rows.indexOf(name) + 1}: ${name}: ${what}`, async () => void (await check()));
    });
    test(`${reference}: each of the ${rows.length} rows has a test`, () => {
      expect([...tested].sort()).toEqual([...rows].sort());
      process.stdout.write(`${reference}: ${rows.length} rows tested\n`);
    });
  });
}

/** A world for one check, with no controller left behind and nothing gone wrong in the queue but what the check took out of `errors`. */
export function inWorld(check: (world: World) => Promise<unknown>): Check {
  return async () => {
    const world = new World();
    try {
      await check(world);
    } finally {
      await world.kill();
    }
    expect(world.errors).toEqual([]);
  };
}
