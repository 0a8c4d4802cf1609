import { App, Chart, type AppProps } from 'cdk8s';
import { dev } from './dev';
import { configuredEnvironment } from './environment';
import { Team, TeamOnboarding } from 'cdk8s-aso/platform';

/** The onboarding of one team, whose operator's identity exists already. */
export function onboarded(props: AppProps = {}): App {
  const app = new App(props);
  const team = new Team({ name: 'agri-permits', uses: ['service-bus'] }).in(configuredEnvironment(dev));
  new TeamOnboarding(new Chart(app, 'agri-permits'), 'team', { team, clientId: 'de712ef4-797e-5591-bb0a-21d685538aa4' });
  return app;
}
