import fc from 'fast-check';
import { assertions } from '../../src';

const { Capture, Match, Matcher, Template } = assertions;

const of = (spec: unknown) => Template.fromObjects([{ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'thing' }, spec }]);
const fits = (spec: unknown, pattern: unknown): boolean => of(spec).findResources('Thing', { spec: pattern }).length === 1;

/** Path, want and got of each difference. */
const differences = (spec: unknown, pattern: unknown): string[] => {
  try {
    of(spec).hasResource('Thing', { spec: pattern });
  } catch (error) {
    return (error as Error).message.split('\n\n').slice(1, -2).map((text) => text.trim().replace(/\n {4}/g, ' | '));
  }
  return [];
};

describe('literals', () => {
  test('lists are meant whole, the objects in them are partial', () => {
    expect(fits({ list: [{ a: 1, b: 2 }] }, { list: [{ a: 1 }] })).toBe(true);
    expect(differences({ list: [{ a: 1 }, { a: 2 }] }, { list: [{ a: 1 }] })).toEqual([
      'spec.list[1] | want: nothing: a list of 1 | got:  { a: 2 }',
    ]);
    expect(differences({ list: [1] }, { list: [1, 2] })).toEqual(['spec.list[1] | want: 2 | got:  nothing']);
    expect(differences({ list: 'x' }, { list: [1] })).toEqual(["spec.list | want: [1] | got:  'x'"]);
  });

  test('null and undefined are not the same', () => {
    expect(fits({ a: null }, { a: null })).toBe(true);
    expect(fits({ a: null }, { a: undefined })).toBe(false);
    expect(fits({}, { a: undefined })).toBe(true);
    expect(fits({}, { a: null })).toBe(false);
  });

  test('what an object inherits is not its property', () => {
    expect(fits({}, { constructor: Match.anyValue() })).toBe(false);
    expect(fits({}, { toString: Match.absent() })).toBe(true);
  });
});

test('objectLike is partial even inside exact', () => {
  expect(fits({ a: { b: 1, c: 2 } }, Match.exact({ a: Match.objectLike({ b: 1 }) }))).toBe(true);
  expect(fits({ a: { b: 1, c: 2 } }, Match.objectLike({ a: { b: 1 } }))).toBe(true);
});

test('exact allows no more', () => {
  expect(fits({ a: { b: 1 } }, Match.exact({ a: { b: 1 } }))).toBe(true);
  expect(differences({ a: { b: 1, c: 2 } }, Match.exact({ a: { b: 1 } }))).toEqual([
    'spec.a.c | want: nothing (the object is compared whole here; Match.objectLike allows for more) | got:  2',
  ]);
});

describe('arrayWith', () => {
  const list = [{ name: 'A', value: '1' }, { name: 'B', value: '2' }, { name: 'C', value: '3' }];

  test('some elements, in their order', () => {
    expect(fits({ list }, { list: Match.arrayWith([list[0], list[2]]) })).toBe(true);
    expect(fits({ list }, { list: Match.arrayWith([]) })).toBe(true);
    expect(fits({ list }, { list: Match.arrayWith([Match.objectLike({ name: 'B' })]) })).toBe(true);
    expect(fits({ list: [1, 2, 1] }, { list: Match.arrayWith([1, 1]) })).toBe(true);
    expect(fits({ list: [1, 2] }, { list: Match.arrayWith([1, 1]) })).toBe(false);
  });

  test('shows the closest element', () => {
    expect(differences({ list }, { list: Match.arrayWith([Match.objectLike({ name: 'B', value: '9' })]) })).toEqual([
      "spec.list[1].value   ([1] comes closest to the element that arrayWith wants) | want: '9' | got:  '2'",
    ]);
  });

  test('elements are whole objects', () => {
    expect(differences({ list }, { list: Match.arrayWith([{ name: 'B' }]) })).toEqual([
      "spec.list[1].value   ([1] comes closest to the element that arrayWith wants) | want: nothing (the object is compared whole here; Match.objectLike allows for more) | got:  '2'",
    ]);
  });

  test('says when the order is wrong, or nothing is like it', () => {
    expect(differences({ list }, { list: Match.arrayWith([list[1], list[0]]) })).toEqual([
      "spec.list | want: an element { name: 'A', value: '1' } after [1] | got:  it at [0]; arrayWith wants its elements in their order, each once",
    ]);
    expect(differences({ list: [1, 2] }, { list: Match.arrayWith([3]) })).toEqual([
      'spec.list | want: an element 3 | got:  none such among 2',
    ]);
    expect(differences({ list: [] }, { list: Match.arrayWith([3]) })).toEqual(['spec.list | want: an element 3 | got:  an empty list']);
    expect(differences({}, { list: Match.arrayWith([3]) })).toEqual(['spec.list | want: a list with [3] | got:  nothing']);
  });

  test('finds every subsequence, and nothing else', () => {
    const subsequence = (part: number[], whole: number[]) =>
      whole.reduce((rest, each) => (rest.length > 0 && rest[0] === each ? rest.slice(1) : rest), part).length === 0;
    const small = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 6 });
    fc.assert(fc.property(small, small, (part, whole) => fits({ whole }, { whole: Match.arrayWith(part) }) === subsequence(part, whole)));
  });
});

