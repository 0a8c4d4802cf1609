import { Budget, BudgetError, MOST_STEPS, spendConverting, STEPS_AN_EVALUATION, withBudget } from './budget';
import { DeadlineError, withDeadline } from './deadline';
import type {
  CompiledExpression,
  ExpressionEngine,
  ExpressionObservation,
  ExpressionOutput,
  ExpressionValue,
  ExpressionVariables,
} from './engine';
import { ExpressionError } from './engine';
import { environmentOf, hasEnvironment, untypedEnvironment } from './environment';
import { estimatedSteps } from './estimate';
import type { Node } from './internals';
import { allNodes } from './internals';
import { withMapLiterals } from './map-literals';
import { at, celName, compileError, longestExpressionError, messageOf, positioned, quote } from './messages';
import { withMetering } from './metering';
import { refusedUse, withOwnFunctions } from './own-functions';
import { withPresence } from './presence';
import type { KindVersion } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';

const MOST_PROGRAMS = 1000;
/** Maximum characters of all cached programs' texts: a program takes some 300 times its text. */
const MOST_PROGRAM_CHARACTERS = 128 * 1024;
const OUTPUTS: Readonly<Record<string, ExpressionOutput>> = { 'string': 'string', 'map<string, string>': 'map' };

/** CEL in ASO's dialect, by `@marcbachmann/cel-js` and the extension pack of this folder. Programs are cached, errors are not. */
export function createCelEngine(onCompile: (observation: ExpressionObservation) => void = () => undefined): ExpressionEngine {
  const programs = new Programs();
  return {
    compile(version, text) {
      const known = programs.get(version, text);
      const resource = version.kind.kind;
      if (known) {
        onCompile({ resource, program: 'hit' });
        return known;
      }
      const environment = hasEnvironment(version) ? 'hit' : 'miss';
      const began = performance.now();
      let program: CompiledExpression;
      try {
        program = asCompileErrors(text, () => compile(version, text));
      } finally {
        onCompile({ resource, program: 'miss', environment, seconds: (performance.now() - began) / 1000 });
      }
      programs.set(version, program);
      return program;
    },
  };
}

/** The cached programs of an engine; the oldest are evicted first. */
class Programs {
  private readonly known = new Map<string, CompiledExpression>();
  private readonly versions = new WeakMap<KindVersion, number>();
  private count = 0;
  private characters = 0;

  public get(version: KindVersion, text: string): CompiledExpression | undefined {
    return this.known.get(this.keyOf(version, text));
  }

  public set(version: KindVersion, program: CompiledExpression): void {
    this.known.set(this.keyOf(version, program.text), program);
    this.characters += program.text.length;
    for (const [key, { text }] of this.known) {
      if (this.known.size <= MOST_PROGRAMS && this.characters <= MOST_PROGRAM_CHARACTERS) return;
      this.known.delete(key);
      this.characters -= text.length;
    }
  }

  private keyOf(version: KindVersion, text: string): string {
    let id = this.versions.get(version);
    if (id === undefined) this.versions.set(version, (id = this.count += 1));
    return `${id} ${text}`;
  }
}

function compile(version: KindVersion, text: string): CompiledExpression {
  const tooLong = longestExpressionError(text);
  if (tooLong) throw tooLong;
  const { environment, self } = environmentOf(version);
  const parsed = asCompileErrors(text, () => environment.parse(text));
  // The package's type of a node lacks the members that it sets while it checks.
  const root = parsed.ast as unknown as Node;
  const afterCheck = withPresence(root);
  const checked = parsed.check();
  if (!checked.valid) throw compileError(text, positioned(checked.error));
  const refused = refusedUse(root);
  if (refused) throw compileError(text, at(refused.message, text, refused.node.pos));
  const output = OUTPUTS[checked.type!];
  if (!output) {
    const must = `expression "${quote(text)}" must return one of [string,map(string, string)], but was ${celName(checked.type!)}`;
    throw new ExpressionError('compile', must);
  }
  const steps = estimatedSteps(root);
  if (steps > MOST_STEPS) {
    const cure = 'make its lists smaller, or nest fewer comprehensions';
    throw compileError(text, `the expression costs some ${steps.toPrecision(2)} steps, more than ${MOST_STEPS}: ${cure}`);
  }
  afterCheck();
  withOwnFunctions(root);
  withMapLiterals(root);
  withMetering(root, text);
  const secretNames = secretNamesOf(root);
  return {
    text,
    output,
    secretNames,
    evaluate: (variables, budget = new Budget()) => {
      const bound = { self: new self(variables.self), secret: new Map(Object.entries(variables.secret)) };
      return evaluate(text, output, secretNames, variables, () => bounded(budget, () => parsed(bound) as unknown));
    },
  };
}

