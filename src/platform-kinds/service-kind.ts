import { readTeam } from './claims/read-team';
import { reachProblems } from './claims/service-reach';
import { isOfPlatform } from './claims/team-of';
import { overlapProblems } from './claims/team-overlap';
import { Values, withPaths } from './claims/values';
import { kindsOfServices } from './composed-kinds';
import { mergedComposition } from './merged-composition';
import type { KindsContext } from './platform-kinds-props';
import { CredentialDelivery, Service, type ServiceProps } from '../platform';
import { ClaimError, defineApi, type ApiDefinition, type Claim, type ReadObject } from '../platform-api';
import { claimSchema } from './schema/claim-schema';
import { withoutOwn } from './schema/extended';
import type { ServiceSpec } from './schema/service-fields';
import { serviceStatus } from './status/service-status';
import { omitUndefined } from '../util/records';

/** The kind of services: in the team's namespace. It composes what `Service` builds, there and in the platform's namespace. */
export function defineService(context: KindsContext): ApiDefinition {
  const { props, version, environmentKind, teamKind, serviceKind: kind } = context;
  const { group, policy, delivery, cluster, environment, extendService, trustedServiceAccounts = [], serviceKind = {} } = props;
  const sharedReferences = props.sharedReferences ?? policy?.props.sharedReferences ?? [];
  return defineApi<ServiceSpec>({
    ...serviceKind,
    group,
    kind,
    version,
    description: 'A service of a team with its Azure resources: an identity, queues, topics, a database, storage accounts, access to secrets.',
    schema: claimSchema<ServiceSpec>(context.fields.service),
    composes: kindsOfServices(props),
    reads: [{ group, kind: teamKind }, ...(environment ? [] : [{ group, kind: environmentKind }])],
    // Identities export their client ids to ConfigMaps.
    configMapOutputs: true,
    limits: { objects: 500 },
    compose(scope, claim) {
      const { name, namespace } = claim;
      const { team, object, spec: specOfTeam } = readTeam(context, claim.read, namespace);
      const made = props.serviceSpec?.({ name, namespace, spec: claim.spec, team: specOfTeam }) ?? claim.spec;
      const spec = withoutOwn(made, props.serviceFields);
      assertStaying(context.teamKind, object, claim);
      const problems = [
        ...reachProblems(spec, team, trustedServiceAccounts, sharedReferences),
        ...overlapProblems(context, spec, name, team, object, claim.read),
      ];
      if (problems.length > 0) throw new ClaimError(problems);
      const { identity, resources, ...data } = spec;
      const values = new Values();
      const withReferences = resources?.map((one, index) => values.properties(one, `spec.resources[${index}]`));
      values.throwIfAny();
      const delivered = identity?.serviceAccounts?.length ? { delivery: delivery ?? CredentialDelivery.controller() } : {};
      const service = withPaths(servicePath, () => new Service(scope, 'service', omitUndefined({
        ...data,
        resources: withReferences,
        team,
        name,
        cluster,
        identity: identity && { ...identity, ...delivered },
      }) as ServiceProps));
      policy?.applyTo(service, team);
      return mergedComposition(serviceStatus(service), extendService?.(scope, claim, service));
    },
  });
}

/** A team that is being deleted waits for its services: it gets no more. Those that it has may change. */
function assertStaying(teamKind: string, { metadata: { name, deletionTimestamp } }: ReadObject, { createdAt }: Pick<Claim<unknown>, 'createdAt'>): void {
  if (deletionTimestamp === undefined || createdAt < new Date(deletionTimestamp)) return;
  throw new ClaimError([{ path: 'metadata.namespace', message: `${teamKind} '${name}' is being deleted, so it gets no further services.` }]);
}

function servicePath(field: string): string {
  if (field === 'name') return 'metadata.name';
  return isOfPlatform(field) ? field : `spec.${field}`;
}
