import { kindOrder } from '../../../composer/reconcile/kind-order';
import { Rollout } from '../../../composer/reconcile/rollout';
import type { KubernetesObject } from '../../../engine/kubernetes';

const PROBLEM = { reason: 'ComposeFailed', message: 'no region', isTriedAgain: false };

const GROUP = 'platform.example.com';
const kindOf = (kind: string, ...reads: string[]) => ({ group: GROUP, kind, reads: reads.map((read) => ({ group: GROUP, kind: read })) });

function claimOf(name: string, definition: string | undefined, more: object = {}, kind = 'Service'): KubernetesObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind,
    metadata: { name, namespace: 'shop', uid: name, generation: 1, ...more },
    status: { observedGeneration: 1, ...(definition !== undefined && { definition }) },
  };
}

function testRollout(...names: string[]) {
  const claims = new Map(names.map((name) => [name, claimOf(name, 'r1')]));
  const enqueued: string[] = [];
  const log: string[] = [];
  const rollout = new Rollout({
    revision: 'r2',
    kinds: [kindOf('Service', 'Team', 'Environment'), kindOf('Team', 'Environment'), kindOf('Environment')],
    claims: () => [...claims.values()],
    isKnown: () => true,
    enqueue: ({ metadata }) => void enqueued.push(metadata.name),
    onPaused: ({ metadata }, { message }) => void log.push(`paused at ${metadata.name}: ${message}`),
    onResumed: () => void log.push('resumed'),
  });
  return {
    claims,
    enqueued,
    log,
    rollout,
    /** The claim takes the new revision, or fails. */
    done: (name: string, problem?: typeof PROBLEM) => {
      if (!problem) claims.set(name, claimOf(name, 'r2'));
      rollout.reconciled(claims.get(name)!, problem);
    },
  };
}

test('one claim after the other, in the order of their names', () => {
  const { rollout, enqueued, done, claims } = testRollout('c', 'a', 'b');
  rollout.advance();
  expect(rollout.mayCompose(claims.get('a')!)).toBe(true);
  expect(rollout.mayCompose(claims.get('b')!)).toBe(false);
  expect(rollout.left).toBe(3);
  for (const name of ['a', 'b', 'c']) done(name);
  expect(enqueued).toEqual(['a', 'b', 'c']);
  expect(rollout.left).toBe(0);
});

test('kinds that are read go before those that read them', () => {
  const { rollout, enqueued, done, claims } = testRollout();
  const all: [string, string][] = [['a', 'Service'], ['b', 'Service'], ['c', 'Team'], ['d', 'Team'], ['e', 'Environment']];
  for (const [name, kind] of all) claims.set(name, claimOf(name, 'r1', {}, kind));
  rollout.advance();
  for (const name of ['e', 'c', 'd', 'a', 'b']) done(name);
  expect(enqueued).toEqual(['e', 'c', 'd', 'a', 'b']);
});

test('kinds that read each other, or themselves by way of others, have an order all the same', () => {
  const order = kindOrder([kindOf('D', 'C'), kindOf('C', 'B', 'Elsewhere'), kindOf('B', 'C', 'A'), kindOf('A')]);
  expect(order.map(({ kind }) => kind)).toEqual(['A', 'B', 'C', 'D']);
  expect(kindOrder([kindOf('Service', 'Team'), kindOf('Team', 'Team')]).map(({ kind }) => kind)).toEqual(['Team', 'Service']);
});

test('it pauses at the first claim that fails, and goes on when that one works', () => {
  const { rollout, enqueued, log, done } = testRollout('a', 'b', 'c');
  rollout.advance();
  done('a');
  done('b', PROBLEM);
  done('b', PROBLEM);
  rollout.advance();
  expect(enqueued).toEqual(['a', 'b']);
  expect(rollout.pausedBy).toBe(PROBLEM);
  done('b');
  expect(enqueued).toEqual(['a', 'b', 'c']);
  expect(log).toEqual(['paused at b: no region', 'resumed']);
  expect(rollout.pausedBy).toBeUndefined();
});

test('it goes on past a claim with the annotation of this revision', () => {
  const { rollout, enqueued, done, claims } = testRollout('a', 'b');
  rollout.advance();
  done('a', PROBLEM);
  claims.set('a', claimOf('a', 'r1', { annotations: { 'aso.cdk8s.io/continue-rollout': 'r1' } }));
  rollout.advance();
  expect(enqueued).toEqual(['a']);
  claims.set('a', claimOf('a', 'r1', { annotations: { 'aso.cdk8s.io/continue-rollout': 'r2' } }));
  rollout.advance();
  expect(enqueued).toEqual(['a', 'b']);
});

test('new claims and edited ones do not wait, nor do those that are gone hold anything up', () => {
  const { rollout, enqueued, claims } = testRollout('a', 'b');
  expect(rollout.mayCompose(claimOf('new', undefined))).toBe(true);
  expect(rollout.mayCompose(claimOf('b', 'r1', { generation: 2 }))).toBe(true);
  // It is observed now, but has not taken the revision: it is tried again all the same.
  expect(rollout.mayCompose(claimOf('b', 'r1'))).toBe(true);
  rollout.advance();
  claims.delete('a');
  rollout.advance();
  expect(enqueued).toEqual(['a', 'b']);
});

test('claims that have failed before, or that their users change, pause nothing', () => {
  const { rollout, enqueued, log, done, claims } = testRollout('a', 'b', 'c', 'd');
  claims.set('a', { ...claimOf('a', 'r1'), status: { observedGeneration: 1, definition: 'r1', failedDefinition: 'r1' } });
  claims.set('b', claimOf('b', 'r1', { generation: 2 }));
  rollout.advance();
  done('a', PROBLEM);
  done('b', PROBLEM);
  // Changed during its turn.
  claims.set('c', claimOf('c', 'r1', { generation: 2 }));
  done('c', PROBLEM);
  done('d');
  rollout.advance();
  expect([enqueued, log, rollout.left]).toEqual([['a', 'b', 'c', 'd'], [], 3]);
  expect(claims.get('a') && rollout.mayCompose(claims.get('a')!)).toBe(true);
});

test('a composer that begins while the rollout is paused pauses at the same claim', () => {
  const { rollout, log, done, claims } = testRollout('a', 'b');
  claims.set('a', { ...claimOf('a', 'r1'), status: { observedGeneration: 1, definition: 'r1', failedDefinition: 'r2' } });
  rollout.advance();
  done('a', PROBLEM);
  expect(log).toEqual(['paused at a: no region']);
});

test('a change of the claim at which it stands still does not let it go on', () => {
  const { rollout, enqueued, done, claims } = testRollout('a', 'b');
  rollout.advance();
  done('a', PROBLEM);
  claims.set('a', claimOf('a', 'r1', { generation: 2 }));
  done('a', PROBLEM);
  rollout.advance();
  expect([enqueued, rollout.pausedBy]).toEqual([['a'], PROBLEM]);
});

test('a user cannot keep the revision from a claim with the annotation: it is tried, and its failure pauses nothing', () => {
  const { rollout, enqueued, log, done, claims } = testRollout('a', 'b', 'c');
  for (const name of ['a', 'b']) claims.set(name, claimOf(name, 'r1', { annotations: { 'aso.cdk8s.io/continue-rollout': 'r2' } }));
  rollout.advance();
  expect(rollout.mayCompose(claims.get('a')!)).toBe(true);
  done('a');
  done('b', PROBLEM);
  expect([enqueued, log]).toEqual([['a', 'b', 'c'], []]);
});
