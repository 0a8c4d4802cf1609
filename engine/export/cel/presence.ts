import { Optional } from '@marcbachmann/cel-js';
import type { Checker, Evaluator, Macro, Node, Scope } from './internals';
import { allNodes } from './internals';
import { TypedObject } from './typed-object';

/**
 * Makes `has()` and optional access test whether a typed member is set. To the engine every typed member is present, because unset members
 * read as zero values. Call it before the type check, and the returned function after it.
 */
export function withPresence(root: unknown): () => void {
  const nodes = allNodes(root);
  for (const node of nodes) {
    if (node.op === 'call' && Array.isArray(node.args) && node.args[0] === 'has' && node.meta.macro) testPresence(node.meta.macro);
  }
  return () => {
    for (const node of nodes) {
      const ofOptional = (node.op === '.' || node.op === '[]') && node.left?.checkedType?.kind === 'optional';
      if (node.handle && (node.op === '.?' || node.op === '[?]' || ofOptional)) node.handle = optionalAccess(node.handle);
    }
  };
}

/** The engine's parser refuses "has" with more or less than one argument. */
type HasMacro = Macro & { readonly args: readonly [Node] };

function testPresence(macro: Macro): void {
  const own: Pick<Macro, 'typeCheck' | 'evaluate'> = {
    typeCheck(checker: Checker, { args: [argument] }: HasMacro, scope: Scope) {
      if (argument.op !== '.') throw checker.createError('invalid_macro_argument', 'has() invalid argument', argument);
      checker.check(argument, scope);
      return checker.getType('bool');
    },
    evaluate(evaluator: Evaluator, { args: [argument] }: HasMacro, scope: Scope) {
      const [target, name] = argument.args as [Node, string];
      return isPresent(evaluator.run(target, scope), name);
    },
  };
  Object.assign(macro, own);
}

function isPresent(value: unknown, name: string): boolean {
  if (value instanceof Optional) return value.hasValue() && isPresent(value.value(), name);
  if (value instanceof TypedObject) return value.isSet(name);
  if (value instanceof Map) return value.has(name);
  if (typeof value !== 'object' || value === null) throw new Error(`has() cannot test for ${name} in a value that has no members`);
  if (value.constructor === Object) return Object.hasOwn(value, name);
  return name in value;
}

type Handle = NonNullable<Node['handle']>;

function optionalAccess(otherwise: Handle): Handle {
  return (left, right, ast, evaluator) => {
    const target = left instanceof Optional ? (left.hasValue() ? left.value() : undefined) : left;
    if (!(target instanceof TypedObject) || typeof right !== 'string') return otherwise(left, right, ast, evaluator);
    return target.isSet(right) ? Optional.of(target.read(right)) : Optional.none();
  };
}
