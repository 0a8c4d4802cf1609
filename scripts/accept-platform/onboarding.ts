// The scopes `team`, `teams`, `platform` and `service` (its service account) of the acceptance cases: inputs → constructs. It knows
// inputs, never cases.
import type { Chart } from 'cdk8s';
import type { ClaimOfCase } from './claim-of-case';
import { Refused, step } from './refused';
import type { FieldNames } from './refused';
import { completed, sentinelOf } from './sentinels';
import type { Inputs } from './sentinels';
import type { PlatformConfiguration } from '../../examples/prefixed-platform/configuration';
import { configuredEnvironment } from '../../examples/prefixed-platform/environment';
import type { Environment, TeamInEnvironment, TeamProps } from 'cdk8s-aso/platform';
import {
  DatabaseAdministrator,
  OnboardingPart,
  PlatformCredential,
  Team,
  TeamOnboarding,
  WorkloadServiceAccount,
} from 'cdk8s-aso/platform';

/** The parts of an environment, under the same name in the cases and in `PlatformConfiguration`. */
const ENVIRONMENT_INPUTS = [
  'environment', 'subscriptionId', 'subscriptionName', 'tenantId', 'clusterName', 'clusterOidcIssuerUrl', 'operatorIdentityClientId',
  'sharedResourceGroup', 'serviceBusNamespace', 'databaseResourceGroup', 'postgresServer', 'appConfigurationName',
  'appConfigurationIdentityClientId', 'identityPrefix', 'serviceBusRoleDefinitionId', 'databaseRoleDefinitionId', 'databaseAdministrator',
  'databaseAdministratorClientId',
];
/** These have defaults that the reference gives. */
const ENVIRONMENT_DEFAULTED = ['environmentInstance', 'location', 'platformNamespace', 'operatorNamespace', 'operatorServiceAccount'];
const TEAM_INPUTS = ['namespace', 'teamResourceGroup', 'teamIdentityClientId'];
const SERVICE_INPUTS = ['serviceName', 'serviceIdentityClientId'];
const CERTIFICATE_INPUTS = ['keyFilter', 'labelFilter', 'configMapName', 'secretName', 'refreshInterval'];

/** Every input that gets a sentinel where a case leaves it out. */
export const ONBOARDING_INPUTS: readonly string[] = [
  ...ENVIRONMENT_INPUTS, ...TEAM_INPUTS, ...SERVICE_INPUTS, ...CERTIFICATE_INPUTS.map((name) => `trustedCertificates.${name}`),
];

/** The roles on shared services, which are parts of the cases, with the shared service that a team uses for each. */
const USES: Readonly<Record<string, string>> = {
  serviceBusRole: 'service-bus',
  databaseRole: 'postgres',
  appConfigurationRole: 'app-configuration',
};

const ENVIRONMENT_FIELDS: FieldNames = {
  'name': 'environment',
  'clusters[0].name': 'clusterName',
  'clusters[0].oidcIssuerUrl': 'clusterOidcIssuerUrl',
  'clusters[0].operatorNamespace': 'operatorNamespace',
  'clusters[0].operatorServiceAccount': 'operatorServiceAccount',
  'platform.namespace': 'platformNamespace',
  'platform.identityClientId': 'operatorIdentityClientId',
  'platform.databaseAdministrator': 'databaseAdministrator',
  'platform.databaseAdministratorClientId': 'databaseAdministratorClientId',
  'platform.databaseAdministratorIdentity': 'databaseResourceGroup',
  'shared.services': 'appConfigurationName',
  'shared.appConfigurationReaderClientId': 'appConfigurationIdentityClientId',
  'shared.trustedCertificates': 'trustedCertificates',
};

export const TEAM_FIELDS: FieldNames = {
  'name': 'namespace',
  'namespace': 'namespace',
  'displayName': 'teamName',
  'resourceGroup': 'teamResourceGroup',
  'clientId': 'teamIdentityClientId',
  'quotas.cpu': 'cpuQuota',
  'quotas.memory': 'memoryQuota',
  'quotas.pods': 'podsQuota',
  'quotas.containerMaxCpu': 'containerMaxCpu',
  'quotas.containerMaxMemory': 'containerMaxMemory',
};

/** The onboarding of one team. */
export function team(inputs: Inputs, chart: Chart): void {
  onboard(chart, 'team', inputs, environmentOf(inputs));
}

/** The onboarding of several teams of one environment. */
export function teams(inputs: Inputs, chart: Chart): void {
  const environment = environmentOf(inputs);
  const list: readonly Inputs[] = inputs.teams ?? [];
  if (list.length === 0) throw new Refused('teams: required. Give at least one team.');
  list.forEach((one, i) => onboard(chart, `team-${i}`, { ...inputs, ...one }, environment, `teams[${i}].`));
}

