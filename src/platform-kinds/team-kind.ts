import { readEnvironment } from './claims/read-environment';
import { DEFAULT_ENVIRONMENT, teamSpecOf } from './claims/read-team';
import { teamOf, teamPath } from './claims/team-of';
import { assertOwnNames } from './claims/team-overlap';
import { withPaths } from './claims/values';
import { kindsOfTeams } from './composed-kinds';
import { mergedComposition } from './merged-composition';
import type { KindsContext } from './platform-kinds-props';
import { TeamOnboarding, type TeamOnboardingProps } from '../platform';
import { defineApi, type ApiDefinition } from '../platform-api';
import { claimSchema } from './schema/claim-schema';
import type { TeamSpec } from './schema/team-fields';
import { teamStatus } from './status/team-status';
import { policyOf, rightsOf, TeamRights } from './team-rights';
import { omitUndefined } from '../util/records';

/** The kind of teams: cluster-scoped, with the name of the team's namespace. It composes what `TeamOnboarding` builds. */
export function defineTeam(context: KindsContext): ApiDefinition {
  const { props, version, environmentKind, teamKind: kind } = context;
  const policy = policyOf(context);
  const { group, delivery, cluster, roleAssignmentNaming, environment: only, extendTeam, teamKind = {} } = props;
  return defineApi<TeamSpec>({
    columns: [
      ...(only ? [] : [{ name: 'Environment', jsonPath: '.spec.environment' }]),
      { name: 'Programme', jsonPath: '.spec.programme' },
    ],
    ...teamKind,
    group,
    kind,
    version,
    namespaced: false,
    description: 'A team: its namespace with limits, its resource group, identities, roles and credential. The name is that of the namespace.',
    schema: claimSchema<TeamSpec>(context.fields.team),
    composes: kindsOfTeams(props),
    // Identities export their client ids to ConfigMaps.
    configMapOutputs: true,
    rights: rightsOf(context),
    heldBy: [{ group, kind: context.serviceKind }],
    reads: [{ group, kind }, ...(only ? [] : [{ group, kind: environmentKind }])],
    compose(scope, claim) {
      const { name } = claim;
      const spec = teamSpecOf(context, name, claim.spec);
      const environment = readEnvironment(context, claim.read, spec.environment ?? DEFAULT_ENVIRONMENT, 'spec.environment');
      const { only: parts, without, clientId, workloadClientId, network, namespaceLabels } = spec;
      const team = teamOf(name, spec, environment);
      assertOwnNames(context, team, claim.createdAt, claim.read);
      const onboarding = withPaths((field) => teamPath(field, spec), () => new TeamOnboarding(scope, 'team', omitUndefined({
        team,
        cluster,
        delivery,
        policy,
        roleAssignmentNaming,
        only: parts,
        without,
        clientId,
        workloadClientId,
        network,
        namespaceLabels,
      }) as TeamOnboardingProps));
      if (spec.groups?.length) new TeamRights(scope, 'rights', context, onboarding.team);
      return mergedComposition(teamStatus(onboarding), extendTeam?.(scope, claim, onboarding));
    },
  });
}
