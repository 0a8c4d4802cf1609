import { OnboardingPart } from './onboarding-part';
import type { TeamOnboardingProps } from './team-onboarding-props';
import { WorkloadIdentityMode } from '../model/cluster';
import type { PlatformProblems } from '../model/problems';
import { armTypeOfService } from '../model/shared-kind-facts';
import { POSTGRES } from '../model/shared-service-types';
import { TeamIdentities, TeamIdentity } from '../model/team-identities';
import type { TeamInEnvironment } from '../model/team-in-environment';
import { grantedIdentity } from '../naming/concerned-identity';

const ALL: readonly OnboardingPart[] = Object.values(OnboardingPart);

/** The requested parts; by default the parts for which the team and the environment have all settings. */
export function chosenParts(
  team: TeamInEnvironment, { only, without = [], policy }: TeamOnboardingProps, problems: PlatformProblems,
): ReadonlySet<OnboardingPart> {
  checkParts('only', only ?? [], problems);
  checkParts('without', without, problems);
  const wanted = only ?? ALL.filter((part) => (part === OnboardingPart.GUARD_RAILS ? policy !== undefined : applies(part, team)));
  const parts = new Set(wanted.filter((part) => !without.includes(part)));
  if (only === undefined && !needsWorkloadIdentity(team, parts)) parts.delete(OnboardingPart.WORKLOAD_IDENTITY);
  if (parts.has(OnboardingPart.WORKLOAD_IDENTITY) && team.environment.teamIdentities === TeamIdentities.SHARED) {
    problems.add('environment.teamIdentities', "is 'shared', so the team's pods have the identity of the operator and there is no other. Leave the part workloadIdentity out, or make the identities separate.");
  }
  if (parts.has(OnboardingPart.GUARD_RAILS)) checkBoundary(team, parts, problems);
  if (parts.has(OnboardingPart.GUARD_RAILS) && !policy) {
    problems.add('policy', 'required for the part guardRails. Give a SelfServicePolicy, or leave the part out.');
  }
  if (parts.has(OnboardingPart.SHARED_SERVICE_ROLES) && !usesWithRole(team)) {
    problems.add(
      'uses',
      `the part 'sharedServiceRoles' is asked for, but team '${team.team.name}' uses no shared service with a role. Add names of shared services to the team's uses.`,
    );
  }
  return parts;
}

/** The part with the role of a grant. */
export function partOfGrant({ uses }: TeamInEnvironment, grantId: string): OnboardingPart {
  return uses.some(({ name }) => name === grantId) ? OnboardingPart.SHARED_SERVICE_ROLES : OnboardingPart.GRANTS;
}

/** Adds a problem if the team's pods could use the operator's identity: they would bypass the guard rails in Azure. */
function checkBoundary({ environment }: TeamInEnvironment, parts: ReadonlySet<OnboardingPart>, problems: PlatformProblems): void {
  if (environment.teamIdentities === TeamIdentities.SEPARATE || !parts.has(OnboardingPart.TEAM_FEDERATION)) return;
  problems.add('environment.teamIdentities', "is 'shared': the identity with which the operator acts for the team trusts the team's own service account, so pods of the team pass all guard rails. Make the identities separate (TeamIdentities.SEPARATE), or leave out the part teamFederation.");
}

function needsWorkloadIdentity(team: TeamInEnvironment, parts: ReadonlySet<OnboardingPart>): boolean {
  const users = [OnboardingPart.TEAM_FEDERATION, OnboardingPart.TEAM_SERVICE_ACCOUNT, OnboardingPart.DATABASE_ADMINISTRATOR_FEDERATION];
  const granted = team.grants.filter((grant) => grantedIdentity(grant, team.environment.teamIdentities) === TeamIdentity.WORKLOAD);
  return users.some((part) => parts.has(part)) || granted.some(({ id }) => parts.has(partOfGrant(team, id)));
}

function checkParts(field: string, parts: readonly OnboardingPart[], problems: PlatformProblems): void {
  parts.forEach((part, i) => {
    if (!ALL.includes(part)) {
      problems.add(`${field}[${i}]`, `'${String(part)}' is no part of an onboarding. Give one of ${ALL.join(', ')}.`);
    }
  });
}

function applies(part: OnboardingPart, team: TeamInEnvironment): boolean {
  const { workloadIdentity, teamIdentities, shared, platform } = team.environment;
  switch (part) {
    case OnboardingPart.WORKLOAD_IDENTITY:
      return teamIdentities === TeamIdentities.SEPARATE;
    case OnboardingPart.OPERATOR_FEDERATION:
      return workloadIdentity !== WorkloadIdentityMode.STRICT;
    case OnboardingPart.WORKLOAD_FEDERATION:
      return workloadIdentity !== WorkloadIdentityMode.RELAXED;
    case OnboardingPart.TRUSTED_CERTIFICATES:
      return shared.trustedCertificates !== undefined;
    case OnboardingPart.DATABASE_ADMINISTRATOR_FEDERATION:
      return platform.databaseAdministrator !== undefined && team.uses.some((service) => armTypeOfService(service) === POSTGRES);
    case OnboardingPart.SHARED_SERVICE_ROLES:
      return usesWithRole(team);
    default:
      return true;
  }
}

function usesWithRole({ uses }: TeamInEnvironment): boolean {
  return uses.some(({ role }) => role !== undefined);
}
