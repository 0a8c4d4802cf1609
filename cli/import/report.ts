import type { Verification } from './verify';
import type { ImportResult } from '../../engine/import/importer';
import type { RefusedValue } from '../../engine/import/refused-values';
import { lacksValues, type ImportedManifest } from '../../engine/import/to-manifests';
import { objectTitleOf } from '../../src/object-id';

/** Notes on an import that went well: secrets to provide, values that are missing, resources that were left out. */
export function noteLines(manifests: readonly ImportedManifest[], { others }: ImportResult): string[] {
  return [
    ...manifests.flatMap(({ resource, object, secrets }) => [
      ...secrets.filter(({ required }) => required).map(({ property, secret, key }) =>
        `${titleOf(object)}: spec.${property} is a secret, which Azure does not show: make the Secret ${secret}${key === undefined ? '' : ` with the key ${key}`} before you apply it`),
      ...refusedLines({ resource, object }),
      ...resource.missing.map((path) => `${titleOf(object)}: Azure gives no value for spec.${path}, which the schema requires: add it`),
    ]),
    ...others.filter(({ what }) => what === 'left-out').map(({ id, why }) => `left out: ${id}: ${why}`),
  ];
}

/** The values in Azure that the schema of an object refuses, each with the way out. */
export function refusedLines({ resource, object }: Pick<ImportedManifest, 'resource' | 'object'>): string[] {
  const { refused, insteadOf, version } = resource;
  const title = titleOf(object);
  const is = ({ property, value, why }: RefusedValue) => `Azure has ${value} for ${property}, which ${version.name} of the kind refuses (${why})`;
  const lines = refused.map((one) => `${title}: ${is(one)}: ${one.leftOut === undefined
    ? 'the API server refuses the object. Write a value that is allowed, or leave the object out'
    : `${one.leftOut} is left out`}`);
  if (lacksValues(resource)) {
    lines.push(`${title}: it is only read (reconcile-policy: skip), since a PUT without what is left out could reset it in Azure. Add the value when a newer release of the CRDs takes it, and remove the annotation; or remove it now, if the value may go`);
  }
  if (insteadOf) {
    const [first] = insteadOf.refused;
    lines.push(`${title}: it is written in version ${version.name}, since ${insteadOf.version} refuses ${first!.property}: ${first!.value} (${first!.why})`);
  }
  return lines;
}

/** All of it, for programs. */
export function jsonReport(manifests: readonly ImportedManifest[], { others }: ImportResult, changes: Verification | undefined): string {
  const listed = (isLeftOut: boolean) => others.filter(({ what }) => (what === 'left-out') === isLeftOut).map(({ id, why }) => ({ id, why }));
  return JSON.stringify({
    resources: manifests.map(({ resource, object, secrets }) => ({
      armId: resource.id, object, secrets, missing: resource.missing, refused: resource.refused, ...(resource.insteadOf && { insteadOf: resource.insteadOf }), ...(changes ? changes.byId.get(resource.id) ?? { change: 'noChange' } : {}),
    })),
    leftOut: listed(true),
    failed: listed(false),
    ...(changes ? { problems: changes.problems } : {}),
  }, undefined, 2);
}

export function titleOf(object: Readonly<Record<string, unknown>>): string {
  const { name, namespace } = object.metadata as { name: string; namespace?: string };
  return objectTitleOf({ kind: String(object.kind), namespace, name });
}
