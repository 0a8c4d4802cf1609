import { leaseName, Leases, type LeasesOptions } from '../../../composer/process/leases';
import type { ClaimKind } from '../../../composer/reconcile/types';
import type { KubernetesObject } from '../../../engine/kubernetes';
import { silentLogger } from '../../../runtime/log/log';

const KINDS = ['teams', 'services'].map((plural) => ({ group: 'platform.example.com', plural }) as ClaimKind);
/** The Leases are acquired in the order of their names. */
const [FIRST, SECOND] = KINDS.map(leaseName).sort();

test('a composer of two kinds may write when it holds both Leases, and no more when it has released them', async () => {
  let [reachSecond, answerSecond]: (() => void)[] = [];
  const reached = new Promise<void>((resolve) => (reachSecond = resolve));
  const answered = new Promise<void>((resolve) => (answerSecond = resolve));
  const created: string[] = [];
  const client = {
    get: async (_: unknown, name: string) => {
      if (name !== SECOND || created.includes(name)) return undefined;
      reachSecond!();
      await answered;
      return undefined;
    },
    create: async (_: unknown, lease: KubernetesObject) => {
      created.push(lease.metadata.name);
      return lease;
    },
    replace: async (_: unknown, lease: KubernetesObject) => lease,
  } as unknown as LeasesOptions['client'];
  const leases = new Leases({ client, namespace: 'aso', identity: 'a', kinds: KINDS, logger: silentLogger() });
  expect(leases.isCurrent).toBe(false);
  const acquired = leases.acquire(new AbortController().signal);
  await reached;
  expect([created, leases.isCurrent]).toEqual([[FIRST], false]);
  answerSecond!();
  await acquired;
  expect([created, leases.isCurrent]).toEqual([[FIRST, SECOND], true]);
  await leases.release();
  expect(leases.isCurrent).toBe(false);
});
