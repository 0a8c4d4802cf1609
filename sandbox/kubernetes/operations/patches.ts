import { isRecord } from '../../../src/util/records';
import { ApiError } from '../api-error';
import type { StoredObject } from '../objects';
import { goKind } from './metadata-rules';
import type { JsonPatchOperation } from '../patch/json-patch';
import { PatchError, jsonPatch } from '../patch/json-patch';
import { mergePatch } from '../patch/merge-patch';
import { strategicMergePatch } from '../patch/strategic-merge-patch';

export const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';
export const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
  STRATEGIC_MERGE_PATCH,
];

/** @throws ApiError 415 for a type that is none, 400 and 422 for a patch that does not fit. */
export function applyPatch(mediaType: string, object: StoredObject, patch: unknown): unknown {
  switch (mediaType) {
    case 'application/merge-patch+json': return mergePatch(object, objectOf(patch));
    case STRATEGIC_MERGE_PATCH: return strategicMergePatch(object, objectOf(patch));
    case 'application/json-patch+json': return patched(object, patch);
    default: throw ApiError.unsupportedMediaType(PATCH_TYPES);
  }
}

function objectOf(patch: unknown): object {
  if (!isRecord(patch)) {
    throw ApiError.badRequest(
      `error decoding patch: json: cannot unmarshal ${goKind(patch)} into Go value of type map[string]interface {}`,
    );
  }
  return patch;
}

function patched(object: StoredObject, patch: unknown): unknown {
  if (!Array.isArray(patch)) {
    throw ApiError.badRequest(`error decoding patch: json: cannot unmarshal ${goKind(patch)} into Go value of type []handlers.jsonPatchOp`);
  }
  try {
    return jsonPatch(object, patch as JsonPatchOperation[]);
  } catch (error) {
    if (error instanceof PatchError) {
      throw new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
    }
    throw error;
  }
}
