from cdk8s import Chart
from cdk8s_aso import AsoAuthentication, AsoCredential, dbforpostgresql, resources, servicebus
from constructs import Construct

from environment import Environment


class SharedServices(Chart):
    """The services that all teams share, and the credential under which the platform creates them."""

    def __init__(self, scope: Construct, id: str, environment: Environment) -> None:
        super().__init__(scope, id, namespace=environment.platform_namespace)
        location = environment.location

        AsoCredential(
            self,
            'credential',
            subscription_id=environment.subscription_id,
            tenant_id=environment.tenant_id,
            authentication=AsoAuthentication.workload_identity(environment.platform_identity_client_id),
        )

        # A struct may be written as its class or as a dictionary of its fields: `metadata={'name': …}`.
        owner = resources.ResourceGroup(self, 'group', metadata={'name': environment.shared_resource_group}, location=location)

        self.service_bus = servicebus.Namespace(
            self,
            'service-bus',
            metadata={'name': environment.service_bus_namespace},
            owner=owner,
            location=location,
            sku=servicebus.SBSku(name=servicebus.SBSkuName.STANDARD, tier=servicebus.SBSkuTier.STANDARD),
        )

        # Entra authentication only: there is no administrator password to keep.
        self.postgres = dbforpostgresql.FlexibleServer(
            self,
            'postgres',
            metadata={'name': environment.postgres_server},
            owner=owner,
            location=location,
            version=dbforpostgresql.FlexibleServerVersion.V16,
            sku=dbforpostgresql.Sku(name='Standard_B2s', tier=dbforpostgresql.SkuTier.BURSTABLE),
            storage=dbforpostgresql.Storage(storage_size_gb=32),
            auth_config=dbforpostgresql.AuthConfig(
                active_directory_auth=dbforpostgresql.ActiveDirectoryAuth.ENABLED,
                password_auth=dbforpostgresql.PasswordAuth.DISABLED,
                tenant_id=environment.tenant_id,
            ),
        )
