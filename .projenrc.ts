import { javascript, cdk, JsonFile } from 'projen';
import { restrictImports } from './projenrc/arrows';
import { addBuildSteps } from './projenrc/build-steps';
import { refuseCopies } from './projenrc/copies';
import { completeGithub, githubOptions } from './projenrc/github';
import { addOxlint } from './projenrc/linters';
import { addMutants } from './projenrc/mutants';
import { completeRelease, languageOptions, releaseOptions } from './projenrc/release';
import { buildSite } from './projenrc/site';
import { addTestTasks } from './projenrc/tests';
import { DOCUMENTATION_SITE } from './src/documentation';

const directories = [
  'src', 'catalog-tool', 'codegen', 'engine', 'runtime', 'page', 'controller', 'composer', 'sandbox', 'cli', 'examples', 'bench', 'scripts', 'site', 'test',
];

const project = new cdk.JsiiProject({
  name: 'cdk8s-aso',
  description:
    'Azure as typed CDK8s constructs: every resource kind of Azure Service Operator, the controller that reconciles them, and a CLI.',
  author: 'cdk8s-aso contributors',
  authorAddress: 'cdk8s-aso@users.noreply.github.com',
  authorOrganization: true,
  repositoryUrl: 'https://github.com/cdk8s-aso/cdk8s-aso.git',
  homepage: DOCUMENTATION_SITE,
  license: 'Apache-2.0',
  keywords: ['cdk8s', 'azure', 'kubernetes', 'azure-service-operator', 'aso', 'constructs', 'infrastructure-as-code'],
  defaultReleaseBranch: 'main',
  projenrcTs: true,
  packageManager: javascript.NodePackageManager.NPM,
  minNodeVersion: '20.20.0',
  jsiiVersion: '~6.0.0',
  typescriptVersion: '~6.0.0',
  compressAssembly: true,
  ...languageOptions,
  docgen: false, // scripts/docs.ts writes API.md and the pages of the hand-written modules, codegen those of the services
  ...githubOptions,
  ...releaseOptions,
  sampleCode: false,
  peerDeps: ['cdk8s@^2.68.11', 'cdk8s-plus-27@^2.9.0', 'constructs@^10.3.0'], // what cdk8s-plus-27 itself asks for
  peerDependencyOptions: { pinnedDevDependency: false },
  devDeps: [
    'cdk8s@^2.70.106',
    'cdk8s-plus-27@^2.9.5',
    'constructs@^10.8.1',
    'cdk8s-cli@^2.207.60',
    // The controller, the sandbox and the CLI: bundled at build. Those of Azure and commander are the last ones for Node 20.
    '@azure/identity@4.13.1',
    '@azure/core-rest-pipeline@~1.24.0',
    '@azure/core-auth@^1.10.0',
    '@azure/logger@^1.3.0',
    '@kubernetes/client-node@^1.4.0',
    '@marcbachmann/cel-js@^8.0.0',
    'commander@^14.0.3',
    'node-forge@^1.4.3',
    '@types/node-forge',
    'pino@^10.4.0',
    'pg@^8.23.1',
    '@types/pg',
    'mysql2@^3.24.5',
    // The last one for Node 20.
    'tedious@^19.2.2',
    'prom-client@^15.1.3',
    're2js@^2.10.0',
    'undici@^7.30.2',
    'yaml@^2.9.1',
    '@hpcc-js/wasm-graphviz@^1.29.2',
    // build and tests
    // The compiler that checks types, three times as fast as TypeScript 6, with which the library is compiled: `tsc` is either one's, so it
    // is called by its path.
    'typescript-native@npm:typescript@^7.0.2',
    // Rules that need types: ESLint takes half a minute for the same.
    'oxlint@^1.94.0',
    'oxlint-tsgolint@^7.0.2007',
    'axe-core@^4.12.0',
    'esbuild@^0.28.2',
    'zod@^4.6.7', // schemas of platform APIs in tests and examples
    '@jest/test-sequencer@^30',
    'tsx@^4.23.15',
    'fast-check@^4.10.2',
    'recheck@^4.5.0', // regular expressions that backtrack
    '@jsii/spec@^1.140.0',
    '@azure/arm-resources@^7.0.0',
    '@types/node@^20',
    // the list of bundled packages (SBOM), its schema, and the check of their licences
    '@cyclonedx/cyclonedx-library@^10.3.0',
    'ajv@^8.20.0',
    'ajv-formats@^3.0.1',
    'ajv-formats-draft2019@^1.6.1',
    'packageurl-js@^2.0.1',
    'spdx-expression-parse@^4.0.0',
    // Go's grammar, for the tool that reads ASO's source.
    'web-tree-sitter@^0.27.1',
    '@vscode/tree-sitter-wasm@^0.3.1',
    // The check for cycles of imports.
    'oxc-parser@^0.154.0',
    // The check for exports that nothing uses. Newer ones need packages that are not there for every system.
    'knip@~6.42.1',
    // Runs checks beside each other; the last one for Node 20.
    'concurrently@^9.2.5',
  ],
  npmIgnoreOptions: { ignorePatterns: [] },
  jest: true,
  jestOptions: {
    jestVersion: '^30',
    updateSnapshot: javascript.UpdateSnapshot.NEVER,
    junitReporting: false,
    jestConfig: {
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
      modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/lib/(cli|composer|controller|programs|sandbox)/package.json'],
      // No verdict comes from the clock: only what hangs is ended by it.
      testTimeout: 900_000,
      setupFiles: ['<rootDir>/test/setup/frames.ts'],
      globalSetup: '<rootDir>/test/setup/temporary/begin.ts',
      globalTeardown: '<rootDir>/test/setup/temporary/end.ts',
      // jest alone would leave one processor to itself.
      maxWorkers: '100%',
      testSequencer: '<rootDir>/scripts/suites/slowest-first.cjs',
      collectCoverage: false,
    },
  },
  eslint: true,
  eslintOptions: {
    dirs: directories,
    ignorePatterns: ['src/services/**', 'test/types/cases/**', 'lib/**', 'dist/**', '*.js', '*.mjs', '*.d.ts', 'node_modules/'],
    tsconfigPath: './tsconfig.packages.json',
    // A test that changes what it looks at hides the mistake: `npx projen eslint --fix` mends.
    commandOptions: { fix: false, extraArgs: ['--cache', '--cache-location', '.cache/eslint/', '--cache-strategy', 'content'] },
  },
});

