/**
 * The engine's internals that the extension pack uses beyond the published types: the arguments of macros, and the nodes of the syntax
 * tree. They are declared in one file, against which each new release of the engine is checked.
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
  /** Offset of the node in the text. */
  readonly pos?: number;
  evaluate: (evaluator: Evaluator, node: Node, scope: Scope) => unknown;
  /**
   * Arguments for operators: `(left, right, node, evaluator)`; for functions: `(args, node, evaluator)`; for methods: `(args, evaluator,
   * node)`.
   */
  handle?: (first: unknown, second: unknown, third: Node, fourth: Evaluator) => unknown;
  readonly left?: Node;
  readonly checkedType?: CelType;
}

interface Meta {
  /** The node that is evaluated instead. */
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

/** The argument of a macro's handler. */
export interface MacroCall<Args extends readonly Node[]> {
  readonly ast: Node;
  readonly args: Args;
  readonly receiver: Node;
}

/** Every node of an expression once, including the expansions of macros. */
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
