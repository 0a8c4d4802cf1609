/**
 * The cost of an evaluation, counted in steps: one per node of the expression, and more for values that are created (one per ten
 * characters, one per element of a list or map) or compared. The count is the same on every machine, so an expression that is too expensive
 * is so everywhere.
 */

/** Steps that all expressions of one object may take together; about 0.2 s. */
export const MOST_STEPS = 500_000;
/** Longer texts are refused: a Secret or ConfigMap holds no more anyway. */
export const LONGEST_TEXT = 1024 * 1024;
const CHARACTERS_A_STEP = 10;
/** Steps of one operation on times, durations and time zones, which uses the locale's tables: up to 0.1 ms. */
export const STEPS_A_TIME = 250;

/** The remaining steps. All expressions of one object share one budget, so that many expressions cost no more than one. */
export class Budget {
  #left: number;
  readonly #made = new Map<string, unknown>();

  /** @param deadlineMs of a single evaluation: a limit for costs that steps do not measure */
  public constructor(private readonly total = MOST_STEPS, public readonly deadlineMs = 1000) {
    this.#left = total;
  }

  /** Whether an expression asked for more than was left, even if it swallowed the error. */
  public get isExhausted(): boolean {
    return this.#left < 0;
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

/** The budget of the current evaluation. */
export function currentBudget(): Budget {
  return current ?? new Budget();
}

/** Spends the cost of reading a value without its members. */
export function spendReading(value: unknown): void {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array) spend(Math.ceil(value.length / CHARACTERS_A_STEP));
  else if (value instanceof Map) spend(Math.ceil(value.size / CHARACTERS_A_STEP));
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
  } else if (typeof value === 'object' && value !== null) {
    if (value.constructor === Object) Object.values(value).forEach(spendDeep);
    else spend(STEPS_A_TIME);
  }
}
