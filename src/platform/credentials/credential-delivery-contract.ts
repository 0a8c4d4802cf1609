import type { ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { DestinationExpression, SecretValue } from '../../core';
import type { UserAssignedIdentity } from '../../services/managedidentity/user-assigned-identity';
import type { TeamInEnvironment } from '../model/team-in-environment';

/**
 * A service account in the team's namespace. Its annotation `azure.workload.identity/client-id` holds the client id of its pods' identity.
 */
export interface CredentialServiceAccount {
  /** Name of the service account. */
  readonly name: string;
  /**
   * Labels of the service account.
   * @default - none
   */
  readonly labels?: { [key: string]: string };
}

/** The objects that need the client id of a team's identity, and the name of that identity. */
export interface CredentialTarget {
  /** The team. The credential is delivered to the team's namespace; the identity is in the platform's namespace. */
  readonly team: TeamInEnvironment;
  /** Name of the identity's Kubernetes object, in the platform's namespace. */
  readonly identityName: string;
  /**
   * Whether the namespace gets a credential for the operator.
   * @default true
   */
  readonly credential?: boolean;
  /**
   * Name of the credential's Secret. Without a credential: name of the Secret from which pods read the client id, for deliveries that can
   * write
   * Secrets only.
   */
  readonly secretName?: string;
  /**
   * Service accounts to create with the client id.
   * @default - none
   */
  readonly serviceAccounts?: CredentialServiceAccount[];
}

/** Additional exports of the identity that deliver its client id; part of its `operatorSpec`. */
export interface IdentityExports {
  /**
   * Further `operatorSpec.configMapExpressions`.
   * @default - none
   */
  readonly configMapExpressions?: DestinationExpression[];
  /**
   * Further `operatorSpec.secretExpressions`.
   * @default - none
   */
  readonly secretExpressions?: DestinationExpression[];
}

/** The target, and the objects that exist when the credential is delivered. */
export interface CredentialContext extends CredentialTarget {
  /** The identity, created with the result of `identityExports`. */
  readonly identity: UserAssignedIdentity;
  /**
   * The team's Namespace, if it is a part of the app.
   * @default - the Namespace is not in the app; set the required annotations by hand
   */
  readonly namespace?: ApiObject;
}

/** The result of a delivery. */
export interface DeliveredCredential {
  /** Name of the credential's Secret in the team's namespace. */
  readonly secretName: string;
  /**
   * The client id, for the environment of pods in the team's namespace.
   * @default - none: no credential is delivered
   */
  readonly clientId?: SecretValue;
  /**
   * @default - an agent in the cluster writes the Secret once the client id is known
   * @default - something in the cluster makes it, once the client id is known
   */
  readonly secret?: ApiObject;
  /** The service accounts that the app writes, in the order of the target. */
  readonly serviceAccounts: ApiObject[];
  /**
   * The chart that may be applied only once the client id is known.
   * @default - none: all charts are applied together
   */
  readonly secondStage?: Chart;
}

/**
 * Delivers the client id of an identity that Azure has not created yet to the credential and the service accounts of a team's namespace.
 * No delivery ever writes a credential with an empty value.
 */
export interface ICredentialDelivery {
  /**
   * Returns the exports that the identity needs for the delivery. Called before the identity is created.
   * @param target the objects that need the client id
   */
  identityExports(target: CredentialTarget): IdentityExports;

  /**
   * Creates the objects of the delivery, and annotates the identity and the Namespace.
   * @param scope scope of the objects
   * @param context the target and the objects
   * @throws when a value is missing or malformed
   */
  deliver(scope: Construct, context: CredentialContext): DeliveredCredential;
}
