import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { ReconcilePolicies, ReconcilePolicy } from '../../core';
import { ClusterMode } from '../model/cluster';
import type { Cluster } from '../model/cluster';
import type { Environment } from '../model/environment';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** The manifests of one environment for one cluster: an app with its own output folder. */
export class PlatformCluster {
  /** The environment. */
  public readonly environment: Environment;
  /** The cluster. */
  public readonly cluster: Cluster;
  /** Name of the environment with its instance, and of the cluster: `dev01/devplatak01`. */
  public readonly id: string;
  /** The app. On a passive cluster all its Azure objects only watch (`skip`). */
  public readonly app: App;
  /** The teams on the cluster, in the order of the platform's props. */
  public readonly teams: TeamInEnvironment[];

  /**
   * Use `platform.clusters`.
   * @param environment the environment
   * @param cluster the cluster
   * @param teams the teams on the cluster
   * @param outdir the folder in which the cluster's folder is created
   */
  public constructor(environment: Environment, cluster: Cluster, teams: TeamInEnvironment[], outdir: string) {
    this.environment = environment;
    this.cluster = cluster;
    this.teams = teams;
    this.id = `${environmentId(environment)}/${cluster.name.toLowerCase()}`;
    this.app = new App({ outdir: join(outdir, this.id) });
    environment.release?.applyTo(this.app);
    if (this.isPassive) ReconcilePolicies.of(this.app).apply(ReconcilePolicy.SKIP);
  }

  /** Whether all objects only watch because another cluster of the environment is active. */
  public get isPassive(): boolean {
    return this.cluster.mode === ClusterMode.PASSIVE;
  }

  /**
   * Creates a chart of this cluster.
   * @param id name of the chart, and of its file
   * @param namespace default namespace of its objects: that of a team, or the platform's
   */
  public chart(id: string, namespace?: string): Chart {
    return new Chart(this.app, id, namespace === undefined ? {} : { namespace });
  }
}

/** Name of an environment with its instance. */
export function environmentId(environment: Environment): string {
  return `${environment.name}${environment.instance}`;
}
