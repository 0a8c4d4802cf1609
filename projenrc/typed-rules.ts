import { JsonFile, type cdk } from 'projen';

/** Rules that need to know types: a promise that nobody awaits, and one whose rejection leaves the `try` around it. */
const RULES = ['no-floating-promises', 'return-await'];

/**
 * Hands the rules that need types over to oxlint, which has them from the compiler that checks the types; ESLint would build a program of
 * its own for them, in half a minute.
 */
export function checkPromises(project: cdk.JsiiProject): void {
  const { config, rules } = project.eslint!;
  delete config.parserOptions.project;
  delete config.parserOptions.projectService;
  for (const rule of RULES) delete rules[`@typescript-eslint/${rule}`];
  // The compiler says the same, in every file.
  project.eslint!.addRules({ 'import/no-unresolved': 'off' });
  new JsonFile(project, '.oxlintrc.json', {
    // oxlint takes no member that it does not know, such as projen's marker.
    marker: false,
    obj: {
      plugins: ['typescript'],
      categories: { correctness: 'off' },
      rules: Object.fromEntries(RULES.map((rule) => [`typescript/${rule}`, 'error'])),
    },
  });
}
