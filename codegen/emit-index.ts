import type { ServiceModel } from './model';
import { submoduleOf } from './names';
import { shortNameOf } from '../src/catalog/short-names';

/** `src/services/<service>/index.ts`. */
export function serviceIndex(service: ServiceModel): string {
  const files = [...service.kinds.map((kind) => kind.fileName).sort(), 'refs', ...(service.shared.length > 0 ? ['shared'] : [])];
  const shortNames = [...service.kinds].sort((a, b) => (a.fileName < b.fileName ? -1 : 1)).flatMap(({ className, fileName }) => {
    const short = shortNameOf(service.service, className);
    // Other languages have the operator's name alone: jsii knows one name of a class.
    return short === undefined
      ? []
      : [`export { ${className} as ${short} } from './${fileName}';\n`, `export type { ${className}Props as ${short}Props } from './${fileName}';\n`];
  });
  return [...files.map((file) => `export * from './${file}';\n`), ...shortNames].join('');
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
