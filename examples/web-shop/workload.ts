import { Deployment, EnvValue, ServiceAccount } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { ConfigMapValue, SecretValue, WorkloadIdentity } from 'cdk8s-aso';
import type { UserAssignedIdentity } from 'cdk8s-aso/managedidentity';

type Values = Readonly<Record<string, string | ConfigMapValue | SecretValue>>;

/** Issuer of the operator's cluster, in which the programs run. */
const issuer = 'https://uksouth.oic.prod-aks.azure.com/7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11/5d0e9b7c-1a2f-4c38-b6d4-93e8f7a0c2d6/';

/** A program that runs as the identity, with the values in its environment. */
export function workload(scope: Construct, name: string, image: string, values: Values, identity: UserAssignedIdentity): Deployment {
  const envVariables = Object.fromEntries(Object.entries(values)
    .map(([key, value]) => [key, typeof value === 'string' ? EnvValue.fromValue(value) : value.envValue]));
  const serviceAccount = new ServiceAccount(scope, `${name}-account`);
  const deployment = new Deployment(scope, name, { serviceAccount, replicas: 2, containers: [{ image, portNumber: 8080, envVariables }] });
  WorkloadIdentity.bind(deployment, { identity, issuer });
  return deployment;
}
