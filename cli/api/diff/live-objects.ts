import type { ApiFacts } from '../../../composer/definition/api-facts';
import type { FindObject } from '../../../composer/render/object-reads';
import { causeOf, nameOfKind, unknownState } from '../../../engine/kubernetes/cache-state';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import { catalogKinds, servedTypes } from '../../../engine/kubernetes/watched-kind';
import { Catalog } from '../../../src/catalog';
import { objectIdOf, objectKeyOf } from '../../../src/object-id';
import { listPages, type ClusterReader } from '../../cluster/reader';

/** The selected claims of a cluster. */
export interface ClaimSelection {
  readonly namespace?: string;
  readonly selector?: string;
  /** Kinds, as `Bucket`. Empty: all of the definition. */
  readonly kinds: readonly string[];
  /** Names. Empty: all. */
  readonly names: readonly string[];
}

export interface LiveClaim {
  readonly facts: ApiFacts;
  readonly claim: KubernetesObject;
}

export interface LiveClaims {
  readonly claims: readonly LiveClaim[];
  /** Kinds and names that could not be read, one line each. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** The claims of a definition's kinds, by kind, namespace and name. @throws KubernetesError where the cluster does not answer */
export async function readClaims(
  reader: ClusterReader, types: readonly ResourceType[], definition: readonly ApiFacts[], selection: ClaimSelection,
): Promise<LiveClaims> {
  const { namespace, selector, kinds, names } = selection;
  const claims: LiveClaim[] = [];
  const problems: string[] = [];
  const notes: string[] = [];
  for (const facts of definition.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))) {
    const { group, kind, versions: [{ name: version }] } = facts;
    const served = types.filter((one) => one.group === group && one.kind === kind);
    const type = served.find((one) => one.version === version);
    if (!type) {
      const others = served.map((one) => one.version).join(', ');
      if (served.length === 0) notes.push(`the cluster has no ${nameOfKind(facts)}, and so no claims of it`);
      else problems.push(`the cluster serves ${nameOfKind(facts)} in ${others}, and not in ${version}: its claims cannot be compared`);
      continue;
    }
    const scope = type.namespaced && namespace !== undefined ? { namespace } : {};
    const options = { ...scope, ...(selector !== undefined && { labelSelector: selector }) };
    const listed = await readable(() => listPages(reader, type, options), nameOfKind(facts), problems);
    claims.push(...listed.filter(({ metadata }) => names.length === 0 || names.includes(metadata.name)).map((claim) => ({ facts, claim })));
  }
  const found = new Set(claims.map(({ claim }) => claim.metadata.name));
  for (const name of names.filter((wanted) => !found.has(wanted))) problems.push(`there is no claim ${name}`);
  return { claims: claims.sort((a, b) => (placeOf(a.claim) < placeOf(b.claim) ? -1 : 1)), problems, notes };
}

/** The objects that claims may read, all at once. An object of a kind that cannot be listed is not known. */
export async function readReads(
  reader: ClusterReader, types: readonly ResourceType[], definition: readonly ApiFacts[],
): Promise<FindObject> {
  const own = new Map(definition.map(({ group, kind, versions: [{ name }] }) => [`${group}/${kind}`, [name]]));
  const kinds = new Map(definition.flatMap(({ reads }) => reads).map(({ group, kind }) => [`${group}/${kind}`, { group, kind }]));
  const found = new Map<string, KubernetesObject>();
  const unknown = new Map<string, string>();
  for (const [key, { group, kind }] of kinds) {
    const inCatalog = Catalog.default().kind(group, kind);
    const versions = own.get(key);
    const wanted = inCatalog ? catalogKinds([inCatalog])[0]! : { group, kind, ...(versions && { versions }) };
    const type = servedTypes([wanted], types).get(wanted);
    const problems: string[] = [];
    const objects = type ? await readable(() => listPages(reader, type), nameOfKind(wanted), problems) : [];
    for (const object of objects) found.set(objectKeyOf(objectIdOf(object)), object);
    if (!type) problems.push(`the cluster does not serve ${nameOfKind(wanted)}`);
    if (problems.length > 0) unknown.set(key, problems.join('; '));
  }
  return (name) => {
    const why = unknown.get(`${name.group}/${name.kind}`);
    if (why !== undefined) return unknownState(name, why);
    const object = found.get(objectKeyOf(name));
    return object ? { state: 'present', object } : { state: 'absent' };
  };
}

async function readable(read: () => Promise<KubernetesObject[]>, title: string, problems: string[]): Promise<KubernetesObject[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status === 0) throw error;
    problems.push(`${title} cannot be listed: ${causeOf(error)}`);
    return [];
  }
}

function placeOf({ kind, metadata: { namespace = '', name } }: KubernetesObject): string {
  return `${kind} ${namespace} ${name}`;
}
