/**
 * The cost of an evaluation, counted in steps: one a node of the expression, and more for what is made (one for ten characters, one for each
 * element of a list or map) or compared. Counting does not depend on the machine, so an expression that is too dear is so everywhere.
 */

/** Steps that all expressions of one object may take together; some 0.2 s. */
export const MOST_STEPS = 500_000;
/** Longer texts are refused: a Secret or ConfigMap takes no more anyway. */
export const LONGEST_TEXT = 1024 * 1024;
const CHARACTERS_A_STEP = 10;
/** Times, durations and time zones go through the tables of the locale: up to 0.1 ms. */
export const STEPS_A_TIME = 250;

/** What is left to spend. Shared by the expressions of one object, so that many of them cost no more than one. */
export class Budget {
  #left: number;
  readonly #made = new Map<string, unknown>();

  /** @param deadlineMs of a single evaluation: a fence for what steps do not tell */
  public constructor(private readonly total = MOST_STEPS, public readonly deadlineMs = 1000) {
    this.#left = total;
  }

  /** Whether more was asked for than there was, even where an expression has swallowed the error. */
  public get isExhausted(): boolean {
    return this.#left < 0;
  }

  /** What is made once for all expressions of the object, such as a compiled pattern. */
  public remembered<T>(key: string, make: () => T): T {
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key) as T;
  }

  /** Nothing is left, whatever there was. */
  public exhaust(): void {
    this.#left = -1;
  }

  /** @throws BudgetError from the moment that there is nothing left: errors that an expression may swallow do not end it. */
  public spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new BudgetError(this.total);
  }
}

export class BudgetError extends Error {
  public constructor(total: number) {
    super(`the expressions of this object cost more than ${total} steps together; make lists and texts smaller, or nest fewer comprehensions`);
    this.name = 'BudgetError';
  }
}

/** Evaluation is synchronous, so there is never more than one. */
let current: Budget | undefined;

/** Calls a function whose `spend` is taken from the budget. */
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

/** That of the evaluation under way. */
export function currentBudget(): Budget {
  return current ?? new Budget();
}

/** The cost of reading a value without looking into what it holds. */
export function spendReading(value: unknown): void {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array) spend(Math.ceil(value.length / CHARACTERS_A_STEP));
  else if (value instanceof Map) spend(Math.ceil(value.size / CHARACTERS_A_STEP));
}

/** To be called before a text of this length is made. */
export function spendText(length: number): void {
  if (length > LONGEST_TEXT) throw new Error(`the text is longer than ${LONGEST_TEXT} characters`);
  spend(Math.ceil(length / CHARACTERS_A_STEP));
}

/** The cost of having made a value, whatever made what is in it. */
export function spendValue(value: unknown): void {
  if (typeof value === 'string') spendText(value.length);
  else if (Array.isArray(value)) spend(value.length);
  else if (value instanceof Uint8Array) spendText(value.length);
  else if (value instanceof Map) spend(value.size);
}

/**
 * The cost of going through a value and all that is in it. Values may share their parts, so that a small one unfolds to a huge one; going
 * ends when the budget does.
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
