import { App } from 'cdk8s';
import { Environment } from './environment';
import { Namespaces } from './namespaces';
import { SharedServices } from './shared-services';
import { TeamOnboarding, TeamServices } from './team';
import { RemovalPolicies, RoleAssignmentNaming } from 'cdk8s-aso';

/** All charts of an environment. */
export function onboard(app: App, environment: Environment): void {
  RemovalPolicies.of(app).applyToDataBearing(environment.dataRemoval);
  // Azure's name of a role assignment has to be unique in the tenant: it is derived from scope, principal and role.
  RoleAssignmentNaming.tenantUnique({ subscriptionId: environment.subscriptionId }).applyTo(app);
  const namespaces = new Namespaces(app, 'namespaces', environment);
  const shared = new SharedServices(app, 'shared-services', environment);
  shared.addDependency(namespaces);
  for (const team of environment.teams) {
    const props = { environment, team, shared };
    const onboarding = new TeamOnboarding(app, `${team.namespace}-onboarding`, props);
    const services = new TeamServices(app, team.namespace, props);
    services.addDependency(onboarding);
  }
}
