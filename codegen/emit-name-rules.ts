import type { Catalog, NameRuleFacts } from '../src/catalog';

/** Path of the table of name rules. */
export const NAME_RULES = 'src/azure/names/name-rules.ts';

/** The file with Azure's rules for names, generated because `src/azure` reads no files. */
export function nameRulesFile({ nameRules }: Catalog): string {
  return [
    '// Written by `npm run generate`.\n\n',
    '/** ARM type in lower case → rule. `catalog/overlays/name-rules.yaml` has the reason of each. */\n',
    'export const NAME_RULES = {\n',
    ...Object.entries(nameRules).map(([type, rule]) => `  ${text(type)}: { ${members(rule).join(', ')} },\n`),
    '};\n',
  ].join('');
}

function members({ scope, min, max, pattern, flags, text: words }: NameRuleFacts): string[] {
  return [
    ...(scope === undefined ? [] : [`scope: ${text(scope)} as const`]),
    ...(min === undefined ? [] : [`min: ${min}`]),
    ...(max === undefined ? [] : [`max: ${max}`]),
    ...(pattern === undefined ? [] : [`pattern: ${text(pattern)}`]),
    ...(flags === undefined ? [] : [`flags: ${text(flags)}`]),
    ...(words === undefined ? [] : [`text: ${text(words)}`]),
  ];
}

function text(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`;
}
