import type { Credential, Selection } from './credential-selection';
import { CredentialSelection } from './credential-selection';
import type { EvaluationOptions } from './evaluation-options';
import { CredentialFacts, CredentialLevel, CredentialVerdict, HeldRole, IdentityFacts, ResourceCredential } from './facts';
import { Grant, Grants, isGiven } from './grants';
import { needText, accessNeedsOf } from './needs';
import { Places, subscriptionIn } from './places';
import { principalName } from './principals';
import { reachOf, Trust, trustIn, TrustProblem, trustProblem } from './reach';
import { RoleBook } from './role-book';
import { elementAt } from '../../../util/elements';
import { omitUndefined } from '../../../util/records';
import { ObjectSet } from '../../rules/object-set';
import { AzureObject, titleOf } from '../../rules/set-object';

/** The credential of an object, with the facts that the rules need. */
export interface Evaluated extends ResourceCredential {
  readonly object: AzureObject;
  /** The subscriptions of the resource and of its credential, if they differ. */
  readonly subscriptions?: { readonly resource: string; readonly credential: string };
  readonly trustProblem?: TrustProblem;
}

export interface Evaluation {
  readonly resources: readonly Evaluated[];
  readonly credentials: readonly CredentialFacts[];
  readonly identities: readonly IdentityFacts[];
}

/** Evaluates for each Azure object of a set which credential applies, and whether its roles suffice. */
export function evaluate(set: ObjectSet, options: EvaluationOptions = {}): Evaluation {
  return new Evaluator(set, options).result();
}

class Evaluator {
  private readonly selection: CredentialSelection;
  private readonly selected: readonly Selection[];
  private readonly places: Places;
  private readonly grants: Grants;
  private readonly trust: ReadonlyMap<string, Trust>;
  private readonly titles = new Map<string, string>();
  private readonly workloadMode: string | undefined;

  public constructor(private readonly set: ObjectSet, private readonly options: EvaluationOptions) {
    this.selection = new CredentialSelection(set, options.declared);
    this.workloadMode = this.selection.workloadMode ?? options.workloadMode;
    this.selected = set.azure.map((object) => this.selection.of(object));
    this.places = new Places(set, this.selection, this.selected, options.subscriptionId);
    this.grants = new Grants(set, this.selection, this.selected, this.places, new RoleBook(set, options.roles));
    this.trust = trustIn(set, this.selection, (object) => this.identityKey(object));
    for (const object of set.azure) {
      const name = principalName.object(object.namespace, object.name);
      if (object.group === 'managedidentity.azure.com' && object.kind === 'UserAssignedIdentity') {
        this.titles.set(this.grants.principals.of(name), titleOf(object));
      }
    }
  }

  public result(): Evaluation {
    const resources = this.set.azure.map((object, position) => this.evaluated(object, elementAt(this.selected, position)));
    const used = new Map<string, string[]>();
    for (const { secret, resource } of resources) {
      if (secret === undefined) continue;
      const those = used.get(secret);
      if (those) those.push(resource);
      else used.set(secret, [resource]);
    }
    const credentials = [...this.selection.credentials].filter(([key, one]) => one.level !== CredentialLevel.GLOBAL || this.isGlobal(key));
    const { global } = this.selection;
    if (global && !this.selection.credentials.has(keyOf(global))) credentials.push([keyOf(global), global]);
    return {
      resources,
      credentials: credentials.map(([key, one]) => this.credentialFacts(key, one, used.get(key) ?? [])),
      identities: this.identities(credentials.map(([, one]) => one)),
    };
  }

  private isGlobal(key: string): boolean {
    return this.selection.global !== undefined && keyOf(this.selection.global) === key;
  }

  private evaluated(object: AzureObject, selection: Selection): Evaluated {
    const { level, why, secret, credential } = selection;
    const grants = credential && this.grants.of(this.principalOf(credential));
    const needs = grants || !this.options.onlyKnown ? accessNeedsOf(object, selection, this.places, this.set) : [];
    const results = needs.map((need) => ({ need, given: grants && isGiven(need, grants, object) }));
    const missing = results.filter(({ given }) => given === false).map(({ need }) => needText(need));
    const subscriptions = this.differingSubscriptions(object, selection);
    const trust = credential && this.trust.get(this.grants.principals.of(this.principalOf(credential)));
    const trusted = credential && trustProblem(credential, object.namespace ?? '', trust, this.workloadMode);
    return omitUndefined({
      object,
      resource: titleOf(object),
      group: object.group,
      kind: object.kind,
      name: object.name,
      namespace: object.namespace,
      constructPath: this.options.constructPathOf?.(object),
      armId: this.places.armIdOf(object),
      level,
      why,
      secret,
      principal: credential && this.title(credential),
      subscriptionId: credential && this.places.subscriptionOf(secret),
      verdict: this.verdict(object, credential, missing, results.length > 0 && results.every(({ given }) => given === true)),
      neededActions: needs.map(needText),
      missingActions: missing,
      problems: [
        ...selection.problems,
        ...(subscriptions ? [`it is in subscription ${subscriptions.resource}, its credential for ${subscriptions.credential}: give it a credential for ${subscriptions.resource}`] : []),
        ...(trusted ? [`${trusted.message}: ${trusted.fix}`] : []),
      ],
      subscriptions,
      trustProblem: trusted,
    });
  }

