import { exportFacts } from './exports';
import { hasMarker } from './markers';
import { reachableTypes } from './reachable';
import { typeFacts } from './type-definition';
import type { Operation, TypeFacts, VersionFacts } from '../../src/catalog';
import { memberPath } from '../go/expressions';
import type { GoExpression, GoField, GoStruct } from '../go/syntax';
import { jsonName } from '../go/tags';
import { localName } from '../go/types';
import { bodyChanges } from '../overlays/body-changes';
import type { BodyChangeOverlay } from '../overlays/overlays';
import type { VersionPackages } from '../source/checkout';
import type { GoPackage } from '../source/go-package';

/** One version of a kind with its types, before the types of all kinds are merged. */
export interface VersionRead {
  readonly version: string;
  readonly facts: VersionFacts;
  readonly types: Record<string, TypeFacts>;
  readonly statusTypes: Record<string, TypeFacts>;
}

/** The kinds of a version: root objects with both spec and status. */
export function kindsIn({ types }: VersionPackages): GoStruct[] {
  const roots = [...types.structs.values()].filter(({ comment }) => hasMarker(comment, 'object:root=true'));
  return roots.filter((struct) => fieldOf(struct, 'Spec') && fieldOf(struct, 'Status'));
}

/** Reads one version of a kind from the source. */
export function readVersion(kind: GoStruct, { version, types, arm }: VersionPackages, changes: readonly BodyChangeOverlay[]): VersionRead {
  try {
    const spec = structOf(kind, 'Spec', types);
    const status = structOf(kind, 'Status', types);
    const facts: VersionFacts = {
      ...(arm ? armFacts(kind, types) : { handwritten: true }),
      owner: ownerOf(spec),
      name: nameOf(kind.name, spec, types),
      ...(arm && !sendsName(spec.name, arm) ? { nameInBody: false } : {}),
      spec: spec.name,
      status: status.name,
      exports: exportFacts(kind.name, spec, status, types),
      ...(arm && changes.length > 0 ? { bodyChanges: bodyChanges(changes, spec.name, arm) } : {}),
    };
    return {
      version,
      facts,
      types: reachableTypes(spec.name, (name) => typeFacts(name, name === spec.name, { types, arm, isStatus: false })),
      statusTypes: reachableTypes(status.name, (name) => typeFacts(name, name === status.name, { types, arm, isStatus: true })),
    };
  } catch (error) {
    throw new Error(`${kind.name} in ${version}: ${(error as Error).message}`, { cause: error });
  }
}

function fieldOf({ fields }: GoStruct, wanted: string): GoField | undefined {
  return fields.find(({ name }) => name === wanted);
}

function structOf(kind: GoStruct, wanted: string, types: GoPackage): GoStruct {
  const type = fieldOf(kind, wanted)?.type;
  const name = type && localName(type);
  const struct = name === undefined ? undefined : types.structs.get(name);
  if (!struct) throw new Error(`the Go type of the field ${wanted} is not declared`);
  return struct;
}

function armFacts({ name, comment }: GoStruct, types: GoPackage): Pick<VersionFacts, 'arm' | 'scope' | 'operations'> {
  const uri = comment.map((line) => /^- ARM URI: (\S+)$/.exec(line)?.[1]).find((each) => each !== undefined);
  return {
    arm: { type: literalText(name, 'GetType', types), apiVersion: literalText(name, 'GetAPIVersion', types), uri: uri ?? '' },
    scope: constantOf(returned(name, 'GetResourceScope', types), 'ResourceScope').toLowerCase() as NonNullable<VersionFacts['scope']>,
    operations: operationsOf(name, types),
  };
}

function operationsOf(kind: string, types: GoPackage): Operation[] {
  const list = returned(kind, 'GetSupportedOperations', types);
  const elements = list?.is === 'literal' ? list.elements : [];
  return elements.map(({ value }) => constantOf(value, 'ResourceOperation').toUpperCase() as Operation);
}

function ownerOf(spec: GoStruct): Exclude<VersionFacts['owner'], undefined> {
  const owner = fieldOf(spec, 'Owner');
  if (!owner) return null;
  return owner.tags.group !== undefined && owner.tags.kind !== undefined ? { group: owner.tags.group, kind: owner.tags.kind } : 'any';
}

/** The fixed name, if `AzureName()` returns a constant, because Azure allows only one name. */
function nameOf(kind: string, spec: GoStruct, types: GoPackage): Exclude<VersionFacts['name'], undefined> {
  const name = returned(kind, 'AzureName', types);
  const isConstant = types.method(kind, 'AzureName')?.body.length === 1;
  if (name?.is === 'string' && isConstant) return { fixed: name.value };
  return fieldOf(spec, 'AzureName') ? 'azureName' : null;
}

function sendsName(spec: string, arm: GoPackage): boolean {
  return arm.structs.get(spec)?.fields.some(({ tags }) => jsonName(tags) === 'name') ?? false;
}

function literalText(kind: string, method: string, types: GoPackage): string {
  const value = returned(kind, method, types);
  if (value?.is !== 'string') throw new Error(`${method} returns no text`);
  return value.value;
}

function constantOf(expression: GoExpression | undefined, prefix: string): string {
  const name = expression && memberPath(expression)?.at(-1);
  if (!name?.startsWith(prefix)) throw new Error(`a constant other than ${prefix}…`);
  return name.slice(prefix.length);
}

function returned(kind: string, method: string, types: GoPackage): GoExpression | undefined {
  const last = types.method(kind, method)?.body.at(-1);
  return last?.is === 'return' ? last.values[0] : undefined;
}