/** The claims of the teams. */
export function teamClaims(inputs: Inputs): ClaimOfCase[] {
  const list: readonly Inputs[] = inputs.teams ?? [{}];
  return list.map((one) => {
    const own = { ...inputs, ...one };
    const { name, ...spec } = teamProps(own);
    const clientId = completed(own, TEAM_INPUTS).teamIdentityClientId as string;
    return { kind: 'Team', metadata: { name }, spec: { ...spec, clientId, ...(own.parts && { only: partsOf(own.parts) }) } };
  });
}

/** The platform's own resources. */
export function platform(inputs: Inputs, chart: Chart): void {
  const environment = environmentOf(inputs);
  eachPart(inputs, {
    platformCredential: () => new PlatformCredential(chart, 'credential', { environment }),
    databaseAdministrator: () => new DatabaseAdministrator(chart, 'database-administrator', { environment }),
  });
}

/** The service account of a service. */
export function service(inputs: Inputs, chart: Chart): void {
  const given = completed(inputs, SERVICE_INPUTS);
  const member = teamOf(inputs, environmentOf(inputs));
  eachPart(inputs, {
    serviceAccount: () =>
      step(
        { name: 'serviceName', clientId: 'serviceIdentityClientId' },
        () =>
          new WorkloadServiceAccount(chart, 'service-account', {
            team: member,
            name: given.serviceName,
            clientId: given.serviceIdentityClientId,
          }),
      ),
  });
}

function onboard(chart: Chart, id: string, inputs: Inputs, environment: Environment, prefix = ''): void {
  const member = teamOf(inputs, environment, prefix);
  const clientId = completed(inputs, TEAM_INPUTS).teamIdentityClientId as string;
  step(
    { ...ENVIRONMENT_FIELDS, ...prefixed(TEAM_FIELDS, prefix), only: 'parts' },
    () => new TeamOnboarding(chart, id, { team: member, clientId, ...(inputs.parts && { only: partsOf(inputs.parts) }) }),
  );
}

/** The parts of the construct; those of the cases that are unknown keep their names, and are refused. */
function partsOf(parts: readonly string[]): OnboardingPart[] {
  return [...new Set(parts.map((part) => (USES[part] === undefined ? part as OnboardingPart : OnboardingPart.SHARED_SERVICE_ROLES)))];
}

/** The configuration of the platform's environment. */
export function onboardingConfiguration(inputs: Inputs): PlatformConfiguration {
  const given = completed(inputs, ENVIRONMENT_INPUTS);
  const certificates: Inputs = inputs.trustedCertificates ?? {};
  const props = Object.fromEntries([...ENVIRONMENT_INPUTS, ...ENVIRONMENT_DEFAULTED].map((name) => [name, given[name]]));
  const trustedCertificates = Object.fromEntries(
    CERTIFICATE_INPUTS.map((name) => [name, certificates[name] ?? sentinelOf(`trustedCertificates.${name}`)]),
  );
  // The inputs have the names of the properties; the types of their values are for the platform to check.
  return { ...props, trustedCertificates } as unknown as PlatformConfiguration;
}

function environmentOf(inputs: Inputs): Environment {
  return step(ENVIRONMENT_FIELDS, () => configuredEnvironment(onboardingConfiguration(inputs)));
}

function teamOf(inputs: Inputs, environment: Environment, prefix = ''): TeamInEnvironment {
  return step(prefixed(TEAM_FIELDS, prefix), () => new Team(teamProps(inputs)).in(environment));
}

function teamProps(inputs: Inputs): TeamProps {
  const given = completed(inputs, TEAM_INPUTS);
  // A number where Kubernetes takes a text is what a template makes of an unquoted value.
  const text = (value: unknown) => (typeof value === 'number' ? String(value) : value as string | undefined);
  const quotas = {
    cpu: text(inputs.cpuQuota),
    memory: text(inputs.memoryQuota),
    pods: inputs.podsQuota === undefined ? undefined : Number(inputs.podsQuota === '' ? NaN : inputs.podsQuota),
    containerMaxCpu: text(inputs.containerMaxCpu),
    containerMaxMemory: text(inputs.containerMaxMemory),
  };
  const parts: readonly string[] = inputs.parts ?? [];
  return {
    name: given.namespace,
    displayName: inputs.teamName,
    resourceGroup: given.teamResourceGroup,
    serviceCode: inputs.serviceCode,
    quotas: Object.fromEntries(Object.entries(quotas).filter(([, value]) => value !== undefined)),
    uses: parts.flatMap((part) => USES[part] ?? []),
  };
}

function eachPart(inputs: Inputs, makers: Readonly<Record<string, () => unknown>>): void {
  const parts: readonly string[] = inputs.parts ?? Object.keys(makers);
  parts.forEach((part, i) => {
    const make = Object.hasOwn(makers, part) ? makers[part] : undefined;
    if (!make) throw new Refused(`parts[${i}]: '${part}' is no part of this scope. Give one of ${Object.keys(makers).join(', ')}.`);
    step(ENVIRONMENT_FIELDS, make);
  });
}

function prefixed(names: FieldNames, prefix: string): FieldNames {
  return Object.fromEntries(Object.entries(names).map(([field, input]) => [field, `${prefix}${input}`]));
}
