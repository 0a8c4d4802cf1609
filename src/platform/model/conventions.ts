import type { Environment } from './environment';
import type { TeamInEnvironment } from './team-in-environment';
import type { ServiceOfTeam } from '../naming/service-naming';

/** Labels for a team's objects, e.g. for Flux or a developer portal. */
export interface ITeamLabels {
  /** Labels of the team's namespace. */
  namespace(team: TeamInEnvironment): { [key: string]: string };
  /** Labels of the namespace's ResourceQuota and LimitRange. */
  quotas(team: TeamInEnvironment): { [key: string]: string };
  /** Labels of the team's service accounts. */
  serviceAccount(team: TeamInEnvironment): { [key: string]: string };
  /** Labels of the platform's own service accounts. */
  platformServiceAccount(environment: Environment): { [key: string]: string };
}

/** Tags for the resources of services, besides those of the environment, the team and the service. */
export interface IServiceTags {
  /** Tags of all taggable resources of a service. */
  tags(service: ServiceOfTeam): { [key: string]: string };
}

/** API of the network policies in a team's namespace. */
export enum NetworkPolicyFlavour {
  /** Kubernetes network policies, which every network plugin with policy enforcement supports. */
  KUBERNETES = 'networking.k8s.io/v1',
  /** Calico network policies. */
  CALICO = 'projectcalico.org/v3',
}

/**
 * The Pod Security Standard that a namespace enforces.
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
export enum PodSecurityLevel {
  /** Hardened: no root, no capabilities, no host access. */
  RESTRICTED = 'restricted',
  /** Prevents known privilege escalations. */
  BASELINE = 'baseline',
  /** Unrestricted. */
  PRIVILEGED = 'privileged',
  /** No label: the cluster's default applies. */
  CLUSTER_DEFAULT = '',
}

/** Conventions for the objects of an environment, besides names. The defaults are standard Kubernetes without extras for single tools. */
export interface PlatformConventions {
  /**
   * Labels for tools.
   * @default - none
   */
  readonly labels?: ITeamLabels;

  /**
   * Tags for the resources of services.
   * @default - those of environment, team and service only
   */
  readonly serviceTags?: IServiceTags;

  /**
   * API of the network policies.
   * @default NetworkPolicyFlavour.KUBERNETES
   */
  readonly networkPolicy?: NetworkPolicyFlavour;

  /**
   * The Pod Security Standard that the teams' namespaces enforce.
   * @default PodSecurityLevel.RESTRICTED
   */
  readonly podSecurity?: PodSecurityLevel;

  /**
   * Whether the annotation `aso.cdk8s.io/credential-required` on a team's Namespace makes its objects wait for the namespace's own
   * credential, so that the operator never uses its global credential for them. Azure Service Operator ignores the annotation: leave its
   * global credential empty.
   * @default true
   */
  readonly credentialRequired?: boolean;

  /**
   * Whether role assignments declare their principal as a service principal. Otherwise Azure looks the principal up, and does not find an
   * identity that was created seconds ago: the operator has to retry for a minute or two.
   * @default true
   */
  readonly principalTypes?: boolean;

  /**
   * Whether objects refer to owners by ARM id even within one namespace. An object with a reference by name waits for its owner, is deleted
   * before it, and is below it in the owner graph; so the role on a team's group always uses a reference by name.
   * @default false
   */
  readonly ownersByArmId?: boolean;

  /**
   * Whether to write `azureName` even if it equals `metadata.name`.
   * @default true
   */
  readonly azureNames?: boolean;
}
