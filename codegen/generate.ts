import { rootIndex, serviceIndex } from './emit-index';
import { kindFile, sharedFile } from './emit-kind';
import { servicePage } from './emit-page';
import type { ServiceModel } from './model';
import { serviceModel } from './service-model';
import type { Catalog } from '../src/catalog';

/** Path, relative to the package's root → content. */
export type Files = Map<string, string>;

/** All that is written from the catalog. Depends on nothing else: the same catalog gives the same files. */
export function generate(catalog: Catalog): Files {
  const { services } = catalog;
  const files: Files = new Map([['src/index.ts', rootIndex(services)]]);
  for (const service of services) for (const [path, content] of serviceFiles(serviceModel(catalog, service))) files.set(path, content);
  return files;
}

/** The files of one service. */
export function serviceFiles(service: ServiceModel): Files {
  const folder = `src/services/${service.submodule}`;
  const files: Files = new Map([[`${folder}/index.ts`, serviceIndex(service)]]);
  for (const kind of service.kinds) files.set(`${folder}/${kind.fileName}.ts`, kindFile(kind, service));
  if (service.shared.length > 0) files.set(`${folder}/shared.ts`, sharedFile(service));
  files.set(`docs/api/${service.submodule}.md`, servicePage(service));
  return files;
}
