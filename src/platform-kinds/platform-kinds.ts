import { defineEnvironment } from './environment-kind';
import type { KindsContext, PlatformKindsProps } from './platform-kinds-props';
import { defineService } from './service-kind';
import { defineTeam } from './team-kind';
import type { ApiDefinition } from '../platform-api';
import { pluralOf } from '../platform-api/define-api';

/**
 * The platform's teams and services as kinds of the cluster: `Environment`, `Team`, `Service`. A definition's module exports the result.
 *
 * ```ts
 * export default platformKinds({ group: 'platform.example.com' });
 * ```
 * @param props the group, and what data cannot say: names, conventions, the policy, further constructs
 * @throws when a name is malformed, or the environment does not know the composer and there is a policy
 * @see https://cdk8s-aso.github.io/cdk8s-aso/platform-kinds
 */
export function platformKinds(props: PlatformKindsProps): ApiDefinition[] {
  const { version = 'v1', composer = 'cdk8s-aso-composer:composer', environment, policy, environmentKind = {}, teamKind = {}, serviceKind = {} } = props;
  if (environment && policy && !(environment.platform.serviceAccounts ?? []).includes(composer)) {
    throw new Error(`platformKinds: environment.platform.serviceAccounts: has not '${composer}', so the guard rails of teams would refuse what the composer writes. Add it, or name the composer's service account: composer.`);
  }
  const team = teamKind.kind ?? 'Team';
  const service = serviceKind.kind ?? 'Service';
  const context: KindsContext = {
    props,
    composer,
    version,
    environmentKind: environmentKind.kind ?? 'Environment',
    teamKind: team,
    serviceKind: service,
    plurals: { teams: teamKind.plural ?? pluralOf(team), services: serviceKind.plural ?? pluralOf(service) },
  };
  return [...(environment ? [] : [defineEnvironment(context)]), defineTeam(context), defineService(context)];
}
