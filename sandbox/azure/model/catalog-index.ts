import { type Json } from './store';
import { Catalog, isArray, isMap, isRef, type Kind, type KindVersion, type PropertyFacts, type TypeFacts } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';

/** The catalog's facts of ARM types, by ARM type. */
export class CatalogIndex {
  private byType?: Map<string, Kind>;

  public constructor(private readonly catalog: Catalog = Catalog.default()) {}

  /** The version of the kind with this api-version, else its newest; undefined for a type that no kind has. */
  public versionOf(type: string, apiVersion?: string): KindVersion | undefined {
    const kind = this.types.get(type.toLowerCase());
    if (!kind) return undefined;
    const name = kind.versionNames.find((candidate) => kind.version(candidate)!.facts.arm?.apiVersion === apiVersion);
    return name === undefined ? kind.latest : kind.version(name);
  }

  /** Azure's own spelling of a type, where the catalog knows it. */
  public spellingOf(type: string): string {
    return this.versionOf(type)?.facts.arm?.type ?? type;
  }

  private get types(): Map<string, Kind> {
    const kinds = () => this.catalog.allKinds.filter((kind) => kind.latest.isArm);
    this.byType ??= new Map(kinds().map((kind) => [kind.latest.facts.arm!.type.toLowerCase(), kind]));
    return this.byType;
  }
}

/** Whether every resource of the type has a location of its own, and must. */
export function needsLocation(version: KindVersion): boolean {
  return version.specType.props.location?.required === true;
}

/** Whether answers of the type have `properties.provisioningState`. */
export function hasProvisioningState(version: KindVersion): boolean {
  return ['provisioningState', 'properties_provisioningState', 'properties.provisioningState']
    .some((path) => statusValue(version, path)?.armPath.join('/') === 'properties/provisioningState');
}

export function hasSystemData(version: KindVersion): boolean {
  return Object.entries(version.statusType.props).some(([name, facts]) => armPathOf(name, facts)?.join('/') === 'systemData');
}

/** A value in the status: where ARM has it, and its type. */
export interface StatusValue {
  readonly armPath: string[];
  readonly scalar: string;
}

/** Where ARM has the value at a dotted path of the status. */
export function statusValue(version: KindVersion, path: string): StatusValue | undefined {
  let type: TypeFacts | undefined = version.statusType;
  const armPath: string[] = [];
  let scalar = 'string';
  for (const segment of path.split('.')) {
    const facts: PropertyFacts | undefined = type?.props[segment];
    const step = facts && armPathOf(segment, facts);
    if (!step) return undefined;
    armPath.push(...step);
    type = isRef(facts.type) ? version.statusTypeNamed(facts.type.ref) : undefined;
    if (typeof facts.type === 'string') scalar = facts.type;
  }
  return { armPath, scalar };
}

type Mask = string | null | undefined;

/**
 * A body without the values that Azure takes and never gives back: passwords and the like.
 *
 * @param mask in their place; undefined: nothing
 */
export function withoutSecrets(version: KindVersion, body: Json, mask?: Mask): Json {
  return stripped(version, version.specType, body, mask) as Json;
}

function stripped(version: KindVersion, type: TypeFacts, value: unknown, mask: Mask): unknown {
  if (!isRecord(value)) return value;
  let result: Json = value;
  for (const [name, facts] of Object.entries(type.props)) {
    const path = facts.inline ? [] : armPathOf(name, facts);
    if (!path) continue;
    result = replaceAt(result, path, (inner) => {
      if (facts.role === 'secret') return mask;
      if (facts.role === 'secretMap') return undefined;
      return strippedType(version, facts.type, inner, mask);
    });
  }
  return result;
}

function strippedType(version: KindVersion, type: PropertyFacts['type'], value: unknown, mask: Mask): unknown {
  if (isRef(type)) return stripped(version, version.type(type.ref), value, mask);
  if (isArray(type) && Array.isArray(value)) return value.map((element) => strippedType(version, type.array, element, mask));
  if (isMap(type) && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, strippedType(version, type.map, element, mask)]));
  }
  return value;
}

function replaceAt(value: Json, path: readonly string[], change: (inner: unknown) => unknown): Json {
  const [head, ...rest] = path;
  if (head === undefined) return change(value) as Json;
  if (!Object.hasOwn(value, head)) return value;
  const inner = value[head];
  if (rest.length > 0) return isRecord(inner) ? { ...value, [head]: replaceAt(inner, rest, change) } : value;
  const changed = change(inner);
  if (changed !== undefined) return { ...value, [head]: changed };
  const { [head]: _, ...others } = value;
  return others;
}

function armPathOf(name: string, facts: PropertyFacts): string[] | undefined {
  if (facts.arm === null) return undefined;
  return (facts.arm ?? name).split('/');
}
