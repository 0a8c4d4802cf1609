/**
 * What the extension pack uses of the engine beyond its published types: the arguments of macros, and the nodes of the syntax tree. Kept in
 * one place, because a new release of the engine is to be checked against exactly this.
 */

export interface CelType {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: CelType;
  readonly valueType?: CelType;
}

export interface Node {
  readonly op: string;
  readonly args: unknown;
  readonly meta: Meta;
  /** Where the node begins in the text. */
  readonly pos?: number;
  evaluate: (evaluator: Evaluator, node: Node, scope: Scope) => unknown;
  /** Of operators: `(left, right, node, evaluator)`; of functions: `(args, node, evaluator)`; of methods: `(args, evaluator, node)`. */
  handle?: (first: unknown, second: unknown, third: Node, fourth: Evaluator) => unknown;
  readonly left?: Node;
  readonly checkedType?: CelType;
}

interface Meta {
  /** What the node stands for. */
  readonly alternate?: Node;
  readonly macro?: Macro;
  evaluate: (evaluator: Evaluator, node: Node, scope: Scope) => unknown;
}

export interface Scope {
  forkWithVariable(name: string, type: CelType): Scope;
  reuse(parent: Scope): Scope;
  setIterValue(value: unknown, evaluator: Evaluator): Scope;
}

export interface Registry {
  getListType(element: CelType): CelType;
  getMapType(key: CelType, value: CelType): CelType;
  getOptionalType(value: CelType): CelType;
}

export interface Checker {
  readonly registry: Registry;
  check(node: Node, scope: Scope): CelType;
  getType(name: string): CelType;
  formatType(type: CelType): string;
  createError(code: string, message: string, node: Node): Error;
}

export interface Evaluator {
  readonly objectTypesByConstructor: ReadonlyMap<unknown, unknown>;
  run(node: Node, scope: Scope): unknown;
  createError(code: string, message: string, node: Node): Error;
}

export interface Macro {
  readonly args?: readonly Node[];
  readonly receiver?: Node;
  typeCheck(checker: Checker, macro: Macro, scope: Scope): CelType;
  evaluate(evaluator: Evaluator, macro: Macro, scope: Scope): unknown;
  readonly [member: string]: unknown;
}

/** What the handler of a macro is given. */
export interface MacroCall {
  readonly ast: Node;
  readonly args: readonly Node[];
  readonly receiver: Node;
}

/** Every node of an expression once: those that macros expanded to as well. */
export function allNodes(root: unknown): Node[] {
  const seen = new Set<unknown>();
  const found: Node[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isNode(value)) return value.constructor === Object ? Object.values(value).forEach(visit) : undefined;
    found.push(value);
    visit(value.args);
    visit(value.meta.alternate);
    visit(value.meta.macro);
  };
  visit(root);
  return found;
}

function isNode(value: object): value is Node {
  return 'op' in value && 'args' in value && 'meta' in value;
}
