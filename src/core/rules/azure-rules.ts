import type { ObjectSet } from './object-set';
import type { Find, FoundAt, Rule } from './rule';
import { isAzure, type AzureObject } from './set-object';
import { concerns, type AzureRule, type AzureSubject } from '../../azure/rules/rule';
import { isRecord, text } from '../../util/records';

/** One of Azure's own rules (src/azure/rules) as a rule about manifests and constructs. */
export function ruleOfAzure(rule: AzureRule): Rule {
  const { id, title, code, evidence, fails } = rule;
  const common = { id, title, kinds: rule.kinds.length > 0 ? rule.kinds : undefined, find: findIn(rule), isOfAzure: true };
  if (fails !== undefined) return { ...common, severity: 'error', asked: 'both', why: `${fails} (${evidence})` };
  return code === undefined
    ? { ...common, severity: 'warning', asked: 'manifests', why: `Azure takes it, or may take it: ${evidence}` }
    : { ...common, severity: 'error', asked: 'both', why: `Azure refuses it: ${code} (${evidence})` };
}

function findIn({ kinds, find }: AzureRule): Find {
  return (set) => {
    const subjects = Subjects.of(set);
    const found: FoundAt[] = [];
    for (const object of objectsOf(set, kinds)) {
      if (!concerns(find, object.spec)) continue;
      const violations = find(subjects.subject(object));
      // Asked last: the policy of a construct takes longer than most rules.
      if (violations.length === 0 || !object.isWhole || set.isOnlyRead(object)) continue;
      for (const { field, message, fix, severity } of violations) {
        found.push({ object, field: field === '' ? 'spec' : `spec.${field}`, message, fix, severity });
      }
    }
    return found;
  };
}

function objectsOf(set: ObjectSet, kinds: readonly string[]): readonly AzureObject[] {
  if (kinds.length === 1) return set.kinds.get(kinds[0]!) ?? [];
  return kinds.length === 0 ? set.azure : kinds.flatMap((kind) => set.kinds.get(kind) ?? []);
}

const ofSets = new WeakMap<ObjectSet, Subjects>();

/** The objects of a set as Azure's rules read them. Owners and siblings are looked up when a rule asks. */
class Subjects {
  public static of(set: ObjectSet): Subjects {
    let subjects = ofSets.get(set);
    if (!subjects) ofSets.set(set, (subjects = new Subjects(set)));
    return subjects;
  }

  private readonly known = new Map<AzureObject, AzureSubject>();
  /** Objects by kind and the Azure resource that contains them. */
  private readonly families = new Map<string, AzureObject[]>();
  private readonly grouped = new Set<string>();

  private constructor(private readonly set: ObjectSet) {}

  public subject(object: AzureObject): AzureSubject {
    let subject = this.known.get(object);
    if (!subject) this.known.set(object, (subject = new ObjectSubject(object, this)));
    return subject;
  }

  public exists(object: AzureObject): boolean {
    return this.set.neverCreates(object) || this.set.isOnlyRead(object);
  }

  public owner(object: AzureObject): AzureSubject | undefined {
    const owner = this.set.containerOf(object);
    return owner && this.subject(owner);
  }

  public named(kind: string, name: string): AzureSubject | undefined {
    const found = this.set.namedInAzure(kind, name);
    return found && this.subject(found);
  }

  public beside(object: AzureObject, kind: string): AzureSubject[] {
    const scope = this.set.scopeKey(object);
    if (scope === undefined) return [];
    if (!this.grouped.has(kind)) this.group(kind);
    return (this.families.get(`${kind} ${scope}`) ?? []).filter((other) => other !== object).map((other) => this.subject(other));
  }

  public referenced(object: AzureObject, reference: unknown): AzureSubject | undefined {
    if (!isRecord(reference)) return undefined;
    const { group, kind, name, armId } = reference;
    if (typeof armId === 'string') {
      const known = this.set.resourceOf(armId);
      return known && this.subject(known);
    }
    if (typeof group !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return undefined;
    const found = this.set.find(group, kind, object.namespace, name);
    return found && isAzure(found) ? this.subject(found) : undefined;
  }

  private group(kind: string): void {
    this.grouped.add(kind);
    for (const object of this.set.kinds.get(kind) ?? []) {
      const key = `${kind} ${this.set.scopeKey(object) ?? ''}`;
      const family = this.families.get(key);
      if (family) family.push(object);
      else this.families.set(key, [object]);
    }
  }
}

class ObjectSubject implements AzureSubject {
  public readonly kind: string;

  public constructor(private readonly object: AzureObject, private readonly subjects: Subjects) {
    this.kind = `${object.group}/${object.kind}`;
  }

  public get name(): string {
    const { facts, spec, name } = this.object;
    return facts.azureName ?? text(spec, 'azureName') ?? name;
  }

  public get spec(): AzureSubject['spec'] {
    return this.object.spec;
  }

  public get exists(): boolean {
    return this.subjects.exists(this.object);
  }

  public get owner(): AzureSubject | undefined {
    return this.subjects.owner(this.object);
  }

  public get siblings(): readonly AzureSubject[] {
    return this.subjects.beside(this.object, this.kind);
  }

  public beside(kind: string): readonly AzureSubject[] {
    return this.subjects.beside(this.object, kind);
  }

  public referenced(reference: unknown): AzureSubject | undefined {
    return this.subjects.referenced(this.object, reference);
  }

  public named(kind: string, name: string): AzureSubject | undefined {
    return this.subjects.named(kind, name);
  }
}
