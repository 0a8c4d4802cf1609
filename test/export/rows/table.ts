type Check = () => unknown;

/** Declares the test of a row: which row, what is seen, and the check. Several checks of a row are several tests. */
export type Row<Name extends string> = (name: Name, what: string, check: Check) => void;

/**
 * The tests of one table of a reference. Titles begin with the reference and the number of the row; `(better: …)` in a title says where this
 * controller differs from Azure Service Operator on purpose. A row without a test fails.
 */
export function table<const Rows extends readonly string[]>(reference: string, rows: Rows, define: (row: Row<Rows[number]>) => void): void {
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
