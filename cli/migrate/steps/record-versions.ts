import { counted } from '../../../src/util/words';
import { listPages } from '../../cluster/reader';
import { serverTime } from '../../cluster/server-time';
import { typeOf } from '../migrated-kinds';
import type { MigrationStep } from '../migration-context';
import { recordOf, storeRecord } from '../recorded-versions';

/** Once an object is stored in another form, nothing else says in which version it was applied. */
export const RECORD_VERSIONS: MigrationStep = {
  id: 'record-versions',
  title: 'Record the version in which each object was applied',
  async run({ client, connection, namespace, journal }) {
    const { kinds } = journal.state;
    const recorded: string[] = [];
    let objects = 0;
    let others = 0;
    for (const kind of kinds) {
      const at = new Date(await serverTime(connection)).toISOString();
      const found = await listPages(client, typeOf(kind, kind.from));
      const record = recordOf(kind, found, at);
      objects += found.length;
      others += Object.values(record.versions).reduce((sum, uids) => sum + uids.length, 0);
      if (await storeRecord(client, namespace, kind, record)) recorded.push(kind.crd);
    }
    await journal.update({ recorded });
    return `${counted(objects, 'object')}, ${others} of them in another version than the stored one`;
  },
};
