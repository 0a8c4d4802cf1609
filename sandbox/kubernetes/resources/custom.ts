import type { CustomResourceDefinition } from '../../../src/catalog/crd-types';
import type { StoredObject } from '../objects';
import { compareVersions } from './definition';
import type { ResourceDefinition } from './definition';

/** The kind that a CRD defines. */
export function customResource(object: StoredObject): ResourceDefinition {
  // Stored CRDs have passed the schema of CRDs.
  const { spec } = object as unknown as CustomResourceDefinition;
  const { names } = spec;
  return {
    group: spec.group,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: spec.scope === 'Namespaced',
    versions: spec.versions
      .filter((version) => version.served)
      .map((version) => ({
        name: version.name,
        status: version.subresources?.status !== undefined,
        schema: () => version.schema?.openAPIV3Schema,
        ...(version.additionalPrinterColumns && { columns: version.additionalPrinterColumns }),
        ...(version.deprecated && {
          deprecationWarning: version.deprecationWarning ?? deprecation(spec, version.name),
        }),
      }))
      .sort((a, b) => compareVersions(a.name, b.name)),
    custom: true,
    counted: true,
    virtual: false,
  };
}

/** With the most preferred version that is none the worse, if there is one. */
function deprecation({ group, names, versions }: CustomResourceDefinition['spec'], name: string): string {
  const [better] = versions
    .filter((version) => version.served && !version.deprecated && compareVersions(version.name, name) < 0)
    .map((version) => version.name)
    .sort(compareVersions);
  return `${group}/${name} ${names.kind} is deprecated${better ? `; use ${group}/${better} ${names.kind}` : ''}`;
}
