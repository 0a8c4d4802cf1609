import type { cdk, Task } from 'projen';
import { ALLOWED_LICENCES } from './licences';

/**
 * Warnings of jsii that are no news: members that C# has under another name are Azure's (a `Port` with a `port`), and the development
 * dependencies follow the newest releases of the peers.
 */
const SILENT = ['member-name-conflicts-with-type-name', 'missing-dev-dependency'];

/**
 * The steps of the build (`scripts/fresh/steps.mjs` has what each reads and writes): catalog → `src/services`, library → `lib`, programs,
 * reference pages. Each runs only where something that it reads or writes has changed.
 */
export function addBuildSteps(project: cdk.JsiiProject): Task {
  const { preCompileTask, compileTask, postCompileTask } = project;
  preCompileTask.spawn(project.addTask('generate', {
    description: 'Write src/services and docs/api from catalog/', exec: step('generate', 'tsx codegen/main.ts'),
  }));
  const [jsii] = compileTask.steps;
  // Node 20 is supported on purpose, for users who have not left it.
  compileTask.env('JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION', '20');
  compileTask.reset(step('library', [jsii!.exec!, ...SILENT.map((name) => `--silence-warnings=${name}`)].join(' '), 'node scripts/lazy-root.mjs', 'node scripts/widen-types.mjs'));
  postCompileTask.spawn(project.addTask('bundle', {
    description: 'Bundle controller, composer, sandbox and CLI, and check the licences of what they contain',
    exec: step('programs', 'node scripts/bundle.mjs', `node scripts/licences.mjs ${ALLOWED_LICENCES.map((licence) => JSON.stringify(licence)).join(' ')}`),
  }));
  postCompileTask.spawn(project.addTask('docs', { description: 'Write API.md and docs/modules/', exec: step('reference', 'tsx scripts/docs.ts') }));

  const make = project.addTask('make', { description: 'Generate, compile, bundle, document: everything but the tests' });
  make.spawn(preCompileTask);
  make.spawn(compileTask);
  make.spawn(postCompileTask);
  return make;
}

/** Runs commands unless nothing has changed since they last passed (`scripts/fresh/steps.mjs`). */
export function step(name: string, ...commands: string[]): string {
  return `node scripts/fresh.mjs ${name} ${commands.map((command) => `'${command}'`).join(' ')}`;
}
