import * as real from '../../../controller/reconcile/fence';
import type { Unfenced } from '../mistakes-of-shards';

const unfenced: Unfenced = { azure: false, kubernetes: false };

/** Which writes do not ask the fence from now on. */
export function unfence({ azure = false, kubernetes = false }: Partial<Unfenced> = {}): void {
  Object.assign(unfenced, { azure, kubernetes });
}

// In the place of the controller's functions.
export const fencedClient: typeof real.fencedClient = (client, fence, object) => (
  real.fencedClient(client, unfenced.kubernetes ? undefined : fence, object)
);
export const fencedArmClient: typeof real.fencedArmClient = (client, fence, object) => (
  real.fencedArmClient(client, unfenced.azure ? undefined : fence, object)
);
export const fencedCredential: typeof real.fencedCredential = (credential, fence, object) => (
  real.fencedCredential(credential, unfenced.azure ? undefined : fence, object)
);
export * from '../../../controller/reconcile/fence';
