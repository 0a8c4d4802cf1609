import { referenceProblems } from './reference-reach';
import { APPLY_SET_PREFIX, ASO_PREFIX, IGNORE_CHANGES, LIBRARY_PREFIX, RECONCILE_POLICY, REMOVAL_POLICY } from '../../azure/annotations';
import { segmentProblem } from '../../azure/arm-segment';
import type { TeamInEnvironment } from '../../platform';
import { armTypeOfService } from '../../platform/model/shared-kind-facts';
import { SERVICE_BUS } from '../../platform/model/shared-service-types';
import { sharedPrefix } from '../../platform/naming/shared-prefix';
import type { ClaimIssue } from '../../platform-api';
import { isRecord } from '../../util/records';
import type { ServiceSpec } from '../schema/service-fields';

const PREFIXES = [ASO_PREFIX, LIBRARY_PREFIX, APPLY_SET_PREFIX];
/** Annotations whose effect is limited to the service's own objects. */
const ALLOWED = [RECONCILE_POLICY, REMOVAL_POLICY, IGNORE_CHANGES];

/**
 * Problems of a claim that asks for things beyond its team. The composer writes its objects with the platform's rights, also where the team
 * has none, so the limits of the team's own rights do not apply to them.
 * @param trusted service accounts of other namespaces, as `namespace:name`, that the identities of services may trust
 * @param open ARM ids of resources in shared services that all teams may use
 */
export function reachProblems(
  spec: ServiceSpec, team: TeamInEnvironment, trusted: readonly string[], open: readonly string[],
): ClaimIssue[] {
  return [
    ...annotationProblems(spec), ...accountProblems(spec, team, trusted), ...forwardProblems(spec, team),
    ...referenceProblems(spec, team, open),
  ];
}

function annotationProblems({ annotations = {} }: ServiceSpec): ClaimIssue[] {
  return Object.keys(annotations)
    .filter((key) => PREFIXES.some((prefix) => key.startsWith(prefix)) && !ALLOWED.includes(key))
    .map((key) => ({
      path: `spec.annotations["${key}"]`,
      message: 'is for the operator and the platform. '
      + `Of these annotations a service may have ${ALLOWED.join(', ')}.`,
    }));
}

function accountProblems({ identity }: ServiceSpec, { namespace: own }: TeamInEnvironment, trusted: readonly string[]): ClaimIssue[] {
  return (identity?.federatedServiceAccounts ?? []).flatMap(({ namespace, name }, index) => {
    if (!namespace || namespace === own || trusted.includes(`${namespace}:${name}`)) return [];
    return [{
      path: `spec.identity.federatedServiceAccounts[${index}].namespace`,
      message: `'${namespace}' is another namespace than the service's, '${own}'. `
      + `Give a service account of this one, or ask the platform team to trust ${namespace}:${name}.`,
    }];
  });
}

/** Messages may be forwarded to queues and topics of the team only: Azure forwards within the whole namespace, which all teams share. */
function forwardProblems({ queues = [], topics = [], resources = [] }: ServiceSpec, team: TeamInEnvironment): ClaimIssue[] {
  const buses = team.uses.filter((service) => armTypeOfService(service)?.toLowerCase() === SERVICE_BUS.toLowerCase());
  const prefixes = buses.flatMap((bus) => ['NamespacesQueue', 'NamespacesTopic'].map((kind) => sharedPrefix(team, bus, kind).toLowerCase()));
  const isOwn = (name: string) => segmentProblem(name) === undefined && prefixes.some((prefix) => name.toLowerCase().startsWith(prefix));
  const check = (settings: unknown, path: string) => ['forwardTo', 'forwardDeadLetteredMessagesTo'].flatMap((setting) => {
    const to = isRecord(settings) ? settings[setting] : undefined;
    if (to === undefined || to === null || isOwn(String(to))) return [];
    return [{
      path: `${path}.settings.${setting}`,
      message: `'${String(to)}' is no queue or topic of the team: `
      + `names of these begin with '${prefixes[0] ?? ''}'. Give the Azure name of one.`,
    }];
  });
  return [
    ...queues.flatMap(({ settings }, index) => check(settings, `spec.queues[${index}]`)),
    ...topics.flatMap(({ subscriptions = [] }, index) => (
      subscriptions.flatMap(({ settings }, at) => check(settings, `spec.topics[${index}].subscriptions[${at}]`)))),
    ...resources.flatMap(({ settings, children = [] }, index) => [
      ...check(settings, `spec.resources[${index}]`),
      ...children.flatMap((child, at) => check(child.settings, `spec.resources[${index}].children[${at}]`)),
    ]),
  ];
}
