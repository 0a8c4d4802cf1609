import type { ObjectFacts } from './object-facts';
import type { NodeState, PolicyFacts } from './types';
import { POLLER_TOKEN } from '../../src/azure/annotations';
import type { Condition } from '../kubernetes/types';

const WAITING: ReadonlySet<string> = new Set([
  'WaitingForOwner', 'ReferenceNotFound', 'SecretNotFound', 'ConfigMapNotFound', 'CredentialNotFound', 'CacheNotSynced', 'KindNotWatched',
]);

/** ASO's texts for a credential that is not there, under the reason `Failed`. */
const NO_CREDENTIAL = /credential secret not found|global credential not configured/;
const TURN = /^Waiting for its turn: /;

export function isNoCredential({ reason, message = '' }: Condition): boolean {
  return reason === 'CredentialNotFound' || (reason === 'Failed' && NO_CREDENTIAL.test(message));
}

export function isTurn({ message = '' }: Condition): boolean {
  return TURN.test(message);
}

/** Whether the condition is about an older spec. */
export function isBehind({ object: { metadata: { generation } }, ready }: ObjectFacts): boolean {
  const observed = ready?.observedGeneration;
  return observed !== undefined && generation !== undefined && observed < generation;
}

export function stateOf(facts: ObjectFacts, { policy }: PolicyFacts): NodeState {
  const { ready, isDeleting, isClaimed, object: { metadata: { annotations } } } = facts;
  const isPolling = annotations?.[POLLER_TOKEN] !== undefined;
  if (isDeleting) return 'Deleting';
  if (!ready) return isClaimed || isPolling ? 'Reconciling' : 'Unclaimed';
  // The operation of the older spec goes on to its end; then the newer one is sent.
  if (isBehind(facts)) return isPolling ? 'Reconciling' : 'Stale';
  if (ready.status === 'True') return policy === 'skip' ? 'Suspended' : 'Ready';
  // An error stays until the operation of the next request has ended.
  if (ready.severity === 'Error') return isPolling ? 'Reconciling' : 'Error';
  if (isTurn(ready) || (ready.severity === 'Warning' && (WAITING.has(ready.reason) || isNoCredential(ready)))) return 'Waiting';
  return ready.severity === 'Warning' ? 'Warning' : 'Reconciling';
}
