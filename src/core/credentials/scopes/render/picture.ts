import { parseArmId } from '../../../../azure/arm-id';
import { counted, firstOf } from '../../../../util/words';
import type { Evaluation } from '../evaluate';
import { CredentialFacts, CredentialVerdict, HeldRole, IdentityFacts, IdentityReach, ResourceCredential } from '../facts';

/** A credential and the resources that use it. */
export interface PictureCredential {
  readonly facts: CredentialFacts;
  readonly resources: readonly ResourceCredential[];
}

/** A principal with its credentials. */
export interface PictureIdentity {
  readonly facts: IdentityFacts;
  readonly credentials: readonly PictureCredential[];
}

/** The structure that all output formats render. */
export interface Picture {
  readonly identities: readonly PictureIdentity[];
  /** Resources without a known credential. */
  readonly without: readonly ResourceCredential[];
  readonly summary: string;
}

export function pictureOf({ resources, credentials, identities }: Evaluation): Picture {
  const bySecret = new Map<string | undefined, ResourceCredential[]>();
  const known = new Set(credentials.map(({ secret }) => secret));
  for (const resource of resources) {
    const key = resource.secret !== undefined && known.has(resource.secret) ? resource.secret : undefined;
    const those = bySecret.get(key);
    if (those) those.push(resource);
    else bySecret.set(key, [resource]);
  }
  const byName = new Map(credentials.map((facts) => [facts.secret, { facts, resources: bySecret.get(facts.secret) ?? [] }]));
  return {
    identities: identities.map((facts) => ({ facts, credentials: facts.credentials.map((secret) => byName.get(secret)!) })),
    without: bySecret.get(undefined) ?? [],
    summary: summaryOf(resources, identities),
  };
}

function summaryOf(resources: readonly ResourceCredential[], identities: readonly IdentityFacts[]): string {
  const count = (verdict: CredentialVerdict) => resources.filter((resource) => resource.verdict === verdict).length;
  const parts = [
    [count(CredentialVerdict.SUFFICIENT), 'whose roles suffice'],
    [count(CredentialVerdict.TOO_NARROW), 'whose roles are too narrow'],
    [count(CredentialVerdict.UNKNOWN), 'whose roles are not known'],
    [count(CredentialVerdict.NO_CREDENTIAL), 'without a credential'],
    [count(CredentialVerdict.NOT_APPLICABLE), 'that take no role'],
  ].filter(([number]) => number !== 0).map(([number, text]) => `${number} ${text}`);
  const borrowed = identities.filter(({ reach }) => reach === IdentityReach.ANY_NAMESPACE).length;
  const borrowable =
    borrowed === 0 ? '' : `; ${borrowed} of ${counted(identities.length, 'identity', 'identities')} can be borrowed by any namespace`;
  return `${counted(resources.length, 'resource')}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}${borrowable}`;
}

/** The title of a scope: `resource group shared` for an ARM id; other texts unchanged. */
export function placeTitle(scope: string | undefined): string {
  if (scope === undefined) return 'a scope that is not known';
  if (scope === '/') return 'everything';
  const parts = parseArmId(scope);
  if (!parts) return scope;
  if (parts.provider === undefined) {
    return parts.resourceGroup === undefined ? `subscription ${parts.subscriptionId}` : `resource group ${parts.resourceGroup}`;
  }
  return `${parts.types.at(-1) ?? parts.provider} ${parts.names.at(-1) ?? ''}`;
}

/** The title of a role: `Contributor on resource group shared` */
export function roleTitle({ role, scope, actionsKnown }: HeldRole): string {
  return `${role} on ${placeTitle(scope)}${actionsKnown ? '' : ' (what it allows is not known)'}`;
}

/** The note for a resource: missing actions and problems. */
export function noteOf({ missingActions, problems }: ResourceCredential): string {
  const missing = missingActions.length === 0 ? [] : [`needs ${firstOf(missingActions, MOST_ACTIONS)}`];
  return [...missing, ...problems].join('; ');
}

const MOST_ACTIONS = 3;
