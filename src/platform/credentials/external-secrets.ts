import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type {
  CredentialContext,
  CredentialTarget,
  DeliveredCredential,
  ICredentialDelivery,
  IdentityExports,
} from './credential-delivery-contract';
import type { ExternalSecretsOptions } from './credential-delivery-options';
import {
  CLIENT_ID,
  credentialExport,
  delivered,
  exportedSecretName,
  secretNameOf,
  serviceAccounts,
  wantsCredential,
} from './credential-objects';
import { grantRights } from './rights';
import { SecretValue } from '../../core';

const API = 'external-secrets.io/v1';
const DURATION = /^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/;
const IDS = { clientId: CLIENT_ID, tenantId: 'AZURE_TENANT_ID', subscriptionId: 'AZURE_SUBSCRIPTION_ID' };

/** External Secrets Operator reads the exported credential with a service account that has the right to read this one Secret only. */
export class ExternalSecrets implements ICredentialDelivery {
  /** @throws when the interval is not a duration */
  public constructor(private readonly options: ExternalSecretsOptions) {
    const { refreshInterval } = options;
    if (refreshInterval !== undefined && !DURATION.test(refreshInterval)) {
      throw new Error(
        `CredentialDelivery.externalSecrets: refreshInterval: '${refreshInterval}' is no duration. Write numbers with units, e.g. 10m.`,
      );
    }
  }

  public identityExports(target: CredentialTarget): IdentityExports {
    return writesSecret(target) ? { secretExpressions: [credentialExport(target)] } : {};
  }

  public deliver(scope: Construct, context: CredentialContext): DeliveredCredential {
    // External Secrets Operator cannot write service accounts: they get no annotation, and pods read the client id from the Secret.
    const accounts = serviceAccounts(scope, context);
    if (!writesSecret(context)) {
      if (accounts.length > 0) {
        throw new Error(`[${scope.node.path}] CredentialDelivery.externalSecrets: serviceAccounts: External Secrets Operator writes Secrets only, and no credential is wanted from which pods could take the client id. Give credential: true, or deliver otherwise.`);
      }
      return delivered(context, { serviceAccounts: [] });
    }
    const { team, identityName } = context;
    const name = this.options.name ?? `${identityName}-credential-reader`;
    const metadata = { name, namespace: team.namespace };
    new ApiObject(scope, 'Reader', { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false });
    const source = exportedSecretName(context);
    grantRights(
      scope,
      'Reader',
      { name, namespace: team.environment.platformNamespace },
      [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: [source] }],
      { name, namespace: team.namespace },
    );
    new ApiObject(scope, 'Store', {
      apiVersion: API,
      kind: 'SecretStore',
      metadata,
      spec: storeSpec(team.environment.platformNamespace, name),
    });
    new ApiObject(scope, 'ExternalSecret', {
      apiVersion: API,
      kind: 'ExternalSecret',
      metadata: { name: secretNameOf(context), namespace: team.namespace },
      spec: {
        refreshInterval: this.options.refreshInterval ?? '10m',
        secretStoreRef: { kind: 'SecretStore', name },
        target: { name: secretNameOf(context), creationPolicy: 'Owner', deletionPolicy: 'Retain', template: template() },
        data: Object.entries(IDS).map(([secretKey, property]) => ({ secretKey, remoteRef: { key: source, property } })),
      },
    });
    return { ...delivered(context, { serviceAccounts: accounts }), clientId: SecretValue.fromSecret(secretNameOf(context), CLIENT_ID) };
  }
}

/** Whether the delivery writes a Secret: a credential, or a Secret with another name for pods. */
function writesSecret(target: CredentialTarget): boolean {
  return wantsCredential(target) || (target.secretName !== undefined && (target.serviceAccounts ?? []).length > 0);
}

function storeSpec(remoteNamespace: string, serviceAccount: string): object {
  return {
    provider: {
      kubernetes: {
        remoteNamespace,
        server: { caProvider: { type: 'ConfigMap', name: 'kube-root-ca.crt', key: 'ca.crt' } },
        auth: { serviceAccount: { name: serviceAccount } },
      },
    },
  };
}

/** The template fails for a value that is not a UUID, and then no Secret is written. */
function template(): object {
  const id = (value: string) => `{{ if regexMatch "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$" .${value} }}{{ .${value} }}{{ else }}{{ fail "${value} is not known yet" }}{{ end }}`;
  const ids = Object.fromEntries(Object.entries(IDS).map(([value, key]) => [key, id(value)]));
  return { engineVersion: 'v2', type: 'Opaque', data: { ...ids, USE_WORKLOAD_IDENTITY_AUTH: 'true' } };
}
