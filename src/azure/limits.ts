/**
 * How many federated credentials an identity may have.
 * @see https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations
 */
export const MOST_FEDERATED_CREDENTIALS = 20;
