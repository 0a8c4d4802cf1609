import type { javascript } from 'projen';

/** The packages of `src/` that are made of services, or of nothing but the core. */
const TOPS = ['./src/platform', './src/platform-api', './src/platform-kinds', './src/operator', './src/gitops'];
const PROGRAMS = ['./engine', './runtime', './page', './controller', './composer', './sandbox', './cli', './codegen'];
const CONSTRUCTS = ['./src/core', './src/services', ...TOPS];
const except = (all: readonly string[], ...others: string[]) => all.filter((one) => !others.includes(one));

/** Per package, what it must not import, and why; and directories of it that it may. The picture is in docs/architecture.md. */
const ARROWS: readonly (readonly [target: string | string[], from: readonly string[], message: string, except?: readonly string[]])[] = [
  ['./src', [...PROGRAMS, './catalog-tool', './test'], 'the library imports none of the programs'],
  ['./src/util', ['./src/assertions', './src/azure', './src/catalog', ...CONSTRUCTS, './src/patterns'], 'helpers know nothing but the language'],
  ['./src/catalog', ['./src/assertions', './src/azure', ...CONSTRUCTS, './src/patterns'], 'src/catalog stands alone'],
  ['./src/azure', ['./src/assertions', './src/catalog', ...CONSTRUCTS, './src/patterns'], 'src/azure stands alone'],
  ['./src/core', ['./src/assertions', './src/services', ...TOPS, './src/patterns'], 'core knows no service'],
  ['./src/services', ['./src/assertions', ...TOPS, './src/patterns'], 'a service knows core only'],
  ['./src/patterns', ['./src/assertions', ...TOPS], 'patterns are made of services and core'],
  ['./src/gitops', ['./src/assertions', './src/services', './src/patterns', './src/platform', './src/platform-kinds', './src/operator'], 'Flux and Argo CD know the core only'],
  ['./src/platform', ['./src/assertions', './src/platform-api', './src/platform-kinds', './src/operator'], 'a platform is made of services, core and GitOps'],
  ['./src/platform-api', ['./src/assertions', './src/azure', './src/catalog', './src/core', './src/services', './src/patterns', './src/platform', './src/platform-kinds', './src/operator', './src/gitops'], 'a definition is made of names, a schema and a function'],
  ['./src/platform-kinds', ['./src/assertions', './src/patterns', './src/operator', './src/gitops'], 'the kinds of a platform are definitions of its bundles'],
  ['./src/operator', ['./src/assertions', './src/services', './src/patterns', './src/platform', './src/platform-kinds', './src/gitops'], 'the installation knows the core and the catalog'],
  ['./engine', [...CONSTRUCTS, './src/patterns', ...except(PROGRAMS, './engine')], 'the engine is below controller and CLI'],
  ['./runtime', [...CONSTRUCTS, './src/patterns', ...except(PROGRAMS, './engine', './runtime')], 'the parts of any program in a cluster know the engine only'],
  ['./page', [...CONSTRUCTS, './src/patterns', ...except(PROGRAMS, './engine', './page')], 'the page is above the engine, and below CLI and controller'],
  ['./cli', ['./controller'], 'what CLI and controller share is in the engine'],
  [
    './controller',
    [...CONSTRUCTS, './src/patterns', ...except(PROGRAMS, './engine', './runtime', './page', './controller')],
    'the controller never imports a construct, the sandbox or the CLI',
  ],
  [
    './composer',
    ['./src/services', './src/patterns', './src/platform', './src/platform-kinds', './src/operator', './src/gitops', ...except(PROGRAMS, './engine', './runtime', './composer')],
    'the composer renders what the definition builds, and knows no construct itself',
  ],
  ['./sandbox', [...CONSTRUCTS, './src/patterns', ...except(PROGRAMS, './runtime', './sandbox')], 'the sandbox knows the catalog only'],
  ['./sandbox', ['./runtime'], 'of the parts of programs, the sandbox makes certificates only', ['./certificates']],
  ['./catalog-tool', [...CONSTRUCTS, './src/patterns', ...PROGRAMS], 'the tool that writes the catalog knows its shapes only'],
  ['./codegen', [...CONSTRUCTS, './src/patterns', ...except(PROGRAMS, './codegen')], 'codegen reads the catalog only'],
  [['./src', './engine', './runtime', './page', './controller', './composer', './sandbox', './codegen', './examples'], ['./cli'], 'nothing imports the CLI'],
];

/** Makes an import in the wrong direction between the packages an error of the linter. */
export function restrictImports(eslint: javascript.Eslint): void {
  const zones = ARROWS.map(([target, from, message, allowed]) => ({ target, from, message, ...(allowed && { except: allowed }) }));
  eslint.addRules({ 'import/no-restricted-paths': ['error', { zones }] });
}
