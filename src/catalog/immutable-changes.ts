import { allows, sameWord } from './allowed-changes';
import type { ChangeFacts, PropertyFacts, TypeExpression } from './facts';
import type { KindVersion } from './kind';
import { isArray, isCommon, isConstrained, isMap, isRef } from './type-expression';
import { pointerStep } from '../util/json-pointer';
import { isRecord, type Struct } from '../util/records';

/** A change of a property that Azure refuses once the resource exists. */
export interface ImmutableChange {
  /** Path in the spec: `networkProfile.networkPlugin`, `agentPoolProfiles[system].vmSize`. */
  readonly path: string;
  /** JSON pointer in the body of a request, with `-` for each element: `/properties/agentPoolProfiles/-/vmSize`. */
  readonly pointer: string;
  /** Where the property is left out and the catalog has what Azure takes then, that. */
  readonly before: unknown;
  readonly after: unknown;
  /** Azure's code of the refusal. */
  readonly code: string;
  /** When Azure refuses the change, `while the plan has apps`; absent: always. */
  readonly when?: string;
}

/** The form of two values: that of the spec, or of the body of a request. */
export type ValueForm = 'spec' | 'body';

export interface ChangeOptions {
  /** Whether two references of a spec, old and new, are to one resource; undefined: not known. Default: by their own members. */
  readonly sameReference?: (before: Record<string, unknown>, after: Record<string, unknown>) => boolean | undefined;
}

/** Azure's code for a change that it does not take, of most providers. */
const CODE = 'PropertyChangeNotAllowed';
const ALWAYS: ChangeFacts = {};

/**
 * The changes between two specs, or between two bodies, that Azure refuses. A property that one of them lacks is no change, unless the
 * catalog has what Azure takes by default, or by leaving out.
 */
export function immutableChanges(
  version: KindVersion, before: unknown, after: unknown, form: ValueForm, options: ChangeOptions = {},
): ImmutableChange[] {
  return new Changes(version, form, options).between(before, after);
}

type Props = Readonly<Record<string, PropertyFacts>>;

/** Where a value is, in both forms. */
interface Place {
  readonly path: string;
  readonly pointer: string;
}

class Changes {
  private readonly found: ImmutableChange[] = [];

  public constructor(private readonly version: KindVersion, private readonly form: ValueForm, private readonly options: ChangeOptions) {}

  public between(before: unknown, after: unknown): ImmutableChange[] {
    this.ofMembers(this.version.specType.props, before, after, { path: '', pointer: '' });
    return this.found;
  }

  private ofMembers(props: Props, one: unknown, other: unknown, at: Place, inherited?: ChangeFacts): void {
    if (!isRecord(one) || !isRecord(other)) return;
    for (const [name, facts] of Object.entries(props)) {
      if (facts.arm === null || facts.inline || facts.alternativeTo !== undefined) continue;
      const steps = this.stepsOf(name, facts);
      const [old, now] = [valueOf(one, steps), valueOf(other, steps)];
      const place = {
        path: at.path === '' ? name : `${at.path}.${name}`,
        pointer: `${at.pointer}/${(facts.arm ?? name).split('/').map(pointerStep).join('/')}`,
      };
      const rule = this.ruleOf(facts) ?? inherited;
      if (rule === undefined) this.ofType(facts.type, old, now, place);
      else if (!isExcepted(rule, other)) this.judge(rule, facts, [old, now], place);
    }
  }

  private stepsOf(name: string, facts: PropertyFacts): string[] {
    return this.form === 'spec' ? [name] : (facts.arm ?? name).split('/');
  }

  private ruleOf({ immutable }: PropertyFacts): ChangeFacts | undefined {
    if (immutable === undefined) return undefined;
    if (immutable === true) return ALWAYS;
    return immutable.kinds === undefined || immutable.kinds.includes(this.version.kind.kind) ? immutable : undefined;
  }

  private judge(rule: ChangeFacts, facts: PropertyFacts, [old, now]: readonly [unknown, unknown], place: Place): void {
    const before = isLeftOut(old) ? rule.leftOut : old;
    // Only a spec says that a value is left out on purpose; Azure completes the body that it has.
    const after = isLeftOut(now) && rule.resets && this.form === 'spec' ? rule.leftOut : now;
    if (isLeftOut(before) || isLeftOut(after)) return;
    this.compare(rule, facts, [before, after], place);
  }

  private compare(rule: ChangeFacts, { type, role }: PropertyFacts, [old, now]: readonly [unknown, unknown], place: Place): void {
    const bare = isConstrained(type) ? type.type : type;
    if (role === 'armReference' || role === 'wellKnownReference') return this.ofReferences(rule, old, now, place);
    if (isArray(bare)) return this.ofLists(rule, bare.array, old, now, place);
    if (isMap(bare)) return this.refuse(rule, place, old, now, sameDeep(old, now));
    if (isRef(bare)) return this.ofStructs(rule, bare.ref, old, now, place);
    if (!isScalar(old) || !isScalar(now)) return;
    this.refuse(rule, place, old, now, sameWord(old, now) || allows(rule, old, now));
  }

