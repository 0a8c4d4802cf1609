import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { AUDIENCE, serviceAccountSubject } from './federations';
import { clusterOf, platformObject } from './platform-objects';
import { serviceAccountOf } from './service-account';
import { DefaultAzureName } from '../../core';
import { FederatedIdentityCredential } from '../../services/managedidentity/federated-identity-credential';
import type { Environment } from '../model/environment';
import { PlatformProblems } from '../model/problems';
import { markAsPlatformMade } from '../policy/platform-made';

/** Whose database administrator it is. */
export interface DatabaseAdministratorProps {
  /** The environment; `platform.databaseAdministrator…` say which service account and identity. */
  readonly environment: Environment;
  /**
   * For which cluster the objects are, by its name. On a passive one the federated credentials are only watched.
   * @default - the active one
   */
  readonly cluster?: string;
}

/**
 * The platform's administrator of shared databases: a service account in the platform's namespace that runs as an identity which was made
 * elsewhere and is administrator of the server. Jobs under it create users and grant rights inside databases.
 */
export class DatabaseAdministrator extends Construct {
  /** The service account. */
  public readonly serviceAccount: ApiObject;
  /** That the identity trusts it: one for each cluster of the environment. */
  public readonly federations: FederatedIdentityCredential[];

  /**
   * @param scope a chart, or a construct in one
   * @param id name of the construct in its scope
   * @param props the environment
   * @throws when the environment does not know the service account or the identity
   */
  public constructor(scope: Construct, id: string, props: DatabaseAdministratorProps) {
    super(scope, id);
    markAsPlatformMade(this);
    const { environment } = props;
    const { platformNamespace, conventions, naming } = environment;
    const { databaseAdministrator: name, databaseAdministratorClientId: clientId, databaseAdministratorIdentity: identity } = environment.platform;
    const where = `[${this.node.path}] DatabaseAdministrator of '${environment.name}'`;
    const problems = new PlatformProblems(where);
    problems.require('platform.databaseAdministrator', name, 'Give the name of the service account.');
    problems.require('platform.databaseAdministratorClientId', clientId, 'Give the client id of the administrator\'s identity.');
    problems.require('platform.databaseAdministratorIdentity', identity, 'Give the administrator\'s identity: UserAssignedIdentity.fromArmId(id).');
    problems.throwIfAny();
    const cluster = clusterOf(environment, props.cluster, where);
    if (conventions.azureNames === false) DefaultAzureName.leaveOut(this);
    this.federations = environment.clusters.map((trusted) => new FederatedIdentityCredential(this, `federation-${trusted.name}`, {
      ...platformObject(
        environment, cluster, 'managedidentity.azure.com', 'FederatedIdentityCredential', naming.databaseAdministratorFederation(environment, trusted.name),
      ),
      owner: identity!,
      issuer: trusted.oidcIssuerUrl,
      subject: serviceAccountSubject(platformNamespace, name!),
      audiences: [AUDIENCE],
    }));
    this.serviceAccount = serviceAccountOf(this, 'service-account', platformNamespace, name!, clientId!, conventions.labels?.platformServiceAccount(environment));
  }
}
