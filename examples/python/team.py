from cdk8s import Chart
from cdk8s_aso import (
    AsoAuthentication,
    AsoCredential,
    BuiltInRole,
    IAzureResourceRef,
    authorization,
    managedidentity,
    resources,
    servicebus,
    storage,
)
from constructs import Construct

from environment import Environment, Team
from shared_services import SharedServices


class TeamOnboarding(Chart):
    """The platform's objects for a team, in the platform's namespace and under the platform's credential."""

    def __init__(self, scope: Construct, id: str, environment: Environment, team: Team, shared: SharedServices) -> None:
        super().__init__(scope, id, namespace=environment.platform_namespace)
        shared_group = environment.shared_resource_group

        group = resources.ResourceGroup(
            self,
            'group',
            metadata={'name': team.resource_group},
            location=environment.location,
        )

        name = f'{environment.identity_prefix}-{team.namespace}'
        exported = f'{team.namespace}-mi-credential'
        identity = managedidentity.UserAssignedIdentity(
            self,
            'identity',
            metadata={'name': name},
            owner=group,
            location=environment.location,
            operator_spec={
                'config_maps': {
                    'client_id': {'name': exported, 'key': 'clientId'},
                    'principal_id': {'name': exported, 'key': 'principalId'},
                },
            },
        )

        def federate(suffix: str, subject: str) -> None:
            managedidentity.FederatedIdentityCredential(
                self,
                f'federation-{suffix}',
                metadata={'name': f'{name}-{suffix}'},
                owner=identity,
                issuer=environment.cluster_oidc_issuer_url,
                subject=subject,
                audiences=['api://AzureADTokenExchange'],
            )

        federate('aso', f'system:serviceaccount:{environment.operator_namespace}:{environment.operator_service_account}')
        federate('team', f'system:serviceaccount:{team.namespace}:{team.namespace}')

        def grant(part: str, on: str, owner: IAzureResourceRef, role: BuiltInRole) -> None:
            authorization.RoleAssignment(
                self,
                part,
                metadata={'name': f'{environment.subscription_name}-{on}'},
                owner=owner,
                role_definition_reference=role,
                principal_id_from_config=identity.outputs.principal_id,
                # With a principal type, Azure does not look up the principal, which may not have replicated through Entra yet.
                principal_type=authorization.PrincipalType.SERVICE_PRINCIPAL,
            )

        grant('group-role', f'{team.resource_group}-aso-rg-rbac', group, BuiltInRole.CONTRIBUTOR)
        grant('service-bus-role', f'{shared_group}-{team.namespace}-aso-sb-rbac', shared.service_bus, environment.service_bus_role)
        grant(
            'database-role',
            f'{shared_group}-{environment.postgres_server}-{team.namespace}-aso-pgdb-rbac',
            shared.postgres,
            environment.database_role,
        )


class TeamServices(Chart):
    """The team's own namespace: its credential, and the resources that the team creates with it."""

    def __init__(self, scope: Construct, id: str, environment: Environment, team: Team) -> None:
        super().__init__(scope, id, namespace=team.namespace)
        groups = f'/subscriptions/{environment.subscription_id}/resourceGroups'
        service_bus = f'{environment.shared_resource_group}/providers/Microsoft.ServiceBus/namespaces/{environment.service_bus_namespace}'

        AsoCredential(
            self,
            'credential',
            subscription_id=environment.subscription_id,
            tenant_id=environment.tenant_id,
            authentication=AsoAuthentication.workload_identity(team.identity_client_id),
        )

        # Owner references by name work only within a namespace, so resources of the platform are named by their ARM id.
        servicebus.NamespacesQueue(
            self,
            'orders',
            metadata={'name': f'{team.namespace}-orders'},
            owner=servicebus.Namespace.from_arm_id(f'{groups}/{service_bus}'),
            max_delivery_count=10,
            lock_duration='PT1M',
        )

        storage.StorageAccount(
            self,
            'data',
            metadata={'name': team.storage_account},
            owner=resources.ResourceGroup.from_arm_id(f'{groups}/{team.resource_group}'),
            location=environment.location,
            kind=storage.StorageAccountKind.STORAGE_V2,
            sku=storage.Sku(name=storage.SkuName.STANDARD_LRS),
            minimum_tls_version=storage.MinimumTlsVersion.TLS1_2,
            allow_blob_public_access=False,
            supports_https_traffic_only=True,
        )
