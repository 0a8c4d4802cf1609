import { between, eachText, unique } from './finders';
import { LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { isRecord } from '../../util/records';

const APP = 'app.azure.com/ContainerApp';
const JOB = 'app.azure.com/Job';
const ENVIRONMENT = 'app.azure.com/ManagedEnvironment';
const CONTAINERS = [`${LEARN}/container-apps/containers#allocations`, 'ContainerAppInvalidResourceTotal'] as const;
const SCALE = [`${LEARN}/container-apps/scale-app`, 'ContainerAppInvalidScaleSpec'] as const;
const INGRESS = [`${LEARN}/container-apps/ingress-overview`, 'InvalidRequestParameterWithDetails'] as const;
const SECRETS = [`${LEARN}/container-apps/manage-secrets`, 'ContainerAppSecretRefNotFound'] as const;
const TRAFFIC = [`${LEARN}/container-apps/traffic-splitting`, 'InvalidRequestParameterWithDetails'] as const;
const JOBS = [`${LEARN}/container-apps/jobs`, 'InvalidRequestParameterWithDetails'] as const;
const PROFILES = [`${LEARN}/container-apps/workload-profiles-overview`, 'InvalidRequestParameterWithDetails'] as const;

const isConsumption = ({ spec }: AzureSubject) => ['', 'consumption'].includes(wordAt(spec, 'workloadProfileName') ?? '');
const gibibytes = (value: unknown) => (typeof value === 'string' ? Number(/^(\d+(?:\.\d+)?)Gi$/.exec(value)?.[1] ?? NaN) : NaN);
const hasPort = (value: unknown) => typeof value === 'number' && value >= 1 && value <= 65_535;

/** Processors and memory of all containers, which share what a replica has. */
const allocation: AzureRule['find'] = (subject) => {
  // On Kubernetes of one's own (extendedLocation) there are no such profiles.
  if (!isConsumption(subject) || valueAtPath(subject.spec, 'extendedLocation') !== undefined) return [];
  const resources = valuesAt(subject.spec, 'template.containers[].resources');
  const first = resources[0];
  if (!first || resources.some(({ value }) => !isRecord(value) || typeof value.cpu !== 'number' || value.memory === undefined)) return [];
  const sum = (of: (struct: Readonly<Record<string, unknown>>) => number) =>
    resources.reduce((all, { value }) => all + of(value as Record<string, unknown>), 0);
  const [cpu, memory] = [sum((one) => Number(one.cpu)), sum((one) => gibibytes(one.memory))];
  if (Number.isNaN(memory)) return violation(`${first.field}.memory`, `is '${String(valueAtPath(subject.spec, 'template.containers') && (first.value as Record<string, unknown>).memory)}'`, 'write it like 0.5Gi');
  if (cpu < 0.25 || cpu > 4 || Math.round(cpu * 100) % 25 !== 0) return violation(`${first.field}.cpu`, `is ${cpu} for all containers`, 'write 0.25 to 4 in steps of 0.25');
  return Math.abs(memory - 2 * cpu) > 0.001 ? violation(`${first.field}.memory`, `is ${memory}Gi for all containers, cpu is ${cpu}`, `write ${2 * cpu}Gi: two for each processor`) : [];
};

const secretReferences: AzureRule['find'] = ({ spec }) => {
  const known = new Set(valuesAt(spec, 'configuration.secrets[].name').map(({ value }) => value));
  const paths = ['template.containers[].env[].secretRef', 'template.initContainers[].env[].secretRef', 'configuration.registries[].passwordSecretRef'];
  return paths.flatMap((path) => valuesAt(spec, path)).flatMap(({ field, value }) =>
    (typeof value === 'string' && value !== '' && !known.has(value) ? violation(field, `'${value}' is no secret of configuration.secrets`, 'add the secret, or correct the name') : []));
};

export const CONTAINER_APPS_RULES: readonly AzureRule[] = [
  rule('container-app-resources', [APP, JOB], 'In the Consumption profile the containers have 0.25 to 4 processors together, and 2 GiB for each.', CONTAINERS, allocation),
  rule('container-app-replicas', APP, 'An app has 0 to 1000 replicas; the maximum is 1 at least, and not below the minimum.', SCALE,
    between('template.scale.minReplicas', 0, 1000, 'replicas'), between('template.scale.maxReplicas', 1, 1000, 'replicas'), ({ spec }) => {
      const [least, most] = ['template.scale.minReplicas', 'template.scale.maxReplicas'].map((path) => valueAtPath(spec, path));
      return typeof least === 'number' && typeof most === 'number' && least > most ? violation('template.scale.minReplicas', `is ${least}, maxReplicas is ${most}`, 'write a minimum that is not above the maximum') : [];
    }),
  rule('container-app-scale-rule', APP, 'A scale rule has a name of its own and one trigger.', SCALE, unique('template.scale.rules[].name', 'name'), ({ spec }) =>
    valuesAt(spec, 'template.scale.rules[]').flatMap(({ field, value }) => {
      const triggers = ['azureQueue', 'custom', 'http', 'tcp'].filter((key) => isRecord(value) && isRecord(value[key]));
      return triggers.length > 1 ? violation(field, `has the triggers ${triggers.join(' and ')}`, 'write a rule for each') : [];
    })),
  rule('container-app-port', APP, 'A port is 1 to 65535; exposedPort is for transport tcp.', INGRESS, ({ spec }) => [
    ...['targetPort', 'exposedPort'].flatMap((port) => valuesAt(spec, `configuration.ingress.${port}`))
      .flatMap(({ field, value }) => (hasPort(value) || value === 0 ? [] : violation(field, `is ${String(value)}`, 'write a port of 1 to 65535'))),
    ...(Number(valueAtPath(spec, 'configuration.ingress.exposedPort') ?? 0) > 0 && (wordAt(spec, 'configuration.ingress.transport') ?? 'auto') !== 'tcp'
      ? violation('configuration.ingress.exposedPort', 'is for transport tcp', 'remove it, or write transport: tcp') : []),
  ]),
  rule('container-app-traffic', APP, 'The weights of traffic are 100 together.', TRAFFIC, ({ spec }) => {
    const weights = valuesAt(spec, 'configuration.ingress.traffic[].weight').map(({ value }) => Number(value));
    const sum = weights.reduce((all, one) => all + one, 0);
    return weights.length > 0 && sum !== 100 ? violation('configuration.ingress.traffic', `has weights of ${sum} together`, 'make the weights 100 together') : [];
  }, ({ spec }) => valuesAt(spec, 'configuration.ingress.traffic[]').flatMap(({ field, value }) =>
    (isRecord(value) && value.latestRevision === true && typeof value.revisionName === 'string' && value.revisionName !== ''
      ? violation(`${field}.revisionName`, 'is given beside latestRevision', 'give one of them') : []))),
  rule('container-app-secret', [APP, JOB], 'A container names secrets that the app has.', SECRETS, secretReferences),
  rule('container-app-secret-name', [APP, JOB], 'The name of a secret has lower-case letters, digits, `-` and `.`, and is unique.', [SECRETS[0], 'ContainerAppSecretInvalid'], unique('configuration.secrets[].name', 'name'),
    eachText('configuration.secrets[].name', (value) => (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(value) ? undefined : [`'${value}' is no name of a secret`, 'write lower-case letters, digits, - and .']))),
  rule('container-app-container-name', [APP, JOB], 'Each container has its own name.', [CONTAINERS[0], 'InvalidParameterValueInContainerTemplate'], unique('template.containers[].name', 'name')),
  rule('container-app-dapr', APP, 'The port of Dapr is 1 to 65535.', [`${LEARN}/container-apps/dapr-overview`, 'InvalidRequestParameterWithDetails'], between('configuration.dapr.appPort', 1, 65_535)),
  rule('container-job-trigger', JOB, 'A job has the configuration of its trigger.', JOBS, ({ spec }) => {
    const type = wordAt(spec, 'configuration.triggerType');
    const path = { schedule: 'configuration.scheduleTriggerConfig', event: 'configuration.eventTriggerConfig' }[type ?? ''];
    return path !== undefined && valueAtPath(spec, path) === undefined ? violation(path, `is missing, but triggerType is ${String(valueAtPath(spec, 'configuration.triggerType'))}`, 'give it') : [];
  }),
  rule('container-job-cron', JOB, 'A schedule is a cron expression of five fields.', JOBS, eachText('configuration.scheduleTriggerConfig.cronExpression', (value) =>
    (value.trim().split(/\s+/).length === 5 && /^[\d*/,\-\sA-Za-z]+$/.test(value) ? undefined : [`'${value}' is no cron expression of five fields`, 'write it like 0 3 * * *']))),
  rule('container-environment-profile', ENVIRONMENT, 'A profile has its own name, and a minimum that is not above its maximum.', PROFILES, unique('workloadProfiles[].name', 'name'), ({ spec }) =>
    valuesAt(spec, 'workloadProfiles[]').flatMap(({ field, value }) => {
      const { minimumCount: least, maximumCount: most } = isRecord(value) ? value : {};
      return typeof least === 'number' && typeof most === 'number' && least > most ? violation(`${field}.minimumCount`, `is ${least}, maximumCount is ${most}`, 'write a minimum that is not above the maximum') : [];
    })),
];
