import { App, Chart } from 'cdk8s';
import { AzureReference, BuiltInRole, type IAzureResourceRef } from 'cdk8s-aso';
import { ClusterMode, Environment, Service, SharedService, Team } from 'cdk8s-aso/platform';
import type { EnvironmentProps, ServiceProps, TeamInEnvironment } from 'cdk8s-aso/platform';

export const SUBSCRIPTION = '4522538c-3f65-5b38-abd9-b80113019d32';
const SHARED = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-shared/providers`;
/** A narrow role of teams on shared services. */
export const role = BuiltInRole.custom('5fbfd215-41c7-542f-85f6-b582020fc3e3');

/** The shared services of the environment. */
export function services(mayDelete: { readonly serviceBus?: boolean; readonly postgres?: boolean } = {}): SharedService[] {
  return [
    SharedService.serviceBus({ resource: shared('Microsoft.ServiceBus/namespaces/sb-dev'), role, mayDelete: mayDelete.serviceBus ?? false }),
    SharedService.postgresServer({
      resource: shared('Microsoft.DBforPostgreSQL/flexibleServers/psql-dev'), role, mayDelete: mayDelete.postgres ?? false,
    }),
    SharedService.keyVault({ resource: shared('Microsoft.KeyVault/vaults/kv-dev') }),
  ];
}

/** A resource of the shared group. */
export function shared(resource: string): IAzureResourceRef {
  return AzureReference.fromArmId(`${SHARED}/${resource}`);
}

/** An environment with everything that can be shared, and names as they are by default. */
export function environment(props: Partial<EnvironmentProps> = {}): Environment {
  return new Environment({
    name: 'dev',
    subscriptionId: SUBSCRIPTION,
    tenantId: '83daace9-3f02-5f8c-a35d-5a6b9c697e86',
    location: 'uksouth',
    clusters: [
      { name: 'aks-one', oidcIssuerUrl: 'https://one.example/' },
      { name: 'aks-two', oidcIssuerUrl: 'https://two.example/', mode: ClusterMode.PASSIVE },
    ],
    shared: {
      services: services(),
      privateAccess: { subnet: AzureReference.fromArmId(`${SHARED}/Microsoft.Network/virtualNetworks/vnet-dev/subnets/endpoints`) },
      privateDnsZones: [
        { location: 'uksouth', subscriptionId: SUBSCRIPTION, resourceGroup: 'rg-dns-south' },
        { location: 'ukwest', subscriptionId: SUBSCRIPTION, resourceGroup: 'rg-dns-west' },
      ],
    },
    tags: { environment: 'dev' },
    ...props,
  });
}

export function teamIn(env: Environment, name = 'ledger'): TeamInEnvironment {
  return new Team({ name, tags: { team: name }, uses: (env.shared.services ?? []).map((service) => service.name) }).in(env);
}

/** A service in an app of its own. */
export function serviceOf(
  props: Partial<ServiceProps> = {},
  env: Environment = environment(),
): { readonly app: App; readonly service: Service } {
  const app = new App();
  const service = new Service(new Chart(app, 'chart'), 'service', { team: teamIn(env), name: 'postings', ...props });
  return { app, service };
}

/** The objects of an app, once its checks have passed. */
export function objectsOf(app: App): any[] {
  app.synthYaml();
  return app.charts.flatMap((chart) => chart.toJson());
}

/** The one object of a kind whose name has a text in it. */
export function objectOf(app: App, kind: string, part = ''): any {
  const found = objectsOf(app).filter((object) => object.kind === kind && object.metadata.name.includes(part));
  if (found.length !== 1) {
    throw new Error(`${found.length} objects ${kind} *${part}*: ${found.map(({ metadata }) => metadata.name).join(', ')}`);
  }
  return found[0];
}
