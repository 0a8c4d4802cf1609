import { ofSet, type FoundAt } from './rule';
import type { AzureObject } from './set-object';

const IDENTITY = 'managedidentity.azure.com/UserAssignedIdentity';
/** The export of an identity that a member must not read, and the one that it needs. */
const WRONG: Readonly<Record<string, { readonly exported: RegExp; readonly needed: string; readonly given: string }>> = {
  principalIdFromConfig: { exported: /(^|\.)clientId$/, needed: 'principal id', given: 'client id' },
  objectIdFromConfig: { exported: /(^|\.)clientId$/, needed: 'principal id', given: 'client id' },
  clientIdFromConfig: { exported: /(^|\.)principalId$/, needed: 'client id', given: 'principal id' },
};

/** Where identities of the set export their ids: `namespace/ConfigMap/key` → the path of the export. */
function exportsOf(identities: readonly AzureObject[]): ReadonlyMap<string, string> {
  return new Map(identities.flatMap(({ namespace, facts }) => facts.writes
    .filter(({ store }) => store === 'ConfigMap')
    .map(({ name, key, path }) => [`${namespace ?? ''}/${name}/${key ?? ''}`, path] as const)));
}

/** A principal id is the object of roles and policies, a client id signs in: an identity has both. */
export const principalClientId = ofSet((set) => {
  const identities = set.kinds.get(IDENTITY) ?? [];
  if (identities.length === 0) return [];
  const exported = exportsOf(identities);
  return set.azure.flatMap((object): FoundAt[] => object.facts.reads.flatMap(({ store, name, key, path }) => {
    const wrong = WRONG[path.slice(path.lastIndexOf('.') + 1)];
    const from = store === 'ConfigMap' ? exported.get(`${object.namespace ?? ''}/${name}/${key ?? ''}`) : undefined;
    return wrong && from !== undefined && wrong.exported.test(from)
      ? [{ object, field: path, message: `reads the ${wrong.given} of an identity, but needs its ${wrong.needed}`, fix: `name the key to which the identity exports its ${wrong.needed}` }] : [];
  }));
});
