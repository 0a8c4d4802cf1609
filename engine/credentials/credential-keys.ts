/** Keys that every credential Secret must have. */
export const REQUIRED_KEYS: readonly string[] = ['AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID'];
/** The Secret with the credential of all objects of its namespace that name no other. */
export const NAMESPACE_SECRET = 'aso-credential';
/** The Secret with the controller's own settings. */
export const GLOBAL_SECRET = 'aso-controller-settings';
