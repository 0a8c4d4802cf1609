/**
 * The cost of an evaluation, counted in steps: one per node of the expression, and more for values that are created (one per ten
 * characters, one per element of a list or map) or compared. The count is the same on every machine, so an expression that is too expensive
 * is so everywhere, whatever else the machine does.
 */

/** Steps that all expressions of one object may take together; 0.1 to 0.5 s of a processor. */
export const MOST_STEPS = 500_000;
/**
 * The net below the steps: only a cost that steps do not measure reaches it. A step takes 0.2 µs of a processor, at most 2 µs, and a busy
 * machine gives a process a twentieth of one. The first evaluation of a process takes 50 ms, since nothing is compiled yet.
 */
const LONGEST_STEP_MS = 0.04;
const SHORTEST_DEADLINE_MS = 10_000;
/** Longer texts are refused: a Secret or ConfigMap holds no more anyway. */
export const LONGEST_TEXT = 1024 * 1024;
const CHARACTERS_A_STEP = 10;
/** Elements, or parts of a text, whose conversion to the engine's values costs one step: each takes up to 0.4 µs. */
const CONVERTED_A_STEP = 4;
/** Steps of one operation on times, durations and time zones, which uses the locale's tables: up to 0.1 ms. */
export const STEPS_A_TIME = 250;
/** Steps of an evaluation for its beginning, which takes a thread that watches the deadline: 40 µs. */
export const STEPS_AN_EVALUATION = 25;
/** Steps of an error, which records its stack. It also quotes the expression, at a cost by its length. */
const STEPS_AN_ERROR = 25;
/** Maximum nesting of an operand: the engine makes a type for each level, and keeps it. */
const DEEPEST_OPERAND = 100;

/** The remaining steps. All expressions of one object share one budget, so that many expressions cost no more than one. */
export class Budget {
  #left: number;
  #failure: unknown;
  readonly #made = new Map<string, unknown>();

  /** @param deadlineMs of a single evaluation, by the clock; by default so long that the steps end it first on the busiest machine */
  public constructor(
    private readonly total = MOST_STEPS, public readonly deadlineMs = Math.max(total * LONGEST_STEP_MS, SHORTEST_DEADLINE_MS),
  ) {
    this.#left = total;
  }

  /** Whether an expression asked for more than was left, even if it swallowed the error. */
  public get isExhausted(): boolean {
    return this.#left < 0;
  }

  /** The steps taken so far. */
  public get spent(): number {
    return Math.ceil(this.total - this.#left);
  }

  /** Creates a value once for all expressions of the object, such as a compiled pattern. */
  public remembered<T>(key: string, make: () => T): T {
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key) as T;
  }

  /** Sets the remaining steps to none. */
  public exhaust(): void {
    this.#left = -1;
  }

  /** @throws BudgetError on every call once no steps are left, so that an expression cannot continue by swallowing the error */
  public spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new BudgetError(this.total);
  }

  /** Spends the cost of an error once, although each node that it leaves passes it on: the expression may swallow it and go on. */
  public spendError(error: unknown, textLength: number): void {
    if (error === this.#failure || error instanceof BudgetError) return;
    this.#failure = error;
    this.spendDroppedError(textLength);
  }

  /** Spends the cost of an error that the engine itself has caught. */
  public spendDroppedError(textLength: number): void {
    this.spend(STEPS_AN_ERROR + Math.ceil(textLength / CHARACTERS_A_STEP));
  }
}

export class BudgetError extends Error {
  public constructor(total: number) {
    super(
      `the expressions of this object cost more than ${total} steps together; make lists and texts smaller, or nest fewer comprehensions`,
    );
    this.name = 'BudgetError';
  }
}

/** Evaluation is synchronous, so at most one budget is in use. */
let current: Budget | undefined;

/** Calls a function whose `spend` calls use the budget. */
export function withBudget<T>(budget: Budget, act: () => T): T {
  const outer = current;
  current = budget;
  try {
    return act();
  } finally {
    current = outer;
  }
}

export function spend(steps: number): void {
  current?.spend(steps);
}

export function spendError(error: unknown, textLength: number): void {
  current?.spendError(error, textLength);
}

export function spendDroppedError(textLength: number): void {
  current?.spendDroppedError(textLength);
}

/** The budget of the current evaluation. */
export function currentBudget(): Budget {
  return current ?? new Budget();
}

/** Spends the cost of reading a value without its members. */
export function spendReading(value: unknown): void {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array) spend(Math.ceil(value.length / CHARACTERS_A_STEP));
  else if (value instanceof Map) spend(Math.ceil(value.size / CHARACTERS_A_STEP));
  else if (isPlain(value)) spend(Math.ceil(Object.keys(value).length / CHARACTERS_A_STEP));
}

/** Spends the cost of the conversion of a list or map with so many elements; call it before the conversion. */
export function spendConverting(count: number): void {
  spend((1 + count) / CONVERTED_A_STEP);
}

/**
 * Spends the cost of finding out the type of an operand, which the engine does by the first element of each list and map.
 *
 * @throws Error for a value with more than 100 levels
 */
export function spendTyping(value: unknown): void {
  let depth = 0;
  for (let inner = firstOf(value); inner !== undefined; inner = firstOf(inner)) {
    depth += 1;
    if (depth > DEEPEST_OPERAND) throw new Error(`the value has more than ${DEEPEST_OPERAND} levels of lists and maps`);
  }
  spend(Math.ceil(depth / CHARACTERS_A_STEP));
}

function firstOf(value: unknown): unknown {
  if (Array.isArray(value)) return value[0];
  if (value instanceof Map) return value.values().next().value;
  if (!isPlain(value)) return undefined;
  for (const name in value) return value[name];
  return undefined;
}

/** Whether a value is an object of JSON, which the engine takes for a map. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && value.constructor === Object;
}

/** Spends the cost of a text; call it before the text is created. */
export function spendText(length: number): void {
  if (length > LONGEST_TEXT) throw new Error(`the text is longer than ${LONGEST_TEXT} characters`);
  spend(Math.ceil(length / CHARACTERS_A_STEP));
}

/** Spends the cost of a created value, not including its members. */
export function spendValue(value: unknown): void {
  if (typeof value === 'string') spendText(value.length);
  else if (Array.isArray(value)) spend(value.length);
  else if (value instanceof Uint8Array) spendText(value.length);
  else if (value instanceof Map) spend(value.size);
}

/**
 * Spends the cost of visiting a value and all its members. Values may share parts, so a small value can unfold to a huge one; the visit
 * stops when the budget is exhausted.
 */
export function spendDeep(value: unknown): void {
  spend(1);
  if (typeof value === 'string' || value instanceof Uint8Array) {
    spendReading(value);
  } else if (Array.isArray(value)) {
    value.forEach(spendDeep);
  } else if (value instanceof Map) {
    for (const [key, element] of value) {
      spendDeep(key);
      spendDeep(element);
    }
  } else if (isPlain(value)) {
    Object.values(value).forEach(spendDeep);
  } else if (typeof value === 'object' && value !== null) {
    spend(STEPS_A_TIME);
  }
}
