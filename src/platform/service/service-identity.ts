import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { explicit } from './explicit';
import type { Kind, ServiceObjects } from './service-objects';
import { ConfigMapValue } from '../../core';
import { FederatedIdentityCredential } from '../../services/managedidentity/federated-identity-credential';
import { UserAssignedIdentity } from '../../services/managedidentity/user-assigned-identity';
import { ResourceGroup } from '../../services/resources/resource-group';
import type { CredentialServiceAccount, CredentialTarget, ICredentialDelivery } from '../credentials/credential-delivery-contract';
import type { PlatformProblems } from '../model/problems';
import { WORKLOAD_SERVICE_ACCOUNT } from '../model/reserved-namespaces';
import { credentialFor } from '../model/subscription-credential';

const IDENTITY: Kind = ['managedidentity.azure.com', 'UserAssignedIdentity'];
const FEDERATION: Kind = ['managedidentity.azure.com', 'FederatedIdentityCredential'];
const AUDIENCE = 'api://AzureADTokenExchange';
/** Azure's limit of federated credentials per identity. */
const MAX_FEDERATIONS = 20;

/** A service account of a cluster. */
export interface ServiceAccountName {
  /** Its namespace. */
  readonly namespace: string;
  /** Its name. */
  readonly name: string;
}

/** The identity of a service. */
export interface ServiceIdentityRequest {
  /**
   * Whether the identity is created elsewhere: this service only assigns roles to it, with the ids in the ConfigMap that it exports.
   * @default false
   */
  readonly existing?: boolean;
  /**
   * Region.
   * @default - the team's
   */
  readonly location?: string;
  /**
   * The service accounts whose pods run as the service, in all clusters of the environment; at most 20, divided by the number of clusters.
   * @default - the service account in the team's namespace with the service's name
   */
  readonly federatedServiceAccounts?: ServiceAccountName[];
  /**
   * Service accounts to create in the team's namespace, with the identity's client id in the annotation that the workload identity
   * webhook reads. They need `delivery`.
   * @default - none: the service's own deployment creates them
   */
  readonly serviceAccounts?: CredentialServiceAccount[];
  /**
   * How the client id reaches these service accounts.
   * @default - not delivered
   */
  readonly delivery?: ICredentialDelivery;
}

/** The identity of a service's pods. Its objects are in the platform's namespace. */
export class ServiceIdentity extends Construct {
  /** @internal */
  public static _of(
    scope: Construct,
    objects: ServiceObjects,
    request: ServiceIdentityRequest,
    problems: PlatformProblems,
  ): ServiceIdentity {
    return new ServiceIdentity(scope, objects, request, problems);
  }

  /** Name of the ConfigMap to which the identity exports its ids. */
  public readonly configMapName: string;
  /** The identity's object, unless the identity is created elsewhere. */
  public readonly resource?: UserAssignedIdentity;
  /** The federated credentials. */
  public readonly federations: FederatedIdentityCredential[];
  /** The service accounts that this construct creates. */
  public readonly serviceAccounts: ApiObject[];

  private constructor(scope: Construct, objects: ServiceObjects, request: ServiceIdentityRequest, problems: PlatformProblems) {
    super(scope, 'identity');
    const { id } = objects;
    const { naming } = id.team.environment;
    this.configMapName = naming.serviceIdentityExports(id);
    checkIdentity(request, id, problems);
    if (request.existing) {
      this.federations = [];
      this.serviceAccounts = [];
      return;
    }
    const { serviceAccounts } = request;
    const identityName = naming.serviceIdentity(id);
    const target = { team: id.team, identityName, credential: false, ...(serviceAccounts && { serviceAccounts }) };
    this.resource = this.identity(objects, request, target);
    this.federations = this.federate(objects, request);
    const delivered = request.serviceAccounts?.length ? request.delivery?.deliver(this, { ...target, identity: this.resource }) : undefined;
    this.serviceAccounts = [...(delivered?.serviceAccounts ?? [])];
  }

  /** Object id of the identity in Entra, the principal of role assignments. A value for objects in the platform's namespace. */
  public get principalId(): ConfigMapValue {
    return this.resource?.outputs.principalId ?? ConfigMapValue.fromConfigMap(this.configMapName, 'principalId');
  }

  /** Client id of the identity. A value for objects in the platform's namespace. */
  public get clientId(): ConfigMapValue {
    return this.resource?.outputs.clientId ?? ConfigMapValue.fromConfigMap(this.configMapName, 'clientId');
  }

