import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { crdManifest } from '../../../src/catalog/crd';
import { webhookConversion } from '../../../src/catalog/webhook-configurations';
import { isRecord } from '../../../src/util/records';
import { counted } from '../../../src/util/words';
import { isCrd } from '../migrated-kinds';
import { MigrationError, type MigrationContext, type MigrationStep } from '../migration-context';
import { updateCrd } from '../update-crd';

/**
 * The schemas and versions of this package. Labels stay ASO's until its pods are gone: a pod that starts replaces CRDs whose label is not
 * its own. The conversion stays, since ASO's webhook still answers.
 */
export const REPLACE_CRDS: MigrationStep = {
  id: 'replace-crds',
  title: "Replace ASO's CRDs",
  async run(context) {
    const { client, journal } = context;
    const { kinds } = journal.state;
    const wanted = replacedSpec(context);
    // Of kinds that ASO stores in their only version, a CRD does not show that it is replaced.
    if (!journal.state.pointOfNoAbort) await journal.update({ pointOfNoAbort: true });
    for (const { crd } of kinds) {
      await updateCrd(client, crd, (installed) => {
        const changed = wanted(installed);
        return isDeepStrictEqual(installed.spec, changed) ? undefined : { ...installed, spec: changed };
      });
    }
    return counted(kinds.length, 'CRD');
  },
};

type Spec = NonNullable<KubernetesObject['spec']>;
type CrdSource = Pick<MigrationContext, 'install' | 'catalog' | 'namespace'>;

/** The spec of a CRD of ASO after the step. */
export function replacedSpec(options: CrdSource): (installed: KubernetesObject) => Spec {
  const wanted = specsOf(options);
  return (installed) => {
    const spec = wanted(installed.metadata.name);
    const isWebhook = isRecord(spec.conversion) && spec.conversion.strategy === 'Webhook';
    return { ...spec, ...(isWebhook && { conversion: installed.spec?.conversion }) };
  };
}

/** Specs of the installation's CRDs, and of the catalog for kinds that it has none of. */
function specsOf({ install, catalog, namespace }: CrdSource): (name: string) => Spec {
  const given = new Map(install.filter(isCrd).map((crd) => [crd.metadata.name, crd.spec]));
  const kinds = new Map(catalog.allKinds.map((kind) => [kind.crdName, kind]));
  return (name) => {
    const kind = kinds.get(name);
    if (!kind) throw new MigrationError(`the catalog has no kind with the CRD ${name}`);
    const converted = kind.versionNames.length > 1;
    return given.get(name) ?? { ...crdManifest(kind, converted ? { conversion: webhookConversion({ namespace }) } : {}).spec };
  };
}
