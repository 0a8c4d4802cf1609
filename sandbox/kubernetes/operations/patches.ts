import { ApiError } from '../api-error';
import type { StoredObject } from '../objects';
import { isObject } from '../objects';
import type { JsonPatchOperation } from '../patch/json-patch';
import { PatchError, jsonPatch } from '../patch/json-patch';
import { mergePatch } from '../patch/merge-patch';
import { strategicMergePatch } from '../patch/strategic-merge-patch';

export const PATCH_TYPES = [
  'application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml', 'application/strategic-merge-patch+json',
];

/** @throws ApiError 415 for a type that is none, 400 and 422 for a patch that does not fit. */
export function applyPatch(mediaType: string, object: StoredObject, patch: unknown): unknown {
  switch (mediaType) {
    case 'application/merge-patch+json': return mergePatch(object, objectOf(patch));
    case 'application/strategic-merge-patch+json': return strategicMergePatch(object, objectOf(patch));
    case 'application/json-patch+json': return patched(object, patch);
    default: throw ApiError.unsupportedMediaType(PATCH_TYPES);
  }
}

function objectOf(patch: unknown): object {
  if (!isObject(patch)) throw ApiError.badRequest('error decoding patch: the patch is not an object');
  return patch;
}

function patched(object: StoredObject, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw ApiError.badRequest('error decoding patch: the patch is not a list of operations');
  try {
    return jsonPatch(object, patch as JsonPatchOperation[]);
  } catch (error) {
    if (error instanceof PatchError) throw new ApiError(422, 'Invalid', `the server rejected our request due to an error in our request: ${error.message}`, {});
    throw error;
  }
}
