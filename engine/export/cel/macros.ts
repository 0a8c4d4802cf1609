import type { Environment } from '@marcbachmann/cel-js';
import { Optional, ParseError } from '@marcbachmann/cel-js';
import { spendConverting } from './budget';
import type { CelType, Checker, Evaluator, Macro, MacroCall, Node, Scope } from './internals';

/** One iteration of a comprehension: evaluates a node with the two variables set. */
type Round = (node: Node) => unknown;
type Entries = readonly (readonly [unknown, unknown])[];

/** The last arguments of a comprehension: a test or transform, in comprehensions with four parameters after a filter. */
interface Body {
  readonly filter: Node | undefined;
  readonly last: Node;
}

interface Comprehension {
  readonly name: string;
  readonly parameters: 3 | 4;
  /** The type of the result by the type of the last argument. */
  readonly result: (checker: Checker, type: CelType, node: Node) => CelType;
  readonly evaluate: (entries: Entries, round: (entry: readonly [unknown, unknown]) => Round, body: Body) => unknown;
}

/** The names of the two variables, then one or two nodes. */
type ComprehensionArgs = readonly [Node, Node, Node] | readonly [Node, Node, Node, Node];
/** The name of the variable and the transform. */
type OptionalArgs = readonly [Node, Node];

/** Registers the two-variable comprehensions (version 0) and the optional macros that the engine lacks. */
export function registerMacros(environment: Environment): void {
  for (const comprehension of COMPREHENSIONS) {
    const parameters = Array<string>(comprehension.parameters).fill('ast').join(', ');
    environment.registerFunction(`dyn.${comprehension.name}(${parameters}): dyn`, (call: MacroCall<ComprehensionArgs>) => (
      twoVariables(comprehension, call)
    ), { async: false });
  }
  environment.registerFunction('optional.optMap(ast, ast): dyn', (call: MacroCall<OptionalArgs>) => overOptional(call, false), {
    async: false,
  });
  environment.registerFunction('optional.optFlatMap(ast, ast): dyn', (call: MacroCall<OptionalArgs>) => overOptional(call, true), {
    async: false,
  });
}

const predicate = (checker: Checker, type: CelType, node: Node): CelType => {
  if (type.name !== 'bool' && type.kind !== 'dyn') {
    throw checker.createError('invalid_condition_type', `predicate must return bool, got '${checker.formatType(type)}'`, node);
  }
  return checker.getType('bool');
};
const listOf = (checker: Checker, type: CelType): CelType => checker.registry.getListType(type);
/** Whether an entry passes the filter. */
const kept = ({ filter }: Body, run: Round): boolean => !filter || run(filter) === true;

const COMPREHENSIONS: readonly Comprehension[] = [
  { name: 'all', parameters: 3, result: predicate, evaluate: (entries, round, { last }) => quantified(entries, round, last, false) },
  { name: 'exists', parameters: 3, result: predicate, evaluate: (entries, round, { last }) => quantified(entries, round, last, true) },
  {
    name: 'existsOne',
    parameters: 3,
    result: predicate,
    evaluate: (entries, round, { last }) => entries.filter((entry) => round(entry)(last) === true).length === 1,
  },
  ...([3, 4] as const).flatMap((parameters): Comprehension[] => [
    {
      name: 'transformList',
      parameters,
      result: listOf,
      evaluate: (entries, round, body) => transformed(entries, round, body).map(([, value]) => value),
    },
    {
      name: 'transformMap',
      parameters,
      result: () => UNRESOLVED,
      evaluate: (entries, round, body) => new Map(transformed(entries, round, body)),
    },
    {
      name: 'transformMapEntry',
      parameters,
      result: mapEntry,
      evaluate: (entries, round, body) => mergedEntries(transformed(entries, round, body)),
    },
  ]),
];

/** A placeholder for "map from the range's keys to the transform's type", which only `twoVariables` can resolve. */
const UNRESOLVED: CelType = { kind: 'unresolved', name: 'unresolved' };

function mapEntry(checker: Checker, type: CelType, node: Node): CelType {
  if (type.kind !== 'map' && type.kind !== 'dyn') {
    throw checker.createError(
      'invalid_map_entry',
      `transformMapEntry(k, v, entry) entry must be a map, got '${checker.formatType(type)}'`,
      node,
    );
  }
  return type;
}

function transformed(entries: Entries, round: (entry: readonly [unknown, unknown]) => Round, body: Body): [unknown, unknown][] {
  const results: [unknown, unknown][] = [];
  for (const entry of entries) {
    const run = round(entry);
    if (kept(body, run)) results.push([entry[0], run(body.last)]);
  }
  return results;
}

