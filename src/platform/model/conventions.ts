import type { Environment } from './environment';
import type { TeamInEnvironment } from './team-in-environment';
import type { ServiceOfTeam } from '../naming/service-naming';

/** Labels that a platform puts on what belongs to a team, e.g. for Flux or a developer portal. */
export interface ITeamLabels {
  /** Of the team's namespace. */
  namespace(team: TeamInEnvironment): { [key: string]: string };
  /** Of the quota and the limits of the namespace. */
  quotas(team: TeamInEnvironment): { [key: string]: string };
  /** Of the service accounts of the team. */
  serviceAccount(team: TeamInEnvironment): { [key: string]: string };
  /** Of the platform's own service accounts. */
  platformServiceAccount(environment: Environment): { [key: string]: string };
}

/** Tags that a platform puts on what services have, besides those of the environment, the team and the service. */
export interface IServiceTags {
  /** Of everything of a service that can have tags. */
  tags(service: ServiceOfTeam): { [key: string]: string };
}

/** Whose network policies a team's namespace gets. */
export enum NetworkPolicyFlavour {
  /** Those of Kubernetes, which every network plugin that enforces policies understands. */
  KUBERNETES = 'networking.k8s.io/v1',
  /** Those of Calico. */
  CALICO = 'projectcalico.org/v3',
}

/**
 * What the pods of a namespace may do to their node.
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
export enum PodSecurityLevel {
  /** Hardened: no root, no capabilities, no host. */
  RESTRICTED = 'restricted',
  /** Known escalations are prevented. */
  BASELINE = 'baseline',
  /** Anything. */
  PRIVILEGED = 'privileged',
  /** No label: whatever the cluster's default is. */
  CLUSTER_DEFAULT = '',
}

/** How an environment writes its objects, besides their names. The defaults are standard Kubernetes, and nothing that only some tool knows. */
export interface PlatformConventions {
  /**
   * Labels for tools.
   * @default - none
   */
  readonly labels?: ITeamLabels;

  /**
   * Tags of what services have.
   * @default - those of environment, team and service only
   */
  readonly serviceTags?: IServiceTags;

  /**
   * Whose network policies are written.
   * @default NetworkPolicyFlavour.KUBERNETES
   */
  readonly networkPolicy?: NetworkPolicyFlavour;

  /**
   * What is enforced for the pods of teams.
   * @default PodSecurityLevel.RESTRICTED
   */
  readonly podSecurity?: PodSecurityLevel;

  /**
   * Whether a team's Namespace says that its objects wait for the namespace's own credential (`aso.cdk8s.io/credential-required`), and that the
   * operator's global credential is never used for them. Azure Service Operator does not know the annotation: leave its global credential empty.
   * @default true
   */
  readonly credentialRequired?: boolean;

  /**
   * Whether role assignments say that their principal is a service principal. Without, Azure looks the principal up, and does not find an
   * identity that was made seconds ago: the operator has to try again for a minute or two.
   * @default true
   */
  readonly principalTypes?: boolean;

  /**
   * Whether owners are referred to by their ARM ids also where their objects are in the same namespace. An object that refers to another
   * one waits for it, is deleted before it, and is shown below it in the owner graph; so the role on a team's group does in any case.
   * @default false
   */
  readonly ownersByArmId?: boolean;

  /**
   * Whether `azureName` is written where it is the same as `metadata.name`.
   * @default true
   */
  readonly azureNames?: boolean;
}
