import { fragmentOf } from './fragment';
import { ImportedSource } from './imported-source';
import { stamped } from './stamp';
import { kindFile, sharedFile } from '../../codegen/emit-kind';
import { literal } from '../../codegen/emit-types';
import type { ServiceModel } from '../../codegen/model';
import { serviceModel } from '../../codegen/service-model';
import type { Sources } from '../../codegen/sources';
import type { Catalog, ImportedService } from '../../src/catalog';

/** The file that the CLI reads, beside the code. */
export const CATALOG_FILE = 'catalog.json';

/** Path below the folder → content, for all that is written of an import. */
export type CodeFiles = ReadonlyMap<string, string>;

/**
 * The classes of what was imported, and what registers the kinds with the library.
 * @param esm whether the project's files are ECMAScript modules, whose specifiers have an extension
 */
export function codeFiles(services: readonly ImportedService[], catalog: Catalog, esm: boolean): CodeFiles {
  const source = new ImportedSource(services, catalog);
  const models = services.map(({ service }) => serviceModel(source, service));
  refuseSameFolder(models);
  const own = new Set(models.flatMap((model) => model.kinds.map(({ className }) => `${model.submodule}/${className}`)));
  const extension = esm ? '.js' : '';
  const sources: Sources = {
    core: 'cdk8s-aso',
    registration: `../catalog${extension}`,
    file: (path) => `${path}${extension}`,
    builtIn: (owner) => !own.has(`${owner.submodule}/${owner.className}`),
  };
  const fragment = JSON.stringify(fragmentOf(services));
  const files = new Map([
    [CATALOG_FILE, `${fragment}\n`],
    ['catalog.ts', stamped(registrationFile(fragment))],
    ['index.ts', stamped(rootIndex(models, esm))],
  ]);
  for (const model of models) {
    files.set(`${model.submodule}/index.ts`, stamped(serviceIndex(model, sources)));
    if (model.shared.length > 0) files.set(`${model.submodule}/shared.ts`, stamped(sharedFile(model, sources)));
    for (const kind of model.kinds) files.set(`${model.submodule}/${kind.fileName}.ts`, stamped(kindFile(kind, model, sources)));
  }
  return files;
}

function registrationFile(fragment: string): string {
  return [
    'import { ImportedKinds } from \'cdk8s-aso\';\n\n',
    `// The content of ${CATALOG_FILE}, which is for \`cdk8s-aso check --catalog\` and \`cdk8s-aso graph --catalog\`.\n`,
    `ImportedKinds.register(${literal(fragment)});\n`,
  ].join('');
}

function rootIndex(models: readonly ServiceModel[], esm: boolean): string {
  return models.map(({ submodule }) => `export * as ${submodule} from './${submodule}${esm ? '/index.js' : ''}';\n`).join('');
}

function serviceIndex({ kinds, shared }: ServiceModel, { file }: Sources): string {
  const names = [...kinds.map(({ fileName }) => fileName).sort(), ...(shared.length > 0 ? ['shared'] : [])];
  return names.map((name) => `export * from '${file(`./${name}`)}';\n`).join('');
}

/** `a.b` and `ab` have one folder. */
function refuseSameFolder(models: readonly ServiceModel[]): void {
  const seen = new Map<string, string>();
  for (const { submodule, service } of models) {
    const other = seen.get(submodule);
    if (other !== undefined) {
      throw new Error(`the groups ${other} and ${service} would both be called ${submodule}. Import them into two folders.`);
    }
    seen.set(submodule, service);
  }
}