  private identity(objects: ServiceObjects, request: ServiceIdentityRequest, target: CredentialTarget): UserAssignedIdentity {
    const { id } = objects;
    const name = target.identityName;
    const exports = request.serviceAccounts?.length ? request.delivery?.identityExports(target) : undefined;
    return new UserAssignedIdentity(this, 'resource', {
      ...objects.inPlatform(IDENTITY, name),
      azureName: name,
      owner: ResourceGroup.fromArmId(id.team.resourceGroupId),
      location: request.location ?? id.team.location,
      operatorSpec: {
        configMaps: Object.fromEntries(['principalId', 'clientId', 'tenantId'].map((key) => [key, { name: this.configMapName, key }])),
        ...exports,
      },
      ...explicit({ tags: objects.tags() }),
    });
  }

  private federate(objects: ServiceObjects, request: ServiceIdentityRequest): FederatedIdentityCredential[] {
    const { id } = objects;
    const { clusters, naming, platformNamespace } = id.team.environment;
    const credential = credentialFor(id.team.resourceGroupId, id.team.environment);
    const accounts = accountsOf(request) ?? [{ namespace: id.team.namespace, name: id.service }];
    return clusters.flatMap((cluster, at) => accounts.map(({ namespace, name }, index) => {
      const objectName = naming.serviceFederation(id, namespace, name, cluster.name, at * accounts.length + index);
      return new FederatedIdentityCredential(this, `federation-${cluster.name}-${namespace}-${name}`, {
        ...objects.plain(FEDERATION, objectName, platformNamespace),
        ...(credential && { credential }),
        owner: this.resource!,
        issuer: cluster.oidcIssuerUrl,
        audiences: [AUDIENCE],
        subject: `system:serviceaccount:${namespace}:${name}`,
      });
    }));
  }
}

function accountsOf({ federatedServiceAccounts }: ServiceIdentityRequest): ServiceAccountName[] | undefined {
  return federatedServiceAccounts?.filter(({ namespace, name }, index, all) =>
    namespace && name && all.findIndex((other) => other.namespace === namespace && other.name === name) === index);
}

/** No pod may have the account with whose tokens a strict operator signs in, and no identity of a service trusts it. */
function checkNotOperators(request: ServiceIdentityRequest, service: string, problems: PlatformProblems): void {
  const check = (name: string, field: string) => {
    if (name === WORKLOAD_SERVICE_ACCOUNT) {
      problems.add(field, `is '${name}', the service account with whose tokens the operator signs in. Give another name.`);
    }
  };
  const { existing = false, federatedServiceAccounts: accounts, serviceAccounts = [] } = request;
  if (!accounts && !existing) check(service, 'name');
  (accounts ?? []).forEach(({ name }, index) => check(name, `identity.federatedServiceAccounts[${index}].name`));
  serviceAccounts.forEach(({ name }, index) => check(name, `identity.serviceAccounts[${index}].name`));
}

function checkIdentity(request: ServiceIdentityRequest, { team, service }: ServiceObjects['id'], problems: PlatformProblems): void {
  const { federatedServiceAccounts: accounts = [], serviceAccounts, delivery } = request;
  const clusters = team.environment.clusters.length;
  checkNotOperators(request, service, problems);
  const seen = new Set<string>();
  accounts.forEach(({ namespace, name }, index) => {
    const field = `identity.federatedServiceAccounts[${index}]`;
    problems.require(`${field}.namespace`, namespace, 'Give the namespace of the service account.');
    problems.require(`${field}.name`, name, 'Give the name of the service account.');
    if (seen.has(`${namespace}/${name}`)) {
      problems.add(field, `${namespace}/${name} is given twice, and Azure takes an issuer and subject once. Leave one out.`);
    }
    seen.add(`${namespace}/${name}`);
  });
  if (accounts.length * clusters > MAX_FEDERATIONS) {
    problems.add('identity.federatedServiceAccounts', `${accounts.length} service accounts in ${clusters} clusters are more than the ${MAX_FEDERATIONS} federated credentials that Azure allows an identity. Let workloads share service accounts.`);
  }
  if (serviceAccounts?.length && !delivery) problems.add('identity.delivery', 'required with identity.serviceAccounts: the client id is known only when Azure has made the identity. Give the delivery that the platform uses.');
}
