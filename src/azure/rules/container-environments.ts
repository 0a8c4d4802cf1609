import { between, eachText, neededIf, unique } from './finders';
import { advice, LEARN, rule, violation, type AzureRule, type AzureSubject, type Violation } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { parseCidr } from '../../util/cidr';
import { isRecord, type Struct } from '../../util/records';

const APP = 'app.azure.com/ContainerApp';
const JOB = 'app.azure.com/Job';
const BOTH = [APP, JOB];
const ENVIRONMENT = 'app.azure.com/ManagedEnvironment';
const PROFILES = [`${LEARN}/container-apps/workload-profiles-overview`, 'WorkloadProfileNotFound'] as const;
const NETWORKS = [`${LEARN}/container-apps/custom-virtual-networks`, 'ManagedEnvironmentInvalidNetworkConfiguration'] as const;
const ZONES = [`${LEARN}/reliability/reliability-container-apps`, 'ManagedEnvironmentInvalidNetworkConfiguration'] as const;
const VOLUMES = [`${LEARN}/container-apps/storage-mounts`, 'InvalidParameterValueInContainerTemplate'] as const;
const PROBES = [`${LEARN}/container-apps/health-probes`, 'InvalidParameterValueInContainerTemplate'] as const;
const SECRETS = [`${LEARN}/container-apps/manage-secrets`, 'ContainerAppSecretRefNotFound'] as const;

const SUBNET = 'vnetConfiguration.infrastructureSubnetReference';
/** Processors of a profile of series D or E. Other series come and go. */
const PROFILE_SIZES = [4, 8, 16, 32];
const SMALLEST = { withProfiles: 27, without: 23 };

/** A name of a profile that the environment does not have. */
function missingProfile(subject: AzureSubject): readonly Violation[] {
  const name = wordAt(subject.spec, 'workloadProfileName');
  const environment = ['environmentReference', 'managedEnvironmentReference']
    .map((path) => subject.referenced(valueAtPath(subject.spec, path))).find((found) => found !== undefined);
  if (name === undefined || name === '' || environment?.kind !== ENVIRONMENT) return [];
  const profiles = valuesAt(environment.spec, 'workloadProfiles[].name').map(({ value }) => String(value));
  if (name === 'consumption' || profiles.some((profile) => profile.toLowerCase() === name)) return [];
  return violation('workloadProfileName', `'${String(valueAtPath(subject.spec, 'workloadProfileName'))}' is no profile of environment '${environment.name}'`,
    profiles.length > 0 ? `write one of ${profiles.join(', ')}` : 'add it to workloadProfiles of the environment');
}

function smallSubnet(subject: AzureSubject): readonly Violation[] {
  const subnet = subject.referenced(valueAtPath(subject.spec, SUBNET));
  const prefix = subnet && (valueAtPath(subnet.spec, 'addressPrefix') ?? valuesAt(subnet.spec, 'addressPrefixes[]')[0]?.value);
  const range = typeof prefix === 'string' ? parseCidr(prefix) : undefined;
  // An empty list is not sent.
  const least = valuesAt(subject.spec, 'workloadProfiles[]').length === 0 ? SMALLEST.without : SMALLEST.withProfiles;
  return range && range.version === 4 && range.prefix > least
    ? violation(SUBNET, `the subnet '${subnet!.name}' is ${String(prefix)}`, `give it a range of /${least} at least`) : [];
}

function missingVolumes({ spec }: AzureSubject): Violation[] {
  const known = new Set(valuesAt(spec, 'template.volumes[].name').map(({ value }) => value));
  return ['containers', 'initContainers'].flatMap((list) => valuesAt(spec, `template.${list}[].volumeMounts[].volumeName`))
    .flatMap(({ field, value }) => (known.has(value) ? [] : violation(field, `'${String(value)}' is no volume of template.volumes`, 'add the volume, or correct the name')));
}

function volumes({ spec }: AzureSubject): Violation[] {
  return valuesAt(spec, 'template.volumes[]').flatMap(({ field, value }) => {
    const volume: Struct = isRecord(value) ? value : {};
    const type = wordAt(volume, 'storageType') ?? '';
    return ['azurefile', 'nfsazurefile'].includes(type) && volume.storageName === undefined
      ? violation(`${field}.storageName`, `is missing, but storageType is ${String(volume.storageType)}`, 'name the storage of the environment') : [];
  });
}

