import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { counted, listed } from '../../../src/util/words';
import { listPages } from '../../cluster/reader';
import { DEPLOYMENTS } from '../../cluster/resource-types';
import { containersOf, isBundledController, MODE, TARGET_NAMESPACES } from '../asos-installation';
import type { Direction, JournalState } from '../journal-state';
import { newestSpecEdit } from '../managed-fields';
import { isMoved, typeOf, type MigratedKind } from '../migrated-kinds';
import { MigrationError, type MigrationContext, type MigrationStep } from '../migration-context';
import { readRecord, removeRecord } from '../recorded-versions';
import { rewriteEach } from '../rewrite-each';
import { rolledOut } from '../steps/install';
import { storeIn } from '../steps/move-storage';
import { allowWrites } from '../steps/refuse-writes';
import { DEPLOYMENT, hasMode, WEBHOOKS, withSettings } from '../steps/stop-watchers';
import { setStoredVersions } from '../steps/stored-versions';
import { storedVersionsOf, versionsOf } from '../storage-versions';
import { returnOne } from '../to-aso/return-objects';
import { POINT_OF_NO_ABORT } from '../way-back';

const TRIES = 10;

/** The kinds of which objects may be stored in this package's version. */
async function movedKinds({ client, journal: { state: { kinds } } }: MigrationContext): Promise<MigratedKind[]> {
  const moved: MigratedKind[] = [];
  for (const kind of kinds) {
    const crd = await client.get(CRD_KIND, kind.crd);
    if (!crd) throw new MigrationError(`the CRD ${kind.crd} was deleted in the meantime`);
    if (!isMoved(kind)) continue;
    const isStored = versionsOf(crd).some(({ name, storage }) => storage && name === kind.to);
    if (isStored || storedVersionsOf(crd).includes(kind.to)) moved.push(kind);
  }
  return moved;
}

const RESTORE_STORAGE: MigrationStep = {
  id: 'restore-storage',
  title: "Store objects in ASO's storage version again",
  async run(context) {
    const moved = await movedKinds(context);
    return moved.length === 0 ? 'nothing was moved' : storeIn(context, moved.map(({ crd, from }) => ({ crd, version: from })));
  },
};

const TAKE_WRITES: MigrationStep = {
  id: 'take-writes',
  title: 'Take writes in all versions again',
  async run(context) {
    await allowWrites(context);
    return 'the admission policy is gone';
  },
};

const RETURN_OBJECTS: MigrationStep = {
  id: 'return-objects',
  title: "Rewrite every object in ASO's storage version",
  async run(context) {
    const { client, journal, namespace } = context;
    let written = 0;
    for (const kind of await movedKinds(context)) {
      const { returned = [], recorded = [] } = journal.state;
      if (returned.includes(kind.crd)) continue;
      const type = typeOf(kind, kind.to);
      const record = await readRecord(client, namespace, kind, recorded.includes(kind.crd));
      const versionOf = (stored: KubernetesObject) => versionToReturn(stored, kind, record);
      const objects = await listPages(client, type, { metadataOnly: true });
      written += await rewriteEach(context, kind, objects, (name, where) => returnOne(context, kind, { type, versionOf }, name, where));
      await journal.update({ returned: [...returned, kind.crd] });
    }
    return counted(written, 'object');
  },
};

/** The version in which the user applied an object: that of an edit since the record, else the recorded one. Pure. */
export function versionToReturn(
  stored: KubernetesObject, kind: MigratedKind, { at, byUid }: { readonly at: string; readonly byUid: ReadonlyMap<string, string> },
): string {
  const edit = newestSpecEdit(stored, typeOf(kind, kind.to));
  if (edit && (at === '' || Date.parse(edit.time) >= Date.parse(at))) return edit.version;
  return byUid.get(stored.metadata.uid ?? '') ?? kind.to;
}

