import type { Existing, Observed } from './observed';
import type { Drift } from '../../../engine/compare';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation } from '../../../engine/objects/annotations';
import { lastAppliedOf, wasSentByAso, withLastApplied, type LastApplied } from '../../../engine/objects/last-applied';
import { SEND_SECRETS } from '../../../src/azure/annotations';

/** Records that a PUT is about to be sent for the first time. */
export function withIntent(observed: Observed): KubernetesObject {
  const { object, now, desired, present } = observed;
  const at = new Date(now).toISOString();
  const generation = object.metadata.generation ?? 0;
  // Azure has answered a PUT of ASO, not of this controller: a resource found in Azure does not prove that our PUT has arrived.
  if (wasSentByAso(object)) return withLastApplied(object, { digest: '', at, generation, answered: true });
  const failed = lastAppliedOf(object)?.corrected;
  const record = {
    digest: desired?.digest ?? '', at, generation, answered: false, hidden: desired?.hidden ?? '', ...(failed ? { corrected: failed } : {}),
  };
  return withLastApplied(object, { ...record, ...(present === undefined ? {} : { found: present ? 'resource' : 'nothing' }) });
}

/** An answer that differs from the request in more places does not show the resource. */
const MOST_SHOWN = 40;

/**
 * Records that Azure has accepted the PUT of this reconcile.
 * @param shown the differences between the request and Azure's answer
 */
export function withAcceptance(observed: Observed, shown: readonly Drift[] = []): KubernetesObject {
  const { object, now, desired } = observed;
  const old = lastAppliedOf(object);
  // A PUT of the same spec, sent again after a lost answer, keeps the count of corrections.
  const corrected = observed.corrected ?? (old?.generation === object.metadata.generation ? old?.corrected : undefined);
  const sendSecrets = annotation(object, SEND_SECRETS);
  const record: LastApplied = {
    digest: desired?.digest ?? '',
    at: new Date(now).toISOString(),
    generation: object.metadata.generation ?? 0,
    answered: true,
    hidden: desired?.hidden ?? '',
    ...(sendSecrets === undefined ? {} : { sendSecrets }),
  };
  // Azure's known spelling stays valid until a read has shown the result of this PUT; for a new resource none is known.
  const known = observed.present === false ? undefined : old?.known;
  return withLastApplied(object, {
    ...record,
    ...(shown.length > 0 && shown.length <= MOST_SHOWN ? { shown: Object.fromEntries(shown.map(({ path, mark }) => [path, mark])) } : {}),
    ...(known ? { known } : {}),
    ...(corrected ? { corrected } : {}),
  });
}

/** Records that the resource of the intent was found in Azure. */
export function withArrival(object: KubernetesObject, record: LastApplied): KubernetesObject {
  return withLastApplied(object, { ...record, answered: true });
}

/** Invalidates the record of the PUT, which Azure has refused. */
export function withRefusal(object: KubernetesObject): KubernetesObject {
  const record = lastAppliedOf(object);
  if (!record?.digest) return object;
  // From now on a resource found at the ID may be another party's.
  const { found: _, shown: __, known: ___, unread: ____, corrected: _____, ...kept } = record;
  return withLastApplied(object, { ...kept, digest: '' });
}

/** Whether to store an intent before the next PUT: the object has no record, or the PUT of its intent was refused. */
export function needsIntent(object: KubernetesObject): boolean {
  const record = lastAppliedOf(object);
  return !record || (!record.answered && record.digest === '');
}

/** Clocks differ: a resource that is older than the intent by at most this may have come from it. Milliseconds. */
const CLOCK_SKEW = 10 * 60 * 1000;

/**
 * The next step after a restart or a lost answer, by the resource as read:
 * - `put`: the resource is absent, failed, existed before our PUT (or may have), the spec has changed since, or the sync is due. Whether
 *   the PUT is sent then depends on the comparison of the resource with the spec (`drift.ts`).
 * - `resume`: an operation runs; follow it by the resource's own provisioning state.
 * - `settled`: Azure has what was requested.
 */
export function afterReading(observed: Observed, existing: Existing | undefined): 'put' | 'resume' | 'settled' {
  if (!existing) return 'put';
  const record = lastAppliedOf(observed.object);
  const { outcome } = existing.state;
  if (outcome === 'running') return 'resume';
  if (!record || outcome === 'failed' || !hasArrived(existing, record)) return 'put';
  // The intended resource exists; if the spec is newer, the generation check sends it.
  if (!record.answered) return 'settled';
  const due = observed.syncPeriod !== undefined && Date.parse(record.at) + observed.syncPeriod <= observed.now;
  return record.digest === observed.desired?.digest && !due ? 'settled' : 'put';
}

/**
 * Whether Azure has received the PUT of the record. The existence of the resource is no proof: it may have existed before, or have come
 * with its parent (the services of a storage account). Without proof the PUT is sent, a second time if need be: the same body changes
 * nothing.
 */
export function hasArrived(existing: Existing, record: LastApplied): boolean {
  if (record.digest === '') return false;
  return record.answered || record.found === 'nothing' || (record.found === undefined && wasMadeSince(existing, record));
}

function wasMadeSince(existing: Existing, record: LastApplied): boolean {
  const created = Date.parse(existing.createdAt ?? '');
  return !Number.isNaN(created) && created >= Date.parse(record.at) - CLOCK_SKEW;
}