test('absent and anyValue', () => {
  expect(fits({}, { a: Match.absent() })).toBe(true);
  expect(fits({ a: null }, { a: Match.absent() })).toBe(false);
  expect(fits({ a: false }, { a: Match.anyValue() })).toBe(true);
  expect(fits({ a: null }, { a: Match.anyValue() })).toBe(false);
  expect(differences({}, { a: Match.anyValue() })).toEqual(['spec.a | want: any value | got:  nothing']);
  expect(differences({ a: 0 }, { a: Match.absent() })).toEqual(['spec.a | want: nothing | got:  0']);
});

test('stringLikeRegexp', () => {
  expect(fits({ a: 'uksouth' }, { a: Match.stringLikeRegexp('^uk') })).toBe(true);
  expect(differences({ a: 5 }, { a: Match.stringLikeRegexp('5') })).toEqual(['spec.a | want: a text like /5/ | got:  5']);
  expect(() => Match.stringLikeRegexp('(')).toThrow("Match.stringLikeRegexp: '(' is no regular expression");
});

test('not', () => {
  expect(fits({ a: 1 }, { a: Match.not(2) })).toBe(true);
  expect(fits({ a: { b: 1, c: 1 } }, { a: Match.not({ b: 1 }) })).toBe(true);
  expect(differences({ a: 1 }, { a: Match.not(1) })).toEqual(['spec.a | want: not 1 | got:  1']);
  expect(fits({}, { a: Match.not(Match.absent()) })).toBe(false);
});

describe('laws', () => {
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

  test('a value is exactly itself, like itself, and not not itself', () => {
    fc.assert(fc.property(json, (value) => fits({ value }, Match.exact({ value })) && fits({ value }, { value })));
    fc.assert(fc.property(json, (value) => !fits({ value }, { value: Match.not(value) })));
  });

  test('exact is equality', () => {
    const same = (a: unknown, b: unknown) => { try { expect(a).toStrictEqual(b); return true; } catch { return false; } };
    const tiny = fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    fc.assert(fc.property(tiny, tiny, (a, b) => fits({ value: a }, { value: Match.exact(b) }) === same(a, b)));
  });

  test('what an error says differs, does', () => {
    const agree = (value: unknown, pattern: unknown) => (differences({ value }, pattern).length === 0) === fits({ value }, pattern);
    fc.assert(fc.property(json, json, (a, b) => agree(a, { value: Match.exact(b) })));
  });
});

describe('Capture', () => {
  test('takes the value of each object that matches as a whole', () => {
    const capture = new Capture();
    const things = [
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ].map(([name, size]) => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name }, spec: { size } }));
    Template.fromObjects(things).hasResource('Thing', { metadata: { name: capture }, spec: { size: 1 } });
    expect(capture.asString()).toBe('a');
    expect(capture.next()).toBe(true);
    expect(capture.asString()).toBe('c');
    expect(capture.next()).toBe(false);
    expect(capture.asString()).toBe('c');
  });

  test('of every type, and only of that type', () => {
    const [text, number, boolean, list, object] = Array.from({ length: 5 }, () => new Capture());
    of({ text: 'x', number: 5, boolean: false, list: [1], object: { a: 1 } }).hasResource('Thing', {
      spec: { text, number, boolean, list, object },
    });
    expect([text!.asString(), number!.asNumber(), boolean!.asBoolean(), list!.asArray(), object!.asObject()]).toEqual([
      'x',
      5,
      false,
      [1],
      { a: 1 },
    ]);
    expect(() => number!.asString()).toThrow('The captured value is not a string: 5.');
    expect(() => list!.asObject()).toThrow('The captured value is not an object: [1].');
  });

  test('nothing', () => {
    const capture = new Capture();
    expect(() => capture.asString()).toThrow('Nothing was captured');
    expect(differences({}, { a: capture })).toEqual(['spec.a | want: any value (to be captured) | got:  nothing']);
    expect(() => capture.asString()).toThrow('Nothing was captured');
  });

  test('only what is like the pattern', () => {
    const capture = new Capture(Match.stringLikeRegexp('^b'));
    of({ list: ['a', 'b1', 'b2'] }).hasResource('Thing', { spec: { list: Match.arrayWith([capture]) } });
    expect(capture.asString()).toBe('b1');
    expect(differences({ a: 'c' }, { a: new Capture('b') })).toEqual(["spec.a | want: 'b' | got:  'c'"]);
  });
});

test('matchers are known as such', () => {
  expect(Matcher.isMatcher(Match.absent())).toBe(true);
  expect([{}, null, 'x', undefined].map((value) => Matcher.isMatcher(value))).toEqual([false, false, false, false]);
});
