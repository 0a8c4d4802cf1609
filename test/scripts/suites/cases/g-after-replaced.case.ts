import { plural } from '../../../../src/util/words';

test('and no other', () => expect(plural.toString()).not.toContain('replaced'));
