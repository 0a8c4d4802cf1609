import { ChangeDecider, foreseen, type Position } from '../../../runtime/shards/decide';
import type { Phase, Publication, ShardCount } from '../../../runtime/shards/publication';
import type { LiveMember } from '../../../runtime/shards/roster';

function publication(phase: Phase, members: string[] = [], shards: ShardCount = 'auto', wantsSplit: string[] = []): Publication {
  return { phase, view: { members, split: [] }, wantsSplit, shards, version: '1.0.0' };
}
const self = (published: Publication, acquireTime = '2'): Position => ({ member: 'me', acquireTime, published });
const other = (member: string, acquireTime: string, published: Publication): LiveMember => (
  { member, acquireTime, publication: published, isSuspect: false }
);
/** The change after the debounce. */
function decided(position: Position, others: LiveMember[]) {
  const decider = new ChangeDecider();
  return decider.decide(position, others, 0) ?? decider.decide(position, others, 1_000);
}

test('alone: prepares for everything, then is active', () => {
  expect(decided(self(publication('joining')), [])).toEqual({
    publication: publication('active', ['me']), prepare: { members: ['me'], split: [] },
  });
});

test('who joins counts those who join too; who is active does not yet', () => {
  const joining = other('b', '3', publication('joining'));
  expect(decided(self(publication('joining')), [joining])?.prepare?.members).toEqual(['b', 'me']);
  expect(decided(self(publication('active', ['me'])), [joining])).toBeUndefined();
  const active = other('b', '3', publication('active', ['b', 'me']));
  expect(decided(self(publication('active', ['me'])), [active])?.publication.view.members).toEqual(['b', 'me']);
});

test('changes within a second are one change', () => {
  const decider = new ChangeDecider();
  const position = self(publication('active', ['me']));
  const active = ['b', 'c'].map((name) => other(name, '3', publication('active', [name])));
  expect(decider.decide(position, active.slice(0, 1), 0)).toBeUndefined();
  expect(decider.isUnsettled(position, [])).toBe(true);
  expect(decider.decide(position, active, 999)).toBeUndefined();
  expect(decider.decide(position, active, 1_000)?.prepare?.members).toEqual(['b', 'c', 'me']);
});

test('a member that leaves is counted no more', () => {
  const change = decided(self(publication('active', ['b', 'me'])), [other('b', '1', publication('leaving', ['b', 'me']))]);
  expect(change?.publication.view.members).toEqual(['me']);
});

test('a member whose Lease was deleted stays in the view while it may act; it does not come into one', () => {
  const position = self(publication('active', ['b', 'c', 'me']));
  const decider = new ChangeDecider();
  const others = [other('b', '1', publication('active', ['b', 'c', 'me']))];
  expect(decider.decide(position, others, 0, ['c', 'd'])).toBeUndefined();
  expect(decider.isUnsettled(position, others)).toBe(false);
});

describe('a member that seems to be gone', () => {
  const position = self(publication('active', ['b', 'me']));
  const gone = { ...other('b', '1', publication('active', ['b', 'me'])), isSuspect: true };

  test('stays in the view as long as it may act, and the next list comes soon', () => {
    const decider = new ChangeDecider();
    expect([decider.decide(position, [gone], 0), decider.decide(position, [gone], 5_000)]).toEqual([undefined, undefined]);
    expect(decider.isUnsettled(position, [gone])).toBe(true);
  });

  test('is not in the view that is foreseen', () => {
    expect(foreseen(position, [gone], [])).toEqual({ members: ['me'], split: [] });
    expect(foreseen(position, [{ ...gone, isSuspect: false }], [])).toBeUndefined();
    expect(foreseen(self(publication('joining')), [gone], [])).toBeUndefined();
  });

  test('what it wanted to split is not split in that view', () => {
    const splits = { ...gone, publication: publication('active', ['b', 'me'], 'auto', ['hot']) };
    const published = { ...position.published, view: { members: ['b', 'me'], split: ['hot'] } };
    expect(foreseen({ ...position, published }, [splits], [])).toEqual({ members: ['me'], split: [] });
  });
});

describe('shards: N', () => {
  const first = other('b', '1', publication('active', ['b'], 1));

  test.each<[ShardCount, string, Phase, Phase | undefined]>([
    [1, '2', 'standby', undefined],
    [2, '2', 'standby', 'joining'],
    [1, '0', 'standby', 'joining'],
    [1, '2', 'active', 'standby'],
    [1, '2', 'joining', 'standby'],
    ['auto', '2', 'standby', 'joining'],
  ])('%s, come at %s, %s: then %s', (shards, acquireTime, phase, next) => {
    const members = phase === 'active' ? ['me'] : [];
    expect(decided(self(publication(phase, members, shards), acquireTime), [first])?.publication.phase).toBe(next);
  });

  test('who stands by claims nothing, and gives up what it had before it says so', () => {
    expect(decided(self(publication('active', ['me'], 1)), [first])).toEqual({
      publication: publication('standby', [], 1), prepare: { members: [], split: [] },
    });
  });

  test('of two that came at one time, the first by name', () => {
    const twin = other('a', '2', publication('joining', [], 1));
    expect(decided(self(publication('joining', [], 1)), [twin])?.publication.phase).toBe('standby');
  });
});

test('a namespace that any member wants to split is split', () => {
  const hot = other('b', '3', publication('active', ['b', 'me'], 'auto', ['hot']));
  expect(decided(self(publication('active', ['b', 'me'], 'auto', ['warm'])), [hot])?.publication.view.split).toEqual(['hot', 'warm']);
});

test('more than 100 replicas: the others stand by', () => {
  const many = Array.from({ length: 100 }, (_, index) => other(`m${index}`, '1', publication('active')));
  expect(decided(self(publication('joining')), many)?.publication.phase).toBe('standby');
});

test('another wish to split is published, and the host is prepared only where the view changes by it', () => {
  const published = publication('active', ['b', 'me']);
  const others = [other('b', '3', publication('active', ['b', 'me']))];
  expect(decided({ ...self(published), wantsSplit: ['hot'] }, others)).toEqual({
    publication: { ...published, view: { members: ['b', 'me'], split: ['hot'] }, wantsSplit: ['hot'] },
    prepare: { members: ['b', 'me'], split: ['hot'] },
  });
  // The other one wants it still.
  const split: Publication = { ...published, view: { members: ['b', 'me'], split: ['hot'] }, wantsSplit: ['hot'] };
  const wanting = [other('b', '3', split)];
  expect(decided({ ...self(split), wantsSplit: [] }, wanting)).toEqual({ publication: { ...split, wantsSplit: [] } });
  expect(decided({ ...self(split), wantsSplit: ['hot'] }, wanting)).toBeUndefined();
});
