import { createHash } from 'node:crypto';
import { applySetId, claimTitle } from './apply-set';
import type { KubernetesObject } from '../../engine/kubernetes';
import { APPLY_SET_PART_OF, COMPOSED_FOR } from '../../src/azure/annotations';
import { type ObjectId, objectIdOf } from '../../src/object-id';
import { isRecord } from '../../src/util/records';
import type { RenderedObject } from '../render/types';

/** A composed object as it is applied. */
export interface DesiredObject extends ObjectId {
  readonly manifest: KubernetesObject;
  /** Identifies the manifest. */
  readonly hash: string;
  readonly wave: number;
  /** Construct path, for messages. */
  readonly path: string;
  /** CEL of its readiness. */
  readonly readiness?: string | undefined;
}

/** Adds what marks the object as the claim's: the label of its ApplySet, and the annotation with its name. */
export function desiredObject({ manifest, wave, path, readiness }: RenderedObject, claim: ObjectId): DesiredObject {
  const { metadata } = manifest;
  const marked: KubernetesObject = {
    ...manifest,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [APPLY_SET_PART_OF]: applySetId(claim) },
      annotations: { ...metadata.annotations, [COMPOSED_FOR]: claimTitle(claim) },
    },
  };
  return { ...objectIdOf(manifest), manifest: marked, hash: hashOf(marked), wave, path, readiness };
}

/** The same for the same content, in whatever order its members are. */
function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(sorted(value))).digest('hex').slice(0, 16);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
}
