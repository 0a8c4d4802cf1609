import { harvest, market, press } from './teams';
import { QueueRole, Service, StorageRole, TopicRole, type PlatformCluster, type TeamInEnvironment } from 'cdk8s-aso/platform';

/** The services that the teams create themselves. */
export function services(cluster: PlatformCluster): void {
  const of = (team: TeamInEnvironment['team']) => cluster.teams.find((present) => present.team === team)!;
  const common = { cluster: cluster.cluster.name };
  const chart = (team: TeamInEnvironment) => cluster.chart(team.namespace, team.namespace);

  const pickers = of(harvest);
  const harvestChart = chart(pickers);
  const weighing = new Service(harvestChart, 'weighing', {
    ...common,
    team: pickers,
    name: 'orchard-weighing',
    queues: [{ name: 'baskets', roles: [QueueRole.SENDER, QueueRole.RECEIVER] }],
    database: { name: 'weights', charset: 'UTF8', collation: 'en_US.utf8' },
  });
  const prices = weighing.addTopic('prices', { roles: [TopicRole.SENDER], subscriptions: [{ name: 'stalls' }] });

  const sellers = of(market);
  const stalls = new Service(chart(sellers), 'stalls', {
    ...common,
    team: sellers,
    name: 'orchard-stalls',
    storageAccounts: [{ name: 'labels', roles: [StorageRole.DATA_WRITER], containers: [{ name: 'printed' }] }],
  });
  // Access between teams needs both: one team offers the topic, the other accepts.
  stalls.use(prices.offerTo(sellers, TopicRole.RECEIVER));

  const pressers = of(press);
  new Service(chart(pressers), 'bottling', {
    ...common,
    team: pressers,
    name: 'orchard-bottling',
    storageAccounts: [{ name: 'bottles', roles: [StorageRole.DATA_WRITER], tables: ['vintages'] }],
  });
}
