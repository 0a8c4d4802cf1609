from cdk8s import ApiObjectMetadata, App, Chart
from cdk8s_aso import (
    AzureReference,
    BuiltInRole,
    ConfigMapDestination,
    ConfigMapValue,
    DestinationExpression,
    ReconcilePolicy,
    Region,
    SecretValue,
    alertsmanagement,
    authorization,
    containerservice,
    dbforpostgresql,
    documentdb,
    network,
    quota,
    resources,
    storage,
)

# A property of every shape that the types have; shapes.ts is the same in TypeScript.
location = Region.UK_SOUTH
app = App()
chart = Chart(app, 'shapes', namespace='shapes', labels={'app': 'shapes'})
group = resources.ResourceGroup(chart, 'group', location=location, reconcile_policy=ReconcilePolicy.DETACH_ON_DELETE)

# structs in structs, lists of texts, a list of structs; numbers and booleans that look like nothing
vnet = network.VirtualNetwork(
    chart,
    'network',
    metadata=ApiObjectMetadata(name='shapes', annotations={'example.com/Kept-As-Is': 'yes'}),
    owner=group,
    location=location,
    address_space=network.AddressSpace(address_prefixes=['10.0.0.0/16', 'fd00::/48']),
    enable_ddos_protection=False,
    tags={'snake_case': 'a', 'camelCase': 'b', 'with.dots_and-dashes': 'ü'},
)
network.VirtualNetworksSubnet(
    chart,
    'subnet',
    owner=vnet,
    address_prefix='10.0.0.0/24',
    delegations=[network.Delegation(name='postgres', service_name='Microsoft.DBforPostgreSQL/flexibleServers')],
    service_endpoints=[
        network.ServiceEndpointPropertiesFormat(service='Microsoft.Storage', locations=[location]),
        network.ServiceEndpointPropertiesFormat(service='Microsoft.KeyVault'),
    ],
)

# a value from a Secret, exports by name and by expression, references in a list
server_identity = AzureReference.from_name('managedidentity.azure.com', 'UserAssignedIdentity', 'server')
dbforpostgresql.FlexibleServer(
    chart,
    'server',
    owner=group,
    azure_name='shapes-2f8f11',
    location=location,
    administrator_login='shapes',
    administrator_login_password=SecretValue.from_secret('server-admin', 'password'),
    identity=dbforpostgresql.UserAssignedIdentity(
        type=dbforpostgresql.UserAssignedIdentityType.USER_ASSIGNED,
        user_assigned_identities=[dbforpostgresql.UserAssignedIdentityDetails(reference=server_identity)],
    ),
    storage=dbforpostgresql.Storage(storage_size_gb=64),
    operator_spec=dbforpostgresql.FlexibleServerOperatorSpec(
        config_maps=dbforpostgresql.FlexibleServerOperatorConfigMaps(
            fully_qualified_domain_name=ConfigMapDestination(name='server', key='host'),
        ),
        config_map_expressions=[
            DestinationExpression(name='server', key='zone', value='string(self.spec.location)', labels={'made': '"by-cel"'}),
        ],
    ),
)

# a value from a ConfigMap, a role by its id
authorization.RoleAssignment(
    chart,
    'role',
    owner=group,
    role_definition_reference=BuiltInRole.custom('5d7a9b0c-3e1f-4c82-a6d4-b8f0e2c41739'),
    principal_id_from_config=ConfigMapValue.from_config_map('server-identity', 'principalId'),
)

# a word that Python keeps for itself (`for`), maps in structs in lists, a fraction
metrics = '/subscriptions/2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52/resourceGroups/shared/providers/Microsoft.Monitor/accounts/metrics'
alertsmanagement.PrometheusRuleGroup(
    chart,
    'alerts',
    owner=group,
    location=location,
    enabled=True,
    interval='PT1M',
    scopes_references=[AzureReference.from_arm_id(metrics)],
    rules=[
        alertsmanagement.PrometheusRule(
            alert='Slow',
            expression='latency > 0.5',
            for_='PT5M',
            severity=3,
            labels={'team': 'shapes'},
            resolve_configuration=alertsmanagement.PrometheusRuleResolveConfiguration(auto_resolved=True, time_to_resolve='PT10M'),
        ),
        alertsmanagement.PrometheusRule(record='job:latency:mean', expression='avg(latency)'),
    ],
)

# lists of lists
documentdb.SqlDatabaseContainer(
    chart,
    'container',
    owner=documentdb.SqlDatabase.from_name('database'),
    azure_name='orders',
    resource=documentdb.SqlContainerResource(
        id='orders',
        indexing_policy=documentdb.IndexingPolicy(
            composite_indexes=[
                [
                    documentdb.CompositePath(path='/customer', order=documentdb.CompositePathOrder.ASCENDING),
                    documentdb.CompositePath(path='/at', order=documentdb.CompositePathOrder.DESCENDING),
                ],
            ],
        ),
    ),
)

# a map of structs
delegated = containerservice.DelegatedResource(location=location, tenant_id='7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11')
containerservice.ManagedCluster(
    chart,
    'cluster',
    owner=group,
    location=location,
    dns_prefix='shapes',
    identity=containerservice.ManagedClusterIdentity(
        type=containerservice.ManagedClusterIdentityType.SYSTEM_ASSIGNED,
        delegated_resources={'some_Key': delegated},
    ),
    agent_pool_profiles=[
        containerservice.ManagedClusterAgentPoolProfile(
            name='system',
            count=3,
            vm_size='Standard_D2s_v5',
            mode=containerservice.ManagedClusterAgentPoolProfileMode.SYSTEM,
        ),
    ],
)

# anything, with names and numbers that have to arrive as they were written
quota.Quota(
    chart,
    'quota',
    owner=AzureReference.from_arm_id('/subscriptions/2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52/providers/Microsoft.Compute/locations/uksouth'),
    azure_name='cores',
    properties=quota.QuotaProperties(
        limit=quota.LimitJsonObject(
            limit_value=quota.LimitObject(limit_object_type=quota.LimitObjectType.LIMIT_VALUE, value=10),
        ),
        name=quota.ResourceName(value='cores'),
        properties={'KeptAs': {'it_is': [0, -1, 1e21]}},
    ),
)
storage.StorageAccount(
    chart,
    'account',
    owner=group,
    azure_name='shapes2f8f11',
    location=location,
    kind=storage.StorageAccountKind.STORAGE_V2,
    sku=storage.Sku(name=storage.SkuName.STANDARD_LRS),
    additional_spec={'newSetting': {'snake_case': [1, 2.5, True, None, 'text', {'deeperStill': {}}], 'camelCase': False}},
)
app.synth()
