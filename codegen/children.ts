import { childName } from './child-names';
import type { ChildModel, KindModel } from './model';
import { isUuidNamed } from '../src/azure/uuid-names';
import { propertyNameOf } from '../src/catalog/property-names';

/** The children of each kind of a service, by the owner's class, in the order of their methods. */
export function childrenOf(service: string, kinds: readonly KindModel[]): ReadonlyMap<string, readonly ChildModel[]> {
  const own = new Map(kinds.map((kind) => [kind.className, directChildren(service, kind, kinds)]));
  return new Map([...own].map(([owner, children]) => {
    const names = new Set(children.map(({ name }) => name));
    const inherited = children.flatMap((singleton) => (singleton.property === undefined ? [] : own.get(singleton.kind.className)!
      .filter(({ name }) => !names.has(name))
      .map((child): ChildModel => ({ ...child, property: undefined, through: singleton }))));
    return [owner, [...children, ...inherited].sort((a, b) => (a.name < b.name ? -1 : 1))];
  }));
}

function directChildren(service: string, owner: KindModel, kinds: readonly KindModel[]): ChildModel[] {
  return kinds.filter((kind) => isOwnedBy(kind, owner)).map((kind) => {
    const name = childName(service, kind.className, owner.className);
    // A singleton that is an owner itself is only a step on the way to its children.
    const isStep = isSingleton(kind) && kinds.some((other) => isOwnedBy(other, kind));
    return { kind, name, property: isStep ? propertyNameOf(name, false) : undefined };
  });
}

/** Whether a kind is owned by another kind of its own service. */
function isOwnedBy({ owner, className }: KindModel, { className: wanted, submodule }: KindModel): boolean {
  return owner.kind === 'known' && owner.className === wanted && owner.submodule === submodule && className !== wanted;
}

/** Whether a kind has an owner that creates it: one of its own service. */
export function hasCreator({ owner, className, submodule }: KindModel): boolean {
  return owner.kind === 'known' && owner.submodule === submodule && owner.className !== className;
}

/** Whether Azure has one resource of the kind in its owner, of a fixed name. */
export function isSingleton({ version: { facts: { name } } }: KindModel): boolean {
  return typeof name === 'object' && name !== null;
}

/** Whether the id of a child becomes its name in Azure, as in `nameInAzure` of core. */
export function isNamedById({ version: { facts, kind, specType } }: KindModel): boolean {
  return facts.name === 'azureName' && specType.props.azureName !== undefined && !isUuidNamed(kind.group, kind.kind);
}
