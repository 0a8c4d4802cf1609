import { newestSpecTime, withManagedFields } from './managed-fields';
import { isMoved, storedVersionsAfter, typeOf, type MigratedKind } from './migrated-kinds';
import { MigrationError } from './migration-context';
import { rewriteOf } from './rewritten';
import { migratedOwners } from './storage-versions';
import type { RestClient } from '../../engine/kubernetes';
import { appliedVersionOf } from '../../engine/kubernetes/applied-version';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import type { Catalog } from '../../src/catalog';

export interface RewriterOptions {
  /** The check has one whose writes are dry runs. */
  readonly client: Pick<RestClient, 'get' | 'replace' | 'replaceStatus'>;
  readonly catalog: Catalog;
  /** All kinds of the migration. */
  readonly kinds: readonly MigratedKind[];
}

/** The versions in which objects of a kind were applied, by uid, as they were at a time. */
export interface AppliedVersions {
  readonly at: string;
  readonly byUid: ReadonlyMap<string, string>;
}

/** Stores the objects of a kind in their new version, with everything that ASO's form has. */
export class Rewriter {
  private readonly storedVersionOf;

  public constructor(
    private readonly options: RewriterOptions, private readonly kind: MigratedKind, private readonly record: AppliedVersions,
  ) {
    this.storedVersionOf = storedVersionsAfter(options.kinds, options.catalog);
  }

  /** @throws KubernetesError 409 where another writer is faster */
  public async rewrite(name: string, namespace: string): Promise<void> {
    const { client } = this.options;
    const type = typeOf(this.kind, this.kind.to);
    const stored = await client.get(type, name, namespace);
    if (!stored) return;
    if (!isMoved(this.kind)) {
      const ownerReferences = migratedOwners(stored.metadata.ownerReferences, this.storedVersionOf);
      // The write of an unchanged object stores it in the current version, and nothing where it is stored in it.
      await client.replace(type, ownerReferences ? { ...stored, metadata: { ...stored.metadata, ownerReferences } } : stored);
      return;
    }
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
    const version = this.options.catalog.kind(this.kind.group, this.kind.kind)?.version(name);
    if (!version) throw new MigrationError(`the catalog has no version ${name} of ${this.kind.group}/${this.kind.kind}`);
    return version;
  }
}

function changed(name: string): KubernetesError {
  return new KubernetesError(409, 'Conflict', `${name} was changed between two reads`);
}
