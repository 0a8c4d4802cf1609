from dataclasses import dataclass

from cdk8s_aso import BuiltInRole, Region, RemovalPolicy


@dataclass(frozen=True)
class Team:
    """A team and the resources reserved for it."""

    namespace: str
    """The team's namespace, e.g. ``fin-ledger``; the team's other names are derived from it."""
    resource_group: str
    storage_account: str
    """Three to twenty-four lower-case letters and digits, unique in all of Azure."""
    identity_client_id: str
    """Client id of the team's identity.

    Azure assigns it when the identity is created, so the platform knows it only after the first reconcile: read it from the
    ConfigMap ``<namespace>-mi-credential`` and put it in here. Until then any UUID will do; the objects in the team's own
    namespace wait.
    """


@dataclass(frozen=True)
class Environment:
    """One environment of the platform: a subscription, a cluster, shared services and the teams."""

    location: str
    tenant_id: str
    subscription_id: str
    subscription_name: str
    """Part of the names of the objects of role assignments."""
    cluster_oidc_issuer_url: str
    platform_namespace: str
    """Namespace of the platform's own objects, whose credential has rights on the whole subscription."""
    platform_identity_client_id: str
    operator_namespace: str
    operator_service_account: str
    shared_resource_group: str
    service_bus_namespace: str
    postgres_server: str
    identity_prefix: str
    service_bus_role: BuiltInRole
    """The role of a team on the shared Service Bus; ``BuiltInRole.custom(id)`` for a narrower role of your own."""
    database_role: BuiltInRole
    """The role of a team on the shared database server."""
    data_removal: RemovalPolicy
    """Removal policy of resource groups and of resources with data, which applies when their objects are deleted.

    For example after a team is removed from the list: ``RETAIN`` leaves them in Azure, ``DESTROY`` deletes them.
    """
    teams: tuple[Team, ...]


DEV1 = Environment(
    location=Region.UK_SOUTH,
    tenant_id='7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11',
    subscription_id='2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52',
    subscription_name='azr-orc-dev1',
    cluster_oidc_issuer_url='https://uksouth.oic.prod-aks.azure.com/7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11/5d0e9b7c-1a2f-4c38-b6d4-93e8f7a0c2d6/',
    platform_namespace='platform',
    platform_identity_client_id='0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486',
    operator_namespace='azureserviceoperator-system',
    operator_service_account='azureserviceoperator-default',
    shared_resource_group='devorcinfrg1401',
    service_bus_namespace='devorcinfsb1401',
    postgres_server='devorcdbsps1401',
    identity_prefix='devorcinfmid1401',
    service_bus_role=BuiltInRole.SERVICE_BUS_DATA_OWNER,
    database_role=BuiltInRole.CONTRIBUTOR,
    data_removal=RemovalPolicy.RETAIN,
    teams=(
        Team(
            namespace='orchard-harvest',
            resource_group='devorcinfrg1401-orchard-harvest',
            storage_account='devorcharvestst1401',
            identity_client_id='3e9a7d51-c2b4-4680-9f1e-a8d0c6b25e73',
        ),
        Team(
            namespace='orchard-market',
            resource_group='devorcinfrg1401-orchard-market',
            storage_account='devorcmarketst1401',
            identity_client_id='91c4e8b6-5d7f-4a23-8b0c-f2e6a9d13b58',
        ),
    ),
)
"""The first development environment. All values are made up."""
