import type { cdk, Task } from 'projen';
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
  testTask.spawn(typecheck);
  testTask.exec('jest --filter=./scripts/suites/fast.cjs', { receiveArgs: true });
  testTask.spawn(project.eslint!.eslintTask);
  // ESLint's `import/no-cycle` ignores imports of types, and takes two thirds of the linter's time.
  testTask.spawn(
    project.addTask('cycles', {
      description: 'Check that no files import each other in a cycle, types included',
      exec: 'tsx scripts/cycles.ts',
    }),
  );

  const minutes = Math.round(Object.values(slowSuites).reduce((sum, seconds) => sum + seconds, 0) / 60);
  const slow = project.addTask('test:slow', {
    description: `Run the slow suites: about ${minutes} minutes of one processor; needs what make has written`,
  });
  slow.exec('jest --filter=./scripts/suites/slow.cjs', { receiveArgs: true });

  const all = project.addTask('test:all', { description: 'Run everything: npm test, then the slow suites' });
  all.spawn(testTask);
  all.spawn(slow);
}
