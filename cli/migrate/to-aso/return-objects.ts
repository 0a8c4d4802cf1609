import { returnedObject } from './returned';
import { appliedVersionOf } from '../../../engine/kubernetes/applied-version';
import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { counted } from '../../../src/util/words';
import { listPages } from '../../cluster/reader';
import { withManagedFields } from '../managed-fields';
import { typeOf, type MigratedKind } from '../migrated-kinds';
import { MigrationError, type MigrationContext } from '../migration-context';
import { rewriteEach } from '../rewrite-each';

/** Every object is written once in the version in which it was applied, so that ASO's storage form has all of it. */
export async function returnObjects(context: MigrationContext): Promise<string> {
  const { client, journal } = context;
  let written = 0;
  for (const kind of journal.state.kinds) {
    if (journal.state.rewritten.includes(kind.crd)) continue;
    const objects = await listPages(client, typeOf(kind, kind.from), { metadataOnly: true });
    written += await rewriteEach(context, kind, objects, (name, namespace) => returnOne(context, kind, name, namespace));
    await journal.update({ rewritten: [...journal.state.rewritten, kind.crd] });
  }
  return counted(written, 'object');
}

async function returnOne({ client, catalog }: MigrationContext, kind: MigratedKind, name: string, namespace: string): Promise<void> {
  const type = typeOf(kind, kind.from);
  const stored = await client.get(type, name, namespace);
  if (!stored) return;
  const version = appliedVersionOf(type, stored)?.slice(kind.group.length + 1) ?? kind.from;
  const facts = catalog.kind(kind.group, kind.kind)?.version(version);
  if (!facts) throw new MigrationError(`the catalog has no version ${version} of ${kind.group}/${kind.kind}, in which ${namespace}/${name} was applied`);
  const appliedType = typeOf(kind, version);
  const applied: KubernetesObject | undefined = version === kind.from ? stored : await client.get(appliedType, name, namespace);
  if (applied?.metadata.resourceVersion !== stored.metadata.resourceVersion) throw new KubernetesError(409, 'Conflict', `${name} was changed between two reads`);
  const { status, object, last } = returnedObject(applied!, facts, stored);
  const { resourceVersion } = (status ? await client.replaceStatus(appliedType, { ...applied!, status }) : applied!).metadata;
  const written = await client.replace(appliedType, { ...object, metadata: { ...object.metadata, resourceVersion: resourceVersion! } });
  if (!last) return;
  const { annotations, managedFields } = last;
  await client.replace(appliedType, withManagedFields({ ...written, metadata: { ...written.metadata, annotations } }, managedFields));
}
