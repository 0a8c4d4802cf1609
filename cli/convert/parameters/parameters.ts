import { messagePlace } from './message-place';
import { Parameter } from './parameter';
import { environmentName, parameterName, readVariable, type Reading } from './parameter-name';
import { ANY, STRING, type ParameterType } from './parameter-type';
import { placesOf, type Place } from './place-types';
import { settle, Text, type Part } from './text';
import { placeKey, Texts } from './texts';
import type { Validations } from '../../../src/catalog/facts';
import { scalarFault } from '../../../src/catalog/scalar-fault';
import type { FieldPath } from '../../../src/catalog/validate-spec';
import { mayBeInCatalog } from '../../../src/util/api-groups';
import { isRecord } from '../../../src/util/records';
import { FLUX_SUBSTITUTE } from '../../manifests/later/known-values';
import { withoutPodVariables } from '../../manifests/later/pod-variables';
import { variablesIn, type Variable } from '../../manifests/later/variables';
import type { Item } from '../item';

/** Objects whose variables another controller fills in while it runs. */
const OWN_VARIABLES: ReadonlySet<string> = new Set([
  'kro.run', 'tekton.dev', 'triggers.tekton.dev', 'argoproj.io', 'kyverno.io', 'external-secrets.io', 'monitoring.coreos.com',
  'apiextensions.crossplane.io', 'templates.gatekeeper.sh', 'apiextensions.k8s.io',
]);
/** Fields that are integers in whatever object of Kubernetes they stand. */
const INTEGERS: ReadonlySet<string> = new Set([
  'replicas', 'minReplicas', 'maxReplicas', 'minSize', 'maxSize', 'containerPort', 'hostPort', 'nodePort', 'revisionHistoryLimit',
  'terminationGracePeriodSeconds', 'diskSizeGB', 'osDiskSizeGB',
]);

/** Fields that are texts, as far as their names tell. */
const TEXTS = /^(?:name|namespace|version|image|location|region|host|kind|url|tag)$|(?:Name|Namespace|Version|Image|Location|Id|ID|Url|URL|Ref)$/;

/** The variables of files as parameters of the charts. */
export class Parameters {
  private readonly byId = new Map<string, Parameter>();
  private readonly names = new Set<string>();
  private readonly environment = new Set<string>();
  private readonly rules: (readonly [Text, Place])[] = [];

  /**
   * @param values of variables that Flux would fill in
   * @param defaults of variables, by the files beside them
   */
  public constructor(
    private readonly values: ReadonlyMap<string, string>, private readonly defaults: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
  ) {}

  public get all(): readonly Parameter[] {
    return [...this.byId.values()];
  }

  /** Takes the variables of objects for parameters. */
  public addTo(items: readonly Item[]): void {
    const used = new Map<Item, ReadonlySet<Parameter>>();
    // Objects in others first: they know the types of their places.
    for (const item of [...items.flatMap(({ openPlaces }) => openPlaces.flatMap((place) => place.items)), ...items]) {
      const parameters = new Set<Parameter>();
      item.texts = this.textsOf(item, parameters);
      used.set(item, parameters);
    }
    for (const parameter of this.all) if (parameter.name === 'namespace') this.keepFromNamespace(parameter, used);
    // The types are known once all objects are.
    for (const [text, { type, rules }] of this.rules) settleRules(text, type, rules);
  }

  /** Texts of an object that tools which fill in variables would change, and the code does not. */
  public leftIn({ object, texts }: Item): string[] {
    if (texts === Texts.NONE) return [];
    const forms = new Set(this.all.flatMap(({ written }) => [...written]));
    const notes = new Set<string>();
    for (const [text, at, isKey] of textsIn(object)) {
      if (isKey) continue;
      if (text.includes('$${')) notes.add('has $${…}, for which envsubst and Flux write ${…}: the code writes it as it is');
      if (!text.includes('${')) continue;
      const form = texts.parametric(text, at) ? undefined : text.match(/\$\{[^{}]+\}/g)?.find((one) => forms.has(one));
      if (form !== undefined) notes.add(`has ${form} in a text of several lines, where it stays: the text may be a script`);
    }
    return [...notes];
  }

