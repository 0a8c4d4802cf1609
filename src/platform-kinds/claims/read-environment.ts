import { environmentOf } from './environment-of';
import { ofObject, specOf } from './read-spec';
import type { Environment } from '../../platform';
import { ClaimError } from '../../platform-api';
import type { KindsContext, ReadClaim } from '../platform-kinds-props';
import type { EnvironmentSpec } from '../schema/environment-fields';

/**
 * The environment of a team: that of the definition, or the object of the name.
 * @param path the place that names it
 * @throws ClaimError when there is no such object, or its spec has problems
 */
export function readEnvironment(context: KindsContext, read: ReadClaim, name: string, path: string): Environment {
  const { props, environmentKind, fields } = context;
  if (props.environment) return props.environment;
  const found = read({ group: props.group, kind: environmentKind, name });
  if (!found) {
    throw new ClaimError([{ path, message: `there is no ${environmentKind} '${name}'. Give the name of one, or ask the platform team for it.` }]);
  }
  const use = () => environmentOf(context, name, specOf<EnvironmentSpec>(fields.environment, found.spec));
  return ofObject(`${environmentKind} '${name}'`, path, use);
}