  /** Of structures, Azure completes members: those that both have are compared. */
  private ofStructs(rule: ChangeFacts, name: string, old: unknown, now: unknown, place: Place): void {
    if (!isRecord(old) || !isRecord(now)) return;
    const type = this.version.type(name);
    if (type.oneOf === true) {
      const [was, is] = [this.variantOf(old, type.discriminator), this.variantOf(now, type.discriminator)];
      if (isScalar(was) && isScalar(is)) this.refuse(rule, place, was, is, sameWord(was, is) || allows(rule, was, is));
      return;
    }
    this.ofMembers(type.props, old, now, place, rule);
  }

  private variantOf(value: Struct, discriminator = 'type'): unknown {
    return this.form === 'spec' ? Object.keys(value)[0] : value[discriminator];
  }

  private ofLists(rule: ChangeFacts, element: TypeExpression, old: unknown, now: unknown, place: Place): void {
    if (!Array.isArray(old) || !Array.isArray(now)) return;
    const { elements } = rule;
    const pick = (list: readonly unknown[]) => (elements ? list.filter((item) => elements.includes(String(nameIn(item)))) : list);
    const [before, after] = [pick(old as unknown[]), pick(now as unknown[])];
    const has = (all: readonly unknown[], item: unknown) => all.some((other) => this.sameItem(element, item, other));
    const within = (some: readonly unknown[], all: readonly unknown[]) => some.every((item) => has(all, item));
    const [kept, known] = [within(before, after), within(after, before)];
    const taken = (kept && known) || (rule.takes ?? []).some((one) => (
      one === 'added' ? kept : one === 'elements' && before.length > 0 && after.length > 0
    ));
    this.refuse(rule, place, old, now, taken);
  }

  private sameItem(type: TypeExpression, one: unknown, other: unknown): boolean {
    const inner = isConstrained(type) ? type.type : type;
    if (isRecord(one) && isRecord(other) && isReference(inner)) return this.sameReference(one, other) !== false;
    return sameDeep(one, other, isRef(inner));
  }

  private ofReferences(rule: ChangeFacts, old: unknown, now: unknown, place: Place): void {
    if (isRecord(old) && isRecord(now)) {
      if (this.sameReference(old, now) === false) this.refuse(rule, place, old, now, false);
    } else if (Array.isArray(old) && Array.isArray(now)) {
      this.ofLists(rule, { common: 'ResourceReference' }, old, now, place);
    } else if (isScalar(old) && isScalar(now)) {
      this.refuse(rule, place, old, now, sameWord(old, now));
    }
  }

  private sameReference(one: Struct, other: Struct): boolean | undefined {
    if (this.options.sameReference) return this.options.sameReference(one, other);
    // By name and by id is perhaps the same.
    if (typeof one.armId !== typeof other.armId) return undefined;
    return ['armId', 'group', 'kind', 'name', 'wellKnownName'].every((key) => sameWord(one[key] ?? '', other[key] ?? ''));
  }

  private refuse(rule: ChangeFacts, place: Place, before: unknown, after: unknown, taken: boolean): void {
    if (taken) return;
    this.found.push({ ...place, before, after, code: rule.code ?? CODE, ...(rule.when === undefined ? {} : { when: rule.when }) });
  }

  private ofType(type: TypeExpression, old: unknown, now: unknown, place: Place): void {
    if (old === undefined || now === undefined) return;
    if (isConstrained(type)) return this.ofType(type.type, old, now, place);
    if (isArray(type)) return this.ofItems(type.array, old, now, place);
    if (isMap(type) || isCommon(type)) return;
    if (isRef(type)) this.ofMembers(this.version.type(type.ref).props, old, now, place);
  }

  /** Items are the same where they have the same name. */
  private ofItems(type: TypeExpression, old: unknown, now: unknown, { path, pointer }: Place): void {
    if (!isRef(type) || !Array.isArray(old) || !Array.isArray(now)) return;
    for (const item of now as readonly unknown[]) {
      const name = nameIn(item);
      const same = typeof name === 'string' ? old.find((other) => isRecord(other) && other.name === name) as unknown : undefined;
      if (same === undefined) continue;
      this.ofMembers(this.version.type(type.ref).props, same, item, { path: `${path}[${name as string}]`, pointer: `${pointer}/-` });
    }
  }
}

function isExcepted({ unless = {} }: ChangeFacts, siblings: Struct): boolean {
  return Object.entries(unless).some(([name, value]) => sameWord(siblings[name], value));
}

function isReference(type: TypeExpression): boolean {
  return isCommon(type) && type.common.endsWith('Reference');
}

function nameIn(item: unknown): unknown {
  return isRecord(item) ? item.name : item;
}

function valueOf(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((inner, step) => (isRecord(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined), value);
}

function isLeftOut(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** @param completed compare only the members that both have */
function sameDeep(one: unknown, other: unknown, completed = false): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameDeep(item, other[index], completed));
  }
  if (!isRecord(one) || !isRecord(other)) return sameWord(one, other);
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const compared = completed ? keys.filter((key) => Object.hasOwn(one, key) && Object.hasOwn(other, key)) : keys;
  return compared.every((key) => sameDeep(one[key], other[key], completed));
}
