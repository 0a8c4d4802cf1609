import { Values, withPaths } from './values';
import { Team, type Environment, type Grant, type TeamInEnvironment } from '../../platform';
import { ClaimError } from '../../platform-api';
import type { TeamSpec } from '../schema/team-fields';

/** Members of the spec that are choices of the onboarding. */
const OF_ONBOARDING = ['only', 'without', 'clientId', 'workloadClientId', 'network', 'namespaceLabels', 'environment'];

/**
 * The team of a `Team` object in its environment. Its namespace has the name of the object.
 * @throws ClaimError with the problems of its spec
 */
export function teamOf(objectName: string, spec: TeamSpec, environment: Environment): TeamInEnvironment {
  const { name = objectName, identities, grants, privateAccess, ...data } = spec;
  if (`${name} ${objectName}`.includes('--')) {
    const path = name.includes('--') && spec.name !== undefined ? 'spec.name' : 'metadata.name';
    throw new ClaimError([{
      path,
      message: 'has two hyphens in a row, '
      + 'which separate the name of a team from those of its resources. Write one.',
    }]);
  }
  const values = new Values();
  const props = {
    ...Object.fromEntries(Object.entries(data).filter(([member]) => !OF_ONBOARDING.includes(member))),
    ...(identities && {
      identities: Object.fromEntries(Object.entries(identities).map(([which, id]) => [which, values.identity(id, `spec.identities.${which}`)])),
    }),
    ...(privateAccess && { privateAccess: { ...privateAccess, subnet: values.resource(privateAccess.subnet, 'spec.privateAccess.subnet') } }),
    ...(grants && {
      grants: grants.map((grant, index): Grant => ({
        ...grant,
        on: values.resource(grant.on, `spec.grants[${index}].on`),
        role: values.role(grant.role, `spec.grants[${index}].role`),
      })),
    }),
  };
  values.throwIfAny();
  return withPaths((field) => teamPath(field, spec), () => new Team({ ...props, name }).in(environment, { namespace: objectName }));
}

/** The path in the object of a field of the team's or the onboarding's props. */
export function teamPath(field: string, spec: TeamSpec): string {
  if (field === 'namespace' || (field === 'name' && spec.name === undefined)) return 'metadata.name';
  return isOfPlatform(field) ? field : `spec.${field}`;
}

/** Whether a problem is of what only the platform can change. */
export function isOfPlatform(field: string): boolean {
  return /^(environment|shared|policy|delivery|platform|team)\b/.test(field);
}
