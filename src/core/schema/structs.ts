import { Conversion, Convert, formatValue } from './conversion';
import { meantProperty } from '../../catalog/azure-names';
import type { PropertyFacts, Role, TypeFacts } from '../../catalog/facts';
import { propertyNameOf } from '../../catalog/property-names';
import { isRef } from '../../catalog/type-expression';
import { isRecord } from '../../util/records';

/** A property of a struct, ready to convert. */
export interface CompiledProperty {
  /** Name in the spec. */
  readonly specName: string;
  /** Name in the props. */
  readonly propName: string;
  readonly required: boolean;
  /** Whether additional properties can be merged into the value. */
  readonly isStruct: boolean;
  readonly convert: Convert;
}

type CompileProperty = (name: string, facts: PropertyFacts) => Convert;

/** A type of the catalog, compiled: the conversion of each property, and the constraints between them. */
export class CompiledStruct {
  private readonly byPropName = new Map<string, CompiledProperty>();
  private readonly bySpecName = new Map<string, CompiledProperty>();
  private readonly required: CompiledProperty[] = [];
  /** Pairs of `fooFromConfig` and the `foo` that it replaces. */
  private readonly alternatives: [CompiledProperty, CompiledProperty][] = [];
  private readonly members: CompiledProperty[] = [];
  /** Property → the one that takes an output or a resource in its place. */
  private readonly takesInstead = new Map<CompiledProperty, { readonly propName: string; readonly role: Role | undefined }>();

  /** @param typeOf the type of a name in the kind's version */
  public constructor(
    private readonly type: TypeFacts,
    private readonly root: boolean,
    compile: CompileProperty,
    private readonly typeOf: (name: string) => TypeFacts,
  ) {
    for (const [specName, facts] of Object.entries(type.props)) {
      const property = {
        specName,
        propName: propertyNameOf(specName, root),
        required: facts.required === true,
        isStruct: isRef(facts.type),
        convert: compile(specName, facts),
      };
      this.byPropName.set(property.propName, property);
      this.bySpecName.set(specName, property);
      if (property.required) this.required.push(property);
      if (type.oneOf && facts.inline) this.members.push(property);
    }
    for (const [specName, facts] of Object.entries(type.props)) {
      const other = facts.alternativeTo === undefined ? undefined : this.bySpecName.get(facts.alternativeTo);
      if (!other) continue;
      const property = this.bySpecName.get(specName)!;
      this.alternatives.push([property, other]);
      this.takesInstead.set(other, { propName: property.propName, role: facts.role });
    }
  }

  /** @param skip names of props that are not properties of the spec */
  public convert(value: object, run: Conversion, skip?: ReadonlySet<string>): Record<string, unknown> {
    const spec: Record<string, unknown> = {};
    const given = value as Record<string, unknown>;
    for (const name in given) {
      if (skip?.has(name)) continue;
      const property = this.byPropName.get(name);
      if (!property) {
        if (given[name] !== undefined) this.unknown(name, run);
        continue;
      }
      const settled = run.settle(given[name]);
      if (settled === undefined || settled === null) continue;
      run.enter(name, property.specName);
      const elsewhere = this.elsewhere(property, settled);
      if (elsewhere !== undefined) run.problem(elsewhere);
      const converted = elsewhere === undefined ? property.convert(settled, run) : undefined;
      run.leave();
      // An invalid value was reported already; null keeps it from being reported as missing as well.
      spec[property.specName] = converted === undefined ? null : converted;
    }
    if (run.additional) this.add(run.additional, spec, run);
    this.checkWhole(spec, run);
    return spec;
  }

  /** The message for an output or a resource that belongs into another property than the one for a text. */
  private elsewhere(property: CompiledProperty, value: unknown): string | undefined {
    const instead = typeof value === 'object' && value !== null ? this.takesInstead.get(property) : undefined;
    if (instead?.role === 'configMap' && 'configMapName' in (value as object)) return `is an output of a resource. Give it to '${instead.propName}'.`;
    if (instead?.role === 'armReference' && 'azureResourceRef' in (value as object)) return `is a resource. Give it to '${instead.propName}'.`;
    return undefined;
  }

  /**
   * Merges additional properties. A property that is also in the props is an error, except structs, into which their own additions were
   * merged already.
   */
  private add(additional: Record<string, unknown>, spec: Record<string, unknown>, run: Conversion): void {
    for (const [specName, value] of Object.entries(additional)) {
      if (value === undefined || value === null) continue;
      if (spec[specName] === undefined) {
        spec[specName] = value;
      } else if (!this.bySpecName.get(specName)?.isStruct || !isRecord(value)) {
        run.enter(specName);
        run.problem('is given twice, here and in additionalSpec. Give it once.');
        run.leave();
      }
    }
  }

  private unknown(name: string, run: Conversion): void {
    const called = this.bySpecName.get(name);
    const hint = called ? ` It is called '${called.propName}' here.` : this.meant(name) ?? this.all;
    run.enter(name);
    run.problem(`there is no such property.${hint}`);
    run.leave();
  }

  /** The property that has the name in Azure, or a similar name. */
  private meant(name: string): string | undefined {
    const meant = meantProperty(name, this.type, this.typeOf);
    if (!meant) return undefined;
    const path = meant.path.map((step, level) => propertyNameOf(step, this.root && level === 0)).join('.');
    if (!meant.inAzure) return ` Did you mean '${path}'?`;
    return ` Azure's '${name}' is called '${path}' here${meant.isReference ? ': give the resource instead of its id' : ''}.`;
  }

  /** A list of the properties, if it is short enough for a message. */
  private get all(): string {
    return this.byPropName.size > 12 ? '' : ` There are: ${[...this.byPropName.keys()].join(', ')}.`;
  }

  private checkWhole(spec: Record<string, unknown>, run: Conversion): void {
    for (const property of this.required) {
      if (spec[property.specName] !== undefined) continue;
      run.enter(property.propName);
      run.problem('is required, but missing.');
      run.leave();
    }
    for (const [one, other] of this.alternatives) {
      if (spec[one.specName] === undefined || spec[other.specName] === undefined) continue;
      run.enter(one.propName);
      run.problem(`'${one.propName}' and '${other.propName}' are two ways to give the same value. Give one of them.`);
      run.leave();
    }
    if (this.members.length > 0) this.checkUnion(spec, run);
  }

  private checkUnion(spec: Record<string, unknown>, run: Conversion): void {
    const chosen = this.members.filter((member) => spec[member.specName] !== undefined);
    if (chosen.length === 1) return;
    const all = this.members.map((member) => `'${member.propName}'`).join(', ');
    const text =
      chosen.length === 0
        ? `exactly one of ${all} is needed, but none is given.`
        : `${chosen.map((member) => `'${member.propName}'`).join(' and ')} exclude each other. Give exactly one of ${all}.`;
    if (this.root) {
      run.enter(chosen[0]?.propName ?? 'spec');
      run.problem(text);
      run.leave();
    } else {
      run.problem(text);
    }
  }
}

/** The conversion of a struct-valued property. */
export function structConvert(struct: () => CompiledStruct): Convert {
  return (value, run) => {
    if (!isRecord(value)) {
      run.problem(`is ${formatValue(value)}, but has to be an object.`);
      return undefined;
    }
    return struct().convert(value, run);
  };
}
