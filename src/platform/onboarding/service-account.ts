import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { WORKLOAD_CLIENT_ID } from '../../azure/annotations';

/** A service account whose pods run as the identity. */
export function serviceAccountOf(
  scope: Construct, id: string, namespace: string, name: string, clientId: string, labels?: { [key: string]: string },
): ApiObject {
  return new ApiObject(scope, id, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace, ...(labels && { labels }), annotations: { [WORKLOAD_CLIENT_ID]: clientId } },
  });
}