const RESTORE_STORED_VERSIONS: MigrationStep = {
  id: 'restore-stored-versions',
  title: "Leave ASO's storage version alone in status.storedVersions",
  async run(context) {
    return setStoredVersions(context, (await movedKinds(context)).map(({ crd, from }) => ({ crd, version: from })));
  },
};

const REMOVE_RECORDS: MigrationStep = {
  id: 'remove-records',
  title: 'Remove the records of versions',
  async run({ client, namespace, journal: { state: { kinds } } }) {
    for (const kind of kinds) await removeRecord(client, namespace, kind);
    return counted(kinds.length, 'kind');
  },
};

const RESTORE_WATCHERS: MigrationStep = {
  id: 'restore-watchers',
  title: 'Start the watchers of the old controller again',
  async run(context) {
    const { client, namespace, journal: { state: { watchers = [] } } } = context;
    for (let attempt = 1; ; attempt += 1) {
      const deployment = await client.get(DEPLOYMENTS, DEPLOYMENT, namespace);
      if (!deployment) throw new MigrationError(`the Deployment ${namespace}/${DEPLOYMENT} was deleted in the meantime`);
      const inMode = containersOf(deployment).filter(hasMode);
      if (inMode.length === 0) return 'its settings are not those of this migration';
      const unknown = inMode.filter(({ name }) => !watchers.some(({ container }) => container === name));
      if (unknown.length > 0) throw new MigrationError(unknownSettings(namespace, unknown.map(({ name }) => name)));
      try {
        await client.replace(DEPLOYMENTS, withSettings(deployment, watchers));
        await rolledOut(context, deployment);
        return counted(1, 'Deployment');
      } catch (error) {
        if (!(error instanceof KubernetesError) || error.status !== 409 || attempt >= TRIES) throw error;
      }
    }
  },
};

/** The Deployment had the mode before the migration, or got the container since: with it, nothing would reconcile. */
function unknownSettings(namespace: string, containers: readonly string[]): string {
  const where = `the Deployment ${namespace}/${DEPLOYMENT} (container ${listed(containers)})`;
  return `${where} has the mode ${WEBHOOKS}, which this migration has not set: take the variables ${MODE} and ${TARGET_NAMESPACES} out`;
}

/** The steps of `migrate abort`, in their order, by the direction that is taken back. */
export const ABORT_STEPS: Readonly<Record<Direction, readonly MigrationStep[]>> = {
  'from-aso': [RESTORE_STORAGE, TAKE_WRITES, RETURN_OBJECTS, RESTORE_STORED_VERSIONS, REMOVE_RECORDS, RESTORE_WATCHERS],
  'to-aso': [RESTORE_WATCHERS],
};

/** Why a migration cannot be taken back; undefined: it can. */
export async function abortObstacle(
  { client }: Pick<MigrationContext, 'client'>,
  namespace: string,
  { direction, kinds, turned, pointOfNoAbort }: Pick<JournalState, 'direction' | 'kinds' | 'turned' | 'pointOfNoAbort'>,
): Promise<string | undefined> {
  if (turned) return 'the migration was turned round';
  if (pointOfNoAbort) return `the step ${POINT_OF_NO_ABORT[direction].next} has begun`;
  const deployment = await client.get(DEPLOYMENTS, DEPLOYMENT, namespace);
  const isTheirs = direction === 'from-aso' ? (object: KubernetesObject) => !isBundledController(object) : isBundledController;
  if (!deployment || !isTheirs(deployment)) return `the Deployment ${namespace}/${DEPLOYMENT} of ${direction === 'from-aso' ? 'ASO' : "this package's controller"} is removed already`;
  if (direction === 'to-aso') return undefined;
  for (const { crd: name, from } of kinds) {
    const crd = await client.get(CRD_KIND, name);
    if (!crd || !versionsOf(crd).some((version) => version.name === from)) return `the CRD ${name} is ${crd ? 'replaced' : 'gone'} already`;
  }
  return undefined;
}
