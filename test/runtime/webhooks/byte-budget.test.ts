import { ByteBudget, ByteReservation } from '../../../runtime/webhooks/byte-budget';

const budget = new ByteBudget(10);
const holding = (bytes: number) => {
  const reservation = new ByteReservation(budget);
  return { reservation, has: reservation.grow(bytes) };
};
/** A client that lets its request wait for two seconds. */
const slow = (reservation: ByteReservation) => {
  const ended = jest.fn();
  const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() - 2_000);
  reservation.waitsForClient(ended);
  now.mockRestore();
  return ended;
};

test('as many bytes as there are, and those of a request that has ended again', () => {
  const [first, second] = [holding(6), holding(6)];
  expect([first.has, second.has]).toEqual([true, false]);
  first.reservation.release();
  expect(second.reservation.grow(10)).toBe(true);
  second.reservation.release();
});

test('a request whose client is slow makes room, and gets none any more', () => {
  const { reservation } = holding(6);
  const ended = slow(reservation);
  const other = holding(6);
  expect([other.has, reservation.grow(1)]).toEqual([true, false]);
  expect(ended).toHaveBeenCalledTimes(1);
  other.reservation.release();
});

test('one that is worked on, or has just begun to wait, keeps its room', () => {
  const { reservation } = holding(6);
  slow(reservation);
  reservation.isWorkedOn();
  expect(holding(6).has).toBe(false);
  reservation.waitsForClient(() => undefined);
  expect(holding(6).has).toBe(false);
  reservation.release();
});

test('a slow client does not make room for itself', () => {
  const { reservation } = holding(6);
  const ended = slow(reservation);
  expect(reservation.grow(6)).toBe(false);
  expect(ended).not.toHaveBeenCalled();
  reservation.release();
  expect(holding(10).has).toBe(true);
});
