import { appliedVersionOf } from '../../../engine/kubernetes/applied-version';
import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { counted } from '../../../src/util/words';
import { listPages } from '../../cluster/reader';
import { newestSpecTime, withManagedFields } from '../managed-fields';
import { storedVersionsAfter, typeOf, type MigratedKind } from '../migrated-kinds';
import { MigrationError, type MigrationContext, type MigrationStep } from '../migration-context';
import { readRecord } from '../recorded-versions';
import { rewriteEach } from '../rewrite-each';
import { rewriteOf } from '../rewritten';

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
  const isRecorded = context.journal.state.recorded?.includes(kind.crd) ?? false;
  const rewriter = new Rewriter(context, kind, await readRecord(context.client, context.namespace, kind, isRecorded));
  return rewriteEach(context, kind, objects, (name, namespace) => rewriter.rewrite(name, namespace));
}

class Rewriter {
  private readonly storedVersionOf;

  public constructor(
    private readonly context: MigrationContext,
    private readonly kind: MigratedKind,
    private readonly record: Awaited<ReturnType<typeof readRecord>>,
  ) {
    this.storedVersionOf = storedVersionsAfter(context.journal.state.kinds, context.catalog);
  }

  public async rewrite(name: string, namespace: string): Promise<void> {
    const { client } = this.context;
    const type = typeOf(this.kind, this.kind.to);
    const stored = await client.get(type, name, namespace);
    if (!stored) return;
    const version = this.appliedVersion(stored);
    const applied = version === this.kind.to ? undefined : await client.get(typeOf(this.kind, version), name, namespace);
    if (applied && applied.metadata.resourceVersion !== stored.metadata.resourceVersion) throw changed(name);
    const { object, status, managedFields, restoresManagedFields } = rewriteOf({ stored, ...(applied && { applied }) }, {
      type, applied: this.versionOf(version), stored: this.versionOf(this.kind.to), storedVersionOf: this.storedVersionOf,
    });
    let written = await client.replace(type, object);
    if (status) written = await client.replaceStatus(type, { ...written, status });
    // A spec that ASO converts in another way has become this program's, in the stored version.
    const isApplied = appliedVersionOf(type, written) === `${type.group}/${version}`;
    if (restoresManagedFields || (!isApplied && applied)) await client.replace(type, withManagedFields(written, managedFields));
  }

  /** The recorded version, unless the user has applied the object in the stored one since. */
  private appliedVersion(stored: KubernetesObject): string {
    const { to } = this.kind;
    const recorded = this.record.byUid.get(stored.metadata.uid ?? '') ?? to;
    const time = newestSpecTime(stored, typeOf(this.kind, to), to);
    return time !== undefined && Date.parse(time) >= Date.parse(this.record.at) ? to : recorded;
  }

  private versionOf(name: string) {
    const version = this.context.catalog.kind(this.kind.group, this.kind.kind)?.version(name);
    if (!version) throw new MigrationError(`the catalog has no version ${name} of ${this.kind.group}/${this.kind.kind}`);
    return version;
  }
}

function changed(name: string): KubernetesError {
  return new KubernetesError(409, 'Conflict', `${name} was changed between two reads`);
}
