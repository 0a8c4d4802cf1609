import { isProperty, propertyName } from './property-facts';
import type { ExportFacts } from '../../src/catalog';
import { memberPath, unwrapped } from '../go/expressions';
import type { GoExpression, GoField, GoStatement, GoStruct } from '../go/syntax';
import { localName } from '../go/types';
import type { GoPackage } from '../source/go-package';

/** The exports of a version of a kind: the destinations in `operatorSpec`, and the sources of ConfigMap values. */
export function exportFacts(kind: string, spec: GoStruct, status: GoStruct, types: GoPackage): ExportFacts {
  const operatorSpec = structOf(spec.fields.find(({ name }) => name === 'OperatorSpec'), types);
  const property = (wanted: string) => operatorSpec?.fields.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const configMaps = property('ConfigMaps');
  const secrets = structOf(property('Secrets'), types);
  const sources = configMapSources(kind, status, types);
  const destinations = structOf(configMaps, types)?.fields.filter(isProperty)
    .map((field) => [propertyName(field), sources.get(field.name) ?? null]);
  return {
    ...(destinations ? { configMaps: Object.fromEntries(destinations) } : {}),
    ...(configMaps && propertyName(configMaps) !== 'configMaps' ? { configMapsProperty: propertyName(configMaps) } : {}),
    ...(secrets ? { secrets: secrets.fields.filter(isProperty).map(propertyName).sort() } : {}),
    expressions: property('ConfigMapExpressions') !== undefined && property('SecretExpressions') !== undefined,
  };
}

/** Destination → dotted path in status, from `collector.AddValue(account.Spec.OperatorSpec.ConfigMaps.Id, *account.Status.Id)`. */
function configMapSources(kind: string, status: GoStruct, types: GoPackage): Map<string, string> {
  const sources = new Map<string, string>();
  const visit = (statements: readonly GoStatement[]): void => {
    for (const statement of statements) {
      if (statement.is === 'if') visit([...statement.then, ...statement.otherwise]);
      if (statement.is === 'call') add(statement.call);
    }
  };
  const add = (call: GoExpression): void => {
    if (call.is !== 'call' || call.callee.is !== 'member' || call.callee.name !== 'AddValue') return;
    const [destination, value] = call.arguments.map((argument) => memberPath(unwrapped(argument)));
    const property = destination?.at(-1);
    if (property !== undefined && value?.[1] === 'Status') sources.set(property, jsonPath(status, value.slice(2), types));
  };
  visit(types.method(kind, 'ExportKubernetesConfigMaps')?.body ?? []);
  return sources;
}

function jsonPath(root: GoStruct, fields: readonly string[], types: GoPackage): string {
  let struct: GoStruct | undefined = root;
  return fields.map((name) => {
    const field: GoField | undefined = struct?.fields.find((each) => each.name === name);
    if (!field) throw new Error(`${root.name} has no ${fields.join('.')}`);
    struct = structOf(field, types);
    return propertyName(field);
  }).join('.');
}

function structOf(field: GoField | undefined, types: GoPackage): GoStruct | undefined {
  const name = field && localName(field.type);
  return name === undefined ? undefined : types.structs.get(name);
}
