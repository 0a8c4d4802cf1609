from cdk8s_aso import WorkloadIdentity
from cdk8s_plus_27 import ContainerProps, Deployment, EnvValue, ServiceAccount


def workload(scope, name, image, values, identity, issuer) -> Deployment:
    """A program that runs as the identity, with the values in its environment."""
    env_variables = {key: EnvValue.from_value(value) if isinstance(value, str) else value.env_value for key, value in values.items()}
    service_account = ServiceAccount(scope, f"{name}-account")
    deployment = Deployment(
        scope, name, service_account=service_account, replicas=2,
        containers=[ContainerProps(image=image, port_number=8080, env_variables=env_variables)],
    )
    WorkloadIdentity.bind(deployment, identity=identity, issuer=issuer)
    return deployment
