import { App } from 'cdk8s';
import { Environment } from './environment';
import { Namespaces } from './namespaces';
import { SharedServices } from './shared-services';
import { TeamOnboarding, TeamServices } from './team';

/** All charts of an environment. */
export function onboard(app: App, environment: Environment): void {
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