  private verdict(object: AzureObject, credential: Credential | undefined, missing: readonly string[], all: boolean): CredentialVerdict {
    if (!credential) return CredentialVerdict.NO_CREDENTIAL;
    if (!object.version.isArm) return CredentialVerdict.NOT_APPLICABLE;
    if (missing.length > 0) return CredentialVerdict.TOO_NARROW;
    return all ? CredentialVerdict.SUFFICIENT : CredentialVerdict.UNKNOWN;
  }

  /** The controller refuses to reconcile a resource that is not in the subscription of its credential. */
  private differingSubscriptions(object: AzureObject, { credential, secret }: Selection): Evaluated['subscriptions'] {
    const own = credential && this.places.subscriptionOf(secret);
    const place = subscriptionIn(this.places.idOf(object)) ?? subscriptionIn(object.facts.owner?.armId);
    return own === undefined || place === undefined || own === place ? undefined : { resource: place, credential: own };
  }

  private credentialFacts(key: string, credential: Credential, resources: string[]): CredentialFacts {
    return omitUndefined({
      secret: key,
      level: credential.level,
      mode: credential.mode,
      writtenBy: credential.writtenBy,
      principal: this.title(credential),
      clientId: credential.clientId,
      tenantId: credential.tenantId,
      subscriptionId: this.places.subscriptionOf(key),
      roles: this.rolesOf(this.principalOf(credential)),
      resources,
    });
  }

  private identities(credentials: readonly Credential[]): IdentityFacts[] {
    const byPrincipal = new Map<string, Credential[]>();
    for (const credential of credentials) {
      const principal = this.grants.principals.of(this.principalOf(credential));
      byPrincipal.set(principal, [...(byPrincipal.get(principal) ?? []), credential]);
    }
    return [...byPrincipal].map(([principal, those]) => {
      const trust = this.trust.get(principal);
      return {
        principal: this.title(elementAt(those, 0)),
        ...reachOf(those, trust, this.workloadMode),
        credentials: those.map(keyOf),
        subjects: [...(trust?.subjects ?? [])],
        roles: this.rolesOf(principal),
      };
    });
  }

  private rolesOf(principal: string): HeldRole[] {
    return (this.grants.of(principal)?.all ?? []).map((grant) => {
      const { role, givenBy, permissions } = grant;
      return omitUndefined({ role, scope: scopeText(grant), givenBy, actionsKnown: permissions !== undefined });
    });
  }

  private principalOf({ namespace, name }: Credential): string {
    return principalName.secret(namespace, name);
  }

  /** The display name of the principal. */
  private title(credential: Credential): string {
    const principal = this.grants.principals.of(this.principalOf(credential));
    const found = this.titles.get(principal);
    if (found !== undefined) return found;
    if (credential.identity !== undefined) {
      return credential.identity.startsWith('/') ? credential.identity : `UserAssignedIdentity ${credential.identity}`;
    }
    if (credential.clientId !== undefined) return `client ${credential.clientId}`;
    return `whoever ${keyOf(credential)} names`;
  }

  /** The principal that owns a federated credential. */
  private identityKey({ facts, namespace }: AzureObject): string | undefined {
    const { owner } = facts;
    if (owner?.armId !== undefined) return this.grants.principals.of(principalName.armId(owner.armId));
    if (owner?.name === undefined) return undefined;
    return this.grants.principals.of(principalName.object(namespace, owner.name));
  }
}

/** The scope, if it is known; a scope in the set by its best known name. */
function scopeText({ scope, on }: Grant): string | undefined {
  if (/^\/subscriptions\/\?/.test(scope.id) || !scope.whole) return on && titleOf(on);
  return scope.id === '' ? '/' : scope.id;
}

function keyOf({ namespace, name }: Pick<Credential, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}

