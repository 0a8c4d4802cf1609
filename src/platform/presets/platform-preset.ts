import { CHART_API_VERSIONS } from './chart-api-versions';
import { CHART_QUOTAS } from './chart-quotas';
import { FluxTenantLabels } from './flux-tenant-labels';
import type { PlatformPresetProps } from './platform-preset-props';
import { PrefixedPlatformNaming, type PrefixedPlatformNamingProps } from './prefixed-platform-naming';
import { RemovalPolicy } from '../../core';
import { omitUndefined } from '../../util/records';
import { WorkloadIdentityMode } from '../model/cluster';
import { NetworkPolicyFlavour, PodSecurityLevel } from '../model/conventions';
import { Environment, type EnvironmentProps } from '../model/environment';
import { TeamIdentities } from '../model/team-identities';

/**
 * Names, conventions, roles and API versions that the environments of a platform share. The library has some presets; a platform with
 * others makes its own, from nothing or from one of these (`extend`).
 * @see https://cdk8s-aso.github.io/cdk8s-aso/platform
 */
export class PlatformPreset {
  /**
   * The defaults of `Environment`: standard Kubernetes without labels for tools, names that never collide, Pod Security `restricted`,
   * separate identities for the operator and the team's pods. For new platforms.
   */
  public static standard(): PlatformPreset {
    return new PlatformPreset({});
  }

  /** The standard, with the label of Flux's tenants on the objects of each team. For platforms whose clusters Flux fills. */
  public static fluxTenants(): PlatformPreset {
    return new PlatformPreset({ conventions: { labels: new FluxTenantLabels() } });
  }

  /**
   * Platforms whose teams were onboarded with Helm charts or templates of the time of Azure Service Operator 2.3.0: names with prefixes,
   * the quotas and API versions of that time, references by ARM id, no `azureName`, Calico's network policies, relaxed workload identity,
   * and one identity for the operator and the team's pods. Teams keep all their objects and resources when they move to this library.
   * @param prefixes what stands before the names
   * @throws when a prefix is empty, or too long
   */
  public static prefixedNames(prefixes: PrefixedPlatformNamingProps): PlatformPreset {
    return new PlatformPreset({
      naming: new PrefixedPlatformNaming(prefixes),
      conventions: {
        networkPolicy: NetworkPolicyFlavour.CALICO,
        podSecurity: PodSecurityLevel.CLUSTER_DEFAULT,
        credentialRequired: false,
        principalTypes: false,
        ownersByArmId: true,
        azureNames: false,
      },
      quotas: CHART_QUOTAS,
      apiVersions: CHART_API_VERSIONS,
      workloadIdentity: WorkloadIdentityMode.RELAXED,
      teamIdentities: TeamIdentities.SHARED,
      groupRemoval: RemovalPolicy.RETAIN,
    });
  }

  /** The values of the preset. */
  public readonly props: PlatformPresetProps;

  /** @param props the values that the environments share */
  public constructor(props: PlatformPresetProps) {
    this.props = { ...props };
  }

  /**
   * Another preset, with some values replaced: conventions, roles and API versions one by one, the rest as a whole.
   * @param props the values that differ
   */
  public extend(props: PlatformPresetProps): PlatformPreset {
    return new PlatformPreset(merged(this.props, props));
  }

  /**
   * An environment with the preset's values where the properties have none.
   * @param props the environment
   * @throws when a value is missing or malformed: one error that names all of them
   */
  public environment(props: EnvironmentProps): Environment {
    return new Environment({ ...props, ...merged(this.props, props) });
  }
}

/** The second wins. */
function merged(first: PlatformPresetProps, second: PlatformPresetProps): PlatformPresetProps {
  const { naming, conventions, roles, quotas, apiVersions, workloadIdentity, teamIdentities, groupRemoval } = second;
  const own = { naming, quotas, workloadIdentity, teamIdentities, groupRemoval };
  return {
    ...first,
    ...omitUndefined(own),
    conventions: { ...first.conventions, ...conventions },
    roles: { ...first.roles, ...roles },
    apiVersions: { ...first.apiVersions, ...apiVersions },
  };
}
