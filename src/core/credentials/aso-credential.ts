import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { AsoAuthentication } from './aso-authentication';
import { CredentialReference } from './credential-reference';
import { assertUuid } from './ids';

/** Where Azure is, for clouds other than the public one. */
export interface AzureEndpoints {
  /** Where tokens come from, e.g. `https://login.microsoftonline.us/`. */
  readonly authorityHost: string;
  /** Azure Resource Manager, e.g. `https://management.usgovcloudapi.net`. */
  readonly resourceManagerEndpoint: string;
  /** For whom tokens are made out, e.g. `https://management.core.usgovcloudapi.net`. */
  readonly resourceManagerAudience: string;
}

/** What a credential of Azure Service Operator consists of. */
export interface AsoCredentialProps {
  /**
   * Kubernetes metadata of the Secret. Under any name but `aso-credential` it is used only by resources that name it
   * (`credential: credential.reference`).
   * @default - `aso-credential` in the chart's namespace: for all resources of the namespace
   */
  readonly metadata?: ApiObjectMetadata;
  /** The subscription in which resources are made, a UUID. */
  readonly subscriptionId: string;
  /** The Entra tenant, a UUID. */
  readonly tenantId: string;
  /** How the controller signs in. */
  readonly authentication: AsoAuthentication;
  /**
   * Further tenants for which tokens may be asked.
   * @default - none
   */
  readonly additionalTenants?: string[];
  /**
   * The cloud.
   * @default - the controller's own
   */
  readonly endpoints?: AzureEndpoints;
}

/**
 * The credential of a namespace or of single resources: a Secret that holds ids, never a secret value.
 *
 * @see https://azure.github.io/azure-service-operator/guide/authentication/credential-scope/
 */
export class AsoCredential extends Construct {
  /** Name of the Secret that applies to a whole namespace. */
  public static readonly NAMESPACE_SECRET_NAME = 'aso-credential';

  /** The Secret. */
  public readonly secret: ApiObject;

  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the ids
   * @throws when an id is no UUID or an endpoint no URL
   */
  public constructor(scope: Construct, id: string, props: AsoCredentialProps) {
    super(scope, id);
    assertUuid('subscription id', props.subscriptionId);
    assertUuid('tenant id', props.tenantId);
    for (const tenant of props.additionalTenants ?? []) assertUuid('additional tenant id', tenant);
    this.secret = new ApiObject(this, 'Resource', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...props.metadata, name: props.metadata?.name ?? AsoCredential.NAMESPACE_SECRET_NAME },
      stringData: {
        AZURE_SUBSCRIPTION_ID: props.subscriptionId,
        AZURE_TENANT_ID: props.tenantId,
        ...props.authentication._keys,
        ...(props.additionalTenants?.length ? { AZURE_ADDITIONAL_TENANTS: props.additionalTenants.join(',') } : {}),
        ...(props.endpoints ? endpointKeys(props.endpoints) : {}),
      },
    });
  }

  /** For the `credential` of resources that are to use this one instead of the namespace's. */
  public get reference(): CredentialReference {
    return CredentialReference._of(this.secret, this.secret.name);
  }
}

function endpointKeys(endpoints: AzureEndpoints): Record<string, string> {
  const keys = {
    AZURE_AUTHORITY_HOST: endpoints.authorityHost,
    AZURE_RESOURCE_MANAGER_ENDPOINT: endpoints.resourceManagerEndpoint,
    AZURE_RESOURCE_MANAGER_AUDIENCE: endpoints.resourceManagerAudience,
  };
  for (const [key, url] of Object.entries(keys)) {
    if (!URL.canParse(url)) throw new Error(`The endpoint ${key} '${url}' is no URL. Give it with https://.`);
  }
  return keys;
}
