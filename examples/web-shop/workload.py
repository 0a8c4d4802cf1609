from cdk8s_aso import WorkloadIdentity
from cdk8s_plus_27 import ContainerProps, Deployment, EnvValue, ServiceAccount

# Issuer of the operator's cluster, in which the programs run.
ISSUER = "https://uksouth.oic.prod-aks.azure.com/7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11/5d0e9b7c-1a2f-4c38-b6d4-93e8f7a0c2d6/"


def workload(scope, name, image, values, identity) -> Deployment:
    """A program that runs as the identity, with the values in its environment."""
    env_variables = {key: EnvValue.from_value(value) if isinstance(value, str) else value.env_value for key, value in values.items()}
    service_account = ServiceAccount(scope, f"{name}-account")
    deployment = Deployment(
        scope, name, service_account=service_account, replicas=2,
        containers=[ContainerProps(image=image, port_number=8080, env_variables=env_variables)],
    )
    WorkloadIdentity.bind(deployment, identity=identity, issuer=ISSUER)
    return deployment
