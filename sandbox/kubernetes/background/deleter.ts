import { ApiError } from '../api-error';
import type { StoredObject } from '../objects';
import type { DeleteOptions } from '../operations/request';
import type { Writer } from '../operations/writer';
import type { Registry } from '../resources/registry';

/** Deletes an object of the store the way a client would; one that is gone already is no error. */
export function deleteStored(
  writer: Writer,
  registry: Registry,
  resource: string,
  object: StoredObject,
  options: DeleteOptions = {},
): void {
  const definition = registry.byStorageName(resource);
  if (!definition) return;
  const { namespace = '', name, uid } = object.metadata;
  try {
    writer.delete({ definition, namespace, name }, { ...options, preconditions: uid === undefined ? {} : { uid } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
