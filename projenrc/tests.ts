import { JsonFile, type cdk, type Task } from 'projen';
import { step } from './build-steps';
import slowSuites from '../test/setup/slow-suites.json';

/** By its path: two packages have a command `tsc`. */
const TSC = 'node node_modules/typescript-native/bin/tsc';
/** The checkers of types are in Go, whose collector would take half of their time: they end before their garbage matters. */
const GO = { GOGC: '400' };
/** Most of what a test makes is garbage soon: with more room for the young, a third of the collector's work is left. */
const JEST = 'node --max-semi-space-size=64 node_modules/jest/bin/jest.js';

/**
 * `npm test`: what `make` builds and all suites but the slow ones; beside them types, the linter, cycles and unused exports. `test:slow`:
 * the slow ones, each with its seconds in `test/setup/slow-suites.json`. `test:all`: both.
 */
export function addTestTasks(project: cdk.JsiiProject): void {
  const { testTask, preCompileTask, compileTask, postCompileTask } = project;
  // Each checker of types checks what its files need for itself, and other checks run beside it.
  const sourceTypes = project.addTask('typecheck:sources', {
    description: 'Check the types of every package but the examples',
    env: GO,
    exec: step('types', `${TSC} --checkers 1 -p tsconfig.packages.json`, `${TSC} -p tsconfig.page.json`),
  });
  const exampleTypes = project.addTask('typecheck:examples', {
    description: 'Check the types of the examples against the built library', env: GO, exec: `${TSC} --checkers 1 -p tsconfig.examples.json`,
  });
  const types = project.addTask('typecheck', { description: 'Check the types of every package' });
  types.spawn(sourceTypes);
  types.spawn(exampleTypes);
  const lint = project.addTask('oxlint', {
    description: "Check style with ESLint's rules, and the rules that need types",
    env: GO,
    exec: step('lint', 'oxlint --type-aware --tsconfig tsconfig.packages.json'),
  });
  // ESLint's `import/no-cycle` ignores imports of types, and takes two thirds of the linter's time.
  const cycles = project.addTask('cycles', {
    description: 'Check that no files import each other in a cycle, types included',
    exec: step('cycles', 'tsx scripts/cycles.ts'),
  });
  const exports = unusedExports(project);
  const sources = project.addTask('check:sources', { description: 'Check what needs no build: types, style, cycles of imports, unused exports' });
  for (const task of [lint, sourceTypes, cycles, exports]) sources.spawn(task);
  const check = project.addTask('check', { description: 'Check types, style, cycles of imports and unused exports; needs what make has written' });
  check.spawn(exampleTypes);
  check.spawn(sources);

  const built = project.addTask('test:suites', { description: 'Build, and run the suites that are not slow' });
  built.spawn(compileTask);
  built.spawn(postCompileTask);
  built.spawn(exampleTypes);
  built.exec(`${JEST} --filter=./scripts/suites/fast.cjs`, { receiveArgs: true });
  testTask.reset();
  testTask.description = 'Build, check types and style, run the suites that are not slow';
  testTask.spawn(preCompileTask);
  // The compiler runs on one processor, and so does each of the checks.
  testTask.exec(
    `concurrently --kill-others-on-fail --passthrough-arguments --names checks,suites 'projen ${sources.name}' 'projen ${built.name} {@}' --`,
    { receiveArgs: true },
  );

  const minutes = Math.round(Object.values(slowSuites).reduce((sum, seconds) => sum + seconds, 0) / 60);
  const slow = project.addTask('test:slow', {
    description: `Run the slow suites: about ${minutes} minutes of one processor; needs what make has written`,
  });
  // Most of them wait for servers for a part of their time. Two a processor took longer. (jest takes 150% for 150.)
  slow.exec(`${JEST} --maxWorkers=$(node -p "Math.ceil(1.5 * os.availableParallelism())") --filter=./scripts/suites/slow.cjs`, { receiveArgs: true });

  const all = project.addTask('test:all', { description: 'Run everything: npm test, then the slow suites' });
  all.spawn(testTask);
  all.spawn(slow);
}

/** An export that nothing imports, and a file that nothing reaches from a package's entry, a program, a script or a test. */
function unusedExports(project: cdk.JsiiProject): Task {
  // Knip takes no member that it does not know, such as projen's marker.
  new JsonFile(project, 'knip.json', {
    marker: false,
    obj: {
      entry: [
        'src/*/index.ts',
        // Required when it is first needed, e.g. by src/core/graph/owner-graph.ts.
        'src/core/**/internal.ts',
        // Imported by src/core/versions/aso-release.ts, which the build writes.
        'src/core/versions/applied-release.ts',
        '{controller,composer}/*-worker.ts', '{controller,composer,cli,sandbox}/main.ts', 'page/client/main.ts', 'codegen/*.ts', 'catalog-tool/main.ts',
        '{scripts,bench,test,examples,site}/**/*.{ts,mts,mjs,cjs}', '.projenrc.ts',
      ],
      project: ['{src,engine,runtime,page,controller,composer,cli,sandbox,codegen,catalog-tool}/**/*.ts', '!src/services/**'],
      ignoreExportsUsedInFile: true,
      include: ['exports', 'types', 'files', 'duplicates'],
      treatConfigHintsAsErrors: false,
    },
  });
  return project.addTask('exports', { description: 'Find exports that nothing uses', exec: step('exports', 'knip --no-progress --no-config-hints') });
}
