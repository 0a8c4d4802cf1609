import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import type { IAzureResourceRef } from '../resource-reference';
import { AsoAuthentication } from './aso-authentication';
import { CredentialReference } from './credential-reference';
import { CredentialScope } from './credential-scope';
import { customRolesOf, GrantedRole } from './granted-role';
import { assertUuid } from './ids';
import { reportAnnotations } from './report-annotations';
import { CredentialLevel } from './scopes/facts';
import { elementAt } from '../../util/elements';
import { Credentials } from '../aspects/credentials';
import type { CustomRole } from '../custom-role';

/** The endpoints of a cloud other than the public one. */
export interface AzureEndpoints {
  /** The authority that issues tokens, e.g. `https://login.microsoftonline.us/`. */
  readonly authorityHost: string;
  /** Azure Resource Manager, e.g. `https://management.usgovcloudapi.net`. */
  readonly resourceManagerEndpoint: string;
  /** The audience of the tokens, e.g. `https://management.core.usgovcloudapi.net`. */
  readonly resourceManagerAudience: string;
}

/** Props of `AsoCredential`. */
export interface AsoCredentialProps {
  /**
   * Kubernetes metadata of the Secret. Unless the name is `aso-credential`, only resources that name the Secret use it (`credential:
   * credential.reference`).
   * @default - the name that `appliesTo` requires, in the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;
  /**
   * The resources to which the credential applies.
   * @default - by its name: `aso-credential` applies to all resources of the namespace, any other to those that name it
   */
  readonly appliesTo?: CredentialScope;
  /** The subscription in which resources are created, a UUID. */
  readonly subscriptionId: string;
  /** The Entra tenant, a UUID. */
  readonly tenantId: string;
  /** The method by which the controller authenticates. */
  readonly authentication: AsoAuthentication;
  /**
   * Further tenants for which the controller may request tokens.
   * @default - none
   */
  readonly additionalTenants?: string[];
  /**
   * The cloud.
   * @default - the controller's own
   */
  readonly endpoints?: AzureEndpoints;
  /**
   * The identity to which the client id belongs: the construct, or `UserAssignedIdentity.fromArmId(id)`. With it, `CredentialScopes` finds
   * the role assignments of the app for this identity.
   * @default - not known
   */
  readonly identity?: IAzureResourceRef;
  /**
   * Object id of the principal in Entra, a UUID, if role assignments of the app use it.
   * @default - not known
   */
  readonly principalId?: string;
  /**
   * Roles that the principal has from outside of the app, for `CredentialScopes` and the rules; an empty list declares that there are none.
   * @default - not known
   */
  readonly grantedRoles?: GrantedRole[];
}

/**
 * The credential of a namespace, of single resources or of the controller: a Secret that holds ids, never a secret value. If the credential
 * needs a secret, the External Secrets Operator creates the Secret from the ids here and the value in its store.
 *
 * @see https://azure.github.io/azure-service-operator/guide/authentication/credential-scope/
 */
export class AsoCredential extends Construct {
  /** Name of the Secret that applies to a whole namespace. */
  public static readonly NAMESPACE_SECRET_NAME = 'aso-credential';

  /** Name of the Secret with the controller's own settings. */
  public static readonly GLOBAL_SECRET_NAME = 'aso-controller-settings';

  /** @internal */
  public static _is(construct: unknown): construct is AsoCredential {
    return typeof construct === 'object' && construct !== null && MARK in construct;
  }

  /** The Secret, or the ExternalSecret that creates it. */
  public readonly secret: ApiObject;

  /** Name of the Secret. */
  public readonly secretName: string;

