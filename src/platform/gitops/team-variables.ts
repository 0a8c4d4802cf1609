import { APP_CONFIGURATION } from '../model/shared-service-types';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** The team's variables, which Flux substitutes in templates. A variable without a value is left out. */
export function teamVariables({ team, environment, namespace, resourceGroup, quotas }: TeamInEnvironment): Record<string, string> {
  const { cpu, memory, pods, containerMaxCpu, containerMaxMemory } = quotas;
  const { appConfigurationReaderClientId } = environment.shared;
  const [appConfiguration] = environment._sharedOfType(APP_CONFIGURATION);
  return withValues({
    TEAM_NAME: team.displayName,
    TEAM_NAMESPACE: namespace,
    TEAM_RG: resourceGroup,
    SERVICE_CODE: team.props.serviceCode,
    TEAM_CPU_QUOTA: cpu,
    TEAM_MEMORY_QUOTA: memory,
    TEAM_PODS_QUOTA: pods === undefined ? undefined : String(pods),
    CONTAINER_MAX_CPU: containerMaxCpu,
    CONTAINER_MAX_MEMORY: containerMaxMemory,
    PLATFORM_DB_ADMIN: environment.platform.databaseAdministrator,
    APPCONFIG_NAME: appConfiguration && environment.armIdOf(appConfiguration.resource).split('/').pop(),
    APPCONFIG_MI_CLIENTID: appConfigurationReaderClientId,
  });
}

/** The service's variables, which Flux substitutes in templates. */
export function serviceVariables(of: TeamInEnvironment, service: string): Record<string, string> {
  const { TEAM_NAME, TEAM_NAMESPACE, TEAM_RG, SERVICE_CODE } = teamVariables(of);
  return withValues({ SERVICE_NAME: service, SERVICE_CODE, TEAM_NAME, TEAM_NAMESPACE, TEAM_RG });
}

function withValues(variables: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
