import { Testing, type Chart } from 'cdk8s';
import { chartValues } from '../../examples/prefixed-platform/chart-values';
import { dev } from '../../examples/prefixed-platform/dev';
import { configuredEnvironment } from '../../examples/prefixed-platform/environment';
import { onboarded } from '../../examples/prefixed-platform/platform';
import { FinanceTags } from '../../examples/prefixed-platform/tags';
import { Team } from 'cdk8s-aso/platform';

test('the objects of a team that was onboarded with templates', () => {
  const [chart] = onboarded().node.children;
  expect(Testing.synth(chart as Chart)).toMatchSnapshot();
});

test('an empty value of the configuration is a missing one', () => {
  expect(() => configuredEnvironment({ ...dev, tenantId: '', clusterOidcIssuerUrl: 'http://issuer.example' })).toThrow(
    'The platform\'s configuration: tenantId: required. An empty text is what a variable gives that nobody defined.\n' +
      '  clusterOidcIssuerUrl: \'http://issuer.example\' is no https:// URL. Give the issuer as the cluster spells it.',
  );
});

test('tags need the team\'s finance code', () => {
  const inDev = (team: Team) => ({ team: team.in(configuredEnvironment(dev)), service: 'intake' });
  expect(() => new FinanceTags().tags(inDev(new Team({ name: 'agri-permits' })))).toThrow('serviceCode: required');
  expect(new FinanceTags().tags(inDev(new Team({ name: 'agri-permits', serviceCode: 'AGR' })))).toMatchObject({
    ServiceCode: 'AGR', ServiceName: 'intake', kubernetes_cluster: 'DEVPLTINFAK1401', kubernetes_namespace: 'agri-permits',
  });
});

test('the chart\'s values name the shared services of the environment', () => {
  const team = new Team({ name: 'agri-permits', serviceCode: 'AGR' }).in(configuredEnvironment(dev));
  expect(chartValues({ team, service: 'intake', identityPrefix: dev.identityPrefix })).toMatchObject({
    serviceBusNamespaceName: 'devpltinfsb1401', serviceBusResourceGroupName: 'devpltinfrg1401', enablePrivateEndpoint: 'disable',
  });
});
