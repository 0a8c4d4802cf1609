import { returnedObject } from './returned';
import { appliedVersionOf } from '../../../engine/kubernetes/applied-version';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import { counted } from '../../../src/util/words';
import { listPages } from '../../cluster/reader';
import { keepingRecords } from '../keeping-records';
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
    const type = typeOf(kind, kind.from);
    const versionOf = (stored: KubernetesObject) => appliedVersionOf(type, stored)?.slice(kind.group.length + 1) ?? kind.from;
    written += await rewriteEach(context, kind, objects, (name, where) => returnOne(context, kind, { type, versionOf }, name, where));
    await journal.update({ rewritten: [...journal.state.rewritten, kind.crd] });
  }
  return counted(written, 'object');
}

export interface ReturnOptions {
  /** In the version that this package stores. */
  readonly type: ResourceType;
  /** The version in which the user applied the object. */
  readonly versionOf: (stored: KubernetesObject) => string;
}

/** Writes an object as ASO has to store it, where ASO's storage version is the stored one. */
export async function returnOne(
  { catalog, ...context }: Pick<MigrationContext, 'client' | 'clock' | 'catalog'>, kind: MigratedKind, { type, versionOf }: ReturnOptions, name: string, namespace: string,
): Promise<void> {
  const client = keepingRecords(context);
  const stored = await client.get(type, name, namespace);
  if (!stored) return;
  const version = versionOf(stored);
  const facts = catalog.kind(kind.group, kind.kind)?.version(version);
  if (!facts) throw new MigrationError(`the catalog has no version ${version} of ${kind.group}/${kind.kind}, in which ${namespace}/${name} was applied`);
  const appliedType = typeOf(kind, version);
  const applied: KubernetesObject | undefined = version === type.version ? stored : await client.get(appliedType, name, namespace);
  if (applied?.metadata.resourceVersion !== stored.metadata.resourceVersion) throw new KubernetesError(409, 'Conflict', `${name} was changed between two reads`);
  const { status, object, last } = returnedObject(applied!, facts, stored);
  const { resourceVersion } = (status ? await client.replaceStatus(appliedType, { ...applied!, status }) : applied!).metadata;
  const written = await client.replace(appliedType, { ...object, metadata: { ...object.metadata, resourceVersion: resourceVersion! } });
  if (!last) return;
  const { annotations, managedFields } = last;
  await client.replace(appliedType, withManagedFields({ ...written, metadata: { ...written.metadata, annotations } }, managedFields));
}