/** An expression over an object of any kind. */
export interface UntypedExpression {
  /**
   * The value: a text, number, boolean, list or map. Integers are numbers.
   *
   * @throws ExpressionError also where a member that the expression names is not there
   */
  evaluate(self: unknown, budget?: Budget): unknown;
}

/**
 * Compiles an expression over `self`, an object of any kind: types are checked when it is evaluated.
 *
 * @throws ExpressionError
 */
export function compileUntyped(text: string): UntypedExpression {
  const tooLong = longestExpressionError(text);
  if (tooLong) throw tooLong;
  const parsed = asCompileErrors(text, () => untypedEnvironment().parse(text));
  const root = parsed.ast as unknown as Node;
  const checked = parsed.check();
  if (!checked.valid) throw compileError(text, positioned(checked.error));
  withOwnFunctions(root);
  withMapLiterals(root);
  withMetering(root, text);
  return {
    evaluate: (self, budget = new Budget()) => {
      try {
        return asJson(bounded(budget, () => parsed({ self: asCel(self) }) as unknown));
      } catch (error) {
        throw new ExpressionError('evaluate', `failed to eval CEL expression: "${quote(text)}": ${messageOf(error)}`);
      }
    },
  };
}

/** CEL has integers, which JSON does not tell from other numbers. */
function asCel(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) {
    spendConverting(value.length);
    return value.map(asCel);
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  spendConverting(entries.length);
  return new Map(entries.map(([name, one]) => [name, asCel(one)]));
}

function asJson(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** The steps decide. The deadline is the net for a cost that they do not measure: it ends what would otherwise go on for ever. */
function bounded(budget: Budget, act: () => unknown): unknown {
  budget.spend(STEPS_AN_EVALUATION);
  try {
    const value = withDeadline(budget.deadlineMs, () => withBudget(budget, act));
    // An `||` may have swallowed the error, so it is thrown again.
    budget.spend(0);
    return value;
  } catch (error) {
    // The next expression of the object would take as long.
    if (error instanceof DeadlineError) budget.exhaust();
    throw error;
  }
}

function asCompileErrors<T>(text: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof ExpressionError) throw error;
    throw compileError(text, positioned(error));
  }
}

function evaluate(
  text: string, output: ExpressionOutput, secretNames: readonly string[], variables: ExpressionVariables, act: () => unknown,
): ExpressionValue {
  try {
    return valueOf(act(), output);
  } catch (error) {
    throw new ExpressionError('evaluate', `failed to eval CEL expression: "${quote(text)}": ${causeOf(error, secretNames, variables)}`);
  }
}

function valueOf(value: unknown, output: ExpressionOutput): ExpressionValue {
  if (output === 'string') {
    if (typeof value !== 'string') throw new Error('the value is no string');
    return value;
  }
  const entries = value instanceof Map ? [...value] : Object.entries(value as object);
  const texts = entries.every(([key, element]) => typeof key === 'string' && typeof element === 'string');
  if (!texts) throw new Error('the map holds something else than strings');
  // A null prototype makes a key like `__proto__` an ordinary key.
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as Record<string, string>;
}

/**
 * The engine's messages quote values ("cannot convert …", "no such key …"). If the expression has access to secret values, the message
 * contains only the kind of the error and names from the expression's own text.
 */
function causeOf(error: unknown, secretNames: readonly string[], { secret }: ExpressionVariables): string {
  const message = messageOf(error);
  if (error instanceof BudgetError || error instanceof DeadlineError) return message;
  if (Object.keys(secret).length === 0 || secretNames.length === 0) return message;
  const missing = secretNames.find((name) => message === `no such key: ${name}`);
  if (missing !== undefined) return message;
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code.replaceAll('_', ' ') : 'evaluation failed';
  return `${code} (details are withheld because the expression uses secrets)`;
}

/** Names in `secret.x` and `secret["x"]`, anywhere in the expression. */
function secretNamesOf(root: unknown): string[] {
  const names = allNodes(root).flatMap(({ op, args }) => {
    if (!['.', '.?', '[]', '[?]'].includes(op) || !Array.isArray(args)) return [];
    const [target, key] = args as [{ op?: string; args?: unknown }, string | { op?: string; args?: unknown }];
    if (target.op !== 'id' || target.args !== 'secret') return [];
    const name = typeof key === 'string' ? key : key.op === 'value' ? key.args : undefined;
    return typeof name === 'string' ? [name] : [];
  });
  return [...new Set(names)].sort();
}
