import { writeAnnotations, writeData, type PropagationWrite } from './contents';
import { labelsOf, managedByOf, managedByLabelsOf, managedByText, type ManagedBy } from './managed-by';
import { idsOf, missingFor } from './values';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { ACCEPTS_CREDENTIALS_FROM, PROPAGATE_TO, WORKLOAD_CLIENT_ID } from '../../src/azure/annotations';
import {
  acceptsPropagation,
  propagationSources,
  propagationTargetText,
  type PropagationTarget,
} from '../../src/azure/credential-propagation';

/** The state of one target of an identity. */
export interface PropagationView {
  readonly identity: KubernetesObject;
  readonly target: PropagationTarget;
  /** Whether the controller watches the namespace of the target (`AZURE_TARGET_NAMESPACES`). */
  readonly isWatched: boolean;
  /** Metadata of the target's Namespace. */
  readonly namespace: KubernetesObject | undefined;
  /** The target as stored. */
  readonly existing: KubernetesObject | undefined;
  /** Whether another identity, which the target names as its owner, still propagates to it. */
  readonly isWantedBy: (owner: ManagedBy) => boolean;
}

export type Verdict =
  | PropagationWrite
  /** A precondition is missing; its event triggers the next check. `isUsual`: the identity's own condition already says so. */
  | { readonly do: 'wait'; readonly why: string; readonly isUsual?: boolean }
  /** A user has to act. `isRevoked`: one of the two sides does not consent (any more), so the written data is taken back. */
  | { readonly do: 'refuse'; readonly why: string; readonly isRevoked?: boolean };

/** The decision about one target. Pure, and defined for every input. */
export function decidePropagation(view: PropagationView): Verdict {
  const { identity, target, namespace, existing, isWatched } = view;
  if (!isWatched) return refuse(view, `this controller does not watch namespace ${target.namespace}: add it to AZURE_TARGET_NAMESPACES`);
  const refusal = consentMissing(identity, target, namespace);
  if (refusal !== undefined) return { ...refuse(view, refusal), isRevoked: true };
  if (!namespace && identity.metadata.namespace !== target.namespace) return wait(view, `namespace ${target.namespace} does not exist yet`);
  const ids = idsOf(identity);
  const missing = missingFor(target.kind, ids);
  if (missing.length > 0) return { ...wait(view, `the identity has no ${missing.join(', ')} yet`), isUsual: true };
  if (!existing && namespace?.metadata.deletionTimestamp) return wait(view, `namespace ${target.namespace} is being deleted`);
  const owner = managedByOf(identity);
  const inTheWay = existing ? othersObject(view, owner, existing) : undefined;
  if (inTheWay !== undefined) return refuse(view, inTheWay);
  if (target.kind !== 'ServiceAccount') return writeData(target, ids, owner, existing);
  return existing ? writeAnnotations(ids, owner, existing) : wait(view, 'the service account does not exist yet');
}

/** Checks the consent of both sides; returns which annotation is missing where. An identity's own namespace needs no consent. */
export function consentMissing(
  identity: KubernetesObject,
  target: PropagationTarget,
  namespace: KubernetesObject | undefined,
): string | undefined {
  const { namespace: from = '', name } = identity.metadata;
  if (from === target.namespace || !namespace) return undefined;
  const text = namespace.metadata.annotations?.[ACCEPTS_CREDENTIALS_FROM] ?? '';
  const { entries, problems } = propagationSources(text);
  if (acceptsPropagation(entries, { namespace: from, name })) return undefined;
  const wrong = problems.length > 0 ? ` (of what its annotation says, ${problems.join('; ')})` : '';
  return (
    `namespace ${target.namespace} does not accept it${wrong}: whoever owns the namespace annotates it with ${ACCEPTS_CREDENTIALS_FROM}: `
    + `"${[...(text ? [text] : []), `${from}/${name}`].join(',')}"`
  );
}

/** Why an existing object must not be changed. */
function othersObject({ identity, target, isWantedBy }: PropagationView, own: ManagedBy, existing: KubernetesObject): string | undefined {
  const owner = managedByLabelsOf(existing);
  if (owner && managedByText(owner) !== managedByText(own)) {
    // The target of an identity that is gone, or no longer propagates to it, is taken over: so one identity can replace another.
    return isWantedBy(owner)
      ? `identity ${managedByText(owner)} propagates to it already: take it out of the annotation ${PROPAGATE_TO} of one of the two`
      : undefined;
  }
  if (target.kind === 'ServiceAccount') {
    const there = existing.metadata.annotations?.[WORKLOAD_CLIENT_ID];
    if (owner || !there || there === idsOf(identity).clientId) return undefined;
    return `the service account names another identity in its annotation ${WORKLOAD_CLIENT_ID}: remove that annotation where the service account is written`;
  }
  const labels = Object.entries(labelsOf(own)).map(([key, value]) => `${key}=${value}`).join(' ');
  if (!owner) return `it exists and was not written by this controller: label it ${labels} to hand it over with what it holds now, or name another target`;
  if (target.kind === 'Secret' && existing.type !== 'Opaque') return `it has the type ${existing.type}, which cannot be changed: delete it`;
  return undefined;
}

function wait({ target }: PropagationView, why: string): Verdict & { readonly do: 'wait' } {
  return { do: 'wait', why: `${propagationTargetText(target)} waits: ${why}` };
}

function refuse({ target }: PropagationView, why: string): Verdict & { readonly do: 'refuse' } {
  return { do: 'refuse', why: `${propagationTargetText(target)} is not written: ${why}` };
}
