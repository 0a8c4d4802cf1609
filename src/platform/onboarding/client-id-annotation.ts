import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';

/** What the webhook of workload identity looks for on a service account. */
export const CLIENT_ID_ANNOTATION = 'azure.workload.identity/client-id';

/** A service account whose pods run as the identity. */
export function serviceAccountOf(
  scope: Construct, id: string, namespace: string, name: string, clientId: string, labels?: { [key: string]: string },
): ApiObject {
  return new ApiObject(scope, id, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace, labels, annotations: { [CLIENT_ID_ANNOTATION]: clientId } },
  });
}
