import type { MigrationStep } from '../migration-context';
import { removeRecord } from '../recorded-versions';
import { allowWrites } from './refuse-writes';

export const ALLOW_WRITES: MigrationStep = {
  id: 'allow-writes',
  title: 'Take writes in all versions again',
  async run(context) {
    await allowWrites(context);
    for (const kind of context.journal.state.kinds) await removeRecord(context.client, context.namespace, kind);
    return 'the admission policy and the records of versions are gone';
  },
};
