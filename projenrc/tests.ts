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
  const commands = [typecheck, project.eslint!.eslintTask, cycles].map(({ name }) => `'projen ${name}'`);
  return project.addTask('check', {
    description: 'Check types, style and cycles of imports, beside each other',
    exec: `concurrently --kill-others-on-fail --names types,lint,cycles ${commands.join(' ')}`,
  });
}
