import { managedFieldsOf, withManagedFields, type ManagedFieldsEntry } from './managed-fields';
import type { RestClient } from '../../engine/kubernetes';
import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';

const MAX_TRIES = 5;

/**
 * Gives an object its records again where the answer to a write has lost all of them. An API server that cannot convert an object to the
 * version of a record, because the conversion webhook does not answer for a moment, takes the write and drops the records without a word.
 * @see https://github.com/kubernetes/kubernetes/issues/136919
 * @see https://github.com/kubernetes/kubernetes/issues/91006
 */
export async function keepRecords(
  client: Pick<RestClient, 'replace'>, type: ResourceType, answer: KubernetesObject, records: readonly ManagedFieldsEntry[],
): Promise<KubernetesObject> {
  let written = answer;
  for (let tries = 0; tries < MAX_TRIES && records.length > 0 && managedFieldsOf(written).length === 0; tries += 1) {
    written = await client.replace(type, withManagedFields(written, records));
  }
  return written;
}
