import { managedFieldsOf, withManagedFields, type ManagedFieldsEntry } from './managed-fields';
import { MigrationError, type MigrationContext } from './migration-context';
import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';

/** As long as pods with webhooks take to start again. */
const MAX_TRIES = 60;
const PAUSE_MS = 500;

type Writer = Pick<MigrationContext['client'], 'get' | 'replace' | 'replaceStatus'>;

/**
 * A client whose writes keep the records of who owns which field. An API server that cannot convert an object to the version of a record,
 * because no conversion webhook answers for a moment, takes the write and drops all records without a word: they are written again.
 * @see https://github.com/kubernetes/kubernetes/issues/136919
 * @see https://github.com/kubernetes/kubernetes/issues/91006
 */
export function keepingRecords({ client, clock }: Pick<MigrationContext, 'client' | 'clock'>): Writer {
  const keep = async (type: ResourceType, answer: KubernetesObject, records: readonly ManagedFieldsEntry[]): Promise<KubernetesObject> => {
    let written = answer;
    for (let tries = 0; records.length > 0 && managedFieldsOf(written).length === 0; tries += 1) {
      if (tries === MAX_TRIES) throw recordsLost(written);
      await clock.sleep(PAUSE_MS);
      written = await client.replace(type, withManagedFields(written, records));
    }
    return written;
  };
  return {
    get: (...named) => client.get(...named),
    replace: async (type, object) => keep(type, await client.replace(type, object), managedFieldsOf(object)),
    replaceStatus: async (type, object) => keep(type, await client.replaceStatus(type, object), managedFieldsOf(object)),
  };
}

function recordsLost({ kind, metadata: { namespace = '', name } }: KubernetesObject): MigrationError {
  return new MigrationError(
    `the API server has dropped metadata.managedFields of the ${kind} ${namespace}/${name}, since no conversion webhook answers: `
    + 'see why its pods do not run, start the command again, and apply the object once more with the tool that it comes from',
  );
}
