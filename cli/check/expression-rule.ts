import { createCelEngine, ExpressionError, type ExpressionEngine, type ExpressionOutput } from '../../engine/export/cel';
import { ofEach, type Found, type Rule } from '../../src/core/rules/rule';
import type { AzureObject } from '../../src/core/rules/set-object';
import { member, struct, text } from '../../src/util/records';

const LISTS = ['configMapExpressions', 'secretExpressions'];

/**
 * Compiles the CEL expressions of exports, as the webhook does. The library has no such rule: a CEL compiler is too large to load for
 * synth.
 */
export function expressionRule(engine: ExpressionEngine = createCelEngine()): Rule {
  return {
    id: 'expression',
    severity: 'error',
    title: 'A CEL expression does not compile, gives something else than a text or a map of texts, or does not fit its `key`.',
    why: 'the webhook compiles the expressions and refuses the object',
    asked: 'manifests',
    find: ofEach(({ spec, version }) =>
      LISTS.flatMap((property) => {
        const list = member(member(spec, 'operatorSpec'), property);
        return Array.isArray(list)
          ? list.flatMap((item, index) => problemsOf(item, `spec.operatorSpec.${property}[${index}]`, version, engine))
          : [];
      }),
    ),
  };
}

function problemsOf(item: unknown, field: string, version: AzureObject['version'], engine: ExpressionEngine): Found[] {
  const problems: Found[] = [];
  const expression = text(item, 'value');
  const output = expression === undefined ? undefined : compiled(expression, `${field}.value`);
  const hasKey = text(item, 'key') !== undefined;
  if (output === 'string' && !hasKey) {
    problems.push({ field, message: 'the expression gives a text, but there is no key for it', fix: 'add key' });
  }
  if (output === 'map' && hasKey) {
    problems.push({
      field: `${field}.key`,
      message: 'the expression gives a map, whose keys are the keys',
      fix: 'remove key, or write an expression that gives a text',
    });
  }
  for (const texts of ['annotations', 'labels']) {
    for (const [key, value] of Object.entries(struct(member(item, texts)) ?? {})) {
      const of = typeof value === 'string' && value !== '' ? compiled(value, `${field}.${texts}`) : undefined;
      if (of === 'map') {
        problems.push({
          field: `${field}.${texts}`,
          message: `the expression for '${key}' gives a map`,
          fix: 'write an expression that gives a text',
        });
      }
    }
  }
  return problems;

  function compiled(value: string, at: string): ExpressionOutput | undefined {
    try {
      return engine.compile(version, value).output;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      problems.push({
        field: at,
        message: error.message,
        fix: 'correct the expression; self is the object, aso.parseResourceId takes ids apart',
      });
      return undefined;
    }
  }
}
