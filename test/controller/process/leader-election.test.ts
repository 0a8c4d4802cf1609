import { LeaderElection } from '../../../controller/process/leader-election';
import { LEASE_NAME, type Leadership } from '../../../runtime/leader';

/** A leadership that the test ends. */
function leadershipOf() {
  const lost = new AbortController();
  const release = jest.fn(async () => undefined);
  const leadership: Leadership = {
    lost: lost.signal,
    get isCurrent() {
      return !lost.signal.aborted;
    },
    release,
  };
  return { lost, release, supervision: { lead: jest.fn(async () => leadership) } };
}

const electionOf = (isEnabled: boolean) => {
  const leading = jest.fn<void, [string, boolean]>();
  return { election: new LeaderElection(isEnabled, { leading }), reported: () => leading.mock.calls };
};
const { signal } = new AbortController();

test('without an election the process may write at once, and asks for no Lease', async () => {
  const { election, reported } = electionOf(false);
  const { supervision } = leadershipOf();
  expect(election.mayWrite).toBe(true);
  await election.lead(supervision, signal);
  expect(supervision.lead).not.toHaveBeenCalled();
  expect(election.lost).toBeUndefined();
  expect(reported()).toEqual([]);
});

test('with an election the process may write while it leads', async () => {
  const { election, reported } = electionOf(true);
  const { supervision, lost } = leadershipOf();
  expect(election.mayWrite).toBe(false);
  await election.lead(supervision, signal);
  expect(election.mayWrite).toBe(true);
  expect(reported()).toEqual([[LEASE_NAME, false], [LEASE_NAME, true]]);
  lost.abort();
  expect(election.mayWrite).toBe(false);
  expect(election.lost?.aborted).toBe(true);
  expect(reported().at(-1)).toEqual([LEASE_NAME, false]);
});

test('the Lease is released, and the metric says so', async () => {
  const { election, reported } = electionOf(true);
  const { supervision, release } = leadershipOf();
  await election.lead(supervision, signal);
  await election.release();
  expect(release).toHaveBeenCalledTimes(1);
  expect(reported().at(-1)).toEqual([LEASE_NAME, false]);
});

test('a process that has never led can end', async () => {
  const { election, reported } = electionOf(true);
  await election.release();
  expect(reported()).toEqual([[LEASE_NAME, false]]);
});
