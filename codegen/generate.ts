import { rootIndex, serviceIndex } from './emit-index';
import { kindFile, refsFile, sharedFile } from './emit-kind';
import { servicePage, servicesPage } from './emit-page';
import type { ServiceModel } from './model';
import { serviceModel } from './service-model';
import type { ModelOf } from './snippet';
import type { Catalog } from '../src/catalog';

/** Path relative to the package's root → content. */
export type Files = Map<string, string>;

/** All files that are generated from the catalog. The catalog is the only input: the same catalog gives the same files. */
export function generate(catalog: Catalog): Files {
  const { services } = catalog;
  const files: Files = new Map([['src/index.ts', rootIndex(services)]]);
  const models = new Map(services.map((service) => serviceModel(catalog, service)).map((model) => [model.submodule, model]));
  const modelOf = (submodule: string) => models.get(submodule);
  for (const model of models.values()) for (const [path, content] of serviceFiles(model, modelOf)) files.set(path, content);
  files.set('docs/api/README.md', servicesPage([...models.values()]));
  return files;
}

/**
 * The files of one service.
 * @param modelOf finds the services of owners, which the examples of the page create
 */
export function serviceFiles(
  service: ServiceModel,
  modelOf: ModelOf = (name) => (name === service.submodule ? service : undefined),
): Files {
  const folder = `src/services/${service.submodule}`;
  const files: Files = new Map([[`${folder}/index.ts`, serviceIndex(service)]]);
  for (const kind of service.kinds) files.set(`${folder}/${kind.fileName}.ts`, kindFile(kind, service));
  files.set(`${folder}/refs.ts`, refsFile(service));
  if (service.shared.length > 0) files.set(`${folder}/shared.ts`, sharedFile(service));
  files.set(`docs/api/${service.submodule}.md`, servicePage(service, modelOf));
  return files;
}