// On a desk, `package` makes the npm package only; `package-all` makes every language's and needs every language's tools.
project.packageTask.reset();
project.packageTask.spawn(project.tasks.tryFind('package:js')!);

// One TypeScript project for everything that jsii does not compile (the library itself included, so that its users' view is checked).
new JsonFile(project, 'tsconfig.packages.json', {
  obj: {
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2023'],
      module: 'preserve',
      moduleResolution: 'bundler',
      esModuleInterop: true,
      resolveJsonModule: true,
      skipLibCheck: true,
      noEmit: true,
      strict: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      noImplicitReturns: true,
      noFallthroughCasesInSwitch: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noImplicitOverride: true,
      types: ['node', 'jest'],
      paths: {
        'cdk8s-aso': ['./src/index.ts'],
        'cdk8s-aso/assertions': ['./src/assertions/index.ts'],
        'cdk8s-aso/gitops': ['./src/gitops/index.ts'],
        'cdk8s-aso/operator': ['./src/operator/index.ts'],
        'cdk8s-aso/patterns': ['./src/patterns/index.ts'],
        'cdk8s-aso/platform': ['./src/platform/index.ts'],
        'cdk8s-aso/platform-api': ['./src/platform-api/index.ts'],
        'cdk8s-aso/platform-kinds': ['./src/platform-kinds/index.ts'],
        'cdk8s-aso/*': ['./src/services/*/index.ts'],
      },
    },
    include: [...[...directories, 'projenrc'].map((directory) => `${directory}/**/*.ts`), '.projenrc.ts'],
    exclude: ['node_modules', 'test/types/cases', 'examples/web-shop', 'page/client'],
  },
});

// The part of the page that runs in browsers.
new JsonFile(project, 'tsconfig.page.json', {
  obj: {
    extends: './tsconfig.packages.json',
    compilerOptions: { lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: ['node'], paths: {} },
    include: ['page/client/**/*.ts'],
    exclude: ['node_modules'],
  },
});

// The examples as a user's compiler sees them: against the built declarations, which take texts for enums (scripts/widen-types.mjs). An
// example that writes such texts is left out above, so nothing that the other project has may import it with its types.
new JsonFile(project, 'tsconfig.examples.json', {
  obj: {
    extends: './tsconfig.packages.json',
    // cdk8s-plus does not compile under exactOptionalPropertyTypes, and no project of `cdk8s init` sets it.
    compilerOptions: { types: ['node'], paths: {}, exactOptionalPropertyTypes: false },
    include: ['examples/**/*.ts'],
    exclude: ['node_modules'],
  },
});

