from cdk8s import App

from environment import Environment
from namespaces import Namespaces
from shared_services import SharedServices
from team import TeamOnboarding, TeamServices


def onboard(app: App, environment: Environment) -> None:
    """All charts of an environment."""
    namespaces = Namespaces(app, 'namespaces', environment)
    shared = SharedServices(app, 'shared-services', environment)
    shared.add_dependency(namespaces)
    for team in environment.teams:
        onboarding = TeamOnboarding(app, f'{team.namespace}-onboarding', environment, team, shared)
        services = TeamServices(app, team.namespace, environment, team)
        services.add_dependency(onboarding)
