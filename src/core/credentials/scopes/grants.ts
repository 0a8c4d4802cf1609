import type { Credential, CredentialSelection, Selection } from './credential-selection';
import { propagationTargetsOf, isIdentity } from './credential-sources';
import type { Need } from './needs';
import { covers, isDefinite, Place, Places } from './places';
import { principalName, Principals } from './principals';
import type { RoleBook } from './role-book';
import { allows, Permission } from '../../../azure/permissions/action-match';
import { withoutTrailingSlashes } from '../../../azure/trailing-slashes';
import { elementAt } from '../../../util/elements';
import { member, text } from '../../../util/records';
import { ObjectSet } from '../../rules/object-set';
import { AzureObject, isAzure, titleOf } from '../../rules/set-object';

/** A role in a scope. */
export interface Grant {
  readonly role: string;
  readonly permissions?: readonly Permission[] | undefined;
  readonly scope: Place;
  readonly givenBy: string;
  /** The object that is the scope, if it is in the set: the role cannot exist before the object. */
  readonly on?: AzureObject | undefined;
  readonly conditional: boolean;
}

/** The roles of a principal, indexed by scope: principals of platforms have thousands. */
export class GrantList {
  private readonly known = new Map<string, Grant>();
  private readonly byScope = new Map<string, Grant[]>();
  /** Grants for which comparing ids does not suffice to tell whether they cover a place. */
  private readonly others: Grant[] = [];

  /** All grants, each once. */
  public get all(): readonly Grant[] {
    return [...this.known.values()];
  }

  public add(grant: Grant): void {
    const key = [grant.role, grant.scope.id, grant.givenBy].join('\n');
    if (this.known.has(key)) return;
    this.known.set(key, grant);
    if (!isDefinite(grant.scope)) {
      this.others.push(grant);
      return;
    }
    const same = this.byScope.get(grant.scope.id);
    if (same) same.push(grant);
    else this.byScope.set(grant.scope.id, [grant]);
  }

  /** The grants that cover a place, or may. */
  public at(place: Place): readonly Grant[] {
    if (!isDefinite(place)) return this.all;
    const found = [...this.others];
    for (let end = place.id.length; end > 0; end = place.id.lastIndexOf('/', end - 1)) {
      found.push(...(this.byScope.get(place.id.slice(0, end)) ?? []));
    }
    return found;
  }
}

/** The roles of each principal, with its various names joined. */
export class Grants {
  public readonly principals = new Principals();
  private readonly byPrincipal = new Map<string, GrantList>();

  public constructor(
    private readonly set: ObjectSet, selection: CredentialSelection, selected: readonly Selection[], places: Places, book: RoleBook,
  ) {
    for (const object of set.azure) if (isIdentity(object)) this.joinIdentity(object, places);
    for (const credential of selection.credentials.values()) this.joinCredential(credential, places);
    set.azure.forEach((object, position) => {
      if (object.group !== 'authorization.azure.com' || object.kind !== 'RoleAssignment') return;
      const principal = this.principalOf(object);
      const owner = object.facts.owner;
      if (principal === undefined || !owner) return;
      const { place, object: on } = places.target(object, owner, elementAt(selected, position));
      const { name, permissions } = book.referred(member(object.spec, 'roleDefinitionReference'), object.namespace);
      this.add(principal, {
        role: name,
        permissions,
        scope: place,
        givenBy: titleOf(object),
        on,
        conditional: text(object.spec, 'condition') !== undefined,
      });
    });
    for (const { namespace, name, stated } of selection.credentials.values()) {
      for (const { role, scope } of stated ?? []) {
        const { name: roleName, permissions } = book.stated(role);
        const place = { id: withoutTrailingSlashes(scope.toLowerCase()), whole: true };
        this.add(principalName.secret(namespace, name), {
          role: roleName,
          permissions,
          scope: place,
          givenBy: 'declared',
          conditional: false,
        });
      }
      // An empty list declares that there are no roles, so the roles are known.
      if (stated) this.add(principalName.secret(namespace, name));
    }
  }

  /** The roles of a principal; undefined if none are declared or assigned. */
  public of(principal: string): GrantList | undefined {
    return this.byPrincipal.get(this.principals.of(principal));
  }

  private add(principal: string, grant?: Grant): void {
    const key = this.principals.of(principal);
    const grants = this.byPrincipal.get(key) ?? new GrantList();
    this.byPrincipal.set(key, grants);
    if (grant) grants.add(grant);
  }

  private joinIdentity(identity: AzureObject, places: Places): void {
    const self = principalName.object(identity.namespace, identity.name);
    const id = places.idOf(identity);
    if (id !== undefined) this.principals.join(self, principalName.armId(id));
    for (const { kind, namespace, name } of propagationTargetsOf(identity)) {
      if (kind === 'ConfigMap') this.principals.join(self, principalName.configMap(namespace, name, 'principalId'));
    }
    for (const { store, name, key, path } of identity.facts.writes) {
      if (store !== 'ConfigMap' || key === undefined || !path.endsWith('.principalId')) continue;
      this.principals.join(self, principalName.configMap(identity.namespace, name, key));
    }
  }

  private joinCredential({ namespace, name, propagatedFrom, identity, clientId, principalId }: Credential, places: Places): void {
    const self = principalName.secret(namespace, name);
    if (propagatedFrom) this.principals.join(principalName.object(propagatedFrom.namespace, propagatedFrom.name), self);
    if (identity !== undefined) this.principals.join(statedIdentity(identity, places, this.set), self);
    if (clientId !== undefined) this.principals.join(principalName.clientId(clientId), self);
    if (principalId !== undefined) this.principals.join(principalName.objectId(principalId), self);
  }

  private principalOf({ spec, namespace }: AzureObject): string | undefined {
    const literal = text(spec, 'principalId');
    if (literal !== undefined) return principalName.objectId(literal);
    const source = member(spec, 'principalIdFromConfig');
    const [name, key] = [text(source, 'name'), text(source, 'key')];
    return name === undefined || key === undefined ? undefined : principalName.configMap(namespace, name, key);
  }
}

/** The principal of a declared identity: `namespace/name` or an ARM id. */
function statedIdentity(identity: string, places: Places, set: ObjectSet): string {
  if (identity.startsWith('/')) return principalName.armId(identity);
  const [namespace = '', name = ''] = identity.split('/');
  const found = set.find('managedidentity.azure.com', 'UserAssignedIdentity', namespace, name);
  const id = found && isAzure(found) ? places.idOf(found) : undefined;
  return id === undefined ? principalName.object(namespace, name) : principalName.armId(id);
}

/** Whether roles allow what is needed; undefined if that cannot be determined. */
export function isGiven({ action, place, creates }: Need, grants: GrantList, object: AzureObject): boolean | undefined {
  let open = false;
  for (const { permissions, scope, on, conditional } of grants.at(place)) {
    // If the resource itself is the scope, the role can be assigned only after the resource exists.
    if (creates && on?.index === object.index) continue;
    const inScope = covers(scope, place);
    if (inScope === false) continue;
    const given = permissions === undefined ? undefined : allows(permissions, action);
    if (given === false) continue;
    if (given && inScope && !conditional) return true;
    // Conditions restrict data actions and the roles that may be assigned; manifests do not tell whether a role assignment meets them.
    if (given && inScope && !/\/roleAssignments\/(write|delete)$/i.test(action)) return true;
    open = true;
  }
  return open ? undefined : false;
}
