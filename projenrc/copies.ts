import type { javascript } from 'projen';

/** Something that there is once, in `src/util`, `src/object-id.ts` or `src/azure/annotations.ts`: copies drift apart. */
export interface Copy {
  /** Selector of a copy: https://eslint.org/docs/latest/extend/selectors */
  readonly selector: string;
  /** Where the one is. */
  readonly message: string;
}

const KEYS = '/^(serviceoperator.azure.com|aso.cdk8s.io|azure.workload.identity|kubectl.kubernetes.io|argocd.argoproj.io|helm.sh|kustomize.toolkit.fluxcd.io)\\u002f(?!v\\d)/';
const IS_OBJECT = 'BinaryExpression[left.operator="typeof"][right.value="object"]';
const IS_LIST = 'CallExpression[callee.object.name="Array"][callee.property.name="isArray"]';
const FIRST_LETTER = 'callee.object.callee.property.name="charAt"';
const ELLIPSIS = 'TemplateElement[value.raw=/^…/]';

/** `test/project/copies.test.ts` has an example of each. */
export const COPIES: readonly Copy[] = [
  {
    selector: `:matches(Literal[value=${KEYS}], TemplateElement[value.raw=${KEYS}])`,
    message: 'keys of annotations, labels and finalizers are in src/azure/annotations.ts',
  },
  {
    selector: `LogicalExpression:has(${IS_OBJECT}):has(${IS_LIST})`,
    message: 'isRecord of src/util/records.ts is the one guard of JSON objects',
  },
  {
    selector: `:matches(BinaryExpression[operator="+"][left.${FIRST_LETTER}], TemplateLiteral[expressions.0.${FIRST_LETTER}])`,
    message: 'capitalized and uncapitalized are in src/util/words.ts',
  },
  {
    selector:
      'ConditionalExpression[test.right.value=1]:matches([consequent.type="Literal"][alternate.type="Literal"], [consequent.value=/^1 /], [alternate.value=/^1 /])',
    message: 'plural and counted are in src/util/words.ts',
  },
  {
    selector: `ConditionalExpression[test.left.property.name="length"] > TemplateLiteral:has(> CallExpression[callee.property.name="slice"]):has(> ${ELLIPSIS})`,
    message: 'shortened is in src/util/words.ts',
  },
  { selector: 'Property[key.name="xdigit"]', message: "toRegExp of src/util/go-pattern.ts is the one translator of Go's patterns" },
  {
    selector: ':matches(FunctionDeclaration, VariableDeclarator)[id.name=/levenshtein|editdistance/i]',
    message: 'editDistance and nearest are in src/util/nearest.ts',
  },
  {
    selector: 'CallExpression[callee.property.name=/^(split|indexOf|lastIndexOf)$/][arguments.0.value="/"]'
      + ':matches([callee.object.name="apiVersion"], [callee.object.property.name="apiVersion"])',
    message: 'parseApiVersion, groupOf and versionNameOf are in src/object-id.ts',
  },
  { selector: 'Literal[value=/^~[01]$/]', message: 'JSON pointers are in src/util/json-pointer.ts' },
];

/** Makes the linter refuse copies in these folders. */
export function refuseCopies(eslint: javascript.Eslint, folders: readonly string[]): void {
  eslint.addOverride({
    files: folders.map((folder) => `${folder}/**/*.ts`),
    excludedFiles: ['src/util/**', 'src/azure/annotations.ts', 'src/object-id.ts', 'projenrc/copies.ts'],
    rules: { 'no-restricted-syntax': ['error', ...COPIES] },
  });
}
