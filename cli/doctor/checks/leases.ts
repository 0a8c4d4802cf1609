import { isText, text } from '../../../src/util/records';
import { counted } from '../../../src/util/words';
import type { ClusterFacts } from '../facts';
import type { Finding } from '../finding';
import { reconciles, titleOf } from './controllers';

/** Difference of two clocks from which tokens and leases suffer, in milliseconds. */
const CLOCK_LIMIT_MS = 30_000;
/** A leader renews its Lease every two seconds; a Lease this old is not renewed. */
const STALE_LEASE_MS = 60_000;

/** The leaders by their Leases, and clocks that differ. */
export function leaseFindings({ controllers, leases, now, serverNow, unread }: ClusterFacts): Finding[] {
  const found: Finding[] = [];
  const time = serverNow ?? now;
  const apart = serverNow === undefined ? 0 : now - serverNow;
  if (Math.abs(apart) > CLOCK_LIMIT_MS) {
    found.push({
      id: 'clock',
      severity: 'warning',
      object: 'cluster',
      message: `the clock of this machine is ${counted(Math.round(Math.abs(apart) / 1000), 'second')} ${apart > 0 ? 'ahead of' : 'behind'} that of the API server`,
      cure: 'set the clock by NTP: tokens of Entra and client certificates of one clock are refused by the other',
    });
  }
  if (unread.some(({ area }) => area === 'leases and clocks')) return found;
  for (const controller of controllers.filter(reconciles)) {
    const lease = leases.find(({ metadata }) => metadata.namespace === controller.namespace);
    const elects = controller.object === undefined || controller.arguments.some((argument) => argument === '--enable-leader-election' || argument === '--enable-leader-election=true');
    if ((controller.readyReplicas ?? 0) === 0 || !elects) continue;
    const renewed = Date.parse(text(lease?.spec, 'renewTime') ?? '');
    const holder = lease?.spec?.holderIdentity;
    if (!lease || Number.isNaN(renewed) || !isText(holder) || holder === '') {
      found.push({
        id: 'lease-missing',
        severity: 'warning',
        object: titleOf(controller),
        message: 'runs, but holds no Lease: nothing is reconciled yet',
        cure: `wait some seconds; then see whether it may write leases.coordination.k8s.io in ${controller.namespace}`,
      });
    } else if (time - renewed > STALE_LEASE_MS) {
      found.push({
        id: 'lease-stale',
        severity: 'error',
        object: `Lease ${controller.namespace}/${lease.metadata.name}`,
        message: `was renewed ${counted(Math.round((time - renewed) / 1000), 'second')} ago by ${holder}, though the controller runs`,
        cure: 'restart the controller: kubectl rollout restart; if it stays so, the clock of its node is wrong, or it may not write the Lease',
      });
    } else if (renewed - time > STALE_LEASE_MS) {
      found.push({
        id: 'lease-future',
        severity: 'error',
        object: `Lease ${controller.namespace}/${lease.metadata.name}`,
        message: `was renewed ${counted(Math.round((renewed - time) / 1000), 'second')} in the future: the clock of the node of ${holder} is ahead`,
        cure: 'set the clock of the node by NTP: another replica waits that much longer before it takes over',
      });
    }
  }
  return found;
}
