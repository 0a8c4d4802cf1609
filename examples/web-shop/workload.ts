import { Deployment, EnvValue, ServiceAccount } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { ConfigMapValue, SecretValue, WorkloadIdentity } from 'cdk8s-aso';
import type { UserAssignedIdentity } from 'cdk8s-aso/managedidentity';

type Values = Readonly<Record<string, string | ConfigMapValue | SecretValue>>;

/** A program that runs as the identity, with the values in its environment. */
export function workload(
  scope: Construct, name: string, image: string, values: Values, identity: UserAssignedIdentity, issuer: string,
): Deployment {
  const envVariables = Object.fromEntries(Object.entries(values)
    .map(([key, value]) => [key, typeof value === 'string' ? EnvValue.fromValue(value) : value.envValue]));
  const serviceAccount = new ServiceAccount(scope, `${name}-account`);
  const deployment = new Deployment(scope, name, { serviceAccount, replicas: 2, containers: [{ image, portNumber: 8080, envVariables }] });
  WorkloadIdentity.bind(deployment, { identity, issuer });
  return deployment;
}
