import { App, Chart } from 'cdk8s';
import { BuiltInRole } from 'cdk8s-aso';
import { FlexibleServer } from 'cdk8s-aso/dbforpostgresql';
import { Environment, SharedService, Team, TeamOnboarding } from 'cdk8s-aso/platform';
import type { EnvironmentProps, TeamOnboardingProps, TeamOverrides } from 'cdk8s-aso/platform';
import { Namespace } from 'cdk8s-aso/servicebus';

const SUBSCRIPTION = '4522538c-3f65-5b38-abd9-b80113019d32';
const SHARED = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shared/providers`;

/** The shared Service Bus namespace. */
export const BUS = Namespace.fromArmId(`${SHARED}/Microsoft.ServiceBus/namespaces/bus`);

/** An object, as it is synthesized. */
export type Manifest = any;

export const blue = { name: 'AKS-Blue', oidcIssuerUrl: 'https://issuer.example/blue/' };
export const green = { name: 'AKS-Green', oidcIssuerUrl: 'https://issuer.example/green/' };

/** An environment in standard Kubernetes, with Service Bus and PostgreSQL. */
export function environment(props: Partial<EnvironmentProps> = {}): Environment {
  return new Environment({
    name: 'dev',
    subscriptionId: SUBSCRIPTION,
    tenantId: '83daace9-3f02-5f8c-a35d-5a6b9c697e86',
    location: 'uksouth',
    clusters: [blue],
    shared: {
      services: [
        SharedService.serviceBus({ resource: BUS, role: BuiltInRole.custom('5fbfd215-41c7-542f-85f6-b582020fc3e3') }),
        SharedService.postgresServer({
          resource: FlexibleServer.fromArmId(`${SHARED}/Microsoft.DBforPostgreSQL/flexibleServers/db`),
          role: BuiltInRole.custom('17fd4f13-6533-5715-8219-d7c33af6499a'),
        }),
      ],
    },
    ...props,
  });
}

export const ledger = new Team({ name: 'ledger', uses: ['service-bus'] });

/** Onboards a team in a chart of its own. */
export function onboard(props: Partial<TeamOnboardingProps> & { readonly of?: Environment; readonly overrides?: TeamOverrides } = {}) {
  const { of = environment(), overrides, ...own } = props;
  const app = new App();
  const chart = new Chart(app, 'chart');
  const onboarding = new TeamOnboarding(chart, 'ledger', { team: ledger.in(of, overrides), ...own });
  return { app, chart, onboarding, objects: () => synthesized(app) };
}

/** All objects of an app, after its checks, in the order in which they are applied. */
export function synthesized(app: App): Manifest[] {
  app.synthYaml();
  return app.charts.flatMap((chart) => chart.toJson());
}

/** `kind/name` of each. */
export function names(objects: readonly Manifest[]): string[] {
  return objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
}

/** The identities of Azure. */
export function identitiesOf(objects: readonly Manifest[]): Manifest[] {
  return objects.filter(({ kind }) => kind === 'UserAssignedIdentity');
}

/** The one object of a kind. */
export function only(objects: readonly Manifest[], kind: string): Manifest {
  const found = objects.filter((object) => object.kind === kind);
  if (found.length !== 1) throw new Error(`${found.length} objects of kind ${kind}`);
  return found[0];
}
