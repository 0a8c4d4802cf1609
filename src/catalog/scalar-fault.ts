import type { Scalar, Validations } from './facts';
import { toRegExp } from '../util/go-pattern';
import { nearest } from '../util/nearest';
import { firstOf, uncapitalized } from '../util/words';

/** Why a CRD refuses a scalar. The texts do not contain the value: it may be a secret. */
export interface ScalarFault {
  /** The problem: `has 2 characters`. */
  readonly message: string;
  /** The requirement: `at least 3 are needed`. Absent if the message contains it. */
  readonly fix?: string;
}

/** The maximum number of allowed values in a message. */
const MOST_VALUES = 25;

/** The name of each scalar type, and its type check. */
export const SCALARS: Readonly<Record<Scalar, readonly [expected: string, fits: (value: unknown) => boolean]>> = {
  string: ['a string', (value) => typeof value === 'string'],
  integer: ['a whole number', (value) => Number.isInteger(value)],
  number: ['a number', (value) => Number.isFinite(value)],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  json: ['anything', () => true],
};

/**
 * The first of a property's rules that a value of the right type (see `SCALARS`) violates. This is the only validator of scalars: for props
 * at synth, for manifests, for names.
 */
export function scalarFault(value: unknown, rules: Validations): ScalarFault | undefined {
  if (rules.enum && !rules.enum.includes(value as string)) {
    const near = typeof value === 'string' ? nearest(value, rules.enum.map(String)) : undefined;
    const allowed = `Allowed: ${firstOf(rules.enum.map((one) => (typeof one === 'string' ? `'${one}'` : one)), MOST_VALUES)}`;
    return { message: 'is not an allowed value', fix: near === undefined ? uncapitalized(allowed) : `did you mean '${near}'? ${allowed}` };
  }
  if (typeof value === 'string') return textFault(value, rules);
  return typeof value === 'number' ? numberFault(value, rules) : undefined;
}

function textFault(value: string, { minLength, maxLength, pattern }: Validations): ScalarFault | undefined {
  // Kubernetes counts characters, JavaScript UTF-16 code units, of which there are never fewer.
  const mayBeWrong = value.length > (maxLength ?? Infinity) || value.length < (minLength ?? 0) * 2;
  const length = mayBeWrong ? [...value].length : value.length;
  if (minLength !== undefined && length < minLength) {
    return { message: `has ${length} characters`, fix: `at least ${minLength} are needed` };
  }
  if (maxLength !== undefined && length > maxLength) {
    return { message: `has ${length} characters`, fix: `at most ${maxLength} are allowed` };
  }
  if (pattern !== undefined && toRegExp(pattern)?.test(value) === false) return { message: `does not match the pattern ${pattern}` };
  return undefined;
}

function numberFault(value: number, { minimum, maximum, multipleOf }: Validations): ScalarFault | undefined {
  if (minimum !== undefined && value < minimum) return { message: 'is too small', fix: `at least ${minimum} is needed` };
  if (maximum !== undefined && value > maximum) return { message: 'is too large', fix: `at most ${maximum} is allowed` };
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) return { message: `is not a multiple of ${multipleOf}` };
  return undefined;
}

/** Tolerates floating-point errors: 0.3 is a multiple of 0.1, although the binary quotient is no integer. */
export function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.max(1, Math.abs(quotient)) * 2;
}
