/**
 * The maximum number of federated credentials of an identity.
 * @see https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations
 */
export const MOST_FEDERATED_CREDENTIALS = 20;
