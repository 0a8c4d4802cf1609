import { portalLink } from './portal';
import type { TeamOnboarding } from '../../platform';
import { ComposedValue, type Composition } from '../../platform-api';

/** The status of a team. */
export function teamStatus({ team, identity, workloadIdentity }: TeamOnboarding): Composition {
  const { environment, namespace, resourceGroup, resourceGroupId, uses } = team;
  const pods = workloadIdentity ?? identity;
  return {
    outputs: {
      namespace,
      resourceGroup,
      uses: uses.map(({ name }) => name).join(', '),
      ...(pods && { identityClientId: ComposedValue.fromConfigMap(pods.outputs.clientId, environment.platformNamespace) }),
    },
    links: { resourceGroup: portalLink(environment, resourceGroupId) },
  };
}
