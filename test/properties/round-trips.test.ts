import { cameBack } from './came-back';
import { ALL_VERSIONS, forEach, NEWEST, VALUES } from './every-kind';
import { fromArm, toArm } from '../../engine/convert';

test('every kind: what spec and status both have comes back, at whatever depth, when Azure echoes it', () => {
  let compared = 0;
  forEach(ALL_VERSIONS, 3, (version, spec) => {
    const found = cameBack(version, spec, fromArm(version, JSON.parse(JSON.stringify(toArm(version, spec, 'x', VALUES)))));
    compared += found.compared;
    return found.lost;
  });
  expect(compared).toBeGreaterThan(3 * ALL_VERSIONS.length);
});

test('every kind: the same spec gives the same body, whatever the order of its properties, and is not touched', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).reverse().map(([key, inner]) => [key, reversed(inner)]));
  };
  forEach(NEWEST, 3, (version, spec) => {
    const before = JSON.stringify(spec);
    const body = toArm(version, spec, 'x', VALUES);
    const other = toArm(version, reversed(spec) as typeof spec, 'x', VALUES);
    const same = JSON.stringify(sorted(body)) === JSON.stringify(sorted(other));
    return [...(same ? [] : [{ body, other }]), ...(JSON.stringify(spec) === before ? [] : ['the spec was changed'])];
  });
});

/** With the keys in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([key, inner]) => [key, sorted(inner)]);
}