/** Secrets that scale rules and volumes name. */
function missingSecrets({ spec }: AzureSubject): Violation[] {
  const known = new Set(valuesAt(spec, 'configuration.secrets[].name').map(({ value }) => value));
  const triggers = ['azureQueue', 'custom', 'http', 'tcp'].map((trigger) => `template.scale.rules[].${trigger}.auth[].secretRef`);
  return [...triggers, 'configuration.eventTriggerConfig.scale.rules[].auth[].secretRef', 'template.volumes[].secrets[].secretRef']
    .flatMap((path) => valuesAt(spec, path)).flatMap(({ field, value }) =>
      (typeof value === 'string' && value !== '' && !known.has(value) ? violation(field, `'${value}' is no secret of configuration.secrets`, 'add the secret, or correct the name') : []));
}

function sameProbes({ spec }: AzureSubject): Violation[] {
  return valuesAt(spec, 'template.containers[]').flatMap(({ field, value }) => {
    const types = isRecord(value) ? valuesAt(value, 'probes[].type') : [];
    const second = types.find((one, index) => types.findIndex((other) => other.value === one.value) < index);
    return second ? violation(`${field}.${second.field}`, `${String(second.value)} is given twice`, 'give one probe of each type') : [];
  });
}

export const CONTAINER_ENVIRONMENT_RULES: readonly AzureRule[] = [
  advice('container-environment-profile-type', ENVIRONMENT, 'A profile of series D or E has 4, 8, 16 or 32 processors.', PROFILES[0],
    eachText('workloadProfiles[].workloadProfileType', (value) => {
      const size = /^[DE](\d+)$/i.exec(value)?.[1];
      return size === undefined || PROFILE_SIZES.includes(Number(size)) ? undefined : [`'${value}' is no profile`, `write ${value[0]!} and one of ${PROFILE_SIZES.join(', ')}`];
    })),
  rule('container-environment-zones', ENVIRONMENT, 'A zone-redundant environment, and an internal one, has a subnet of its own.', ZONES, (subject) => {
    if (valueAtPath(subject.spec, SUBNET) !== undefined) return [];
    const path = ['zoneRedundant', 'vnetConfiguration.internal'].find((one) => valueAtPath(subject.spec, one) === true);
    return path === undefined ? [] : violation(path, 'needs vnetConfiguration.infrastructureSubnetReference', 'name the subnet, or remove it');
  }),
  rule('container-environment-subnet', ENVIRONMENT, 'The subnet is a /27 at least, without workload profiles a /23.', NETWORKS, smallSubnet),
  rule('container-environment-logs', ENVIRONMENT, 'Logs to Log Analytics name the workspace.', [`${LEARN}/container-apps/log-options`, 'InvalidRequestParameterWithDetails'],
    neededIf('appLogsConfiguration.logAnalyticsConfiguration', (spec) => wordAt(spec, 'appLogsConfiguration.destination') === 'log-analytics',
      'is missing, but destination is log-analytics', 'give it')),
  rule('container-app-profile', BOTH, 'An app names a workload profile that its environment has.', PROFILES, missingProfile),
  rule('container-app-volume', BOTH, 'A container mounts volumes that the app has; a volume of Azure Files names its storage.', VOLUMES,
    missingVolumes, volumes, unique('template.volumes[].name', 'name')),
  rule('container-app-scale-secret', BOTH, 'Scale rules and volumes name secrets that the app has.', SECRETS, missingSecrets),
  rule('container-app-probe', APP, 'A container has one probe of each type; it waits up to 60 seconds, then 1 to 240 seconds each time.', PROBES,
    sameProbes, between('template.containers[].probes[].initialDelaySeconds', 0, 60, 'seconds'),
    between('template.containers[].probes[].periodSeconds', 1, 240, 'seconds'), between('template.containers[].probes[].timeoutSeconds', 1, 240, 'seconds')),
];
