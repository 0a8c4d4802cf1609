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

/** Properties of a `DatabaseAdministrator`. */
export interface DatabaseAdministratorProps {
  /** The environment; its settings `platform.databaseAdministrator…` name the service account and the identity. */
  readonly environment: Environment;
  /**
   * Name of the cluster for which the objects are created. On a passive cluster the federated credentials only watch.
   * @default - the active one
   */
  readonly cluster?: string;
}

/**
 * The platform's administrator of shared databases: a service account in the platform's namespace. Its identity is created outside of the
 * app and is an administrator of the server. Jobs with this service account create users and grant rights inside databases.
 */
export class DatabaseAdministrator extends Construct {
  /** The service account. */
  public readonly serviceAccount: ApiObject;
  /** The federated credentials of the identity for the service account: one for each cluster of the environment. */
  public readonly federations: FederatedIdentityCredential[];

  /**
   * @param scope a chart, or a construct in one
   * @param id name of the construct in its scope
   * @param props the environment
   * @throws when the environment lacks the service account or the identity
   */
  public constructor(scope: Construct, id: string, props: DatabaseAdministratorProps) {
    super(scope, id);
    markAsPlatformMade(this);
    const { environment } = props;
    const { platformNamespace, conventions, naming } = environment;
    const {
      databaseAdministrator: name,
      databaseAdministratorClientId: clientId,
      databaseAdministratorIdentity: identity,
    } = environment.platform;
    const where = `[${this.node.path}] DatabaseAdministrator of '${environment.name}'`;
    const problems = new PlatformProblems(where);
    problems.require('platform.databaseAdministrator', name, 'Give the name of the service account.');
    problems.require('platform.databaseAdministratorClientId', clientId, "Give the client id of the administrator's identity.");
    problems.require(
      'platform.databaseAdministratorIdentity',
      identity,
      "Give the administrator's identity: UserAssignedIdentity.fromArmId(id).",
    );
    problems.throwIfAny();
    const cluster = clusterOf(environment, props.cluster, where);
    if (conventions.azureNames === false) DefaultAzureName.leaveOut(this);
    this.federations = environment.clusters.map(
      (trusted) =>
        new FederatedIdentityCredential(this, `federation-${trusted.name}`, {
          ...platformObject(
            environment,
            cluster,
            'managedidentity.azure.com',
            'FederatedIdentityCredential',
            naming.databaseAdministratorFederation(environment, trusted.name),
          ),
          owner: identity!,
          issuer: trusted.oidcIssuerUrl,
          subject: serviceAccountSubject(platformNamespace, name!),
          audiences: [AUDIENCE],
        }),
    );
    this.serviceAccount = serviceAccountOf(
      this,
      'service-account',
      platformNamespace,
      name!,
      clientId!,
      conventions.labels?.platformServiceAccount(environment),
    );
  }
}
