import { defineEnvironment } from './environment-kind';
import type { KindsContext, PlatformKindsProps } from './platform-kinds-props';
import { defineService } from './service-kind';
import { defineTeam } from './team-kind';
import type { ApiDefinition } from '../platform-api';
import { environmentFields } from './schema/environment-fields';
import { extended } from './schema/extended';
import { serviceFields } from './schema/service-fields';
import { teamFields } from './schema/team-fields';
import { pluralOf } from '../platform-api/define-api';

/**
 * The platform's teams and services as kinds of the cluster: `Environment`, `Team`, `Service`. A definition's module exports the result.
 *
 * ```ts
 * export default platformKinds({ group: 'platform.example.com' });
 * ```
 * @param given the group, and what data cannot say: names, conventions, the policy, further constructs
 * @throws when a name is malformed, or the environment does not know the composer and there is a policy
 * @see https://cdk8s-aso.github.io/cdk8s-aso/platform-kinds
 */
export function platformKinds<TeamFields = object, ServiceFields = object, EnvironmentFields = object>(
  given: PlatformKindsProps<TeamFields, ServiceFields, EnvironmentFields>,
): ApiDefinition[] {
  // The functions get the specs that their schemas have checked.
  const props = given as unknown as PlatformKindsProps;
  const { version = 'v1', composer = 'cdk8s-aso-composer:composer', environment, policy, environmentKind = {}, teamKind = {}, serviceKind = {} } = props;
  if (environment && policy && !(environment.platform.serviceAccounts ?? []).includes(composer)) {
    throw new Error(`platformKinds: environment.platform.serviceAccounts: has not '${composer}', so the guard rails of teams would refuse what the composer writes. Add it, or name the composer's service account: composer.`);
  }
  const ofObjects = (['environmentFields', 'environmentProps'] as const).find((name) => environment && props[name]);
  if (ofObjects) throw new Error(`platformKinds: ${ofObjects}: is for Environment objects, and environment is given. Leave one of the two out.`);
  const team = teamKind.kind ?? 'Team';
  const service = serviceKind.kind ?? 'Service';
  const context: KindsContext = {
    props,
    composer,
    version,
    environmentKind: environmentKind.kind ?? 'Environment',
    teamKind: team,
    serviceKind: service,
    fields: {
      environment: extended(environmentFields(), props.environmentFields, 'environmentFields'),
      team: extended(teamFields(environment === undefined), props.teamFields, 'teamFields'),
      service: extended(serviceFields(), props.serviceFields, 'serviceFields'),
    },
    plurals: { teams: teamKind.plural ?? pluralOf(team), services: serviceKind.plural ?? pluralOf(service) },
  };
  return [...(environment ? [] : [defineEnvironment(context)]), defineTeam(context), defineService(context)];
}
