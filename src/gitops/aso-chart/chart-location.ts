/** The Helm repository of Azure Service Operator. */
export const ASO_REPOSITORY = 'https://raw.githubusercontent.com/Azure/azure-service-operator/main/v2/charts';
/** The chart in it, and the default name of the release: all installations have the same, so that one can take over from another. */
export const ASO_CHART = 'azure-service-operator';
/** The default namespace of the operator. */
export const ASO_NAMESPACE = 'azureserviceoperator-system';
