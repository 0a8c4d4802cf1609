import * as fc from 'fast-check';
import { GrantList } from '../../../src/core/credentials/scopes/grants';
import { covers, Place } from '../../../src/core/credentials/scopes/places';

const S = '11111111-2222-3333-4444-555555555555';
const whole = (id: string): Place => ({ id, whole: true });

test.each([
  ['/subscriptions/a', '/subscriptions/a/resourcegroups/b', true],
  ['/subscriptions/a/resourcegroups/b', '/subscriptions/a/resourcegroups/b', true],
  ['/subscriptions/a/resourcegroups/b', '/subscriptions/a/resourcegroups/bc', false],
  ['/subscriptions/a/resourcegroups/b', '/subscriptions/a', false],
  ['', '/subscriptions/a', true],
  ['/providers/microsoft.management/managementgroups/m', '/subscriptions/a', true],
  ['/subscriptions/?x/resourcegroups/b', '/subscriptions/?x/resourcegroups/b/providers/p', true],
  ['/subscriptions/?x/resourcegroups/b', '/subscriptions/a/resourcegroups/b', undefined],
  ['/subscriptions/?x/resourcegroups/b', '/subscriptions/a/resourcegroups/c', false],
])('what is given in %s is given in %s: %s', (scope, place, given) => expect(covers(whole(scope), whole(place))).toBe(given));

test('of a place of which only the beginning is known', () => {
  const place = { id: '/subscriptions/a', whole: false };
  expect(covers(whole('/subscriptions/a'), place)).toBe(true);
  expect(covers(whole('/subscriptions/a/resourcegroups/b'), place)).toBeUndefined();
  expect(covers(whole('/subscriptions/b'), place)).toBe(false);
});

test('a list of grants leaves out none that counts in a place, or may', () => {
  const part = fc.constantFrom('a', 'b', 'ab', '?x');
  const id = fc
    .array(part, { maxLength: 3 })
    .map((parts) => parts.map((name, index) => (index === 0 ? `/subscriptions/${name}` : `/${name}`)).join(''));
  const place = fc.record({ id: fc.oneof(id, fc.constant('/providers/microsoft.management/managementgroups/m')), whole: fc.boolean() });
  fc.assert(fc.property(fc.array(place, { maxLength: 8 }), place, (scopes, at) => {
    const list = new GrantList();
    scopes.forEach((scope, index) => list.add({ role: String(index), scope, givenBy: S, conditional: false }));
    const found = new Set(list.at(at).map(({ role }) => role));
    scopes.forEach((scope, index) => {
      if (covers(scope, at) !== false) expect(found).toContain(String(index));
    });
    expect(list.all).toHaveLength(scopes.length);
  }), { numRuns: 500 });
});
