import type { ArmClient } from '../../engine/arm/types';
import type { ImportedManifest } from '../../engine/import/to-manifests';
import type { Manifest } from '../manifests/manifests';
import { livePlan } from '../plan/live/live-plan';
import { ReadOnlyClient } from '../plan/live/read-only-client';

/** The changes in Azure that applying the imported objects would make. */
export interface Verification {
  /** One line for each change, and for each object that the controller would not take. */
  readonly lines: readonly string[];
  /** By ARM id. A resource that nothing would happen to is not in it. */
  readonly byId: ReadonlyMap<string, ImportedChange>;
  /** Why the controller would not take an object. */
  readonly problems: readonly string[];
}

export interface ImportedChange {
  /** As `plan` says it, e.g. `change`. */
  readonly change: string;
  /** `sku.name (Basic → Standard)` */
  readonly properties: readonly string[];
  readonly reason?: string;
}

/** Plans the objects against what Azure has. Answers that the import has read are not asked for again. */
export async function verified(manifests: readonly ImportedManifest[], client: ArmClient, subscription: string): Promise<Verification> {
  const files = manifests.map(({ object }): Manifest => (
    { file: 'import', line: 0, object: object as unknown as Manifest['object'], lineOf: () => 0 }
  ));
  const byObject = new Map(files.map(({ object }, index) => [object, manifests[index]!]));
  const reader = new ReadOnlyClient(client);
  const { changes, problems } = await livePlan({ manifests: files }, subscription, reader);
  const byId = new Map<string, ImportedChange>();
  const notTaken = problems.map(({ object, message }) => (object === undefined ? message : `${object}: ${message}`));
  const lines = [...notTaken];
  for (const { manifest, fate, properties, reason } of changes) {
    if (fate === 'noChange') continue;
    const { resource } = byObject.get(manifest.object) ?? {};
    const { kind, metadata: { name } } = manifest.object;
    const what = properties.map(({ path, old, new: wanted, unknown }) =>
      (unknown === undefined ? `${path} (${old ?? 'nothing'} → ${wanted ?? 'nothing'})` : `${path} (needs ${unknown})`));
    lines.push(`${kind} ${name}: ${fate}${what.length > 0 ? `: ${what.join(', ')}` : ''}${reason === undefined ? '' : `: ${reason}`}`);
    if (resource) byId.set(resource.id, { change: fate, properties: what, ...(reason === undefined ? {} : { reason }) });
  }
  return { lines, byId, problems: notTaken };
}