// TypeScript sources run under jest by way of esbuild: the types are checked once, by the `typecheck` task.
project.deps.removeDependency('ts-jest');
const jestConfig = project.jest!.config;
delete jestConfig.preset;
jestConfig.testMatch = ['<rootDir>/test/**/*.test.ts'];
jestConfig.runtime = '<rootDir>/scripts/suites/light/runtime.cjs';
jestConfig.testEnvironment = '<rootDir>/scripts/suites/light/environment.cjs';
jestConfig.transform = { '\\.[cm]?[jt]s$': '<rootDir>/scripts/suites/jest-transform.cjs' };
jestConfig.transformIgnorePatterns = [
  '/node_modules/(?!(commander|@hpcc-js|@kubernetes|@marcbachmann|@azure|@typespec|p-queue|p-timeout|eventemitter3|jose|oauth4webapi|openid-client)/)',
];
jestConfig.moduleNameMapper = {
  '^fast-check$': '<rootDir>/test/setup/fast-check.ts',
  '^cdk8s-aso$': '<rootDir>/src/index.ts',
  '^cdk8s-aso/(assertions|gitops|operator|patterns|platform|platform-api|platform-kinds)$': '<rootDir>/src/$1/index.ts',
  '^cdk8s-aso/(.*)$': '<rootDir>/src/services/$1/index.ts',
};

restrictImports(project.eslint!);
project.eslint!.addRules({
  '@stylistic/max-len': [
    'error',
    { code: 140, ignoreUrls: true, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true },
  ],
});
addOxlint(project);
project.eslint!.addOverride({
  files: [
    'test/**/*.ts',
    'scripts/**/*.ts',
    'bench/**/*.ts',
    'examples/**/*.ts',
    'engine/**/*.ts',
    'page/**/*.ts',
    'runtime/**/*.ts',
    'controller/**/*.ts',
    'composer/**/*.ts',
    'sandbox/**/*.ts',
    'cli/**/*.ts',
    'codegen/**/*.ts',
    'catalog-tool/**/*.ts',
    'site/**/*.ts',
    'projenrc/**/*.ts',
    '.projenrc.ts',
  ],
  rules: { 'import/no-extraneous-dependencies': 'off' },
});

// The public API has `any` for free-form JSON. The tests left out read manifests as `any`.
project.eslint!.addOverride({
  files: [
    '{engine,page,runtime,controller,composer,sandbox,cli,codegen,catalog-tool,bench,site,projenrc,test}/**/*.ts',
    'src/platform-api/**/*.ts',
  ],
  excludedFiles: [
    'test/{azure,cli,controller,core,e2e,examples,gitops,operator,patterns,platform,sandbox}/**',
  ],
  rules: { '@typescript-eslint/no-explicit-any': 'error' },
});
project.eslint!.addOverride({ files: ['test/e2e/composer*.ts'], rules: { '@typescript-eslint/no-explicit-any': 'error' } });
// A limit of its own makes a test fail on a busy machine (test/setup/until.ts waits for what has to come).
project.eslint!.addOverride({
  files: ['test/**/*.ts'],
  excludedFiles: ['test/setup/fast-check.ts', 'test/scripts/suites/cases/**'],
  rules: {
    'no-restricted-syntax': [
      'error',
      ...[
        "CallExpression[callee.object.name='jest'][callee.property.name='setTimeout']",
        'CallExpression[callee.name=/^(test|it|(before|after)(All|Each))$/] > Literal.arguments:last-child',
        "CallExpression[callee.callee.property.name='each'] > Literal.arguments:last-child[value>=1000]",
      ].map((selector) => ({ selector, message: 'Tests have no time limit of their own: the machine may be busy.' })),
    ],
  },
});
refuseCopies(project.eslint!, ['src', 'engine', 'runtime', 'page', 'controller', 'composer', 'cli', 'sandbox', 'codegen', 'catalog-tool', 'scripts', 'projenrc']);

// made by the build
project.gitignore.exclude(
  '/src/services/',
  '/src/index.ts',
  '/src/azure/names/name-rules.ts',
  '/src/core/versions/aso-release.ts',
  '/src/platform-kinds/schema/descriptions.ts',
  '/docs/api/',
  '/docs/modules/',
  'dist/',
  '.jsii.gz',
  'THIRD-PARTY-LICENSES.txt',
  'sbom.cdx.json',
  '/bench/results/',
  '*.tsbuildinfo',
  '/.cache/',
);
project.gitignore.include('/catalog/');

project.npmrc.addConfig('omit-lockfile-registry-resolved', 'true');
project.npmrc.addConfig('fund', 'false');
project.npmrc.addConfig('audit', 'false');

