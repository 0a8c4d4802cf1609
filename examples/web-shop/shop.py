from cdk8s import App, Chart
from cdk8s_aso import (
    AsoAuthentication, AsoCredential, BuiltInRole, Defaults, Principal, RemovalPolicies, RemovalPolicy, RoleAssignmentNaming,
    SecureDefaults,
    cache, containerregistry, containerservice, dbforpostgresql, documentdb, insights, keyvault, managedidentity, network,
    operationalinsights, patterns, resources, servicebus, storage,
)

from workload import workload

SUBSCRIPTION_ID = "2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52"
TENANT_ID = "7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11"


def web_shop(app: App) -> Chart:
    """A web shop: a cluster, data, messages, secrets and monitoring, and the two programs that use them. All ids are made up."""
    chart = Chart(app, "shop", namespace="shop")
    Defaults.of(chart).use(location="uksouth", tenant_id=TENANT_ID, sku_tier="Standard", tags={"app": "shop"})
    SecureDefaults.of(chart).apply()
    RemovalPolicies.of(chart).apply(RemovalPolicy.RETAIN)
    RoleAssignmentNaming.tenant_unique(subscription_id=SUBSCRIPTION_ID).apply_to(chart)
    authentication = AsoAuthentication.workload_identity("0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486")
    AsoCredential(chart, "credential", subscription_id=SUBSCRIPTION_ID, tenant_id=TENANT_ID, authentication=authentication)
    owner = resources.ResourceGroup(chart, "group", azure_name="rg-shop")

    # The network, with subnets whose ranges follow from their names, and private DNS.
    net = network.VirtualNetwork(chart, "net", owner=owner, address_space=network.AddressSpace(address_prefixes=["10.20.0.0/16"]))
    nodes = net.add_subnet("nodes", address_prefix="/22")
    database = net.add_subnet("database", delegations=[
        network.Delegation(name="postgresql", service_name="Microsoft.DBforPostgreSQL/flexibleServers"),
    ])
    endpoints = patterns.PrivateEndpoints(chart, "private", owner=owner, network=net, subnet=net.add_subnet("private"))
    dns = network.PrivateDnsZone(chart, "dns", owner=owner, azure_name="shop.private.postgres.database.azure.com")
    link = dns.add_virtual_network_link("network", virtual_network=network.SubResource(reference=net), registration_enabled=False)

    # The cluster, and the registry that it pulls from.
    operator = managedidentity.UserAssignedIdentity(chart, "operator", owner=owner)
    nodes.grant(BuiltInRole.NETWORK_CONTRIBUTOR, operator)
    cluster = containerservice.ManagedCluster(
        chart, "cluster", owner=owner, dns_prefix="shop",
        identity=containerservice.ManagedClusterIdentity(
            type=containerservice.ManagedClusterIdentityType.USER_ASSIGNED,
            user_assigned_identities=[containerservice.UserAssignedIdentityDetails(reference=operator)],
        ),
        agent_pool_profiles=[containerservice.ManagedClusterAgentPoolProfile(
            name="system", mode=containerservice.ManagedClusterAgentPoolProfileMode.SYSTEM, count=3, vm_size="Standard_D4s_v5",
            vnet_subnet_reference=nodes,
        )],
        network_profile=containerservice.ContainerServiceNetworkProfile(
            network_plugin=containerservice.NetworkPlugin.AZURE, network_plugin_mode=containerservice.NetworkPluginMode.OVERLAY,
            service_cidr="172.16.0.0/16", dns_service_ip="172.16.0.10",
        ),
        oidc_issuer_profile=containerservice.ManagedClusterOIDCIssuerProfile(enabled=True),
        security_profile=containerservice.ManagedClusterSecurityProfile(
            workload_identity=containerservice.ManagedClusterSecurityProfileWorkloadIdentity(enabled=True),
        ),
    )
    cluster.add_agent_pool(
        "shop", mode=containerservice.ManagedClustersAgentPoolMode.USER, count=2, vm_size="Standard_D4s_v5", vnet_subnet_reference=nodes,
    )
    registry = containerregistry.Registry(chart, "registry", owner=owner, azure_name="shopregistry4711")
    registry.grant(BuiltInRole.ACR_PULL, Principal.from_config(cluster.outputs.kubelet_object_id))

    # The identity of the programs, and the data that it may use.
    identity = managedidentity.UserAssignedIdentity(chart, "programs", owner=owner)
    postgres = dbforpostgresql.FlexibleServer(
        chart, "postgres", owner=owner, azure_name="shop-postgres-4711", version=dbforpostgresql.FlexibleServerVersion.V16,
        sku=dbforpostgresql.Sku(name="Standard_D2ds_v5", tier=dbforpostgresql.SkuTier.GENERAL_PURPOSE),
        storage=dbforpostgresql.Storage(storage_size_gb=64),
        network=dbforpostgresql.Network(delegated_subnet_resource_reference=database, private_dns_zone_arm_resource_reference=dns),
        auth_config=dbforpostgresql.AuthConfig(
            active_directory_auth=dbforpostgresql.ActiveDirectoryAuth.ENABLED, password_auth=dbforpostgresql.PasswordAuth.DISABLED,
        ),
    )
    postgres.node.add_dependency(link)
    postgres.add_database("orders")
    postgres.add_administrator(
        "programs", azure_name_from_config=identity.outputs.principal_id, principal_name="programs",
        principal_type=dbforpostgresql.PrincipalType.SERVICE_PRINCIPAL,
    )
    redis = cache.Redis(
        chart, "redis", owner=owner, azure_name="shop-redis-4711",
        sku=cache.Sku(name=cache.SkuName.STANDARD, family=cache.SkuFamily.C, capacity=1),
    )
    cosmos = documentdb.DatabaseAccount(
        chart, "cosmos", owner=owner, azure_name="shop-cosmos-4711",
        database_account_offer_type=documentdb.DatabaseAccountOfferType.STANDARD, locations=[documentdb.Location(location_name="uksouth")],
    )
    cosmos.add_sql_database("shop", resource=documentdb.SqlDatabaseResource(id="shop")).add_container(
        "carts", options=documentdb.CreateUpdateOptions(throughput=400), resource=documentdb.SqlContainerResource(
            id="carts", partition_key=documentdb.ContainerPartitionKey(paths=["/customer"], kind=documentdb.ContainerPartitionKeyKind.HASH),
        ),
    )
    cosmos.add_sql_role_assignment(
        "programs", principal_id_from_config=identity.outputs.principal_id, scope=cosmos.arm_id,
        role_definition_id=f"{cosmos.arm_id}/sqlRoleDefinitions/00000000-0000-0000-0000-000000000002",  # Data Contributor
    )
    account = storage.StorageAccount(
        chart, "storage", owner=owner, azure_name="shopdata4711", kind=storage.StorageAccountKind.STORAGE_V2,
        sku=storage.Sku(name=storage.SkuName.STANDARD_ZRS),
    )
    account.add_container("images").grant(BuiltInRole.STORAGE_BLOB_DATA_CONTRIBUTOR, identity)
    vault = keyvault.Vault(chart, "vault", owner=owner, azure_name="shop-vault-4711", properties=keyvault.VaultProperties())
    vault.grant(BuiltInRole.KEY_VAULT_SECRETS_USER, identity)
    for resource in [account, vault, cosmos]:
        endpoints.connect(resource)
    bus = servicebus.Namespace(chart, "bus", owner=owner, azure_name="shop-bus-4711")
    orders = bus.add_queue("orders", max_delivery_count=5)
    orders.grant(BuiltInRole.SERVICE_BUS_DATA_SENDER, identity)
    orders.grant(BuiltInRole.SERVICE_BUS_DATA_RECEIVER, identity)

    # Logs, traces, and an alert.
    logs = operationalinsights.Workspace(chart, "logs", owner=owner, retention_in_days=30)
    traces = insights.Component(
        chart, "traces", owner=owner, kind="web", application_type=insights.ApplicationType.WEB, workspace_resource_reference=logs,
    )
    diagnostics = patterns.Diagnostics(chart, "diagnostics", workspace=logs)
    for resource in [cluster, vault, postgres, bus]:
        diagnostics.send_from(resource)
    people = insights.ActionGroup(
        chart, "people", owner=owner, enabled=True, group_short_name="shop",
        email_receivers=[insights.EmailReceiver(name="shop", email_address="shop@example.com")],
    )
    patterns.Alerts(chart, "alerts", owner=owner, notify=people).when_metric(
        bus, "dead-letters", metric="DeadletteredMessages", aggregation=insights.MetricCriteriaTimeAggregation.AVERAGE,
        operator=insights.MetricCriteriaOperator.GREATER_THAN, threshold=0,
    )

    # The programs.
    values = {
        "POSTGRES_HOST": postgres.outputs.fully_qualified_domain_name,
        "REDIS_HOST": redis.secret_outputs.host_name,
        "REDIS_KEY": redis.secret_outputs.primary_key,
        "BLOBS_URL": account.outputs.blob_endpoint,
        "APPLICATIONINSIGHTS_CONNECTION_STRING": traces.outputs.connection_string,
        "COSMOS_URL": f"https://{cosmos.azure_name}.documents.azure.com/",
        "SERVICE_BUS": f"{bus.azure_name}.servicebus.windows.net",
        "VAULT_URL": f"https://{vault.azure_name}.vault.azure.net/",
        "ORDERS": orders.azure_name,
    }
    for name in ["web", "worker"]:
        workload(chart, name, f"{registry.azure_name}.azurecr.io/shop-{name}:1", values, identity)
    return chart
