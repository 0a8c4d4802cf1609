from cdk8s import ApiObject, ApiObjectMetadata, Chart
from constructs import Construct

from environment import Environment


class Namespaces(Chart):
    """The namespaces, which must exist before any object in them is applied."""

    def __init__(self, scope: Construct, id: str, environment: Environment) -> None:
        super().__init__(scope, id)
        self._add_namespace(environment.platform_namespace, 'platform-namespace')
        for team in environment.teams:
            self._add_namespace(team.namespace, 'team-namespace')

    def _add_namespace(self, name: str, type: str) -> None:
        metadata = ApiObjectMetadata(name=name, labels={'name': name, 'type': type})
        ApiObject(self, name, api_version='v1', kind='Namespace', metadata=metadata)