function mergedEntries(maps: readonly (readonly [unknown, unknown])[]): Map<unknown, unknown> {
  const merged = new Map<unknown, unknown>();
  for (const [, map] of maps) {
    for (const [key, value] of pairs(map)) {
      if (merged.has(key)) throw new Error(`insert failed: key ${String(key)} already exists`);
      merged.set(key, value);
    }
  }
  return merged;
}

/** As in CEL, an error in one iteration is ignored when another iteration decides the result. */
function quantified(entries: Entries, round: (entry: readonly [unknown, unknown]) => Round, test: Node, decisive: boolean): boolean {
  let failure: unknown;
  for (const entry of entries) {
    try {
      if (round(entry)(test) === decisive) return decisive;
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return !decisive;
}

function twoVariables({ name, result, evaluate }: Comprehension, { args, receiver }: MacroCall<ComprehensionArgs>): Macro {
  const [keyName, valueName] = [identifier(args[0], name), identifier(args[1], name)];
  const body: Body = args.length === 4 ? { filter: args[2], last: args[3] } : { filter: undefined, last: args[2] };
  let keyScope: Scope;
  let valueScope: Scope;
  return {
    args,
    receiver,
    typeCheck(checker, _macro, scope) {
      const [keyType, valueType] = rangeTypes(checker, checker.check(receiver, scope), receiver);
      keyScope = scope.forkWithVariable(keyName, keyType);
      valueScope = keyScope.forkWithVariable(valueName, valueType);
      const filterType = body.filter && checker.check(body.filter, valueScope);
      const lastType = checker.check(body.last, valueScope);
      if (body.filter && filterType) predicate(checker, filterType, body.filter);
      const type = result(checker, lastType, body.last);
      return type === UNRESOLVED ? checker.registry.getMapType(keyType, lastType) : type;
    },
    evaluate(evaluator, _macro, scope) {
      const round = ([key, value]: readonly [unknown, unknown]): Round => {
        const outer = keyScope.reuse(scope).setIterValue(key, evaluator);
        const inner = valueScope.reuse(outer).setIterValue(value, evaluator);
        return (node) => evaluator.run(node, inner);
      };
      return evaluate(pairs(evaluator.run(receiver, scope)), round, body);
    },
  };
}

function overOptional({ args, receiver }: MacroCall<OptionalArgs>, flat: boolean): Macro {
  const [variable, body] = args;
  const name = identifier(variable, flat ? 'optFlatMap' : 'optMap');
  let inner: Scope;
  return {
    args,
    receiver,
    typeCheck(checker, _macro, scope) {
      const type = checker.check(receiver, scope);
      const dyn = checker.getType('dyn');
      inner = scope.forkWithVariable(name, type.kind === 'optional' ? (type.valueType ?? dyn) : dyn);
      const mapped = checker.check(body, inner);
      return flat ? mapped : checker.registry.getOptionalType(mapped);
    },
    evaluate(evaluator: Evaluator, _macro, scope) {
      const optional = evaluator.run(receiver, scope);
      if (!(optional instanceof Optional)) throw new Error('the receiver must be optional');
      if (!optional.hasValue()) return Optional.none();
      const mapped = evaluator.run(body, inner.reuse(scope).setIterValue(optional.value(), evaluator));
      return flat ? mapped : Optional.of(mapped);
    },
  };
}

function rangeTypes(checker: Checker, type: CelType, node: Node): [CelType, CelType] {
  if (type.kind === 'map') return [type.keyType!, type.valueType!];
  if (type.kind === 'list') return [checker.getType('int'), type.valueType!];
  const dyn = checker.getType('dyn');
  if (type.kind === 'dyn') return [dyn, dyn];
  throw checker.createError(
    'invalid_comprehension_range',
    `'${checker.formatType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    node,
  );
}

/** Entries of a map, or indexes and elements of a list. */
function pairs(value: unknown): [unknown, unknown][] {
  if (Array.isArray(value)) {
    spendConverting(value.length);
    return value.map((element, index) => [BigInt(index), element]);
  }
  if (value instanceof Map) {
    spendConverting(value.size);
    return [...value];
  }
  if (typeof value === 'object' && value !== null) {
    spendConverting(Object.keys(value).length);
    return Object.entries(value);
  }
  throw new Error('the range of a comprehension must be a list or a map');
}

function identifier(node: Node, macro: string): string {
  if (node.op === 'id' && typeof node.args === 'string') return node.args;
  throw new ParseError(`${macro}(k, v, …): the first two arguments must be names`);
}
