import { JsonFile, type cdk, type Task } from 'projen';
import slowSuites from '../test/setup/slow-suites.json';

/**
 * `npm test`: types, all suites but the slow ones, the linter, and the check for cycles of imports. `test:slow`: the slow ones, each with
 * its seconds in `test/setup/slow-suites.json`. `test:all`: both.
 */
export function addTestTasks(project: cdk.JsiiProject, make: Task, typecheck: Task): void {
  const { testTask } = project;
  testTask.reset();
  testTask.description = 'Check types, run the suites that are not slow, the linter and the check for cycles';
  testTask.spawn(make);
  testTask.spawn(staticChecks(project, typecheck));
  testTask.exec('jest --filter=./scripts/suites/fast.cjs', { receiveArgs: true });

  const minutes = Math.round(Object.values(slowSuites).reduce((sum, seconds) => sum + seconds, 0) / 60);
  const slow = project.addTask('test:slow', {
    description: `Run the slow suites: about ${minutes} minutes of one processor; needs what make has written`,
  });
  slow.exec('jest --filter=./scripts/suites/slow.cjs', { receiveArgs: true });

  const all = project.addTask('test:all', { description: 'Run everything: npm test, then the slow suites' });
  all.spawn(testTask);
  all.spawn(slow);
}

/** Each of the checks runs on one processor, jest on all: so they run beside each other, before jest. */
function staticChecks(project: cdk.JsiiProject, typecheck: Task): Task {
  // ESLint's `import/no-cycle` ignores imports of types, and takes two thirds of the linter's time.
  const cycles = project.addTask('cycles', {
    description: 'Check that no files import each other in a cycle, types included',
    exec: 'tsx scripts/cycles.ts',
  });
  const exports = unusedExports(project);
  const commands = [typecheck, project.eslint!.eslintTask, cycles, exports].map(({ name }) => `'projen ${name}'`);
  return project.addTask('check', {
    description: 'Check types, style, cycles of imports and unused exports, beside each other',
    exec: `concurrently --kill-others-on-fail --names types,lint,cycles,exports ${commands.join(' ')}`,
  });
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
        'controller/*-worker.ts', '{controller,cli,sandbox}/main.ts', 'codegen/*.ts', 'catalog-tool/main.ts',
        '{scripts,bench,test,examples,site}/**/*.{ts,mts,mjs,cjs}', '.projenrc.ts',
      ],
      project: ['{src,engine,controller,cli,sandbox,codegen,catalog-tool}/**/*.ts', '!src/services/**'],
      ignoreExportsUsedInFile: true,
      include: ['exports', 'types', 'files', 'duplicates'],
      treatConfigHintsAsErrors: false,
    },
  });
  return project.addTask('exports', { description: 'Find exports that nothing uses', exec: 'knip --no-progress --no-config-hints' });
}
