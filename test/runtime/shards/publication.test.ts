import fc from 'fast-check';
import { MAX_MEMBERS, parsePublication, publicationText, type Publication } from '../../../runtime/shards/publication';

const publication: Publication = {
  phase: 'active', view: { members: ['a', 'b'], split: ['hot'] }, wantsSplit: ['hot'], shards: 'auto', version: '1.2.3',
};
const changed = (change: Record<string, unknown>) => JSON.stringify({ ...JSON.parse(publicationText(publication)) as object, ...change });

test('what is published is understood, and sorted', () => {
  expect(parsePublication(publicationText(publication))).toEqual(publication);
  expect(parsePublication(changed({ members: ['b', 'a', 'b'] }))?.view.members).toEqual(['a', 'b']);
  expect(parsePublication(changed({ added: 'by a later release' }))).toEqual(publication);
});

test.each<[string, string | undefined]>([
  ['no annotation', undefined],
  ['no JSON', '{'],
  ['a list', '[]'],
  ['another protocol', changed({ protocol: 2 })],
  ['an unknown phase', changed({ phase: 'dancing' })],
  ['members that are no list', changed({ members: 'a' })],
  ['a member that is no text', changed({ members: [1] })],
  ['a member without a name', changed({ members: [''] })],
  ['a name that is too long', changed({ members: ['a'.repeat(254)] })],
  ['too many members', changed({ members: Array.from({ length: MAX_MEMBERS + 1 }, (_, index) => `m${index}`) })],
  ['no shards', changed({ shards: 0 })],
  ['too long', changed({ version: 'x'.repeat(70_000) })],
])('%s: not understood', (_, text) => {
  expect(parsePublication(text)).toBeUndefined();
});

test('no text is an error', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
    expect(parsePublication(text)).toBeUndefined();
  }));
});