// ASO's source → catalog, by hand at a new release (docs/catalog.md)
project.addTask('catalog', {
  description: 'Write catalog/ from a checkout of ASO: npm run catalog -- --source DIR',
  exec: 'tsx catalog-tool/main.ts',
  receiveArgs: true,
});

// projen would start npx for it, once for every task that a task runs: a second of a processor each.
project.tasks.addEnvironment('PATH', '$(echo "$PWD/node_modules/.bin:$PATH")');

// catalog → src/services, before each compile
const make = addBuildSteps(project);
addTestTasks(project);
addMutants(project);

// With the snapshots go the documents that tests hold against what the library says.
project.tasks.tryFind('test:update')!.env('UPDATE_DOCS', '1');

const demo = project.addTask('demo', { description: 'Synthesize examples/onboarding and bring it to Ready in the sandbox' });
demo.spawn(make);
demo.exec('node scripts/demo.mjs', { receiveArgs: true });

const acceptCompare = project.addTask('accept:compare', {
  description: 'Hold the comparer against recorded requests: npm run accept:compare -- DIR',
});
acceptCompare.exec('tsx scripts/accept-compare.ts', { receiveArgs: true });

const acceptContrary = project.addTask('accept:contrary', {
  description: 'Bring recorded cases to Ready in the contrary mode of the simulator: npm run accept:contrary -- DIR [--seeds N]',
});
acceptContrary.exec('tsx scripts/accept-contrary.ts', { receiveArgs: true });

const acceptPlatform = project.addTask('accept:platform', {
  description: 'Compare onboarding and self-service with a directory of cases: npm run accept:platform -- [--claims] DIR',
});
acceptPlatform.spawn(make);
acceptPlatform.exec('tsx scripts/accept-platform/main.ts', { receiveArgs: true });

const acceptAzure = project.addTask('accept:azure', {
  description: 'Bring cheap resources through a life in Azure: npm run accept:azure -- --subscription ID [--dry-run]',
});
acceptAzure.spawn(make);
acceptAzure.exec('tsx scripts/accept-azure/main.ts', { receiveArgs: true });

const acceptConvert = project.addTask('accept:convert', {
  description: 'Convert a directory of cases to TypeScript and compare what it synthesizes: npm run accept:convert -- DIR',
});
acceptConvert.spawn(make);
acceptConvert.exec('node scripts/accept-convert.mjs', { receiveArgs: true });

// 1.13.0 names platform packages that were never published, so `npm ci` finds the lockfile out of step.
project.package.addField('overrides', { 'unrs-resolver': '1.12.2' });

// None of them is needed: npm's warning of scripts that were not looked at stays for those that come anew.
project.package.addField('allowScripts', Object.fromEntries(['@parcel/watcher', 'backport', 'esbuild', 'unrs-resolver'].map((name) => [name, false])));
project.package.addField('bin', { 'cdk8s-aso': 'lib/cli/main.js', 'cdk8s-aso-controller': 'lib/controller/main.js', 'cdk8s-aso-composer': 'lib/composer/main.js' });
project.package.addField('files', [
  'lib',
  'catalog',
  '!catalog/overlays',
  '.jsii',
  '.jsii.gz',
  'API.md',
  'LICENSE',
  'README.md',
  'THIRD-PARTY-LICENSES.txt',
  'sbom.cdx.json',
]);
project.package.addField('exports', {
  '.': './lib/index.js',
  './package.json': './package.json',
  './.jsii': './.jsii',
  './.warnings.jsii.js': './.warnings.jsii.js',
  './assertions': './lib/assertions/index.js',
  './gitops': './lib/gitops/index.js',
  './operator': './lib/operator/index.js',
  './patterns': './lib/patterns/index.js',
  './platform': './lib/platform/index.js',
  './platform-api': './lib/platform-api/index.js',
  './platform-kinds': './lib/platform-kinds/index.js',
  './*': './lib/services/*/index.js',
});
// The same for TypeScript with `moduleResolution: node10`, as `cdk8s init` sets it: it does not read exports.
project.package.addField('typesVersions', {
  '*': {
    'lib/*': ['lib/*'],
    'assertions': ['lib/assertions/index.d.ts'],
    'gitops': ['lib/gitops/index.d.ts'],
    'operator': ['lib/operator/index.d.ts'],
    'patterns': ['lib/patterns/index.d.ts'],
    'platform': ['lib/platform/index.d.ts'],
    'platform-api': ['lib/platform-api/index.d.ts'],
    'platform-kinds': ['lib/platform-kinds/index.d.ts'],
    '*': ['lib/services/*/index.d.ts'],
  },
});

buildSite(project);
completeGithub(project);
completeRelease(project);

project.synth();
