import type { GrantedRole } from '../../core';
import type { IUserAssignedIdentityRef } from '../../services/managedidentity/refs';

/** The team that operates the platform. It owns the namespace with the teams' identities, groups and roles. */
export interface PlatformTeam {
  /**
   * Namespace of the platform's own objects. No team may write there.
   * @default platform
   */
  readonly namespace?: string;

  /**
   * Client id, a UUID, of the identity under which the operator creates the resources of the platform's namespace: Contributor and
   * User Access Administrator of the subscription, or narrower.
   * @default - the platform's credential is created outside of the app
   */
  readonly identityClientId?: string;

  /**
   * The roles of that identity, which are assigned outside of the app, for the report on credentials (`CredentialScopes`, `graph
   * --credentials`).
   * An annotation of the Secret contains them.
   * @default - unknown
   */
  readonly roles?: GrantedRole[];

  /**
   * Groups of Entra (object ids) or of the cluster's identity provider whose members administer the platform: admission
   * policies do not restrict them.
   * @default - none
   */
  readonly groups?: string[];

  /**
   * Service accounts, as `namespace:name`, that may write to team namespaces as the platform does, e.g. Flux's
   * `flux-system:kustomize-controller`.
   * @default - none
   */
  readonly serviceAccounts?: string[];

  /**
   * Namespaces that no team may use, besides `kube-*`, `default`, `flux-system`, `argocd`, `azureserviceoperator-system`, the operator's,
   * the platform's and those of `serviceAccounts`.
   * @default - none
   */
  readonly reservedNamespaces?: string[];

  /**
   * Name of the service account that administers the shared databases, in the platform's namespace.
   * @default - none: teams get no federated credential for it
   */
  readonly databaseAdministrator?: string;

  /**
   * Client id, a UUID, of that administrator's identity.
   * @default - none
   */
  readonly databaseAdministratorClientId?: string;

  /**
   * The identity of that administrator, created outside of the app: the result of `UserAssignedIdentity.fromArmId`.
   * @default - none: no federated credential is created for it
   */
  readonly databaseAdministratorIdentity?: IUserAssignedIdentityRef;
}
