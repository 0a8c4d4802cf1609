import type { PropertyFacts, TypeExpression } from './facts';
import type { KindVersion } from './kind';
import { isArray, isCommon, isConstrained, isMap, isRef } from './type-expression';
import { isRecord } from '../util/records';

/** A property that Azure does not change once the resource exists. */
export interface ImmutableChange {
  /** Path in the spec: `networkProfile.networkPlugin`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The form of two values: that of the spec, or of the body of a request. */
export type ValueForm = 'spec' | 'body';

/**
 * The immutable properties of a kind that differ between two specs, or between two bodies. A property that one of them lacks is no change:
 * what Azure takes by default is not known here.
 */
export function immutableChanges(version: KindVersion, before: unknown, after: unknown, form: ValueForm): ImmutableChange[] {
  const found: ImmutableChange[] = [];
  ofMembers(version.specType.props, before, after, '');
  return found;

  function ofMembers(props: Readonly<Record<string, PropertyFacts>>, one: unknown, other: unknown, at: string): void {
    if (!isRecord(one) || !isRecord(other)) return;
    for (const [name, facts] of Object.entries(props)) {
      if (facts.arm === null || facts.inline || facts.alternativeTo !== undefined) continue;
      const steps = form === 'spec' ? [name] : (facts.arm ?? name).split('/');
      const [old, now] = [valueOf(one, steps), valueOf(other, steps)];
      if (old === undefined || old === null || now === undefined || now === null) continue;
      const path = at === '' ? name : `${at}.${name}`;
      if (facts.immutable) compare(facts.type, old, now, path);
      else ofType(facts.type, old, now, path);
    }
  }

  function compare(type: TypeExpression, old: unknown, now: unknown, path: string): void {
    // An object whose members Azure completes differs by those that both have.
    if (isRef(type) && isRecord(old) && isRecord(now)) return ofImmutable(version.type(type.ref).props, old, now, path);
    if (isScalar(old) && isScalar(now) && !sameScalar(old, now)) found.push({ path, before: old, after: now });
  }

  function ofImmutable(props: Readonly<Record<string, PropertyFacts>>, old: unknown, now: unknown, at: string): void {
    const everywhere = Object.entries(props).map(([name, facts]) => [name, { ...facts, immutable: true as const }] as const);
    ofMembers(Object.fromEntries(everywhere), old, now, at);
  }

  function ofType(type: TypeExpression, old: unknown, now: unknown, path: string): void {
    if (isConstrained(type)) return ofType(type.type, old, now, path);
    if (isArray(type)) return ofItems(type.array, old, now, path);
    if (isMap(type) || isCommon(type)) return;
    if (isRef(type)) ofMembers(version.type(type.ref).props, old, now, path);
  }

  /** Items are the same where they have the same name. */
  function ofItems(type: TypeExpression, old: unknown, now: unknown, path: string): void {
    if (!isRef(type) || !Array.isArray(old) || !Array.isArray(now)) return;
    now.forEach((item: unknown, index) => {
      const same = isRecord(item) && typeof item.name === 'string' ? old.find((other) => isRecord(other) && other.name === item.name) as unknown : undefined;
      if (same !== undefined) ofMembers(version.type(type.ref).props, same, item, `${path}[${index}]`);
    });
  }
}

function valueOf(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((inner, step) => (isRecord(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined), value);
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Azure's enumerations, regions and ids ignore case. */
function sameScalar(one: unknown, other: unknown): boolean {
  const plain = (value: unknown) => (typeof value === 'string' ? value.toLowerCase().replace(/ /g, '') : value);
  return plain(one) === plain(other);
}
