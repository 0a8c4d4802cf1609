import type { ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { DestinationExpression, SecretValue } from '../../core';
import type { UserAssignedIdentity } from '../../services/managedidentity/user-assigned-identity';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** A service account of the team's namespace whose pods run as the identity: its annotation `azure.workload.identity/client-id` has the client id. */
export interface CredentialServiceAccount {
  /** Name of the service account. */
  readonly name: string;
  /**
   * Labels of the service account.
   * @default - none
   */
  readonly labels?: { [key: string]: string };
}

/** What is to have the client id of a team's identity, and where the identity is. */
export interface CredentialTarget {
  /** The team; what is delivered stands in its namespace, the identity in the platform's. */
  readonly team: TeamInEnvironment;
  /** Name of the identity's Kubernetes object, in the platform's namespace. */
  readonly identityName: string;
  /**
   * Whether the namespace gets a credential for the operator.
   * @default true
   */
  readonly credential?: boolean;
  /**
   * Name of the credential's Secret. Without a credential: of the Secret from which pods take the client id, where a delivery can write Secrets only.
   * @default aso-credential
   */
  readonly secretName?: string;
  /**
   * Service accounts that are made with the client id.
   * @default - none
   */
  readonly serviceAccounts?: CredentialServiceAccount[];
}

/** What the identity exports besides, for its client id to be delivered: goes into its `operatorSpec`. */
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

/** The target, and the objects that are there by now. */
export interface CredentialContext extends CredentialTarget {
  /** The identity. It was made with what `identityExports` asks for. */
  readonly identity: UserAssignedIdentity;
  /**
   * The team's Namespace, if it is a part of the app.
   * @default - made elsewhere; what has to stand on it is to be put there by hand
   */
  readonly namespace?: ApiObject;
}

/** What a delivery has made. */
export interface DeliveredCredential {
  /** Name of the credential's Secret in the team's namespace. */
  readonly secretName: string;
  /**
   * The client id, for the environment of pods in the team's namespace.
   * @default - none: no credential is delivered
   */
  readonly clientId?: SecretValue;
  /**
   * The credential's Secret, where the app writes it.
   * @default - something in the cluster makes it, once the client id is known
   */
  readonly secret?: ApiObject;
  /** The service accounts that the app writes, in the order of the target. */
  readonly serviceAccounts: ApiObject[];
  /**
   * The chart that may be applied only when the client id is known.
   * @default - none: everything is applied together
   */
  readonly secondStage?: Chart;
}

/**
 * How the client id of an identity, which Azure has yet to make, gets into the credential and the service accounts of a team's namespace.
 * Whichever way: there is never a credential with an empty value.
 */
export interface ICredentialDelivery {
  /**
   * What the identity has to export for it. Asked before the identity is made.
   * @param target what is to have the client id
   */
  identityExports(target: CredentialTarget): IdentityExports;

  /**
   * Writes what is needed, and annotates the identity and the Namespace.
   * @param scope where the objects go
   * @param context the target and the objects
   * @throws when something is missing or malformed
   */
  deliver(scope: Construct, context: CredentialContext): DeliveredCredential;
}
