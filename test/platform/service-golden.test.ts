import { Yaml } from 'cdk8s';
import { objectsOf, serviceOf } from './service-fixture';
import { QueueRole, StorageRole, TopicRole } from 'cdk8s-aso/platform';

test('a service with everything, by default names', () => {
  const { app } = serviceOf({
    queues: [
      { name: 'intake', roles: [QueueRole.RECEIVER] },
      { name: 'audit', owned: false, roles: [QueueRole.SENDER] },
    ],
    topics: [
      {
        name: 'decisions',
        roles: [TopicRole.SENDER],
        subscriptions: [{ name: 'notify', rules: [{ name: 'granted', sqlExpression: "state = 'granted'" }] }],
      },
    ],
    database: { name: 'postings', charset: 'UTF8', collation: 'en_US.utf8' },
    storageAccounts: [
      {
        name: 'docs',
        roles: [StorageRole.DATA_WRITER],
        containers: [{ name: 'letters' }],
        tables: ['applicants'],
        fileShares: [{ name: 'exports' }],
      },
    ],
    keyVaultSecrets: ['bank-api-key'],
    privateDnsRecords: [{ storageAccount: 'docs', addresses: { blob: '10.0.0.8' } }],
  });
  expect(Yaml.stringify(...objectsOf(app))).toMatchSnapshot();
});
