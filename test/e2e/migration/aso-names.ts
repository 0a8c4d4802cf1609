/** Names of ASO's chart (2.3 to 2.20). */
export const NAMESPACE = 'azureserviceoperator-system';
export const DEPLOYMENT = 'azureserviceoperator-controller-manager';
export const WEBHOOK_SERVICE = 'azureserviceoperator-webhook-service';
export const SERVING_CERTIFICATE = 'azureserviceoperator-serving-cert';