  /** The prop `namespace` is that of every chart: the namespace of its objects. */
  private keepFromNamespace(parameter: Parameter, used: ReadonlyMap<Item, ReadonlySet<Parameter>>): void {
    const isOfAll = [...used].every(([{ namespace, texts }, parameters]) => (
      !parameters.has(parameter) || (namespace !== undefined && texts.of(namespace).whole === parameter)
    ));
    if (!isOfAll) parameter.name = parameterName('namespace name', this.names);
    this.names.add(parameter.name);
  }

  private textsOf(item: Item, used: Set<Parameter>): Texts {
    const { object } = item;
    if (hasOwnVariables(item)) return Texts.NONE;
    const isTypedByCatalog = item.kindClass !== undefined;
    const masked = isTypedByCatalog ? object : withoutPodVariables(object);
    const isWanted = (variable: Variable, at: FieldPath | undefined) => (
      isTypedByCatalog || mayBeInCatalog(item.group)
        ? true
        : isForAnyObject(variable) && (!variable.text.startsWith('$(') || at === undefined || stands(variable.text, masked, at))
    );
    const read = (text: string, at: FieldPath | undefined): Text | undefined => {
      const parts = this.partsOf(text, (variable) => isWanted(variable, at));
      return parts && new Text(parts);
    };
    const places = new Map<string, ParameterType>();
    const where: string[] = [];
    const typed = placesOf(item);
    for (const place of item.openPlaces) {
      for (const [index, inner] of place.items.entries()) {
        for (const [key, type] of inner.texts.placesBelow(place.isList ? [...place.path, index] : place.path)) places.set(key, type);
      }
    }
    const isOfInner = (at: FieldPath) => item.openPlaces.some(({ path }) => path.every((step, index) => at[index] === step));
    for (const [text, at, isKey] of textsIn(object)) {
      if (isOfInner(at)) continue;
      const found = read(text, at);
      for (const parameter of found?.parameters ?? []) used.add(parameter);
      if (!found || isKey) continue;
      const { whole } = found;
      const key = placeKey(at);
      where.push(messagePlace(at));
      const place = typed.get(key);
      const type = place?.type ?? (whole ? untypedPlace(item, at) : undefined);
      if (type) places.set(key, type);
      if (type) whole?.places.push(type);
      if (place && !whole) addParts(found, place);
      if (place) this.rules.push([found, place]);
    }
    return new Texts(read, places, where);
  }

  private partsOf(text: string, isWanted: (variable: Variable) => boolean): Part[] | undefined {
    const variables = variablesIn(text).filter(isWanted);
    if (variables.length === 0) return undefined;
    const parts: Part[] = [];
    let end = 0;
    for (const variable of variables) {
      if (variable.from > end) parts.push(text.slice(end, variable.from));
      parts.push(this.parameterOf(variable));
      end = variable.from + variable.text.length;
    }
    if (end < text.length) parts.push(text.slice(end));
    return parts;
  }

  private parameterOf(variable: Variable): Parameter {
    const reading = readVariable(variable);
    const parameter = this.byId.get(reading.id) ?? this.create(reading, variable);
    parameter.written.add(variable.text);
    const beside = this.defaults.get(reading.id);
    if (beside) for (const one of beside) parameter.defaults.add(one);
    else if (reading.default !== undefined) parameter.defaults.add(reading.default);
    if (variable.text.startsWith('${')) parameter.value ??= this.values.get(reading.id);
    return parameter;
  }

