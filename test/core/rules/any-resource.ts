import type { Chart } from 'cdk8s';
import type { KubernetesObject } from '../../../engine/kubernetes';
import { propertyNameOf } from '../../../src/catalog/property-names';
import { AzureResource } from '../../../src/core';

/** Any kind of the catalog, its spec as a manifest has it. */
export class AnyResource extends AzureResource {
  public constructor(scope: Chart, id: string, { apiVersion, kind, metadata, spec }: KubernetesObject) {
    const [group, version] = apiVersion.split('/');
    const props = { metadata, additionalSpec: spec as Record<string, unknown> };
    super(scope, id, { group: group!, version: version!, kind }, props);
  }
}

/** The prop of a field that a rule names in a manifest. */
export const propOf = (field = 'spec'): string =>
  field
    .replace(/^spec\.(.*)$/, (_, path: string) => path.replace(/[A-Za-z][\w-]*/g, (name) => propertyNameOf(name, false)))
    .replace(/^metadata\.annotations\['(.*)'\]$/, (_, key: string) =>
      key.endsWith('/reconcile-policy') ? 'reconcilePolicy' : `metadata.annotations["${key}"]`,
    );
