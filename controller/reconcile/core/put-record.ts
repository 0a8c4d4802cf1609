import type { Existing, Observed } from './observed';
import { outcomeOf } from '../../../engine/arm/operation-status';
import type { Drift } from '../../../engine/compare';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation } from '../../../engine/objects/annotations';
import { lastAppliedOf, withLastApplied, type LastApplied } from '../../../engine/objects/last-applied';
import { LATEST_GENERATION } from '../../../src/azure/annotations';

/** The object, remembering that a PUT is about to be sent for the first time. */
export function withIntent(observed: Observed): KubernetesObject {
  const { object, now, desired, present } = observed;
  const at = new Date(now).toISOString();
  const generation = object.metadata.generation ?? 0;
  // Azure has answered a PUT of this object, but not of ours: what is found in Azure is none that has arrived.
  if (wasSentByAso(object)) return withLastApplied(object, { digest: '', at, generation, answered: true });
  const record = { digest: desired?.digest ?? '', at, generation, answered: false, hidden: desired?.hidden ?? '' };
  return withLastApplied(object, { ...record, ...(present === undefined ? {} : { found: present ? 'resource' : 'nothing' }) });
}

/** An answer that differs in more places shows nothing of the resource. */
const MOST_SHOWN = 40;

/**
 * The object, remembering that Azure has accepted the PUT of this reconcile.
 * @param shown where Azure's answer differs from what was sent
 */
export function withAcceptance(observed: Observed, shown: readonly Drift[] = []): KubernetesObject {
  const { object, now, desired } = observed;
  const old = lastAppliedOf(object);
  // A PUT of the same spec whose answer was lost is no new start.
  const corrected = observed.corrected ?? (old?.generation === object.metadata.generation ? old?.corrected : undefined);
  const record: LastApplied = {
    digest: desired?.digest ?? '',
    at: new Date(now).toISOString(),
    generation: object.metadata.generation ?? 0,
    answered: true,
    hidden: desired?.hidden ?? '',
  };
  // What is known of Azure's own spelling counts until Azure has shown what became of this PUT; of what is made anew, nothing is known.
  const known = observed.present === false ? undefined : old?.known;
  return withLastApplied(object, {
    ...record,
    ...(shown.length > 0 && shown.length <= MOST_SHOWN ? { shown: Object.fromEntries(shown.map(({ path, mark }) => [path, mark])) } : {}),
    ...(known ? { known } : {}),
    ...(corrected ? { corrected } : {}),
  });
}

/** The object, remembering that what it meant to send was found in Azure. */
export function withArrival(object: KubernetesObject, record: LastApplied): KubernetesObject {
  return withLastApplied(object, { ...record, answered: true });
}

/** The object, no longer counting on what was sent: Azure has refused it. */
export function withRefusal(object: KubernetesObject): KubernetesObject {
  const record = lastAppliedOf(object);
  if (!record?.digest) return object;
  // What is found at the id from now on may be another's again.
  const { found: _, shown: __, known: ___, corrected: ____, ...kept } = record;
  return withLastApplied(object, { ...kept, digest: '' });
}

/** Whether an intent is to be stored before the next PUT: the object has no record, or the PUT of its intent was refused. */
export function needsIntent(object: KubernetesObject): boolean {
  const record = lastAppliedOf(object);
  return !record || (!record.answered && record.digest === '');
}

/** ASO keeps no record, but the generation that it has sent. */
export function wasSentByAso(object: KubernetesObject): boolean {
  return lastAppliedOf(object) === undefined && Number(annotation(object, LATEST_GENERATION) ?? 0) > 0;
}

/** Clocks differ: what is older than the intent by no more than this may have come from it. */
const CLOCK_SKEW = 10 * 60 * 1000;

/**
 * What to do after a restart or a lost answer, by what a read found:
 * - `put`: the resource is absent, failed, was there before us (or nothing tells that it was not), or something else was asked for since; or the
 *   sync is due. Whether it is sent then depends on the comparison of what was read with what is wanted (`drift.ts`).
 * - `resume`: an operation runs; follow it by the resource's own provisioning state.
 * - `settled`: Azure has what was asked for.
 */
export function afterReading(observed: Observed, existing: Existing | undefined): 'put' | 'resume' | 'settled' {
  if (!existing) return 'put';
  const record = lastAppliedOf(observed.object);
  const outcome = outcomeOf(existing.provisioningState ?? 'Succeeded');
  if (outcome === 'running') return 'resume';
  if (!record || outcome === 'failed' || !hasArrived(existing, record)) return 'put';
  // What was meant to be made is there; if the spec is newer, the generation check sends it.
  if (!record.answered) return 'settled';
  const due = observed.syncPeriod !== undefined && Date.parse(record.at) + observed.syncPeriod <= observed.now;
  return record.digest === observed.desired?.digest && !due ? 'settled' : 'put';
}

/**
 * Whether Azure has got what the record tells of. That a resource is there is no proof: it may have been there before, or have come with its
 * parent (the services of a storage account). Without proof the PUT is sent, a second time if need be: the same body changes nothing.
 */
export function hasArrived(existing: Existing, record: LastApplied): boolean {
  if (record.digest === '') return false;
  return record.answered || record.found === 'nothing' || (record.found === undefined && wasMadeSince(existing, record));
}

function wasMadeSince(existing: Existing, record: LastApplied): boolean {
  const created = Date.parse(existing.createdAt ?? '');
  return !Number.isNaN(created) && created >= Date.parse(record.at) - CLOCK_SKEW;
}
