import { environmentOf } from './claims/environment-of';
import type { KindsContext } from './platform-kinds-props';
import { defineApi, type ApiDefinition } from '../platform-api';
import { claimSchema } from './schema/claim-schema';
import { environmentFields, type EnvironmentSpec } from './schema/environment-fields';

/** The kind of environments: cluster-scoped. It composes nothing; teams and services read its objects. */
export function defineEnvironment({ props, composer, version, environmentKind: kind }: KindsContext): ApiDefinition {
  const { group, preset, environmentKind = {} } = props;
  return defineApi<EnvironmentSpec>({
    columns: [{ name: 'Subscription', jsonPath: '.spec.subscriptionId' }, { name: 'Location', jsonPath: '.spec.location' }],
    ...environmentKind,
    group,
    kind,
    version,
    namespaced: false,
    description: 'An environment of the platform: one subscription, its clusters, and the services that its teams share.',
    schema: claimSchema<EnvironmentSpec>(environmentFields()),
    composes: [],
    compose(_, { name, spec }) {
      const environment = environmentOf(name, spec, composer, preset);
      return { outputs: { platformNamespace: environment.platformNamespace } };
    },
  });
}
