import { dev, prd } from './environments';
import { services } from './services';
import { sharedServices } from './shared-services';
import { teams } from './teams';
import { Platform, SelfServicePolicy, TeamOnboarding } from 'cdk8s-aso/platform';

/** Three teams, two environments, three clusters. */
export function orchard(outdir?: string): Platform {
  const platform = new Platform({ environments: [dev, prd], teams, ...(outdir === undefined ? {} : { outdir }) });
  const policy = SelfServicePolicy.ofComponents();
  for (const cluster of platform.clusters) {
    const shared = sharedServices(cluster);
    for (const team of cluster.teams) {
      const chart = cluster.chart(`${team.namespace}-onboarding`);
      chart.addDependency(shared);
      new TeamOnboarding(chart, 'onboarding', { team, cluster: cluster.cluster.name, policy });
    }
    services(cluster);
    for (const team of cluster.teams) {
      const own = cluster.app.node.findChild(team.namespace);
      own.node.addDependency(cluster.app.node.findChild(`${team.namespace}-onboarding`));
      policy.applyTo(own, team);
    }
  }
  return platform;
}
