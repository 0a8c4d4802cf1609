import { assignedRoleName } from './built-in-role-name';
import type { ImportedResource } from './imported-resource';
import { withoutTrailing } from '../../src/azure/trailing-slashes';
import { UUID } from '../../src/azure/uuid';

/** The longest `metadata.name`. */
const LONGEST = 253;

/** `short`: the name in Azure, after that of the owner only where it is taken. `long`: always after the names of all owners. */
export type NameStrategy = 'short' | 'long';

export interface NameOptions {
  /** Default: `short`. */
  readonly names?: NameStrategy | undefined;
  /** Before each name. */
  readonly namePrefix?: string | undefined;
}

/**
 * A name for each object, unique among those of its kind: the name in Azure, in the letters that Kubernetes allows. Where that is taken, or
 * says nothing (`default`, a UUID), the name of the owner comes first. The same resources get the same names in each import.
 */
export function objectNames(
  resources: readonly ImportedResource[], { names: strategy = 'short', namePrefix = '' }: NameOptions = {},
): Map<ImportedResource, string> {
  const byId = new Map(resources.map((resource) => [resource.id.toLowerCase(), resource]));
  const names = new Map<ImportedResource, string>();
  const taken = new Set<string>();
  /** The number that follows the last one given: of ten thousand equal names none asks for all those before. */
  const counts = new Map<string, number>();
  const nameOf = (resource: ImportedResource): string => {
    const known = names.get(resource);
    if (known !== undefined) return known;
    names.set(resource, ''); // an owner is never below its own child
    const owner = resource.owner === undefined ? undefined : byId.get(resource.owner.toLowerCase());
    const ofOwner = owner ? nameOf(owner) : '';
    const { group, kind } = resource.version.kind;
    const isFree = (name: string) => !taken.has(`${group}/${kind}/${name}`);
    const own = meaningOf(resource);
    const joined = kubernetesName([ofOwner || namePrefix, own].filter((part) => part !== '').join('-')) || kind.toLowerCase();
    const short = kubernetesName([namePrefix, own].filter((part) => part !== '').join('-'));
    const wanted = strategy === 'short' && own !== '' ? [short, joined] : [joined];
    const free = wanted.find(isFree) ?? numbered(joined, `${group}/${kind}/${joined}`, counts, isFree);
    taken.add(`${group}/${kind}/${free}`);
    names.set(resource, free);
    return free;
  };
  for (const resource of [...resources].sort((a, b) => (a.id.toLowerCase() < b.id.toLowerCase() ? -1 : 1))) nameOf(resource);
  return names;
}

/** The first free name of `name-2`, `name-3`, … */
function numbered(name: string, key: string, counts: Map<string, number>, isFree: (name: string) => boolean): string {
  for (let count = counts.get(key) ?? 2; ; count += 1) {
    const next = `${name.slice(0, LONGEST - 8)}-${count}`;
    if (!isFree(next)) continue;
    counts.set(key, count + 1);
    return next;
  }
}

/** The telling part of the name in Azure; empty for singletons and for UUIDs of which nothing is known. */
function meaningOf({ version, name, answer }: ImportedResource): string {
  if (typeof version.facts.name === 'object') return '';
  if (UUID.test(name)) return kubernetesName(assignedRoleName(answer) ?? '');
  return name.toLowerCase() === 'default' ? '' : kubernetesName(name);
}

/** A text in the letters that a name in Kubernetes may have; empty where none is left. */
export function kubernetesName(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+/, '');
  return withoutTrailing(plain.slice(0, LONGEST), '-');
}
