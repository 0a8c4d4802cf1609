export { AZURE_NAME_FROM_CONFIG, CHILD_RESOURCE_ID_OVERRIDE, RESOURCE_ID } from '../../src/azure/annotations';
