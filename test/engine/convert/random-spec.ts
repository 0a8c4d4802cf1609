import fc from 'fast-check';
import {
  isArray,
  isCommon,
  isConstrained,
  isMap,
  isRef,
  type KindVersion,
  type PropertyFacts,
  type TypeExpression,
  type TypeFacts,
  type Validations,
} from '../../../src/catalog';
import { toRegExp } from '../../../src/util/go-pattern';

/** Deeper objects have their required properties only. */
const DEPTH = 6;
/** How many optional properties an object has, on average. */
const OPTIONAL = 4;

type Random = () => number;

/**
 * A spec that the schema of a kind allows; the same for the same seed. (Arbitraries for whole specs would be built for hundreds of types
 * before the first value is drawn.)
 */
export function randomSpec(version: KindVersion, seed: number): Record<string, unknown> {
  return new SpecWriter(version, generator(seed)).object(version.specType, 0);
}

/** The minimal standard generator of Park and Miller. */
function generator(seed: number): Random {
  let state = (seed % 2147483646) + 1;
  const next = () => (state = (state * 48271) % 2147483647);
  for (let i = 0; i < 5; i += 1) next(); // the first numbers of near seeds are near each other
  return () => next() / 2147483647;
}

const TEXTS = ['', 'a', 'text', 'with space', 'ünïcode ☃', '__proto__', 'constructor', '/slash', '<b>', '0', 'null'];
const ARM_ID = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg';

class SpecWriter {
  public constructor(private readonly version: KindVersion, private readonly random: Random) {}

  public object(type: TypeFacts, depth: number): Record<string, unknown> {
    const properties = Object.entries(type.props);
    const chance = depth >= DEPTH ? 0 : Math.min(0.7, OPTIONAL / properties.length);
    const present = properties.filter(([, facts]) => facts.required || this.random() < chance);
    return Object.fromEntries(present.map(([name, facts]) => [name, this.value(facts.type, facts, facts.role, depth + 1)]));
  }

  private value(type: TypeExpression, rules: Validations, role: PropertyFacts['role'], depth: number): unknown {
    if (isConstrained(type)) return this.value(type.type, type, role, depth);
    if (isArray(type)) return Array.from({ length: this.length(rules, depth) }, () => this.value(type.array, {}, role, depth));
    if (isMap(type)) {
      return Object.fromEntries(
        Array.from({ length: this.length({}, depth) }, () => [this.pick(TEXTS), this.value(type.map, {}, role, depth)]),
      );
    }
    if (isRef(type)) return this.object(this.version.type(type.ref), depth);
    if (isCommon(type)) return this.common(type.common, role, depth);
    if (rules.enum) return this.pick(rules.enum);
    switch (type) {
      case 'string':
        return this.text(rules);
      case 'integer':
        return Math.floor(this.number(Math.ceil(rules.minimum ?? -5), Math.floor(rules.maximum ?? Infinity)));
      case 'number':
        return this.number(rules.minimum ?? -5, rules.maximum ?? Infinity);
      case 'boolean':
        return this.random() < 0.5;
      default:
        return this.pick<unknown>(['text', 5, false, [], {}, { nested: [1, { __proto__: null, deeper: true }] }]);
    }
  }

  private length({ minItems = 0, maxItems = Infinity }: Validations, depth: number): number {
    return Math.min(maxItems, minItems + (depth >= DEPTH ? 0 : Math.floor(this.random() * 3)));
  }

  private number(minimum: number, maximum: number): number {
    return minimum + this.random() * Math.min(100, maximum - minimum);
  }

  private text(rules: Validations): string {
    const { pattern, minLength = 0, maxLength = Infinity } = rules;
    if (pattern !== undefined) return this.pick(matching(pattern, minLength, maxLength));
    const text = this.pick(TEXTS);
    return [...text.padEnd(minLength, 'x')].slice(0, maxLength).join('');
  }

  private common(name: string, role: PropertyFacts['role'], depth: number): unknown {
    const references: Record<string, unknown>[] = [{ armId: ARM_ID }, { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' }];
    switch (role) {
      case 'owner':
        return { name: 'rg' };
      case 'armReference':
        return this.pick(references);
      case 'wellKnownReference':
        return this.pick([...references, { wellKnownName: 'Reader' }]);
      case 'secret':
      case 'secretMap':
      case 'configMap':
        return { name: 'name', ...(role === 'secretMap' ? {} : { key: 'key' }) };
      default:
        return this.object(this.version.commonType(name), depth);
    }
  }

  private pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)]!;
  }
}

const samples = new Map<string, string[]>();

function matching(pattern: string, minLength: number, maxLength: number): string[] {
  const key = `${pattern} ${minLength} ${maxLength}`;
  let known = samples.get(key);
  if (!known) {
    const fits = (text: string) => text.length >= minLength && text.length <= maxLength && toRegExp(pattern)!.test(text);
    const found = new Set<string>();
    for (let size = minLength; found.size < 3 && size <= Math.min(maxLength, minLength + 40); size += 1) {
      const filler = 'a'.repeat(size);
      if (fits(filler)) found.add(filler);
    }
    if (found.size === 0) {
      const drawn = fc.sample(fc.stringMatching(toRegExp(pattern)!), { seed: 1, numRuns: 200 });
      drawn.filter(fits).slice(0, 5).forEach((text) => found.add(text));
    }
    if (found.size === 0) throw new Error(`found no text for ${pattern}`);
    samples.set(key, (known = [...found]));
  }
  return known;
}
