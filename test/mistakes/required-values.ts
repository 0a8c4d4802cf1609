import { isArray, isCommon, isConstrained, isMap, isRef, type KindVersion, type PropertyFacts, type TypeExpression, type TypeFacts, type Validations } from '../../src/catalog';
import { isRecord } from '../../src/util/records';

const TEXTS = ['one', 'x', '1', 'PT5M', '10.0.0.4', '/subscriptions/s', 'uksouth', '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52', 'https://a.example'];

const KNOWN: Readonly<Record<string, string>> = { location: 'uksouth', timeGrain: 'PT1M', timeWindow: 'PT5M' };

/** A spec with some value for each property that its schema requires: synth asks the rules only where the schema is kept. */
export function withRequired(spec: Record<string, unknown>, version: KindVersion): Record<string, unknown> {
  return required(spec, version.specType, version);
}

function required(value: Record<string, unknown>, type: TypeFacts, version: KindVersion): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, own] of Object.entries(value)) {
    const facts = Object.hasOwn(type.props, name) ? type.props[name] : undefined;
    result[name] = facts ? inside(own, facts.type, version) : own;
  }
  for (const [name, facts] of Object.entries(type.props)) {
    if (!facts.required || name in result || facts.role === 'owner') continue;
    const fromConfig = Object.entries(type.props).some(([other, { alternativeTo }]) => alternativeTo === name && other in result);
    if (!fromConfig) result[name] = KNOWN[name] ?? any(facts.type, facts, version);
  }
  return result;
}

function inside(value: unknown, type: TypeExpression, version: KindVersion): unknown {
  if (isConstrained(type)) return inside(value, type.type, version);
  if (isArray(type)) return Array.isArray(value) ? value.map((item) => inside(item, type.array, version)) : value;
  if (!isRecord(value)) return value;
  if (isMap(type)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item, type.map, version)]));
  return isRef(type) ? required(value, version.type(type.ref), version) : value;
}

function any(type: TypeExpression, rules: Validations, version: KindVersion): unknown {
  if (isConstrained(type)) return any(type.type, type, version);
  if (isArray(type)) return Array.from({ length: rules.minItems ?? 0 }, () => any(type.array, {}, version));
  if (isMap(type)) return {};
  if (isRef(type)) return required({}, version.type(type.ref), version);
  if (isCommon(type)) return reference(rules as PropertyFacts);
  // The first SKU of storage is of a new generation, which has rules of its own.
  if (rules.enum) return rules.enum.find((word) => word === 'Standard_LRS') ?? rules.enum[0];
  if (type === 'boolean') return false;
  if (type === 'json') return {};
  return type === 'string' ? text(rules) : rules.minimum ?? 1;
}

function reference({ role }: PropertyFacts): object {
  if (role === 'armReference' || role === 'wellKnownReference') return { armId: '/subscriptions/00000000-0000-0000-0000-000000000000' };
  return role === 'secretMap' ? { name: 'values' } : { name: 'values', key: 'key' };
}

function text({ pattern, minLength = 0, maxLength = Infinity }: Validations): string {
  const expression = new RegExp(pattern ?? '');
  const found = TEXTS.find((one) => one.length >= minLength && one.length <= maxLength && expression.test(one));
  if (found === undefined) throw new Error(`no text for ${pattern}`);
  return found;
}