  /** @internal */
  public readonly _customRoles: readonly CustomRole[];

  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the ids and the authentication
   * @throws when an id is no UUID, an endpoint no URL, or the name of the Secret does not match `appliesTo`
   */
  public constructor(scope: Construct, id: string, props: AsoCredentialProps) {
    super(scope, id);
    Object.defineProperty(this, MARK, { value: true });
    const { appliesTo, metadata, authentication, endpoints } = props;
    assertUuid('subscription id', props.subscriptionId);
    assertUuid('tenant id', props.tenantId);
    for (const tenant of props.additionalTenants ?? []) assertUuid('additional tenant id', tenant);
    this.secretName = secretNameOf(this, appliesTo, metadata?.name);
    this._customRoles = customRolesOf(props.grantedRoles);
    const keys = {
      AZURE_SUBSCRIPTION_ID: props.subscriptionId,
      AZURE_TENANT_ID: props.tenantId,
      ...keysFor(appliesTo, authentication),
      ...(props.additionalTenants?.length ? { AZURE_ADDITIONAL_TENANTS: props.additionalTenants.join(',') } : {}),
      ...(endpoints ? endpointKeys(endpoints) : {}),
    };
    const given: ApiObjectMetadata = {
      ...metadata,
      name: this.secretName,
      ...(appliesTo?._namespace !== undefined && { namespace: metadata?.namespace ?? appliesTo._namespace }),
      ...annotated(metadata, reportAnnotations(props, this)),
    };
    const secrets = Object.entries(authentication._secrets);
    this.secret = new ApiObject(this, 'Resource', secrets.length === 0
      ? { apiVersion: 'v1', kind: 'Secret', metadata: given, stringData: keys }
      : externalSecret(this.secretName, given, keys, authentication._secrets));
    for (const resource of appliesTo?._resources ?? []) Credentials.of(resource).use(this.reference);
  }

  /** For the `credential` of resources that use this one instead of the namespace's. */
  public get reference(): CredentialReference {
    return CredentialReference._of(this.secret, this.secretName);
  }
}

const MARK = Symbol.for('cdk8s-aso.AsoCredential');

function secretNameOf(construct: IConstruct, appliesTo: CredentialScope | undefined, given: string | undefined): string {
  const wanted = appliesTo?.level === CredentialLevel.GLOBAL ? AsoCredential.GLOBAL_SECRET_NAME
    : appliesTo?._secretName ?? (appliesTo || given === undefined ? AsoCredential.NAMESPACE_SECRET_NAME : given);
  if (given === undefined || given === wanted) return wanted;
  throw new Error(`[${construct.node.path}] metadata.name: the controller looks for the Secret '${wanted}', not '${given}'. Leave the name out, or say which resources are to use it: appliesTo: CredentialScope.ofResources('${given}', …).`);
}

/** In the controller's own settings a managed identity is the default, without a key. */
function keysFor(appliesTo: CredentialScope | undefined, authentication: AsoAuthentication): Record<string, string> {
  const { AUTH_MODE, ...keys } = authentication._keys;
  return AUTH_MODE === undefined || appliesTo?.level === CredentialLevel.GLOBAL ? keys : { ...keys, AUTH_MODE };
}

function annotated(metadata: ApiObjectMetadata | undefined, annotations: Record<string, string>): ApiObjectMetadata {
  return Object.keys(annotations).length === 0 ? {} : { annotations: { ...annotations, ...metadata?.annotations } };
}

/**
 * With a template the Secret is created complete or not at all. Merging would leave a time in which the controller reads another kind of
 * credential from it.
 */
function externalSecret(name: string, metadata: ApiObjectMetadata, keys: Record<string, string>, secrets: AsoAuthentication['_secrets']) {
  const entries = Object.entries(secrets);
  const { store, storeKind } = elementAt(entries, 0)[1];
  const foreign = entries.find(([, value]) => value.store !== store || value.storeKind !== storeKind);
  const template = Object.fromEntries(entries.map(([key], index) => [key, `{{ .value${index} }}`]));
  return {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ExternalSecret',
    metadata,
    spec: {
      refreshInterval: '1h',
      secretStoreRef: { name: store, kind: storeKind },
      target: { name, creationPolicy: 'Owner', template: { engineVersion: 'v2', data: { ...keys, ...template } } },
      data: entries.map(([, value], index) => ({
        secretKey: `value${index}`,
        remoteRef: { key: value.key, ...(value.property !== undefined && { property: value.property }) },
        ...(foreign && { sourceRef: { storeRef: { name: value.store, kind: value.storeKind } } }),
      })),
    },
  };
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
