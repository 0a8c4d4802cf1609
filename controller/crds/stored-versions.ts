import type { Clock } from '../../engine/clock';
import type { KubernetesClient, KubernetesListWatch, KubernetesObject, PatchType, ResourceType } from '../../engine/kubernetes/types';
import { CRD_KIND } from '../../engine/kubernetes/watched-kind';
import type { Logger } from '../../runtime/log/log';
import { LAST_VERSION_LABEL } from '../../src/azure/annotations';
import { isRecord } from '../../src/util/records';
import { asText } from '../../src/util/words';

const MINUTE = 60_000;
const HOUR = 3_600_000;

export interface Migration {
  readonly client: KubernetesClient
    & Pick<KubernetesListWatch, 'list'> & {
      patchStatus(
        type: ResourceType,
        name: string,
        namespace: string | undefined,
        patch: unknown,
        patchType: PatchType,
      ): Promise<KubernetesObject>;
    };
  /** The watched types, whose objects may be stored in old versions. */
  readonly types: readonly ResourceType[];
  readonly version: string;
  readonly logger: Logger;
}

/**
 * Takes versions out of `status.storedVersions` in which no object is stored any more: every object was written by this release, in the
 * storage version (docs/spec/crds.md#stored-versions). Only then can a later release drop the version from the CRD. Answers the CRDs it
 * changed.
 */
export async function migrateStoredVersions({ client, types, version, logger }: Migration): Promise<string[]> {
  const changed: string[] = [];
  for (const type of types.filter(({ group }) => group !== '')) {
    const name = `${type.plural}.${type.group}`;
    const crd = await client.get(CRD_KIND, name);
    const stored = storedVersions(crd);
    const storage = storageVersion(crd);
    if (!crd || stored.length < 2 || !storage) continue;
    // Objects without the label count as well: != matches them.
    const old = await client.list(type, { labelSelector: `${LAST_VERSION_LABEL}!=${version}`, metadataOnly: true, limit: 1 });
    if (old.items.length > 0) continue;
    const patch = { metadata: { resourceVersion: crd.metadata.resourceVersion }, status: { storedVersions: [storage] } };
    await client.patchStatus(CRD_KIND, name, undefined, patch, 'application/merge-patch+json');
    logger.info({ crd: name, dropped: stored.filter((each) => each !== storage) }, 'no object is stored in these versions any more');
    changed.push(name);
  }
  return changed;
}

export interface HourlyMigration extends Omit<Migration, 'types'> {
  readonly types: () => readonly ResourceType[];
  readonly clock: Clock;
  /** Whether the migration is the work of this replica now. */
  readonly isOurs: () => boolean;
}

/** Migrates at once, and every hour until the signal aborts; the work of another replica is looked at each minute. Never rejects. */
export async function migrateStoredVersionsHourly(
  { types, clock, isOurs, ...migration }: HourlyMigration, signal: AbortSignal,
): Promise<void> {
  const { logger } = migration;
  while (!signal.aborted) {
    if (!isOurs()) {
      await clock.sleep(MINUTE, signal).catch(() => undefined);
      continue;
    }
    await migrateStoredVersions({ ...migration, types: types() }).catch(
      (err: unknown) => signal.aborted || logger.warn({ err }, 'stored versions of CRDs could not be looked at; tried again in an hour'),
    );
    await clock.sleep(HOUR, signal).catch(() => undefined);
  }
}

function storedVersions(crd: KubernetesObject | undefined): string[] {
  const stored = crd?.status?.storedVersions;
  return Array.isArray(stored) ? stored.map(String) : [];
}

/** The one that the server stores now; ASO guesses it by the names, with the same outcome for its own CRDs. */
function storageVersion(crd: KubernetesObject | undefined): string | undefined {
  const versions = crd?.spec?.versions;
  const found: unknown = Array.isArray(versions) ? versions.find((each) => isRecord(each) && each.storage === true) : undefined;
  return isRecord(found) ? asText(found.name) : undefined;
}
