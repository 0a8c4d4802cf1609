import { commonTypes } from './facts/common-types';
import { readService, type ServiceCatalog } from './facts/service';
import { refuseOtherServices } from './overlays/merge-properties';
import { nameRules } from './overlays/name-rules';
import { notices } from './overlays/notices';
import type { Overlays } from './overlays/overlays';
import { ownServices } from './overlays/own-kinds';
import type { Checkout } from './source/checkout';
import { catalogFiles, type CatalogFiles } from './write/catalog-text';

/** The catalog of a release, with notices for the maintainer. */
export interface CatalogRead {
  readonly files: CatalogFiles;
  readonly notices: readonly string[];
}

/** Reads the catalog from ASO's source and the overlays. */
export function readCatalog(checkout: Checkout, overlays: Overlays): CatalogRead {
  const services: ServiceCatalog[] = [];
  const inSource = new Set<string>();
  for (const service of checkout.services) {
    const read = readService(service, checkout, overlays);
    if (!read) continue;
    read.kindsInSource.forEach((kind) => inSource.add(kind));
    if (Object.keys(read.catalog.facts.kinds).length > 0) services.push(read.catalog);
  }
  services.push(...ownServices(overlays));
  refuseOtherServices(overlays.properties, services.map(({ facts }) => facts.service));
  const common = commonTypes(services, checkout.commonPackages);
  const armTypes = armTypesOf(services);
  const files = catalogFiles(services, {
    common,
    nameRules: nameRules(overlays.nameRules, armTypes),
  });
  return { files, notices: notices(services, overlays, { kinds: inSource, armTypes }) };
}

/** All ARM types, in lower case: Azure compares them case-insensitively. */
function armTypesOf(services: readonly ServiceCatalog[]): Set<string> {
  const versions = services.flatMap(({ facts }) => Object.values(facts.kinds).flatMap((kind) => Object.values(kind.versions)));
  return new Set(versions.flatMap(({ arm }) => (arm ? [arm.type.toLowerCase()] : [])));
}
