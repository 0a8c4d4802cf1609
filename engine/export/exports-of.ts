import type { ExpressionEngine } from './cel';
import { Budget } from './cel';
import type { Entry, Mark } from './collector';
import { merged } from './collector';
import { configMapDestinations, printed, secretDestinations } from './destinations';
import { stepError } from './export-step';
import { expressionEntries } from './expression-entries';
import { ownerReferenceOf } from './ownership';
import type { Found } from './secret-source';
import { findInStatus } from './secret-source';
import { defaultEngine, secretSourceOf, secretsWanted } from './secret-values';
import type { Destination, Exports, SecretValues } from './types';
import { RESOURCE_ID } from '../../src/azure/annotations';
import { parseArmId } from '../../src/azure/arm-id';
import type { KindVersion } from '../../src/catalog';
import type { KubernetesObject } from '../kubernetes/types';
import { withDefaultName } from '../resolve/azure-name';

export interface ExportOptions {
  readonly engine?: ExpressionEngine;
  /** The shared limit of all expressions. */
  readonly budget?: Budget;
  /** Values of ConfigMap exports that the kind's own code determines, by property of `operatorSpec.configMaps`. */
  readonly configMapValues?: Readonly<Record<string, string>>;
}

/**
 * The Secrets and ConfigMaps that an object exports (docs/spec/exports.md#export-steps). Pure: equal input gives equal output, in a stable
 * order.
 *
 * @param object spec, fresh status and metadata with uid, in the version last applied
 * @param secrets the result of `fetchSecretValues` for `secretsWanted`
 * @throws ExportError for the first step that fails, with all its failures. The caller must not write any object then.
 */
export function exportsOf(version: KindVersion, object: KubernetesObject, secrets: SecretValues, options: ExportOptions = {}): Exports {
  const { engine = defaultEngine, configMapValues = {}, budget = new Budget() } = options;
  const wanted = secretsWanted(version, object.spec, engine);
  const run = { version, object: withDefaultName(object, version), engine, budget };
  const entries: Entry[] = [
    ...secretEntries(version, object, secrets),
    ...configMapEntries(version, object, configMapValues),
    ...expressionEntries({ ...run, secret: {} }, 'configMapExpressions'),
    ...expressionEntries({ ...run, secret: rawValues(version, object, secrets, wanted) }, 'secretExpressions'),
  ];
  const owner = ownerReferenceOf(object);
  const namespace = object.metadata.namespace ?? '';
  return { secrets: merged(entries, 'Secret', namespace, owner), configMaps: merged(entries, 'ConfigMap', namespace, owner) };
}

function secretEntries(version: KindVersion, object: KubernetesObject, secrets: SecretValues): Entry[] {
  const problems: string[] = [];
  const entries = secretDestinations(version, object.spec).flatMap(([name, destination]): Entry[] => {
    // A property without a source (Fleet's userCredentials): the schema has it, but Azure returns no value.
    if (!secretSourceOf(version, name)) return [];
    const found = findSecret(version, object, secrets, name);
    if (typeof found !== 'string') return [{ kind: 'Secret', value: found.value, step: 'secrets', ...placed(destination) }];
    if (found === 'missing') problems.push(`could not find secret to save to '${printed(destination)}'`);
    return [];
  });
  if (problems.length > 0) throw stepError('secrets', 'missingValue', problems);
  return entries;
}

function configMapEntries(version: KindVersion, object: KubernetesObject, handWritten: Readonly<Record<string, string>>): Entry[] {
  const paths = version.facts.exports?.configMaps ?? {};
  return configMapDestinations(version, object.spec).flatMap(([name, destination]): Entry[] => {
    const path = paths[name];
    if (path === undefined) return [];
    const value = path === null ? handWritten[name] : textOf(findInStatus(object.status, path.split('.')));
    return value === undefined ? [] : [{ kind: 'ConfigMap', value, step: 'configMaps', ...placed(destination) }];
  });
}

/** The value of the variable `secret`, without missing values. */
function rawValues(
  version: KindVersion,
  object: KubernetesObject,
  secrets: SecretValues,
  names: readonly string[],
): Record<string, string> {
  const values = names.map((name): [string, string | undefined] => [name, textOf(findSecret(version, object, secrets, name))]);
  return Object.fromEntries(values.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function findSecret(version: KindVersion, object: KubernetesObject, { values, notThere }: SecretValues, name: string): Found {
  const source = secretSourceOf(version, name);
  if (source === undefined) return 'nowhere';
  if (source.from === 'status') return findInStatus(object.status, source.path);
  if (source.from === 'id') return asFound(subscriptionOf(object));
  return notThere.includes(name) ? 'nowhere' : asFound(Object.hasOwn(values, name) ? values[name] : undefined);
}

function subscriptionOf({ metadata, status }: KubernetesObject): string | undefined {
  const id = metadata.annotations?.[RESOURCE_ID] ?? status?.id;
  return typeof id === 'string' ? parseArmId(id)?.subscriptionId : undefined;
}

function asFound(value: string | undefined): Found {
  return value ? { value } : 'missing';
}

function textOf(found: Found): string | undefined {
  return typeof found === 'string' ? undefined : found.value;
}

function placed({ name, key, labels = {}, annotations = {} }: Destination): Pick<Entry, 'name' | 'key' | 'labels' | 'annotations'> {
  return { name, key, labels: literal(labels), annotations: literal(annotations) };
}

function literal(marks: Readonly<Record<string, string>>): Record<string, Mark> {
  return Object.fromEntries(Object.entries(marks).map(([key, value]) => [key, { value, quoted: value }]));
}
