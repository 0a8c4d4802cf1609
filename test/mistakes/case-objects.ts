import { completed } from './completed-spec';
import { withRequired } from './required-values';
import type { KubernetesObject } from '../../engine/kubernetes';
import { AZURE_NAME_FROM_CONFIG } from '../../src/azure/annotations';
import { nameProblem } from '../../src/azure/names/name-facts';
import { Catalog, type KindVersion } from '../../src/catalog';
import type { Case, Parent } from '../azure/rules/case';

export interface CaseObject extends KubernetesObject {
  readonly spec: Record<string, unknown>;
}

const RESOURCE_GROUP = 'resources.azure.com/ResourceGroup';
const GROUP: Parent = { kind: RESOURCE_GROUP, name: 'group', spec: { location: 'uksouth' } };
export const UUID = '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';

/** The newest version of a kind, by `group/Kind`. */
export function versionOf(kind: string): KindVersion {
  const slash = kind.indexOf('/');
  return Catalog.default().kind(kind.slice(0, slash), kind.slice(slash + 1))!.latest;
}

/** A name that Azure takes for the kind: cases that say nothing about names are called `one`. */
function someName(kind: string): string {
  const type = versionOf(kind).facts.arm?.type;
  return ['one', 'onename', UUID].find((name) => type === undefined || nameProblem(type, name) === undefined) ?? 'one';
}

/** The objects of a case: owners before what they own, the one with the mistake last. */
export function objectsOf(one: Case, spec: object): readonly CaseObject[] {
  const objects = new CaseObjects();
  const owner = objects.ownerOf(one.kind, one.owner);
  one.siblings?.forEach((sibling, index) => objects.add(one.kind, `other-${index}`, sibling, owner));
  for (const { kind, name, spec: other } of one.beside ?? []) objects.add(kind, name ?? someName(kind), other, owner);
  const target = one.refersTo && objects.of(one.refersTo);
  if (one.known) objects.of(one.known);
  objects.add(one.kind, one.name ?? someName(one.kind), spec, owner, target);
  return objects.list;
}

class CaseObjects {
  public readonly list: CaseObject[] = [];
  private readonly parents = new Map<Parent, CaseObject>();

  public of(parent: Parent): CaseObject {
    const known = this.parents.get(parent);
    if (known) return known;
    const owner = this.ownerOf(parent.kind, parent.owner);
    const object = this.add(parent.kind, parent.name ?? 'parent', parent.spec, owner);
    this.parents.set(parent, object);
    for (const { kind, name, spec } of parent.beside ?? []) this.add(kind, name ?? someName(kind), spec, owner);
    return object;
  }

  /** The owner that a case gives or, for kinds that must have one, an owner of which nothing is known. */
  public ownerOf(kind: string, given: Parent | undefined): CaseObject | undefined {
    const { owner } = versionOf(kind).facts;
    if (owner === null || owner === undefined) return undefined;
    if (owner === 'any') return this.of(given ?? GROUP);
    const needed = `${owner.group}/${owner.kind}`;
    if (given?.kind === needed) return this.of(given);
    // Some cases name the account of a share, without the file service between them.
    if (given) return this.add(needed, 'parent', {}, this.ownerOf(needed, given));
    return needed === RESOURCE_GROUP ? this.of(GROUP) : this.add(needed, 'parent', {}, this.ownerOf(needed, undefined));
  }

  /** @param target the object that incomplete references of the spec name */
  public add(kind: string, azureName: string, spec: object, owner: CaseObject | undefined, target?: CaseObject): CaseObject {
    const version = versionOf(kind);
    const named = Object.keys(spec).some((key) => key === 'azureNameFromConfig');
    const object: CaseObject = {
      apiVersion: version.apiVersion,
      kind: version.kind.kind,
      metadata: {
        name: this.nameFor(version.kind.kind, azureName),
        namespace: 'shop',
        ...(named && { annotations: { [AZURE_NAME_FROM_CONFIG]: UUID } }),
      },
      spec: {
        ...withRequired(completed(spec, version, target && referenceTo(target)), version),
        ...(version.facts.name === 'azureName' && !named && { azureName }),
        ...(owner && { owner: version.facts.owner === 'any' ? referenceTo(owner) : { name: owner.metadata.name } }),
      },
    };
    this.list.push(object);
    return object;
  }

  /** The name in Azure, where it can be that of an object and is free. */
  private nameFor(kind: string, azureName: string): string {
    const taken = this.list.some((other) => other.kind === kind && other.metadata.name === azureName);
    return !taken && azureName.length < 64 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(azureName) ? azureName : `object-${this.list.length}`;
  }
}

function referenceTo({ apiVersion, kind, metadata: { name } }: CaseObject): { group: string; kind: string; name: string } {
  return { group: apiVersion.split('/')[0]!, kind, name };
}
