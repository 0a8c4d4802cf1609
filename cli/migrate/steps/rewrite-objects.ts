import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { counted } from '../../../src/util/words';
import { listPages } from '../../cluster/reader';
import { keepingRecords } from '../keeping-records';
import { typeOf, type MigratedKind } from '../migrated-kinds';
import type { MigrationContext, MigrationStep } from '../migration-context';
import { readRecord } from '../recorded-versions';
import { rewriteEach } from '../rewrite-each';
import { Rewriter } from '../rewriter';

/** Every object is written once, so that the server stores it in the new version, with everything that ASO's form has. */
export const REWRITE_OBJECTS: MigrationStep = {
  id: 'rewrite-objects',
  title: 'Rewrite every object in its new stored version',
  async run(context) {
    const { client, journal } = context;
    let rewritten = 0;
    for (const kind of journal.state.kinds) {
      if (journal.state.rewritten.includes(kind.crd)) continue;
      const objects = await listPages(client, typeOf(kind, kind.to), { metadataOnly: true });
      rewritten += await rewriteAll(context, kind, objects);
      await journal.update({ rewritten: [...journal.state.rewritten, kind.crd] });
    }
    return counted(rewritten, 'object');
  },
};

async function rewriteAll(context: MigrationContext, kind: MigratedKind, objects: readonly KubernetesObject[]): Promise<number> {
  const { client, catalog, namespace, journal: { state: { kinds, recorded } } } = context;
  const record = await readRecord(client, namespace, kind, recorded?.includes(kind.crd) ?? false);
  const rewriter = new Rewriter({ client: keepingRecords(context), catalog, kinds }, kind, record);
  return rewriteEach(context, kind, objects, (name, at) => rewriter.rewrite(name, at));
}
