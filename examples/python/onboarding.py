from cdk8s import App
from cdk8s_aso import RemovalPolicies, RoleAssignmentNaming

from environment import Environment
from namespaces import Namespaces
from shared_services import SharedServices
from team import TeamOnboarding, TeamServices


def onboard(app: App, environment: Environment) -> None:
    """All charts of an environment."""
    RemovalPolicies.of(app).apply_to_data_bearing(environment.data_removal)
    # Azure's name of a role assignment has to be unique in the tenant: it is derived from scope, principal and role.
    RoleAssignmentNaming.tenant_unique(subscription_id=environment.subscription_id).apply_to(app)

    namespaces = Namespaces(app, 'namespaces', environment)
    shared = SharedServices(app, 'shared-services', environment)
    shared.add_dependency(namespaces)
    for team in environment.teams:
        onboarding = TeamOnboarding(app, f'{team.namespace}-onboarding', environment, team, shared)
        services = TeamServices(app, team.namespace, environment, team)
        services.add_dependency(onboarding)
