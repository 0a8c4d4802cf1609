import { builtInRoleName } from './built-in-role-name';
import type { ImportedResource } from './importer';
import { withoutTrailing } from '../../src/azure/trailing-slashes';
import { UUID } from '../../src/azure/uuid';

/** The longest `metadata.name`. */
const LONGEST = 253;

/**
 * A name for each object, unique among those of its kind: the name in Azure, in the letters that Kubernetes allows. Where that is taken, or
 * says nothing (`default`, a UUID), the name of the owner comes first. The same resources get the same names in each import.
 */
export function objectNames(resources: readonly ImportedResource[]): Map<ImportedResource, string> {
  const byId = new Map(resources.map((resource) => [resource.id.toLowerCase(), resource]));
  const names = new Map<ImportedResource, string>();
  const taken = new Set<string>();
  const nameOf = (resource: ImportedResource): string => {
    const known = names.get(resource);
    if (known !== undefined) return known;
    names.set(resource, ''); // an owner is never below its own child
    const owner = resource.owner === undefined ? undefined : byId.get(resource.owner.toLowerCase());
    const prefix = owner ? nameOf(owner) : '';
    const { group, kind } = resource.version.kind;
    const free = firstOf(candidates(resource, prefix), (name) => !taken.has(`${group}/${kind}/${name}`));
    taken.add(`${group}/${kind}/${free}`);
    names.set(resource, free);
    return free;
  };
  for (const resource of [...resources].sort((a, b) => (a.id.toLowerCase() < b.id.toLowerCase() ? -1 : 1))) nameOf(resource);
  return names;
}

/** The first of endlessly many. */
function firstOf(names: Generator<string, never>, fits: (name: string) => boolean): string {
  for (;;) {
    const { value } = names.next();
    if (fits(value)) return value;
  }
}

function* candidates(resource: ImportedResource, owner: string): Generator<string, never> {
  const own = meaningOf(resource);
  if (own !== '') yield own;
  const joined = kubernetesName([owner, own].filter((part) => part !== '').join('-')) || resource.version.kind.kind.toLowerCase();
  yield joined;
  for (let count = 2; ; count += 1) yield `${joined.slice(0, LONGEST - 8)}-${count}`;
}

/** The telling part of the name in Azure; empty for singletons and for UUIDs of which nothing is known. */
function meaningOf({ version, name, answer }: ImportedResource): string {
  if (typeof version.facts.name === 'object') return '';
  if (UUID.test(name)) return kubernetesName(builtInRoleName(answer) ?? '');
  return name.toLowerCase() === 'default' ? '' : kubernetesName(name);
}

/** A text in the letters that a name in Kubernetes may have; empty where none is left. */
export function kubernetesName(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+/, '');
  return withoutTrailing(plain.slice(0, LONGEST), '-');
}
