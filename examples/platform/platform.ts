import { dev, prd } from './environments';
import { services } from './services';
import { sharedServices } from './shared-services';
import { teams } from './teams';
import { RemovalPolicies, RemovalPolicy, RoleAssignmentNaming } from 'cdk8s-aso';
import { Platform, SelfServicePolicy, TeamOnboarding } from 'cdk8s-aso/platform';

/** Three teams, two environments, three clusters. */
export function orchard(outdir?: string): Platform {
  const platform = new Platform({ environments: [dev, prd], teams, ...(outdir === undefined ? {} : { outdir }) });
  const policy = SelfServicePolicy.ofComponents();
  for (const cluster of platform.clusters) {
    RemovalPolicies.of(cluster.app).applyToDataBearing(RemovalPolicy.RETAIN);
    // Azure's name of a role assignment has to be unique in the tenant, and is the same from all clusters of an environment.
    RoleAssignmentNaming.tenantUnique({ subscriptionId: cluster.environment.subscriptionId }).applyTo(cluster.app);
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
