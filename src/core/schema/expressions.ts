import type { TypeExpression, TypeFacts } from '../../catalog/facts';
import type { KindVersion } from '../../catalog/kind';
import { isArray, isCommon, isConstrained, isMap, isRef } from '../../catalog/type-expression';
import { elementAt } from '../../util/elements';

/** The type of an expression's result: a text, a map of texts, or another type (in words) that cannot be exported. */
export type Result = 'text' | 'map' | Other;

interface Other {
  readonly other: string;
  /** Whether CEL can convert it to a text. */
  readonly isScalar?: boolean;
}

const A_NUMBER: Other = { other: 'a number', isScalar: true };
const A_BOOLEAN: Other = { other: 'true or false', isScalar: true };

/** The result of a path of an object (`self.spec.location`); undefined if it is not known. */
export type ResultOf = (steps: readonly string[]) => Result | undefined;

const SECRET = /^secret\.([A-Za-z_]\w*)$/;
const PATH = /^self((?:\.[A-Za-z_]\w*)+)$/;
const TEXT = /^(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')$/;
const CALL = /^string\([^()]*\)$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * The definite problem of a CEL expression, as far as this can be determined without a compiler: with a key, the result has to be a text;
 * without one, a map of texts.
 */
export function expressionProblem(
  store: 'ConfigMap' | 'Secret',
  source: string,
  key: string | undefined,
  resultOf: ResultOf,
): string | undefined {
  const expression = source.trim();
  if (expression === '') return 'is empty. Give a CEL expression, e.g. self.status.id.';
  const secret = SECRET.exec(expression);
  if (secret && store === 'ConfigMap') return `'${expression}' is a secret, which a ConfigMap cannot have: the expression would fail when it runs. Move it to secretExpressions.`;
  const result = secret ? 'text' : resultOfExpression(expression, resultOf);
  if (result === undefined) return undefined;
  if (typeof result === 'object') {
    return `'${expression}' gives ${result.other}, but a ${store} holds texts. ${result.isScalar ? `Write string(${expression})` : 'Name a text that is in it'}.`;
  }
  if (result === 'text' && key === undefined) {
    return `'${expression}' gives a text, for which the ${store} needs a key. Give 'key' as well.`;
  }
  if (result === 'map' && key !== undefined) {
    return `'${expression}' gives a map, whose keys become those of the ${store}. Leave 'key' out.`;
  }
  return undefined;
}

function resultOfExpression(expression: string, resultOf: ResultOf): Result | undefined {
  if (TEXT.test(expression) || CALL.test(expression)) return 'text';
  if (NUMBER.test(expression)) return A_NUMBER;
  if (expression === 'true' || expression === 'false') return A_BOOLEAN;
  const path = PATH.exec(expression);
  return path ? resultOf(elementAt(path, 1).slice(1).split('.')) : undefined;
}

const METADATA: Readonly<Record<string, Result>> = {
  name: 'text',
  namespace: 'text',
  uid: 'text',
  annotations: 'map',
  labels: 'map',
  generation: A_NUMBER,
};

/** The results of paths of objects of this version. The status is not among the facts that are loaded at synth. */
export function resultIn(version: KindVersion): ResultOf {
  return ([root, ...steps]) => {
    const [first, ...others] = steps;
    if (first === undefined) return undefined;
    if (root === 'metadata') return others.length === 0 && Object.hasOwn(METADATA, first) ? METADATA[first] : undefined;
    return root === 'spec' ? resultBelow(version.specType, first, others, version) : undefined;
  };
}

function resultBelow(struct: TypeFacts, step: string, below: readonly string[], version: KindVersion): Result | undefined {
  const facts = Object.hasOwn(struct.props, step) ? struct.props[step] : undefined;
  const type = facts && bare(facts.type);
  if (type === undefined) return undefined;
  const [next, ...rest] = below;
  if (next !== undefined) return isRefTo(type) ? resultBelow(version.type(type.ref), next, rest, version) : undefined;
  if (typeof type === 'object') {
    return isMap(type) && bare(type.map) === 'string'
      ? 'map'
      : isArray(type)
        ? { other: 'a list' }
        : isRef(type) || isCommon(type)
          ? { other: 'an object' }
          : undefined;
  }
  return SCALARS[type];
}

const SCALARS: Readonly<Record<string, Result | undefined>> = { string: 'text', integer: A_NUMBER, number: A_NUMBER, boolean: A_BOOLEAN };

function bare(type: TypeExpression): TypeExpression {
  return isConstrained(type) ? bare(type.type) : type;
}

function isRefTo(type: TypeExpression): type is { ref: string } {
  return typeof type === 'object' && isRef(type);
}
