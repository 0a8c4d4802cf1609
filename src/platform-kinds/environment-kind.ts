import { environmentOf } from './claims/environment-of';
import type { KindsContext } from './platform-kinds-props';
import { defineApi, type ApiDefinition } from '../platform-api';
import { claimSchema } from './schema/claim-schema';
import type { EnvironmentSpec } from './schema/environment-fields';

/** The kind of environments: cluster-scoped. It composes nothing; teams and services read its objects. */
export function defineEnvironment(context: KindsContext): ApiDefinition {
  const { props, version, environmentKind: kind, fields } = context;
  const { group, environmentKind = {} } = props;
  return defineApi<EnvironmentSpec>({
    columns: [{ name: 'Subscription', jsonPath: '.spec.subscriptionId' }, { name: 'Location', jsonPath: '.spec.location' }],
    ...environmentKind,
    group,
    kind,
    version,
    namespaced: false,
    description: 'An environment of the platform: one subscription, its clusters, and the services that its teams share.',
    schema: claimSchema<EnvironmentSpec>(fields.environment),
    composes: [],
    compose(_, { name, spec }) {
      const environment = environmentOf(context, name, spec);
      return { outputs: { platformNamespace: environment.platformNamespace } };
    },
  });
}
