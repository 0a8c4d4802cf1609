import type { SourceCrd } from './crd';
import { armFactsIn, ownerIn } from './descriptions';
import { SchemaError } from './schema-error';
import { SchemaReader } from './schema-reader';
import { TypeNames } from './type-names';
import type { ExportFacts, Kind, TypeFacts, VersionFacts } from '../../src/catalog';
import { isRef } from '../../src/catalog';
import type { CustomResourceDefinitionVersion } from '../../src/catalog/crd';

/** The names of the types of one version of a group, of specs and of statuses. */
export interface VersionTypes {
  readonly spec: TypeNames;
  readonly status: TypeNames;
}

/** The facts of one version in a CRD. */
export interface ReadVersion {
  readonly facts: VersionFacts;
  /** Facts that neither the CRD nor the catalog states, in words. */
  readonly unknown: readonly string[];
}

/**
 * One version of a CRD as facts. Facts that a CRD does not have come from the catalog, if it has the kind.
 * @throws SchemaError when the schema is not one that can be read
 */
export function readVersion(
  crd: SourceCrd,
  version: CustomResourceDefinitionVersion,
  types: VersionTypes,
  builtIn: Kind | undefined,
): ReadVersion {
  const schema = version.schema?.openAPIV3Schema;
  if (!schema?.properties?.spec) {
    throw new SchemaError(
      'spec',
      'the version has no schema for spec',
      "take the CRD from the operator's release, not one that was stripped of its schema",
    );
  }
  const spec = new SchemaReader(types.spec, crd.kind, '').root(schema.properties.spec, 'spec', `${crd.kind}_Spec`);
  const status = new SchemaReader(types.status, crd.kind, '_STATUS').root(
    schema.properties.status ?? { type: 'object', properties: {} },
    'status',
    `${crd.kind}_STATUS`,
  );
  const known = (builtIn?.version(version.name) ?? builtIn?.latest)?.facts;
  const root = types.spec.all[spec];
  if (!root) throw new RangeError(`no type ${spec} was read for spec`);
  const owner = ownerOf(root, known);
  const facts: VersionFacts = {
    imported: true,
    ...(version.deprecated && { deprecated: true }),
    ...resourceFacts(root, owner.facts, armOf(schema.description, version.name, known), known),
    spec,
    status,
    exports: exportsOf(root, types.spec.all, known?.exports),
  };
  return { facts, unknown: unknownOf(facts, owner.unknown, known) };
}

/** The facts about the resource in Azure: type, scope, operations, owner, name. */
function resourceFacts(
  root: TypeFacts, owner: VersionFacts['owner'], arm: Pick<VersionFacts, 'arm' | 'scope'>, known: VersionFacts | undefined,
): Partial<VersionFacts> {
  return {
    ...arm,
    ...(owner === 'any' && arm.arm && { scope: 'extension' as const }),
    ...(known?.handwritten && { handwritten: true }),
    ...(known?.operations && { operations: known.operations }),
    ...(owner !== undefined && { owner }),
    ...(root.props.azureName?.role === 'azureName'
      ? { name: 'azureName' as const }
      : known?.name !== undefined && known.name !== 'azureName' && { name: known.name }),
    ...(known?.nameInBody !== undefined && { nameInBody: known.nameInBody }),
  };
}

/** The facts that are not known, in words. */
function unknownOf(facts: VersionFacts, isOwnerUnknown: boolean, known: VersionFacts | undefined): string[] {
  return [
    ...(facts.arm || facts.handwritten ? [] : ['the ARM type: fromArmId takes any id, and Azure\'s name rules are not checked']),
    ...(isOwnerUnknown ? ['the kind of the owner: every resource is accepted'] : []),
    ...(Object.values(facts.exports?.configMaps ?? {}).includes(null) && !known ? ['from where in the status outputs come'] : []),
  ];
}

function armOf(description: string | undefined, version: string, known: VersionFacts | undefined): Pick<VersionFacts, 'arm' | 'scope'> {
  const own = armFactsIn(description, version);
  if (own.arm || !known?.arm) return { ...own, ...(own.arm && known?.scope && { scope: known.scope }) };
  // The type of a kind does not change between versions; its api-version is in the version's name.
  const apiVersion = armFactsIn(`ARM URI: ${known.arm.uri}`, version).arm?.apiVersion ?? known.arm.apiVersion;
  return { arm: { ...known.arm, apiVersion }, ...(known.scope && { scope: known.scope }) };
}

function ownerOf(root: TypeFacts, known: VersionFacts | undefined): { readonly facts?: VersionFacts['owner']; readonly unknown: boolean } {
  const owner = root.props.owner;
  if (owner?.role !== 'owner') return { facts: null, unknown: false };
  if (typeof owner.type === 'object' && 'common' in owner.type && owner.type.common === 'ArbitraryOwnerReference') {
    return { facts: 'any', unknown: false };
  }
  const facts = ownerIn(owner.description) ?? (typeof known?.owner === 'object' && known.owner !== null ? known.owner : undefined);
  return { facts, unknown: facts === undefined };
}

/** The exports that `operatorSpec` allows. A CRD does not state the sources of the values. */
function exportsOf(root: TypeFacts, types: Record<string, TypeFacts>, known: ExportFacts | undefined): ExportFacts {
  const operatorSpec = typeOf(root, 'operatorSpec', types);
  if (!operatorSpec) return {};
  const property = (['configMaps', 'configmaps'] as const).find((name) => Object.hasOwn(operatorSpec.props, name));
  const configMaps = property === undefined ? undefined : typeOf(operatorSpec, property, types);
  const secrets = typeOf(operatorSpec, 'secrets', types);
  const sourceOf = (name: string) => (known?.configMaps && Object.hasOwn(known.configMaps, name) ? known.configMaps[name] ?? null : null);
  return {
    ...(configMaps && { configMaps: Object.fromEntries(Object.keys(configMaps.props).map((name) => [name, sourceOf(name)])) }),
    ...(configMaps && property === 'configmaps' && { configMapsProperty: property }),
    ...(secrets && { secrets: Object.keys(secrets.props) }),
    ...('configMapExpressions' in operatorSpec.props && { expressions: true }),
  };
}

function typeOf(struct: TypeFacts, property: string, types: Record<string, TypeFacts>): TypeFacts | undefined {
  const type = Object.hasOwn(struct.props, property) ? struct.props[property]?.type : undefined;
  return typeof type === 'object' && isRef(type) ? types[type.ref] : undefined;
}
