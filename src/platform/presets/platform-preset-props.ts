import type { RemovalPolicy } from '../../core';
import type { WorkloadIdentityMode } from '../model/cluster';
import type { PlatformConventions } from '../model/conventions';
import type { Quotas } from '../model/quotas';
import type { RoleChoices } from '../model/role-choices';
import type { TeamIdentities } from '../model/team-identities';
import type { IPlatformNaming } from '../naming/platform-naming';

/** Properties of a `PlatformPreset`: values that several environments share. Each has the meaning it has in `EnvironmentProps`. */
export interface PlatformPresetProps {
  /**
   * The naming strategy for all objects and resources.
   * @default - new DefaultPlatformNaming()
   */
  readonly naming?: IPlatformNaming;

  /**
   * Conventions for the objects, besides their names. An environment replaces single ones.
   * @default - standard Kubernetes, no labels for tools
   */
  readonly conventions?: PlatformConventions;

  /**
   * The roles of teams and their services. An environment replaces single ones.
   * @default - Contributor on a team's own group, built-in roles for data
   */
  readonly roles?: RoleChoices;

  /**
   * Quotas of teams without quotas of their own. An environment replaces them as a whole.
   * @default - see `Quotas`
   */
  readonly quotas?: Quotas;

  /**
   * API versions of single kinds, by group and kind. An environment replaces single ones.
   * @default - none
   */
  readonly apiVersions?: { [kind: string]: string };

  /**
   * The service account whose token the operator uses to sign in for a team.
   * @default WorkloadIdentityMode.BOTH
   */
  readonly workloadIdentity?: WorkloadIdentityMode;

  /**
   * Whether the operator acts for a team under another identity than the team's pods.
   * @default TeamIdentities.SEPARATE
   */
  readonly teamIdentities?: TeamIdentities;

  /**
   * Policy of a team's resource group, with all resources in it, when the team's objects are deleted.
   * @default RemovalPolicy.RETAIN
   */
  readonly groupRemoval?: RemovalPolicy;
}
