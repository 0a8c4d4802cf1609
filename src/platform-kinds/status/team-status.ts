import type { ApiObject } from 'cdk8s';
import { portalLink } from './portal';
import type { TeamOnboarding } from '../../platform';
import { ComposedValue, type Composition } from '../../platform-api';
import { struct } from '../../util/records';

/** The status of a team. */
export function teamStatus({ team, identity, workloadIdentity, resourceQuota }: TeamOnboarding): Composition {
  const { environment, namespace, resourceGroup, resourceGroupId, uses } = team;
  const pods = workloadIdentity ?? identity;
  return {
    outputs: {
      namespace,
      resourceGroup,
      uses: uses.map(({ name }) => name).join(', '),
      ...(resourceQuota && used(resourceQuota)),
      ...(pods && { identityClientId: ComposedValue.fromConfigMap(pods.outputs.clientId, environment.platformNamespace) }),
    },
    links: { resourceGroup: portalLink(environment, resourceGroupId) },
  };
}

/** The use of each quota of the namespace, e.g. `3500m of 12`, as Kubernetes counts it. */
function used(quota: ApiObject): Record<string, ComposedValue> {
  const { hard } = struct((quota.toJson() as { spec?: unknown }).spec) ?? {};
  return Object.fromEntries(Object.keys(struct(hard) ?? {}).map((name) => {
    const cel = `self.status.used['${name}'] + ' of ' + self.status.hard['${name}']`;
    return [`used-${name.replace(/\./g, '-')}`, ComposedValue.fromObject(quota, cel)];
  }));
}
