/** No difference. */
const NONE = '[]';

/**
 * The referee of comparisons of lists: tries all pairings, and says how few wanted elements have no equal partner. Undefined where there is
 * no pairing.
 * @param table a row for each wanted element: its differences from each element of the other list, and last its differences where it has
 * none
 * @param required how each wanted element has to differ; default: in any way
 */
export function fewestUnequal(table: readonly (readonly string[])[], required?: readonly string[]): number | undefined {
  return fewestFrom(0, new Set(), table, required);
}

/** An element goes without a partner only where the other list is too short. */
function fewestFrom(
  item: number,
  taken: ReadonlySet<number>,
  table: readonly (readonly string[])[],
  required?: readonly string[],
): number | undefined {
  if (item === table.length) return 0;
  const without = table[item]!.length - 1;
  const isSpare = table.length - item > without - taken.size;
  const places = [...table[item]!.keys()].filter((place) => (place === without ? isSpare : !taken.has(place)));
  const sums = places.filter((place) => required === undefined || table[item]![place] === required[item]).flatMap((place) => {
    const rest = fewestFrom(item + 1, place === without ? taken : new Set([...taken, place]), table, required);
    return rest === undefined ? [] : [rest + (place !== without && table[item]![place] === NONE ? 0 : 1)];
  });
  return sums.length === 0 ? undefined : Math.min(...sums);
}
