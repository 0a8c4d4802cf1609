import type { ServiceModel } from './model';
import { submoduleOf } from './names';

/** `src/services/<service>/index.ts`. */
export function serviceIndex(service: ServiceModel): string {
  const files = [...service.kinds.map((kind) => kind.fileName).sort(), 'refs', ...(service.shared.length > 0 ? ['shared'] : [])];
  return files.map((file) => `export * from './${file}';\n`).join('');
}

/** `src/index.ts`. */
export function rootIndex(services: string[]): string {
  const submodules = services.map(submoduleOf).sort();
  return [
    '// Written by `npm run generate`.\n',
    'export * from \'./azure\';\n',
    'export * from \'./core\';\n',
    'export * as assertions from \'./assertions\';\n',
    'export * as gitops from \'./gitops\';\n',
    'export * as operator from \'./operator\';\n',
    'export * as patterns from \'./patterns\';\n',
    'export * as platform from \'./platform\';\n',
    ...submodules.map((name) => `export * as ${name} from './services/${name}';\n`),
  ].join('');
}
