import fc from 'fast-check';
import { Candidate, LeaseServer, Timeline } from './simulation';

interface Fault {
  readonly at: number;
  readonly kind: 'down' | 'lost answers' | 'slow' | 'pause' | 'jump' | 'kill' | 'stop' | 'taken';
  readonly candidate: number;
  readonly seconds: number;
}

const SECOND = 1_000;
const fault = fc.record<Fault>({
  at: fc.integer({ min: 0, max: 120 }),
  kind: fc.constantFrom('down', 'lost answers', 'slow', 'pause', 'jump', 'kill', 'stop', 'taken'),
  candidate: fc.nat(2),
  seconds: fc.integer({ min: 1, max: 30 }),
});

async function run(candidates: number, faults: readonly Fault[], chance: number) {
  let seed = chance;
  const timeline = new Timeline(() => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648);
  const server = new LeaseServer(timeline);
  const all = Array.from({ length: candidates }, (_, index) => new Candidate(timeline, server, `c${index}`));
  all.forEach((candidate) => candidate.start());
  for (const { at, kind, candidate, seconds } of faults) {
    const target = all[candidate % candidates];
    timeline.schedule(at * SECOND, () => {
      if (kind === 'pause') target!.pause(seconds * SECOND);
      else if (kind === 'jump') target!.jump((seconds - 15) * 3_600 * SECOND);
      else if (kind === 'kill') target!.kill();
      else if (kind === 'stop') target!.stop();
      else if (kind === 'taken') server.lease && server.takeAway('kubectl');
      else server.fault(kind, target!.name, timeline.now + seconds * SECOND);
    });
  }
  const overlaps: string[] = [];
  timeline.onStep = () => {
    const leading = all.filter((candidate) => candidate.isWorking).map(({ name }) => name);
    if (leading.length > 1) overlaps.push(`${timeline.now}: ${leading.join(', ')}`);
  };
  await timeline.advance(150 * SECOND);
  return { overlaps, robberies: server.robberies, timeline, all };
}

test.each([2, 3])('%d candidates: never two at work, whatever happens to requests, clocks and processes', async (candidates) => {
  await fc.assert(fc.asyncProperty(fc.array(fault, { maxLength: 8 }), fc.integer({ min: 1, max: 1_000_000 }), async (faults, chance) => {
    const { overlaps, robberies } = await run(candidates, faults, chance);
    expect([overlaps, robberies]).toEqual([[], []]);
  }), { numRuns: 60 });
});

test.each([2, 3])('%d candidates: as long as one lives and the server answers, somebody leads again', async (candidates) => {
  await fc.assert(fc.asyncProperty(fc.array(fault, { maxLength: 6 }), fc.integer({ min: 1, max: 1_000_000 }), async (faults, chance) => {
    const { timeline, all } = await run(candidates, faults, chance);
    // A candidate whose leadership was lost has ended; its pod starts again.
    all.filter((candidate) => candidate.hasEnded).forEach((candidate) => candidate.start());
    await timeline.advance(60 * SECOND);
    expect(all.filter((candidate) => candidate.isWorking)).toHaveLength(1);
  }), { numRuns: 30 });
});

test('the simulation sees two leaders where a candidate trusts renewTime', async () => {
  // The check itself can fail: a candidate that waits for less than the leader's term.
  const timeline = new Timeline(() => 0.5);
  const server = new LeaseServer(timeline);
  const leader = new Candidate(timeline, server, 'a');
  leader.start();
  await timeline.advance(5 * SECOND);
  const impatient = new Candidate(timeline, server, 'b');
  server.fault('down', 'a', timeline.now + 60 * SECOND);
  server.expireForOthers();
  impatient.start();
  let both = false;
  timeline.onStep = () => {
    both ||= leader.isWorking && impatient.isWorking;
  };
  await timeline.advance(20 * SECOND);
  expect(both).toBe(true);
});

