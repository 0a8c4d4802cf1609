import type { Kind } from '../../../src/catalog';
import { crdManifest } from '../../../src/catalog/crd';
import type { CustomResourceDefinition } from '../../../src/catalog/crd-types';
import type { StoredObject } from '../objects';
import { timestamp } from '../objects';
import { established } from '../operations/crd-rules';
import type { KubernetesOptions } from '../options';
import { CRD_RESOURCE } from './builtin';
import type { Store } from '../storage/store';

const AGE = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** Installs the CRDs of kinds. Their schemas are written when something asks for them: all of them are some fifty megabytes. */
export function installCrds(store: Store, kinds: readonly Kind[], versions: KubernetesOptions['versions'], now: number): void {
  for (const kind of kinds) {
    const wanted = versions?.(kind);
    const manifest = crdManifest(kind, { lazySchemas: true, ...(wanted && { versions: wanted }) });
    store.put(CRD_RESOURCE, established(withAge(manifest), timestamp(now)));
  }
}

/** People at a terminal want to see the age too. */
function withAge(crd: CustomResourceDefinition): StoredObject {
  const versions = crd.spec.versions.map((version) => ({
    ...version,
    additionalPrinterColumns: [...(version.additionalPrinterColumns ?? []), AGE],
  }));
  // A CRD's type has no index signature, which a stored object has.
  return { ...crd, metadata: { ...crd.metadata, generation: 1 }, spec: { ...crd.spec, versions } } as unknown as StoredObject;
}
