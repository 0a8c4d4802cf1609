import { memberName } from './spelling';
import { tokensOf, type Token } from './tokens';
import type { TypeExpression, TypeFacts } from '../../catalog/facts';
import type { KindVersion } from '../../catalog/kind';
import { isArray, isCommon, isConstrained, isMap, isRef } from '../../catalog/type-expression';
import { valueAt } from '../../util/elements';
import { suggestion } from '../../util/nearest';
import { shortened } from '../../util/words';

/** Returns the definite error of a CEL expression; undefined if there is none. */
export type ExpressionCheck = (expression: string) => string | undefined;

const VARIABLES = ['self', 'secret', 'aso'];
/** Identifiers that are no variables: literals, types, namespaces of functions. */
const OTHERS = new Set([
  'true',
  'false',
  'null',
  'in',
  'optional',
  'strings',
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
  'dyn',
  'google',
]);
const MACROS = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'map',
  'filter',
  'transformList',
  'transformMap',
  'transformMapEntry',
  'optMap',
  'optFlatMap',
]);
const ENDS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '[?': ']', '{': '}' };
const METADATA = [
  'annotations',
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'finalizers',
  'generateName',
  'generation',
  'labels',
  'managedFields',
  'name',
  'namespace',
  'ownerReferences',
  'resourceVersion',
  'selfLink',
  'uid',
];

/**
 * Checks what needs no CEL compiler: brackets, names of variables, paths of `self`, names of `secret`. The operator's webhook checks the
 * types of values, as does `cdk8s-aso check`, which has a compiler.
 */
export function expressionCheck(version: KindVersion): ExpressionCheck {
  return (expression) => {
    const tokens = tokensOf(expression);
    if ('problem' in tokens) return `${tokens.problem}. Correct the expression '${shortened(expression, 80)}'.`;
    const problem = brackets(tokens) ?? variables(tokens) ?? members(tokens, version);
    return problem === undefined ? undefined : `${problem} (in the expression '${shortened(expression, 80)}')`;
  };
}

function brackets(tokens: readonly Token[]): string | undefined {
  const open: string[] = [];
  for (const { is, text } of tokens) {
    if (is !== 'sign') continue;
    if (Object.hasOwn(ENDS, text)) open.push(text);
    else if (')]}'.includes(text) && text !== ENDS[open.pop() ?? '']) return `'${text}' closes nothing. Correct the brackets`;
  }
  const last = open.at(-1);
  return last === undefined ? undefined : `'${last.charAt(0)}' is not closed. Add '${valueAt(ENDS, last)}'`;
}

function variables(tokens: readonly Token[]): string | undefined {
  const bound = boundNames(tokens);
  for (const [index, { is, text }] of tokens.entries()) {
    const before = tokens[index - 1];
    const isMember = before?.is === 'sign' && (before.text === '.' || before.text === '.?');
    if (is !== 'name' || isMember || text.startsWith('`') || tokens[index + 1]?.text === '(') continue;
    if (VARIABLES.includes(text) || OTHERS.has(text) || bound.has(text)) continue;
    return `there is no variable '${text}'; there are self (the object), secret (in secretExpressions) and aso (functions).${suggestion(text, VARIABLES)} A text stands in quotes`;
  }
  return undefined;
}

/** Variables of `list.all(x, …)` and `map.all(k, v, …)`. */
function boundNames(tokens: readonly Token[]): Set<string> {
  const bound = new Set<string>();
  for (const [index, { is, text }] of tokens.entries()) {
    if (is !== 'name' || !MACROS.has(text) || tokens[index + 1]?.text !== '(') continue;
    for (let at = index + 2; at < index + 6; at += 2) {
      const [variable, comma] = tokens.slice(at, at + 2);
      if (variable?.is !== 'name' || comma?.text !== ',') break;
      bound.add(variable.text);
    }
  }
  return bound;
}

function members(tokens: readonly Token[], version: KindVersion): string | undefined {
  for (const [index, { is, text }] of tokens.entries()) {
    const before = tokens[index - 1]?.text;
    if (is !== 'name' || before === '.' || before === '.?') continue;
    const problem =
      text === 'self' ? pathProblem(tokens, index + 1, version) : text === 'secret' ? secretProblem(tokens, index + 1, version) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function secretProblem(tokens: readonly Token[], at: number, { facts, kind, name }: KindVersion): string | undefined {
  const [first, second, third] = tokens.slice(at, at + 3);
  if (first?.text === '[' && second?.is === 'text' && third?.text === ']') {
    return `the operator does not fetch what is written secret[${second.text}]. Write secret.${second.text.slice(1, -1)}`;
  }
  if (first?.text !== '.' || second?.is !== 'name') return undefined;
  const names = facts.exports?.secrets ?? [];
  const secret = memberName(second.text);
  if (names.includes(secret)) return undefined;
  return `${kind.kind} has no secret '${secret}' in version ${name}.${suggestion(secret, names)} ${names.length > 0 ? `It has: ${names.join(', ')}` : 'It has none'}`;
}

/** The error of a path `self.a.b.c`, followed through the types as far as they are known. */
function pathProblem(tokens: readonly Token[], start: number, version: KindVersion): string | undefined {
  let where: Where | undefined = { at: 'self', names: ['apiVersion', 'kind', 'metadata', 'spec', 'status'] };
  for (let at = start; where; at += 2) {
    const [dot, member, after] = tokens.slice(at, at + 3);
    if (!dot || !['.', '.?'].includes(dot.text) || member?.is !== 'name' || after?.text === '(') break;
    const name = member.text.startsWith('`') ? member.text.slice(1, -1) : memberName(member.text);
    if (!where.names.includes(name)) {
      const all = where.names.length > 12 || where.names.length === 0 ? '' : ` There are: ${where.names.join(', ')}.`;
      return `${where.at} of ${version.kind.kind} in version ${version.name} has no '${name}'.${suggestion(name, where.names) || all}`.replace(/\.$/, '');
    }
    where = below(where, name, version);
  }
  return undefined;
}

/** A place in the object: its path, members and type. */
interface Where {
  readonly at: string;
  readonly names: readonly string[];
  readonly type?: TypeFacts;
  readonly part?: 'spec' | 'status' | undefined;
}

function below({ at, type, part }: Where, name: string, version: KindVersion): Where | undefined {
  const path = `${at}.${name}`;
  if (at === 'self') {
    if (name === 'metadata') return { at: path, names: METADATA };
    // Statuses are large, so they are read only if an expression uses one.
    const root =
      name === 'spec' && version.facts.spec !== undefined
        ? version.specType
        : name === 'status' && version.facts.status !== undefined
          ? version.statusType
          : undefined;
    return root && { at: path, names: Object.keys(root.props), type: root, part: name as 'spec' | 'status' };
  }
  const next = type && structOf(valueAt(type.props, name).type, part!, version);
  return next && { at: path, names: Object.keys(next.props), type: next, part };
}

function structOf(type: TypeExpression, part: 'spec' | 'status', version: KindVersion): TypeFacts | undefined {
  if (typeof type === 'string' || isArray(type) || isMap(type)) return undefined;
  if (isConstrained(type)) return structOf(type.type, part, version);
  if (isRef(type)) return part === 'spec' ? version.type(type.ref) : version.statusTypeNamed(type.ref);
  return isCommon(type) ? version.commonType(type.common) : undefined;
}
