import { join } from 'node:path';
import { managedTwice } from './managed-once';
import { environmentId, PlatformCluster } from './platform-cluster';
import type { TeamPresence } from './team-presence';
import type { Environment } from '../model/environment';
import { PlatformProblems } from '../model/problems';

/** Properties of a `Platform`. */
export interface PlatformProps {
  /** The environments. */
  readonly environments: Environment[];
  /** The teams and their environments. */
  readonly teams: TeamPresence[];
  /**
   * The parent folder of the manifests of each cluster: `<outdir>/<environment>/<cluster>`.
   * @default - the folder of `cdk8s synth` (`CDK8S_OUTDIR`), else `dist`
   */
  readonly outdir?: string;
}

/**
 * All teams in all environments on all clusters, each declared once.
 *
 * ```ts
 * const platform = new Platform({ environments: [dev, prd], teams: [{ team: ledger }, { team: permits, environments: [dev] }] });
 * for (const cluster of platform.clusters) {
 *   for (const team of cluster.teams) {
 *     new TeamOnboarding(cluster.chart(`${team.namespace}-onboarding`), 'onboarding', { team, cluster: cluster.cluster.name });
 *   }
 * }
 * platform.synth();
 * ```
 *
 * Each cluster of each environment is a separate app, because its manifests are applied separately.
 */
export class Platform {
  /** Each cluster of each environment. */
  public readonly clusters: PlatformCluster[];

  /**
   * @param props environments and teams
   * @throws when two environments or two teams on a cluster are the same, or a team is in an environment outside of the platform
   */
  public constructor(props: PlatformProps) {
    assertProps(props);
    const outdir = props.outdir ?? process.env.CDK8S_OUTDIR ?? 'dist';
    this.clusters = props.environments.flatMap((environment) => {
      const present = props.teams.filter(({ environments }) => !environments || environments.includes(environment));
      const teams = present.map(({ team, overrides }) => team.in(environment, overrides?.[environmentId(environment)]));
      return environment.clusters.map((cluster) => new PlatformCluster(environment, cluster, teams, outdir));
    });
    this.assertNamespaces();
  }

  /**
   * Writes the manifests of each cluster to its folder, after a check across clusters: two clusters must not manage the same Azure
   * resource.
   * @throws when a check fails; no file is written then
   */
  public synth(): void {
    const problems = managedTwice(this.clusters);
    if (problems.length > 0) throw new Error(`Validation failed with the following errors:\n  ${problems.join('\n  ')}`);
    for (const { app } of this.clusters) app.synth();
  }

  /** A namespace of a cluster belongs to one team in one environment. */
  private assertNamespaces(): void {
    const problems = new PlatformProblems('Platform');
    const owners = new Map<string, string>();
    for (const { cluster, environment, teams } of this.clusters) {
      for (const { namespace, team } of teams) {
        const key = join(cluster.oidcIssuerUrl, namespace);
        const own = `team '${team.name}' in '${environmentId(environment)}'`;
        const other = owners.get(key);
        if (other) {
          problems.add('teams', `the namespace '${namespace}' of cluster '${cluster.name}' would be that of ${other} and of ${own}. Give one of them another namespace, or the environments a naming strategy with namespacePerEnvironment.`);
        }
        owners.set(key, own);
      }
    }
    problems.throwIfAny();
  }
}

function assertProps({ environments, teams }: PlatformProps): void {
  const problems = new PlatformProblems('Platform');
  if (environments.length === 0) problems.add('environments', 'required. Give at least one environment.');
  const ids = environments.map(environmentId);
  ids.forEach((id, index) => {
    if (ids.indexOf(id) !== index) {
      problems.add(`environments[${index}]`, `'${id}' is there twice. Give each a name or an instance of its own.`);
    }
  });
  const names = teams.map(({ team }) => team.name);
  teams.forEach(({ team, environments: present = [], overrides = {} }, index) => {
    if (names.indexOf(team.name) !== index) {
      problems.add(`teams[${index}]`, `'${team.name}' is there twice. Say all about a team at one place.`);
    }
    present.forEach((environment, at) => {
      if (!environments.includes(environment)) {
        problems.add(
          `teams[${index}].environments[${at}]`,
          `'${environmentId(environment)}' is no environment of the platform. Add it to environments.`,
        );
      }
    });
    for (const id of Object.keys(overrides)) {
      if (!ids.includes(id)) {
        problems.add(
          `teams[${index}].overrides`,
          `'${id}' is no environment of the platform. It has ${ids.map((known) => `'${known}'`).join(', ')}.`,
        );
      }
    }
  });
  problems.throwIfAny();
}
