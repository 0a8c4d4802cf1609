import type { View } from '../../../runtime/shards';
import { Claims } from '../../../runtime/shards/claims';
import type { Publication } from '../../../runtime/shards/publication';

const RIVALS = [{ member: 'b', view: { members: ['b'], split: [] } }];
const viewOf = (...members: string[]): View => ({ members, split: [] });
const publish = (view: View): Publication => ({ phase: 'active', view, wantsSplit: [], shards: 'auto', version: '1' });
let claims: Claims;
beforeEach(() => (claims = new Claims()));

/** The proof of a list that is requested now and answered after `act`. */
function provenAround(act: () => void) {
  const { serial } = claims;
  act();
  claims.prove(serial, RIVALS);
  return claims.snapshot().proofs;
}

const [FIRST, SECOND] = [publish(viewOf('a')), publish(viewOf('a', 'c'))];

// Another member may have listed, claimed and listed again before it could see the new view: only a list from after that shows its claim.
describe('a list that was requested before the view was acknowledged', () => {
  test('proves nothing of it when it is answered after that', () => {
    claims.sending(FIRST);
    expect(provenAround(() => claims.acknowledged(FIRST))).toEqual([]);
    expect(provenAround(() => undefined)).toEqual([{ views: [FIRST.view], rivals: RIVALS }]);
  });

  test('nor before the view is sent', () => {
    claims.sending(FIRST);
    claims.acknowledged(FIRST);
    expect(provenAround(() => {
      claims.sending(SECOND);
      claims.acknowledged(SECOND);
    })).toEqual([]);
  });

  test('nor where the publication says the same again after a write without an answer', () => {
    claims.sending(FIRST);
    claims.acknowledged(FIRST);
    claims.sending(SECOND);
    expect(provenAround(() => claims.acknowledged(FIRST))).toEqual([]);
    expect(claims.snapshot().views).toEqual([FIRST.view]);
  });
});

test('a list around a renewal that changes nothing proves the view', () => {
  claims.sending(FIRST);
  claims.acknowledged(FIRST);
  expect(provenAround(() => {
    claims.sending(FIRST);
    claims.acknowledged(FIRST);
  })).toEqual([{ views: [FIRST.view], rivals: RIVALS }]);
});

test('a view that is sent weakens earlier proofs, until nobody can see it any more', () => {
  claims.sending(FIRST);
  claims.acknowledged(FIRST);
  claims.prove(claims.serial, RIVALS);
  claims.sending(SECOND);
  expect(claims.snapshot()).toEqual({ views: [FIRST.view, SECOND.view], proofs: [{ views: [FIRST.view, SECOND.view], rivals: RIVALS }] });
});

test('a process that others may have taken for dead has no proof, and a list from before proves none', () => {
  claims.sending(FIRST);
  claims.acknowledged(FIRST);
  claims.prove(claims.serial, RIVALS);
  expect(provenAround(() => claims.forget())).toEqual([]);
});
