import type { TeamInEnvironment } from '../../platform';
import { armTypeOfService } from '../../platform/model/shared-kind-facts';
import { FRONT_DOOR_ENDPOINT } from '../../platform/model/shared-service-types';
import { sharedPrefix } from '../../platform/naming/shared-prefix';
import { constant } from '../../platform/policy/condition';
import { mayRefer, NOT_IN_IDS, plainId, sharedAccountsOf, sharedIds, usedIds, within, type ReferenceScope } from '../../platform/policy/shared-ids';
import { ownersIn } from '../../platform/policy/team-policy';
import type { ClaimIssue } from '../../platform-api';
import { isRecord } from '../../util/records';
import type { ServiceSpec } from '../schema/service-fields';

const CONTAINER = 'StorageAccountsBlobServicesContainer';
const DOMAIN = 'AfdCustomDomain';

/**
 * Problems of references in a claim that reach another team's resources in a shared service: by an ARM id in `settings`, or by the name of
 * a certificate.
 * @param open ARM ids of resources in shared services that all teams may use
 */
export function referenceProblems(
  { domains = [], resources = [] }: ServiceSpec, team: TeamInEnvironment, open: readonly string[],
): ClaimIssue[] {
  const scope = scopeOf(team, open);
  const accounts = sharedAccountsOf(team);
  const containers = team.uses.map((service) => sharedPrefix(team, service, CONTAINER).toLowerCase());
  const check = (value: unknown, path: string): ClaimIssue[] => {
    if (Array.isArray(value)) return value.flatMap((each, index) => check(each, `${path}[${index}]`));
    if (isRecord(value)) return [...captureProblems(value, path), ...Object.entries(value).flatMap(([name, each]) => check(each, `${path}.${name}`))];
    if (typeof value !== 'string' || !/^\/?subscriptions\//i.test(value)) return [];
    const isSafe = !NOT_IN_IDS.some((part) => value.includes(part));
    return isSafe && mayRefer(constant(value), scope).holds({}) ? [] : [problem(path, value)];
  };
  const captureProblems = (value: Readonly<Record<string, unknown>>, path: string): ClaimIssue[] => {
    const { storageAccountResourceReference: account, blobContainer } = value;
    const id = isRecord(account) ? account.armId : undefined;
    if (typeof id !== 'string' || !within(constant(plainId(id)), accounts).holds({})) return [];
    if (typeof blobContainer === 'string' && containers.some((prefix) => blobContainer.toLowerCase().startsWith(prefix))) return [];
    return [{
      path: `${path}.blobContainer`,
      message: 'is no container of the team: '
      + `in a shared account names of these begin with '${containers[0] ?? ''}'. Give the Azure name of one.`,
    }];
  };
  return [
    ...domains.flatMap(({ certificate, on }, index) => {
      const profile = profileOf(team, on);
      return certificate === undefined || profile === undefined
        ? [] : check(`${profile}/secrets/${certificate}`, `spec.domains[${index}].certificate`);
    }),
    ...resources.flatMap(({ settings, children = [] }, index) => [
      ...check(settings, `spec.resources[${index}].settings`),
      ...children.flatMap((child, at) => check(child.settings, `spec.resources[${index}].children[${at}].settings`)),
    ]),
  ];
}

function problem(path: string, value: string): ClaimIssue {
  return {
    path,
    message: `'${value}' is no resource of the team, but in a service that teams share. Give one of the team's, `
    + 'or ask the platform team to add it to sharedReferences.',
  };
}

function scopeOf(team: TeamInEnvironment, open: readonly string[]): ReferenceScope {
  const owners = team.uses.flatMap((service) => ownersIn(team, service).map((id) => ({ service, id: plainId(id) })));
  return {
    shared: sharedIds(team),
    used: [...usedIds(team), ...owners.map(({ id }) => id)],
    places: owners.flatMap(({ service, id }) => [DOMAIN, CONTAINER, ...service.resources.map(({ kind }) => kind)].map((kind) => (
      { id, namePrefix: sharedPrefix(team, service, kind).toLowerCase(), otherPrefixes: [] }))),
    open: [...team.resourceGroups.map(({ name }) => plainId(team._groupId(name))), ...open.map(plainId)],
  };
}

/** The profile of the Front Door endpoint of a domain. */
function profileOf(team: TeamInEnvironment, on: string | undefined): string | undefined {
  const endpoint = team.uses.find((service) => (
    armTypeOfService(service)?.toLowerCase() === FRONT_DOOR_ENDPOINT && (on === undefined || service.name === on)));
  return endpoint && ownersIn(team, endpoint).at(-1);
}
