/** Annotations that resolution reads (docs/spec/objects.md#annotations). */
const PREFIX = 'serviceoperator.azure.com';

export const RESOURCE_ID = `${PREFIX}/resource-id`;
export const CHILD_RESOURCE_ID_OVERRIDE = `${PREFIX}/child-resource-id-override`;
export const AZURE_NAME_FROM_CONFIG = `${PREFIX}/azure-name-from-config`;
