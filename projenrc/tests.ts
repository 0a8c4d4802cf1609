import { JsonFile, type cdk, type Task } from 'projen';
import slowSuites from '../test/setup/slow-suites.json';

/**
 * `npm test`: what `make` builds, types, the linter, cycles, unused exports, and all suites but the slow ones. `test:slow`: the slow ones,
 * each with its seconds in `test/setup/slow-suites.json`. `test:all`: both.
 */
export function addTestTasks(project: cdk.JsiiProject, typecheck: Task): void {
  const { testTask, eslint, preCompileTask, compileTask, postCompileTask } = project;
  // ESLint's `import/no-cycle` ignores imports of types, and takes two thirds of the linter's time.
  const cycles = project.addTask('cycles', {
    description: 'Check that no files import each other in a cycle, types included',
    exec: 'tsx scripts/cycles.ts',
  });
  const exports = unusedExports(project);
  project.addTask('check', {
    description: 'Check types, style, cycles of imports and unused exports, beside each other',
    exec: beside({ types: typecheck, lint: eslint!.eslintTask, cycles, exports }),
  });

  testTask.reset();
  testTask.description = 'Build, check types and style, run the suites that are not slow';
  testTask.spawn(preCompileTask);
  // The compiler runs on one processor, and so does each of the checks: on two, one goes on while the other waits for what was built.
  testTask.exec(beside({ compile: compileTask, cycles, exports }));
  testTask.exec(beside({ types: typecheck, lint: eslint!.eslintTask, build: postCompileTask }));
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

/** The command that runs tasks beside each other, under their names, and stops all of them when one fails. */
function beside(tasks: Readonly<Record<string, Task>>): string {
  const commands = Object.values(tasks).map(({ name }) => `'projen ${name}'`);
  return `concurrently --kill-others-on-fail --names ${Object.keys(tasks).join(',')} ${commands.join(' ')}`;
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
  return project.addTask('exports', { description: 'Find exports that nothing uses', exec: 'knip --no-progress --no-config-hints' });
}
