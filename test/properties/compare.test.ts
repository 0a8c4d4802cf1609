import { changed, disguised, leaves, pointer, turned } from './echoes';
import { ALL_VERSIONS, forEach, NEWEST, VALUES } from './every-kind';
import { bodyShape, compare } from '../../engine/compare';
import { toArm } from '../../engine/convert';

test('every kind: nothing differs from itself', () => {
  forEach(ALL_VERSIONS, 2, (version, spec) => {
    const body = toArm(version, spec, 'x', VALUES);
    return compare(body, JSON.parse(JSON.stringify(body)), bodyShape(version));
  });
});

test('every kind: nothing differs from what Azure makes of it', () => {
  forEach(NEWEST, 5, (version, spec) => {
    const body = toArm(version, spec, 'x', VALUES);
    const answer = disguised(body, bodyShape(version));
    const texts = { body: JSON.stringify(body), answer: JSON.stringify(answer) };
    return compare(body, answer, bodyShape(version)).map((difference) => ({ ...difference, ...texts }));
  });
});

test('every kind: any one value that is changed is found at exactly its path', () => {
  let places = 0;
  forEach(NEWEST, 2, (version, spec) => {
    const shape = bodyShape(version);
    const body = toArm(version, spec, 'x', VALUES);
    return leaves(body, shape).flatMap((leaf) => {
      // The name is that of the URL: it cannot differ.
      if (leaf.place.length === 1 && leaf.place[0] === 'name') return [];
      places += 1;
      const found = compare(body, changed(body, leaf.place), shape).map(({ path }) => path);
      const expected = leaf.secret ? [] : [pointer(leaf)];
      return JSON.stringify(found) === JSON.stringify(expected) ? [] : [{ expected, found, body: JSON.stringify(body) }];
    });
  });
  expect(places).toBeGreaterThan(5 * NEWEST.length);
});

test('every kind: exactly the values of Secrets are not looked at', () => {
  let secrets = 0;
  forEach(ALL_VERSIONS, 3, (version, spec) => {
    const body = toArm(version, spec, 'x', VALUES);
    return leaves(body, bodyShape(version)).flatMap((leaf) => {
      const value: unknown = leaf.place.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], body);
      const isSecret = typeof value === 'string' && value.startsWith('<secret:');
      secrets += Number(isSecret);
      return isSecret === leaf.secret ? [] : [{ path: pointer(leaf), value, secret: leaf.secret }];
    });
  });
  expect(secrets).toBeGreaterThan(20);
});

test('every kind: elements of an ordered list in another order are found, those of other lists are not', () => {
  const count = { ordered: 0, other: 0 };
  forEach(ALL_VERSIONS, 2, (version, spec) => {
    const shape = bodyShape(version);
    const body = toArm(version, spec, 'x', VALUES);
    return turned(body, shape).flatMap(({ answer, ordered }) => {
      count[ordered ? 'ordered' : 'other'] += 1;
      const found = compare(body, answer, shape).length > 0;
      return found === ordered ? [] : [{ ordered, body: JSON.stringify(body), answer: JSON.stringify(answer) }];
    });
  });
  expect(count.ordered).toBeGreaterThan(0);
  expect(count.other).toBeGreaterThan(50);
});
