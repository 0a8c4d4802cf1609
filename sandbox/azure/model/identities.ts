import type { Simulation } from './simulation';
import type { Json, Resource } from './store';

const IDENTITY = 'Microsoft.ManagedIdentity/userAssignedIdentities';

/** The user-assigned identity that was made here with a client id. */
export function identityWithClientId({ store }: Simulation, clientId: string): Resource | undefined {
  const wanted = clientId.toLowerCase();
  return store.ofType(IDENTITY).find(({ body }) => {
    const known = (body.properties as Json | undefined)?.clientId;
    return typeof known === 'string' && known.toLowerCase() === wanted;
  });
}
