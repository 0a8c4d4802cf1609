import type { Verification } from './verify';
import type { ImportResult } from '../../engine/import/importer';
import type { ImportedManifest } from '../../engine/import/to-manifests';

/** Notes on an import that went well: secrets to provide, values that are missing, resources that were left out. */
export function noteLines(manifests: readonly ImportedManifest[], { others }: ImportResult): string[] {
  return [
    ...manifests.flatMap(({ resource, object, secrets }) => [
      ...secrets.filter(({ required }) => required).map(({ property, secret, key }) =>
        `${titleOf(object)}: spec.${property} is a secret, which Azure does not show: make the Secret ${secret}${key === undefined ? '' : ` with the key ${key}`} before you apply it`),
      ...resource.missing.map((path) => `${titleOf(object)}: Azure gives no value for spec.${path}, which the schema requires: add it`),
    ]),
    ...others.filter(({ what }) => what === 'left-out').map(({ id, why }) => `left out: ${id}: ${why}`),
  ];
}

/** All of it, for programs. */
export function jsonReport(manifests: readonly ImportedManifest[], { others }: ImportResult, changes: Verification | undefined): string {
  const listed = (isLeftOut: boolean) => others.filter(({ what }) => (what === 'left-out') === isLeftOut).map(({ id, why }) => ({ id, why }));
  return JSON.stringify({
    resources: manifests.map(({ resource, object, secrets }) => ({
      armId: resource.id, object, secrets, missing: resource.missing, ...(changes ? changes.byId.get(resource.id) ?? { change: 'noChange' } : {}),
    })),
    leftOut: listed(true),
    failed: listed(false),
    ...(changes ? { problems: changes.problems } : {}),
  }, undefined, 2);
}

export function titleOf(object: Readonly<Record<string, unknown>>): string {
  const { name, namespace } = object.metadata as { name: string; namespace?: string };
  return `${String(object.kind)} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
