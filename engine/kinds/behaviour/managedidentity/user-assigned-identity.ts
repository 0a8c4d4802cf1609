import type { KindBehaviour } from '../../kind-behaviour';

export const userAssignedIdentity: KindBehaviour = {
  evidence: [
    'https://github.com/Azure/bicep/issues/10928',
    'https://github.com/Azure/bicep-registry-modules/issues/1447',
  ],
  serialWrites: {
    // 409 ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity.
    parent: 'Microsoft.ManagedIdentity/userAssignedIdentities',
    alone: ['federatedIdentityCredentials'],
    itself: false,
  },
};
