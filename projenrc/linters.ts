import { JsonFile, type cdk, type javascript } from 'projen';

/** Rules that need to know types: a promise that nobody awaits, and one whose rejection leaves the `try` around it. */
const TYPED_RULES = ['no-floating-promises', 'return-await'];

/** Rules that oxlint has itself, by their names in ESLint. */
const OWN_RULES: Readonly<Record<string, string>> = {
  'curly': 'curly',
  'no-bitwise': 'no-bitwise',
  '@typescript-eslint/no-explicit-any': 'typescript/no-explicit-any',
  '@typescript-eslint/no-require-imports': 'typescript/no-require-imports',
  '@typescript-eslint/no-shadow': 'no-shadow',
  'import/no-duplicates': 'import/no-duplicates',
};

/** Plugins of ESLint that oxlint runs, and their names there: `import` and `typescript` are names of plugins of its own. */
const PLUGINS: readonly { readonly prefix: string; readonly name: string; readonly specifier: string }[] = [
  { prefix: '@stylistic/', name: '@stylistic', specifier: '@stylistic/eslint-plugin' },
  { prefix: 'import/', name: 'eslint-import', specifier: 'eslint-plugin-import' },
  { prefix: '@typescript-eslint/', name: 'eslint-typescript', specifier: '@typescript-eslint/eslint-plugin' },
  { prefix: '', name: 'eslint-core', specifier: './scripts/eslint-core.mjs' },
];

type Rules = Readonly<Record<string, unknown>>;

/**
 * Makes `.oxlintrc.json` from ESLint's configuration: `npm test` runs oxlint, which takes a third of ESLint's time; editors and the night
 * run ESLint (`test/project/linters.test.ts` compares both). The rules that need types are oxlint's alone: it has them from the compiler
 * that checks the types.
 */
export function addOxlint(project: cdk.JsiiProject): void {
  const eslint = project.eslint!;
  delete eslint.config.parserOptions.project;
  delete eslint.config.parserOptions.projectService;
  for (const rule of TYPED_RULES) delete eslint.rules[`@typescript-eslint/${rule}`];
  // The compiler says the same, in every file.
  eslint.addRules({ 'import/no-unresolved': 'off' });
  new JsonFile(project, '.oxlintrc.json', {
    // oxlint takes no member that it does not know, such as projen's marker.
    marker: false,
    // When all of ESLint's rules are there.
    obj: () => oxlintConfig(eslint),
  });
}

function oxlintConfig({ config, overrides }: javascript.Eslint): object {
  // One resolver is enough, and takes half as long.
  const { typescript } = config.settings['import/resolver'];
  return {
    plugins: ['typescript', 'import'],
    jsPlugins: PLUGINS.map(({ name, specifier }) => ({ name, specifier })),
    categories: { correctness: 'off' },
    settings: { 'import/resolver': { typescript } },
    // The rules that need types are for JavaScript too.
    ignorePatterns: config.ignorePatterns.filter((pattern: string) => !/^[*!]/.test(pattern)),
    rules: Object.fromEntries(TYPED_RULES.map((rule) => [`typescript/${rule}`, 'error'])),
    overrides: [
      // ESLint is run on no others.
      ...[{ files: ['**/*.ts'], excludedFiles: [], rules: config.rules() as Rules }, ...overrides].map(({ files, excludedFiles = [], rules = {} }) => (
        { files, excludeFiles: [...excludedFiles, '**/*.d.ts'], rules: oxlintRules(rules) }
      )),
    ],
  };
}

/** Rules under their names in oxlint. One that is off everywhere has none. */
function oxlintRules(rules: Rules): Rules {
  return Object.fromEntries(Object.entries(rules).flatMap(([rule, setting]) => {
    const off = [setting].flat()[0] === 'off';
    if (off && ['no-shadow', 'no-return-await', 'import/no-unresolved'].includes(rule)) return [];
    const { prefix, name } = PLUGINS.find((plugin) => rule.startsWith(plugin.prefix))!;
    return [[OWN_RULES[rule] ?? `${name}/${rule.slice(prefix.length)}`, setting]];
  }));
}
