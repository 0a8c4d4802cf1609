import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { Environment, Team } from './environment';
import { SharedServices } from './shared-services';
import {
  AsoAuthentication,
  AsoCredential,
  authorization,
  BuiltInRole,
  IAzureResourceRef,
  managedidentity,
  resources,
  servicebus,
  storage,
} from 'cdk8s-aso';

export interface TeamProps {
  readonly environment: Environment;
  readonly team: Team;
  readonly shared: SharedServices;
}

/** The platform's objects for a team, in the platform's namespace and under the platform's credential. */
export class TeamOnboarding extends Chart {
  public constructor(scope: Construct, id: string, { environment, team, shared }: TeamProps) {
    super(scope, id, { namespace: environment.platformNamespace });
    const { location, subscriptionName, sharedResourceGroup } = environment;

    const group = new resources.ResourceGroup(this, 'group', {
      metadata: { name: team.resourceGroup },
      location,
    });

    const name = `${environment.identityPrefix}-${team.namespace}`;
    const exported = `${team.namespace}-mi-credential`;
    const identity = new managedidentity.UserAssignedIdentity(this, 'identity', {
      metadata: { name },
      owner: group,
      location,
      operatorSpec: { configMaps: { clientId: { name: exported, key: 'clientId' }, principalId: { name: exported, key: 'principalId' } } },
    });

    // The operator and the team's pods share one identity: the pods have all rights that the operator has for the
    // team. `TeamOnboarding` of cdk8s-aso/platform creates two (docs/platform.md).
    const federate = (suffix: string, subject: string) =>
      new managedidentity.FederatedIdentityCredential(this, `federation-${suffix}`, {
        metadata: { name: `${name}-${suffix}` },
        owner: identity,
        issuer: environment.clusterOidcIssuerUrl,
        subject,
        audiences: ['api://AzureADTokenExchange'],
      });
    federate('aso', `system:serviceaccount:${environment.operatorNamespace}:${environment.operatorServiceAccount}`);
    federate('team', `system:serviceaccount:${team.namespace}:${team.namespace}`);

    const grant = (part: string, on: string, owner: IAzureResourceRef, role: BuiltInRole) =>
      new authorization.RoleAssignment(this, part, {
        metadata: { name: `${subscriptionName}-${on}` },
        owner,
        roleDefinitionReference: role,
        principalIdFromConfig: identity.outputs.principalId,
        // With a principal type, Azure does not look up the principal, which may not have replicated through Entra yet.
        principalType: authorization.PrincipalType.SERVICE_PRINCIPAL,
      });
    grant('group-role', `${team.resourceGroup}-aso-rg-rbac`, group, BuiltInRole.CONTRIBUTOR);
    grant('service-bus-role', `${sharedResourceGroup}-${team.namespace}-aso-sb-rbac`, shared.serviceBus, environment.serviceBusRole);
    grant(
      'database-role',
      `${sharedResourceGroup}-${environment.postgresServer}-${team.namespace}-aso-pgdb-rbac`,
      shared.postgres,
      environment.databaseRole,
    );
  }
}

/** The team's own namespace: its credential, and the resources that the team creates with it. */
export class TeamServices extends Chart {
  public constructor(scope: Construct, id: string, { environment, team }: TeamProps) {
    super(scope, id, { namespace: team.namespace });
    const { subscriptionId, sharedResourceGroup, serviceBusNamespace, location } = environment;
    const groups = `/subscriptions/${subscriptionId}/resourceGroups`;

    new AsoCredential(this, 'credential', {
      subscriptionId,
      tenantId: environment.tenantId,
      authentication: AsoAuthentication.workloadIdentity(team.identityClientId),
    });

    // Owner references by name work only within a namespace, so resources of the platform are named by their ARM id.
    new servicebus.NamespacesQueue(this, 'orders', {
      metadata: { name: `${team.namespace}-orders` },
      owner: servicebus.Namespace.fromArmId(
        `${groups}/${sharedResourceGroup}/providers/Microsoft.ServiceBus/namespaces/${serviceBusNamespace}`,
      ),
      maxDeliveryCount: 10,
      lockDuration: 'PT1M',
    });

    new storage.StorageAccount(this, 'data', {
      metadata: { name: team.storageAccount },
      owner: resources.ResourceGroup.fromArmId(`${groups}/${team.resourceGroup}`),
      location,
      kind: storage.StorageAccountKind.STORAGE_V2,
      sku: { name: storage.SkuName.STANDARD_LRS },
      minimumTlsVersion: storage.MinimumTlsVersion.TLS1_2,
      allowBlobPublicAccess: false,
      supportsHttpsTrafficOnly: true,
    });
  }
}
