import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { CredentialServiceAccount, CredentialTarget, DeliveredCredential } from './credential-delivery-contract';
import { AsoCredential, CelExpression, SecretValue } from '../../core';
import type { DestinationExpression } from '../../core';

/** Key of a credential, and name of the variable for its value. */
export const CLIENT_ID = 'AZURE_CLIENT_ID';

/** Name of the credential's Secret. */
export function secretNameOf({ secretName }: CredentialTarget): string {
  return secretName ?? AsoCredential.NAMESPACE_SECRET_NAME;
}

/** Whether the namespace gets a credential. */
export function wantsCredential({ credential }: CredentialTarget): boolean {
  return credential ?? true;
}

/** Name of the Secret in the platform's namespace to which the identity exports a whole credential. */
export function exportedSecretName({ identityName }: CredentialTarget): string {
  return `${identityName}-credential`;
}

/**
 * A whole credential as one expression. The operator writes no Secret while one of the values is empty, so there is never a partial
 * credential.
 */
export function credentialExport(target: CredentialTarget): DestinationExpression {
  const value = CelExpression.mapOf({
    [CLIENT_ID]: CelExpression.status('clientId'),
    AZURE_TENANT_ID: CelExpression.status('tenantId'),
    AZURE_SUBSCRIPTION_ID: CelExpression.status('id').parsedResourceId().subscriptionId,
    USE_WORKLOAD_IDENTITY_AUTH: CelExpression.literal('true'),
  });
  return { name: exportedSecretName(target), value: value.text };
}

/** The result that all deliveries have in common. */
export function delivered(target: CredentialTarget, more: Omit<DeliveredCredential, 'secretName' | 'clientId'>): DeliveredCredential {
  const secretName = secretNameOf(target);
  return { secretName, ...(wantsCredential(target) ? { clientId: SecretValue.fromSecret(secretName, CLIENT_ID) } : {}), ...more };
}

/** Creates the service accounts of the target. */
export function serviceAccounts(
  scope: Construct, target: CredentialTarget, annotations: Record<string, string> = {}, labels: Record<string, string> = {},
): ApiObject[] {
  return (target.serviceAccounts ?? []).map((account) => serviceAccount(scope, target, account, annotations, labels));
}

function serviceAccount(
  scope: Construct,
  { team }: CredentialTarget,
  account: CredentialServiceAccount,
  annotations: Record<string, string>,
  more: Record<string, string>,
): ApiObject {
  const labels = { ...account.labels, ...more };
  return new ApiObject(scope, `ServiceAccount-${account.name}`, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      name: account.name,
      namespace: team.namespace,
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
  });
}