describe('one candidate after the other', () => {
  const environment = async () => {
    const timeline = new Timeline(() => 0.5);
    const server = new LeaseServer(timeline);
    const [a, b] = [new Candidate(timeline, server, 'a'), new Candidate(timeline, server, 'b')];
    a.start();
    await timeline.advance(1 * SECOND);
    b.start();
    await timeline.advance(10 * SECOND);
    expect([a.isWorking, b.isWorking]).toEqual([true, false]);
    return { timeline, server, a, b };
  };

  test('lease duration 15 s: a killed leader is followed after 15 s at the earliest', async () => {
    const { timeline, a, b } = await environment();
    a.kill();
    await timeline.advance(10 * SECOND);
    expect(b?.isWorking).toBe(false);
    await timeline.advance(10 * SECOND);
    expect(b?.isWorking).toBe(true);
  });

  test.each([60, 30, 15])('a holder that was configured with %i s is followed after that time at the earliest', async (seconds) => {
    const { timeline, server, a, b } = await environment();
    a.kill();
    server.setDuration(seconds);
    await timeline.advance(seconds * SECOND);
    expect(b.isWorking).toBe(false);
    await timeline.advance(10 * SECOND);
    expect(b.isWorking).toBe(true);
  });

  test('release on shutdown: the next one need not wait for the end of the lease', async () => {
    const { timeline, a, b } = await environment();
    a.stop();
    await timeline.advance(5 * SECOND);
    expect(b?.isWorking).toBe(true);
  });

  test('a leader that stops leads no more before its Lease is free', async () => {
    const { timeline, server, a } = await environment();
    const beside: number[] = [];
    timeline.onStep = () => {
      if (server.lease!.spec!.holderIdentity !== 'a' && a.termEnd > timeline.now) beside.push(timeline.now);
    };
    a.stop();
    await timeline.advance(5 * SECOND);
    expect(server.lease!.spec!.holderIdentity).toBe('b');
    expect([beside, a.termEnd]).toEqual([[], -Infinity]);
  });

  test('renew deadline 10 s: a leader that cannot renew ends, and says why', async () => {
    const { timeline, server, a } = await environment();
    server.fault('down', 'a', timeline.now + 60 * SECOND);
    await timeline.advance(13 * SECOND);
    expect(a?.isWorking).toBe(false);
    expect(a?.lostBecause).toMatch(/leader election lost: the Lease could not be renewed within 10 s/);
  });

  test('one request that gets no answer costs no leader its Lease: there is time for another one within the term', async () => {
    for (let afterMs = 0; afterMs < 2_100; afterMs += 100) {
      const { timeline, server, a } = await environment();
      await timeline.advance(afterMs);
      server.loseNext('a');
      await timeline.advance(15 * SECOND);
      expect([afterMs, a.isWorking, a.lostBecause]).toEqual([afterMs, true, undefined]);
    }
  });

  test('retry period 2 s: the lease is renewed that often, and says who and how long', async () => {
    const { timeline, server } = await environment();
    const before = server.writes;
    await timeline.advance(20 * SECOND);
    expect(server.writes - before).toBeGreaterThanOrEqual(9);
    expect(server.writes - before).toBeLessThanOrEqual(10);
    expect(server.lease!.metadata).toMatchObject({ name: 'controllers-leader-election-azinfra-generated', namespace: 'aso' });
    expect(server.lease!.spec).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 });
  });

  test('a term counts from before the request that was answered, not from its answer', async () => {
    const { timeline, server, a } = await environment();
    const beyond: number[] = [];
    timeline.onStep = () => {
      if (a.termEnd > server.proven.get('a')! + 10 * SECOND) beyond.push(timeline.now);
    };
    await timeline.advance(30 * SECOND);
    expect(beyond).toEqual([]);
    expect(a.termEnd).toBe(server.proven.get('a')! + 10 * SECOND);
  });

  test('a leader whose lease somebody else has taken ends', async () => {
    const { timeline, server, a } = await environment();
    server.takeAway('kubectl');
    await timeline.advance(5 * SECOND);
    expect(a?.isWorking).toBe(false);
    expect(a?.lostBecause).toContain('kubectl holds the Lease');
  });

  test('a leader that stops leaves the Lease to the holder that has just taken it', async () => {
    for (let beforeMs = 0; beforeMs < 2_500; beforeMs += 25) {
      const { timeline, server, a, b } = await environment();
      b.kill();
      server.takeAway('kubectl');
      await timeline.advance(beforeMs);
      a.stop();
      await timeline.advance(5 * SECOND);
      expect([beforeMs, server.lease!.spec!.holderIdentity, server.robberies]).toEqual([beforeMs, 'kubectl', []]);
    }
  });

  const sameDelays = () => () => 0.7;
  /** A renewal that was sent before a read may arrive after it. */
  const otherDelays = (seed: number) => {
    let state = seed + 1;
    return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  };
  test.each([
    ['all of one length', sameDelays],
    ['each of its own length', otherDelays],
  ])('the Lease is given back whenever the leader stops, also while it is being renewed; delays are %s', async (_, delays) => {
    const kept: number[] = [];
    for (let atMs = 0; atMs < 4_200; atMs += 7) {
      const timeline = new Timeline(delays(atMs));
      const server = new LeaseServer(timeline);
      const leader = new Candidate(timeline, server, 'a');
      leader.start();
      await timeline.advance(3 * SECOND + atMs);
      expect(leader.isWorking).toBe(true);
      leader.stop();
      await timeline.advance(SECOND);
      if (server.lease!.spec!.holderIdentity !== '') kept.push(atMs);
    }
    expect(kept).toEqual([]);
  });

  test('a process that stops while it reads the Lease does not take it with the answer', async () => {
    const late: string[] = [];
    const stops = (atMs: number, { timeline, server }: Awaited<ReturnType<typeof environment>>, candidate: Candidate) => {
      candidate.stop();
      const stoppedAt = timeline.now;
      timeline.schedule(SECOND, () => {
        if (server.claims.get(candidate.name)! > stoppedAt) late.push(`${candidate.name} at ${atMs}`);
      });
    };
    for (let atMs = 0; atMs < 2_100; atMs += 5) {
      const all = await environment();
      const { timeline, server, a, b } = all;
      // A renewal fails, so that the leader reads the Lease before the next one.
      server.fault('down', 'a', timeline.now + 2_050);
      await timeline.advance(1_000 + atMs);
      stops(atMs, all, a);
      // The candidate finds the Lease empty.
      await timeline.advance(atMs % 60);
      stops(atMs, all, b);
      await timeline.advance(2 * SECOND);
    }
    expect(late).toEqual([]);
  });

  test('a leader that was stopped for a while does no work when it wakes, before another process has told it', async () => {
    const { timeline, a, b } = await environment();
    a.pause(40 * SECOND);
    await timeline.advance(39 * SECOND);
    expect([a.isWorking, b.isWorking]).toEqual([false, true]);
    await timeline.advance(5 * SECOND);
    expect([a.isWorking, b.isWorking]).toEqual([false, true]);
  });

  test('a leader whose main thread stands still renews no more, and is followed; it says why', async () => {
    const { timeline, a, b } = await environment();
    a.standstill = 'the main thread has not turned its event loop for 31 s';
    const until = a.termEnd;
    await timeline.advance(11 * SECOND);
    expect(a?.isWorking).toBe(false);
    expect(timeline.now).toBeGreaterThanOrEqual(until);
    expect(a?.lostBecause).toContain('the main thread has not turned its event loop for 31 s');
    expect(a.termEnd).toBe(-Infinity);
    await timeline.advance(15 * SECOND);
    expect(b?.isWorking).toBe(true);
  });

  test('one whose main thread stands still does not begin to lead', async () => {
    const { timeline, a, b } = await environment();
    b.standstill = 'the main thread has not turned its event loop for 31 s';
    a.kill();
    await timeline.advance(60 * SECOND);
    expect(b?.isWorking).toBe(false);
    b.standstill = undefined;
    await timeline.advance(10 * SECOND);
    expect(b?.isWorking).toBe(true);
  });
});
