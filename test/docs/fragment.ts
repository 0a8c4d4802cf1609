import * as cdk8s from 'cdk8s';
import * as plus from 'cdk8s-plus-27';
import ts from 'typescript';
import * as assertions from '../../src/assertions';
import * as azure from '../../src/azure';
import * as core from '../../src/core';

/** Names that a fragment may use without an import, by module. */
const KNOWN: readonly (readonly [module: string, names: readonly string[]])[] = [
  ['cdk8s-aso', [...Object.keys(core), ...Object.keys(azure), 'storage', 'resources']],
  ['cdk8s-aso/storage', ['StorageAccount', 'StorageAccountKind']],
  ['cdk8s', Object.keys(cdk8s)],
  ['cdk8s-plus-27', Object.keys(plus)],
  ['cdk8s-aso/assertions', Object.keys(assertions)],
  ['node:fs', ['readFileSync', 'writeFileSync']],
  ['../../sandbox/kubernetes', ['startKubernetes']],
  ['../../sandbox/azure', ['startAzure']],
];

/** A piece of a program with what it takes for granted put around it: imports, `app`, `chart`, and `this` of a chart. */
export function completed(fragment: string): string {
  const names = namesIn(fragment);
  const imports = new Map<string, string[]>([['cdk8s', ['App', 'Chart']]]);
  for (const name of names) {
    const module = KNOWN.find(([, known]) => known.includes(name))?.[0];
    if (module) imports.set(module, [...new Set([...(imports.get(module) ?? []), name])]);
  }
  const given = ['app: App', 'chart: Chart'].filter(
    (parameter) => !new RegExp(`\\b(const|let) ${parameter.split(':')[0]}\\b`).test(fragment),
  );
  return [
    ...[...imports].map(([module, used]) => `import { ${used.join(', ')} } from '${module}';`),
    `export class Fragment extends Chart {\n  public async fragment(${given.join(', ')}): Promise<void> {`,
    fragment,
    '  }\n}\n',
  ].join('\n');
}

/** Identifiers that may name something outside: not those behind a dot, and not keys. */
function namesIn(code: string): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const { parent } = node;
      const isMember =
        (ts.isPropertyAccessExpression(parent) && parent.name === node) || (ts.isPropertyAssignment(parent) && parent.name === node);
      if (!isMember) names.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('fragment.ts', code, ts.ScriptTarget.ES2022, true));
  return names;
}
