import { Conversion, Convert, shown } from './conversion';
import type { Scalar, Validations } from '../../catalog/facts';
import { toRegExp } from '../../util/go-pattern';
import { suggestion } from '../../util/nearest';

/** The conversion of a scalar: the value itself, after the checks that the CRD makes of it. */
export function scalarConvert(type: Scalar, rules: Validations): Convert {
  switch (type) {
    case 'string':
      return stringConvert(rules);
    case 'boolean':
      return (value, run) => expect(typeof value === 'boolean', value, run, 'true or false');
    case 'integer':
    case 'number':
      return numberConvert(type, rules);
    case 'json':
      return (value) => value;
  }
}

function expect(fits: boolean, value: unknown, run: Conversion, wanted: string): unknown {
  if (fits) return value;
  run.problem(`is ${shown(value)}, but has to be ${wanted}.`);
  return undefined;
}

function stringConvert(rules: Validations): Convert {
  const checks = [enumCheck(rules), lengthCheck(rules), patternCheck(rules)].filter((check) => check !== undefined);
  return (value, run) => {
    if (typeof value !== 'string') return expect(false, value, run, 'a string');
    for (const check of checks) {
      const fault = check(value);
      if (fault !== undefined) {
        run.problem(fault);
        return undefined;
      }
    }
    return value;
  };
}

type StringCheck = (value: string) => string | undefined;

function enumCheck(rules: Validations): StringCheck | undefined {
  if (!rules.enum) return undefined;
  const allowed = new Set(rules.enum as string[]);
  return (value) => (allowed.has(value) ? undefined : `${shown(value)} is not an allowed value.${suggestion(value, allowed)} Allowed: ${listed(allowed)}.`);
}

function listed(allowed: Set<string>): string {
  const all = [...allowed];
  const first = all.slice(0, 25).map((value) => `'${value}'`).join(', ');
  return all.length > 25 ? `${first} and ${all.length - 25} more` : first;
}

function lengthCheck({ minLength, maxLength }: Validations): StringCheck | undefined {
  if (minLength === undefined && maxLength === undefined) return undefined;
  return (value) => {
    // Kubernetes counts characters, JavaScript UTF-16 units, of which there are never fewer.
    const length = value.length > (maxLength ?? 0) || value.length < (minLength ?? 0) * 2 ? [...value].length : value.length;
    if (minLength !== undefined && length < minLength) return `${shown(value)} has ${length} characters; at least ${minLength} are needed.`;
    if (maxLength !== undefined && length > maxLength) return `${shown(value)} has ${length} characters; at most ${maxLength} are allowed.`;
    return undefined;
  };
}

function patternCheck({ pattern }: Validations): StringCheck | undefined {
  if (pattern === undefined) return undefined;
  const expression = toRegExp(pattern);
  if (!expression) return undefined;
  return (value) => (expression.test(value) ? undefined : `${shown(value)} does not match the pattern ${pattern}.`);
}

function numberConvert(type: 'integer' | 'number', rules: Validations): Convert {
  const { minimum, maximum, multipleOf } = rules;
  const allowed = rules.enum && new Set(rules.enum as number[]);
  const wanted = type === 'integer' ? 'a whole number' : 'a number';
  const fault = (value: number): string | undefined => {
    if (allowed && !allowed.has(value)) return `${value} is not an allowed value. Allowed: ${[...allowed].join(', ')}.`;
    if (minimum !== undefined && value < minimum) return `${value} is too small; at least ${minimum} is needed.`;
    if (maximum !== undefined && value > maximum) return `${value} is too large; at most ${maximum} is allowed.`;
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) return `${value} is not a multiple of ${multipleOf}.`;
    return undefined;
  };
  return (value, run) => {
    if (typeof value !== 'number' || !(type === 'integer' ? Number.isInteger(value) : Number.isFinite(value))) return expect(false, value, run, wanted);
    const text = fault(value);
    if (text === undefined) return value;
    run.problem(text);
    return undefined;
  };
}

/** 0.3 is a multiple of 0.1, although its quotient in binary is not whole. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.max(1, Math.abs(quotient)) * 2;
}