  private create({ id, words }: Reading, { text }: Variable): Parameter {
    const name = parameterName(words, this.names);
    this.names.add(name);
    let environment = text.startsWith('$') && /^[A-Za-z_]\w*$/.test(id) ? id : environmentName(name);
    while (this.environment.has(environment)) environment = `${environment}_`;
    this.environment.add(environment);
    const parameter = new Parameter(name, environment, this.byId.size);
    this.byId.set(id, parameter);
    return parameter;
  }
}

/** Objects that were read from a cluster have values; in others, variables belong to their controllers. */
function hasOwnVariables({ group, metadata }: Item): boolean {
  const { uid, labels, annotations } = metadata;
  const isLeftByFlux = [labels, annotations].some((map) => isRecord(map) && map[FLUX_SUBSTITUTE] === 'disabled');
  return uid !== undefined || isLeftByFlux || OWN_VARIABLES.has(group);
}

/** Variables of tools that fill in files; others may be a template that the object is for. */
function isForAnyObject({ text, name }: Variable): boolean {
  if (text.startsWith('{{')) return /(?:^|[\s(|])\.?(?:Values|Release|Chart)\.|^(?:include|template|tpl) /.test(name);
  return !text.startsWith('${') || /^\$\{[A-Za-z_]\w*(?:[:=,^/#%-].*)?\}$/s.test(text);
}

function stands(variable: string, object: unknown, at: FieldPath): boolean {
  const value = at.reduce<unknown>((found, step) => (typeof found === 'object' && found !== null ? (found as Record<string | number, unknown>)[step] : undefined), object);
  return typeof value !== 'string' || value.includes(variable);
}

/** The values with which a text of one parameter is a member of an enum: `LRS` for `Standard_${REDUNDANCY}`. */
function addParts({ parts, parameters: [parameter, another] }: Text, { type }: Place): void {
  if (type.is !== 'enum' || !parameter || another || parameter.parts.length > 0) return;
  const [before, after] = [parts[0] === parameter ? '' : parts[0] as string, parts.at(-1) === parameter ? '' : parts.at(-1) as string];
  parameter.parts = type.members
    .filter(({ value }) => value.length > before.length + after.length && value.startsWith(before) && value.endsWith(after))
    .map(({ value }) => value.slice(before.length, value.length - after.length));
}

/** Keeps the forms of values that the schema allows, if there are any. */
function settleRules(text: Text, type: ParameterType, rules: Validations): void {
  if (Object.keys(rules).length === 0 || type.is === 'list' || type.is === 'map') return;
  try {
    settle([text], (value) => {
      if (scalarFault(type.is === 'number' ? Number(value) : value, rules)) throw new Error(value);
    });
  } catch {
    // No value that is known here is right: a check of it says nothing.
  }
}

/** The type of a value without a schema. */
function untypedPlace({ object: { kind, apiVersion }, source }: Item, at: FieldPath): ParameterType {
  const [top] = at;
  if (top === 'metadata' && at.length === 2 && (at[1] === 'labels' || at[1] === 'annotations')) return { is: 'map', of: STRING };
  if (top === 'metadata' || top === 'apiVersion' || top === 'kind' || at.length === 0) return STRING;
  if (apiVersion === 'v1' && (kind === 'ConfigMap' || kind === 'Secret')) return STRING;
  const last = at.findLast((step) => typeof step === 'string');
  if (typeof last === 'string' && INTEGERS.has(last)) return { is: 'number' };
  if (typeof last === 'string' && TEXTS.test(last)) return STRING;
  return source.isPlain?.(at) === false ? STRING : ANY;
}

function* textsIn(value: unknown, at: FieldPath = []): Generator<[text: string, at: FieldPath, isKey: boolean]> {
  if (typeof value === 'string') yield [value, at, false];
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* textsIn(item, [...at, index]);
  if (!isRecord(value)) return;
  for (const [key, item] of Object.entries(value)) {
    yield [key, [...at, key], true];
    yield* textsIn(item, [...at, key]);
  }
}
