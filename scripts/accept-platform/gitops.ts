// The scopes `gitops` and `operator` of the acceptance cases: inputs → constructs. It knows inputs, never cases.
import type { Chart } from 'cdk8s';
import { step } from './refused';
import type { FieldNames } from './refused';
import { completed, missingInputs } from './sentinels';
import type { Inputs } from './sentinels';
import { chartValues } from '../../examples/prefixed-platform/chart-values';
import { configuredEnvironment } from '../../examples/prefixed-platform/environment';
import { AsoHelmInstallation, CrdPattern } from 'cdk8s-aso/gitops';
import {
  ClientIdSubstitution,
  ServiceReconciliation,
  Team,
  TeamReconciliation,
} from 'cdk8s-aso/platform';
import type { Environment, TeamInEnvironment } from 'cdk8s-aso/platform';

/** Required inputs of an environment that a Flux object need not have: if a case leaves one out, it must not be in the output. */
const NEEDED = ['environment', 'subscriptionId', 'subscriptionName', 'tenantId', 'clusterName', 'clusterOidcIssuerUrl', 'identityPrefix'];

const FIELDS: FieldNames = {
  'name': 'namespace',
  'displayName': 'teamName',
  'resourceGroup': 'teamResourceGroup',
  'quotas.cpu': 'cpuQuota',
  'quotas.memory': 'memoryQuota',
  'quotas.pods': 'podsQuota',
  'quotas.containerMaxCpu': 'containerMaxCpu',
  'quotas.containerMaxMemory': 'containerMaxMemory',
  'service': 'serviceName',
  'image.image': 'containerRegistryName',
};
const OPERATOR_FIELDS: FieldNames = {
  version: 'chartVersion',
  crdPattern: 'crdGroups',
  patterns: 'crdGroups',
  namespace: 'platformNamespace',
  targetNamespace: 'operatorNamespace',
};

const SOURCE = 'services-repository';
const PLATFORM_VARIABLES = { name: 'adp-platform-vars' };

/** The Flux objects of a team or a service. */
export function gitops(given: Inputs, chart: Chart): void {
  const inputs = completed(given, NEEDED);
  step(FIELDS, () => reconciliations(inputs, chart));
  const missing = missingInputs(chart.toJson(), NEEDED);
  if (missing.length > 0) throw new Error(missing.map((input) => `input ${input}: required`).join('; '));
}

/** The installation of the operator. */
export function operator(inputs: Inputs, chart: Chart): void {
  step(OPERATOR_FIELDS, () => new AsoHelmInstallation(chart, 'operator', {
    namespace: inputs.platformNamespace ?? 'flux-config',
    operatorNamespace: inputs.operatorNamespace,
    version: inputs.chartVersion,
    crdPattern: CrdPattern.fromGroups(inputs.crdGroups ?? []),
    name: 'release-azure-service-operator',
    repositoryName: 'repository-azure-service-operator',
    dependsOn: [{ name: 'release-cert-manager' }],
    interval: '5m0s',
  }));
}

function reconciliations(inputs: Inputs, chart: Chart): void {
  const environment = environmentOf(inputs);
  const team = teamOf(inputs, environment);
  const source = { kind: 'GitRepository', name: SOURCE, namespace: environment.platformNamespace };
  const parts: string[] = inputs.parts ?? [];
  if (parts.includes('teamReconciliation')) {
    new TeamReconciliation(chart, 'team', {
      team,
      source,
      clientId: ClientIdSubstitution.OPTIONAL,
      variablesFrom: [PLATFORM_VARIABLES],
      backstage: true,
    });
  }
  if (parts.includes('serviceReconciliation')) {
    new ServiceReconciliation(chart, 'service', {
      team,
      source,
      service: inputs.serviceName,
      chartVersion: inputs.chartVersion,
      values: valuesOf(inputs, team),
      variablesFrom: [PLATFORM_VARIABLES],
      backstage: true,
    });
  }
}

function environmentOf(inputs: Inputs): Environment {
  return configuredEnvironment({
    environment: inputs.environment,
    environmentInstance: inputs.environmentInstance,
    subscriptionId: inputs.subscriptionId,
    subscriptionName: inputs.subscriptionName,
    tenantId: inputs.tenantId,
    clusterName: inputs.clusterName,
    clusterOidcIssuerUrl: inputs.clusterOidcIssuerUrl,
    platformNamespace: inputs.platformNamespace,
    identityPrefix: inputs.identityPrefix,
    sharedResourceGroup: inputs.sharedResourceGroup,
    serviceBusNamespace: inputs.serviceBusNamespace,
    databaseResourceGroup: inputs.databaseResourceGroup,
    postgresServer: inputs.postgresServer,
    appConfigurationName: inputs.appConfigurationName,
    appConfigurationIdentityClientId: inputs.appConfigurationIdentityClientId,
    keyVaultName: inputs.keyVaultName,
    containerRegistryName: inputs.containerRegistryName,
    // The network is passed to the chart whether or not it makes endpoints.
    privateEndpoints: inputs.virtualNetwork !== undefined,
    privateEndpointSubnet: inputs.privateEndpointSubnet,
    virtualNetwork: inputs.virtualNetwork,
    virtualNetworkResourceGroup: inputs.virtualNetworkResourceGroup,
    privateDnsSubscriptionId: inputs.privateDnsSubscriptionId,
    privateDnsResourceGroups: inputs.privateDnsResourceGroups,
    databaseAdministrator: inputs.databaseAdministrator,
  });
}

function teamOf(inputs: Inputs, environment: Environment): TeamInEnvironment {
  const text = (value: unknown) => (value === undefined ? undefined : String(value));
  const quotas = {
    cpu: text(inputs.cpuQuota),
    memory: text(inputs.memoryQuota),
    pods: inputs.podsQuota === undefined ? undefined : Number(inputs.podsQuota),
    containerMaxCpu: text(inputs.containerMaxCpu),
    containerMaxMemory: text(inputs.containerMaxMemory),
  };
  return new Team({
    name: inputs.namespace,
    displayName: inputs.teamName,
    programme: inputs.programme,
    serviceCode: inputs.serviceCode,
    resourceGroup: inputs.teamResourceGroup,
    quotas: Object.fromEntries(Object.entries(quotas).filter(([, value]) => value !== undefined)),
  }).in(environment);
}

function valuesOf(inputs: Inputs, team: TeamInEnvironment): Record<string, unknown> {
  return chartValues({
    team,
    service: inputs.serviceName,
    identityPrefix: inputs.identityPrefix,
    storageAccountPrefix: inputs.storageAccountPrefix,
    storageAccountSku: inputs.storageAccountSku,
    privateEndpoints: inputs.privateEndpoints,
    privateEndpointPrefix: inputs.privateEndpointPrefix,
    roleTenant: inputs.roleTenant,
  });
}
