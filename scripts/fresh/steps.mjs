/**
 * @typedef Step
 * @property {string[]} inputs files and folders that it reads; those among its outputs do not count
 * @property {string[]} outputs files and folders that it writes
 * @property {string[]} [not] folders of its outputs that another step writes
 */

const PROGRAMS = ['lib/cli', 'lib/controller', 'lib/composer', 'lib/sandbox', 'lib/programs', 'lib/page'];

/** The code that is checked, with the configurations of the checks. */
const CHECKED = [
  'src', 'engine', 'runtime', 'page', 'controller', 'composer', 'sandbox', 'cli', 'codegen', 'catalog-tool', 'examples', 'bench', 'scripts', 'site', 'test',
  'projenrc', '.projenrc.ts', '.oxlintrc.json', 'knip.json', 'tsconfig.packages.json', 'tsconfig.page.json', 'tsconfig.json',
];

/** The steps of the build, in order, and the checks. Each also depends on the installed packages. @type {Record<string, Step>} */
export const STEPS = {
  generate: {
    inputs: ['catalog', 'codegen', 'src'],
    outputs: [
      'src/services', 'docs/api', 'src/index.ts', 'src/core/versions/aso-release.ts', 'src/azure/names/name-rules.ts',
      'src/platform-kinds/schema/descriptions.ts',
    ],
  },
  library: {
    // The assembly has the README in it.
    inputs: ['src', 'README.md', 'scripts/lazy-root.mjs', 'scripts/lazy', 'scripts/widen-types.mjs', 'scripts/widen'],
    outputs: ['lib', '.jsii', '.jsii.gz', 'tsconfig.json'],
    not: PROGRAMS,
  },
  programs: {
    inputs: [
      'catalog', 'src', 'engine', 'runtime', 'page', 'controller', 'composer', 'sandbox', 'cli', 'codegen', 'catalog-tool', 'scripts/bundle.mjs',
      'scripts/bundled', 'scripts/licences.mjs',
    ],
    outputs: [...PROGRAMS, 'sbom.cdx.json', 'THIRD-PARTY-LICENSES.txt'],
  },
  reference: {
    inputs: ['.jsii', '.jsii.gz', 'docs/api', 'scripts/docs.ts', 'scripts/reference', 'src/documentation.ts'],
    outputs: ['API.md', 'docs/modules'],
  },
  lint: { inputs: CHECKED, outputs: [] },
  types: { inputs: CHECKED, outputs: [] },
  cycles: { inputs: CHECKED, outputs: [] },
  exports: { inputs: CHECKED, outputs: [] },
};
