import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../../engine/kubernetes';
import {
  APPLY_SET_GROUP_KINDS, APPLY_SET_ID, APPLY_SET_NAMESPACES, APPLY_SET_PART_OF, APPLY_SET_TOOLING, COMPOSED_FOR, COMPOSER_FINALIZER,
} from '../../src/azure/annotations';
import { groupOf, type ObjectId, objectKeyOf } from '../../src/object-id';

/**
 * The id of an ApplySet: `applyset-<base64url(sha256("<name>.<namespace>.<kind>.<group>"))>-v1`.
 *
 * @see https://github.com/kubernetes/enhancements/tree/master/keps/sig-cli/3659-kubectl-apply-prune#applyset-identification
 */
export function applySetId({ name, namespace, kind, group }: ObjectId): string {
  return `applyset-${createHash('sha256').update([name, namespace, kind, group].join('.')).digest('base64url')}-v1`;
}

/** Whether an object is marked as composed for a claim: by the label of its ApplySet, or, where that was taken off, by the annotation. */
export function isMarked({ metadata: { labels, annotations } }: KubernetesObject, claim: ObjectId): boolean {
  return labels?.[APPLY_SET_PART_OF] === applySetId(claim) || annotations?.[COMPOSED_FOR] === claimTitle(claim);
}

/** `Service.platform.example.com/shop/api`, the value of the annotation that names a composed object's claim. */
export function claimTitle({ group, kind, namespace, name }: ObjectId): string {
  return [`${kind}.${group}`, ...(namespace === '' ? [] : [namespace]), name].join('/');
}

/**
 * The metadata that a claim needs: the finalizer, and the label and annotations of an ApplySet with these objects. Undefined: it has all.
 *
 * @param tooling `cdk8s-aso/<version>`
 */
export function claimMetadata(
  claim: KubernetesObject, members: readonly ObjectId[], tooling: string,
): { readonly metadata: Record<string, unknown> } | undefined {
  const { namespace = '', name, labels = {}, annotations = {}, finalizers = [], resourceVersion } = claim.metadata;
  const id = applySetId({ group: groupOf(claim), kind: claim.kind, namespace, name });
  const wanted = {
    [APPLY_SET_TOOLING]: tooling,
    [APPLY_SET_GROUP_KINDS]: sortedTexts(members.map(({ group, kind }) => (group === '' ? kind : `${kind}.${group}`))),
    [APPLY_SET_NAMESPACES]: sortedTexts(members.map((member) => member.namespace).filter((other) => other !== '' && other !== namespace)),
  };
  const isWhole = finalizers.includes(COMPOSER_FINALIZER) && labels[APPLY_SET_ID] === id
    && Object.entries(wanted).every(([key, value]) => annotations[key] === value);
  if (isWhole) return undefined;
  return {
    metadata: {
      // Fails with a conflict where somebody else has changed the finalizers.
      resourceVersion,
      finalizers: [...new Set([...finalizers, COMPOSER_FINALIZER])],
      labels: { [APPLY_SET_ID]: id },
      annotations: wanted,
    },
  };
}

function sortedTexts(texts: readonly string[]): string {
  return [...new Set(texts)].sort().join(',');
}

/** The names in a stable order without repetition. */
export function uniqueNames<T extends ObjectId>(names: readonly T[]): T[] {
  return [...new Map(names.map((name) => [objectKeyOf(name), name])).values()];
}
