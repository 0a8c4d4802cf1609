import { SUBSCRIPTION } from '../../../controller/reconcile/fake-azure';
import { latest } from '../fixtures';

/** Which secrets come from which call, and from the status: `[call, api-version, answer, values]`. */
export type Call = readonly [path: string, apiVersion: string, answer: unknown, values: Readonly<Record<string, string>>];
export interface FromStatus {
  readonly status?: Record<string, unknown>;
  readonly values?: Record<string, string>;
}

/** The rows of docs/spec/extensions.md#exported-secrets. */
export const SECRET_SOURCES: (readonly [service: string, kind: string, calls: readonly Call[], fromStatus: FromStatus])[] = [];

function from(service: string, kind: string, calls: readonly Call[], fromStatus: FromStatus = {}): void {
  SECRET_SOURCES.push([service, kind, calls, fromStatus]);
}

const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, `${name} of Azure`]));
const FOUR = named('primaryKey', 'secondaryKey', 'primaryConnectionString', 'secondaryConnectionString');
const TWO = named('primaryKey', 'secondaryKey');
const own = (service: string, kind: string) => latest(service, kind).facts.arm!.apiVersion;

from('apimanagement', 'ServiceGateway', [
  ['listKeys', own('apimanagement', 'ServiceGateway'), { primary: '1', secondary: '2' }, { primaryKey: '1', secondaryKey: '2' }],
]);
from('apimanagement', 'Subscription', [['listSecrets', '2022-08-01', TWO, TWO]]);
const configurationKeys = ['Primary', 'Secondary', 'Primary Read Only', 'Secondary Read Only'];
from('appconfiguration', 'ConfigurationStore', [
  [
    'listKeys',
    '2022-05-01',
    { value: configurationKeys.map((name) => ({ name, id: `${name} i`, value: `${name} v`, connectionString: `${name} c` })) },
    Object.fromEntries(
      configurationKeys.flatMap((name) => {
        const stem = name.replaceAll(' ', '').replace(/^./, (letter) => letter.toLowerCase());
        return [
          [`${stem}KeyID`, `${name} i`],
          [`${stem}Key`, `${name} v`],
          [`${stem}ConnectionString`, `${name} c`],
        ];
      }),
    ),
  ],
]);
from('cache', 'Redis', [['listKeys', '2021-06-01', TWO, TWO]], {
  status: { hostName: 'h', port: 6379, sslPort: 6380 },
  values: { hostName: 'h', port: '6379', sslPort: '6380' },
});
from('cache', 'RedisEnterpriseDatabase', [['listKeys', '2022-01-01', TWO, TWO]]);
from('cognitiveservices', 'Account', [['listKeys', '2025-06-01', named('key1', 'key2'), named('key1', 'key2')]]);
from('communication', 'CommunicationService', [['listKeys', '2020-08-20', FOUR, FOUR]]);
const kubeconfigs = (text: string) => ({
  kubeconfigs: [
    { name: 'first', value: Buffer.from(text).toString('base64') },
    { name: 'second', value: 'eA==' },
  ],
});
from('containerservice', 'ManagedCluster', [
  ['listClusterAdminCredential', '2022-04-01', kubeconfigs('admin'), { adminCredentials: 'admin' }],
  ['listClusterUserCredential', '2022-04-01', kubeconfigs('user'), { userCredentials: 'user' }],
]);
for (const [service, kind] of [['dbformariadb', 'Server'], ['dbformysql', 'FlexibleServer'], ['dbforpostgresql', 'FlexibleServer']] as const) {
  from(service, kind, [], { status: { fullyQualifiedDomainName: 'a.b' }, values: { fullyQualifiedDomainName: 'a.b' } });
}
const hubKeys = {
  iothubowner: 'iotHubOwner',
  service: 'service',
  device: 'device',
  registryRead: 'registryRead',
  registryReadWrite: 'registryReadWrite',
};
from('devices', 'IotHub', [
  [
    'listkeys',
    '2023-06-30',
    { value: Object.keys(hubKeys).map((keyName) => ({ keyName, primaryKey: `${keyName} 1`, secondaryKey: `${keyName} 2` })) },
    Object.fromEntries(
      Object.entries(hubKeys).flatMap(([keyName, stem]) => [
        [`${stem}PrimaryKey`, `${keyName} 1`],
        [`${stem}SecondaryKey`, `${keyName} 2`],
      ]),
    ),
  ],
]);
const masterKeys = named('primaryMasterKey', 'secondaryMasterKey', 'primaryReadonlyMasterKey', 'secondaryReadonlyMasterKey');
from('documentdb', 'DatabaseAccount', [['listKeys', own('documentdb', 'DatabaseAccount'), masterKeys, masterKeys]], {
  status: { documentEndpoint: 'https://d' },
  values: { documentEndpoint: 'https://d' },
});
from('eventgrid', 'Topic', [['listKeys', '2021-12-01', named('key1', 'key2'), named('key1', 'key2')]]);
from('eventhub', 'Namespace', [['authorizationRules/RootManageSharedAccessKey/listKeys', '2024-01-01', FOUR, FOUR]]);
from('eventhub', 'NamespacesAuthorizationRule', [['listKeys', '2024-01-01', FOUR, FOUR]]);
from('eventhub', 'NamespacesEventhubsAuthorizationRule', [['listKeys', '2024-01-01', FOUR, FOUR]]);
from('machinelearningservices', 'Workspace', [
  [
    'listKeys',
    '2021-07-01',
    {
      appInsightsInstrumentationKey: 'a',
      userStorageKey: 'u',
      notebookAccessKeys: { primaryAccessKey: 'n1', secondaryAccessKey: 'n2' },
      containerRegistryCredentials: {
        username: 'r',
        passwords: [
          { name: 'password2', value: 'p2' },
          { name: 'password', value: 'p1' },
        ],
      },
    },
    {
      appInsightsInstrumentationKey: 'a',
      userStorageKey: 'u',
      primaryNotebookAccessKey: 'n1',
      secondaryNotebookAccessKey: 'n2',
      containerRegistryUserName: 'r',
      containerRegistryPassword: 'p1',
      containerRegistryPassword2: 'p2',
    },
  ],
]);
from('managedidentity', 'UserAssignedIdentity', [], {
  status: named('clientId', 'principalId', 'tenantId'),
  values: { ...named('clientId', 'principalId', 'tenantId'), subscriptionId: SUBSCRIPTION },
});
from('notificationhubs', 'Namespace', [['AuthorizationRules/RootManageSharedAccessKey/listKeys', '2017-04-01', FOUR, FOUR]]);
from('notificationhubs', 'NotificationHub', [['AuthorizationRules/DefaultFullSharedAccessSignature/listKeys', '2017-04-01', FOUR, FOUR]]);
from('operationalinsights', 'Workspace', [
  ['sharedKeys', '2020-08-01', named('primarySharedKey', 'secondarySharedKey'), named('primarySharedKey', 'secondarySharedKey')],
]);
from('redhatopenshift', 'OpenShiftCluster', [
  ['listAdminCredentials', '2023-11-22', { kubeconfig: 'verbatim' }, { adminCredentials: 'verbatim' }],
  ['listCredentials', '2023-11-22', { kubeadminUsername: 'u', kubeadminPassword: 'p' }, { username: 'u', password: 'p' }],
]);
from('search', 'SearchService', [
  ['listQueryKeys', '2025-05-01', { value: [{ name: 'mine', key: 'no' }, { name: null, key: 'q' }] }, { queryKey: 'q' }],
  ['listAdminKeys', '2025-05-01', TWO, { adminPrimaryKey: TWO.primaryKey!, adminSecondaryKey: TWO.secondaryKey! }],
]);
from('servicebus', 'Namespace', [['AuthorizationRules/RootManageSharedAccessKey/listKeys', '2021-11-01', FOUR, FOUR]], {
  status: { serviceBusEndpoint: 'https://e' },
  values: { endpoint: 'https://e' },
});
from('servicebus', 'NamespacesAuthorizationRule', [['listKeys', '2021-11-01', FOUR, FOUR]]);
from('servicebus', 'TopicAuthorizationRule', [['ListKeys', '2021-11-01', FOUR, FOUR]]);
from('signalrservice', 'SignalR', [['listKeys', '2023-02-01', FOUR, FOUR]]);
const endpoints = ['blob', 'queue', 'table', 'file', 'web', 'dfs'];
from(
  'storage',
  'StorageAccount',
  [
    [
      'listKeys',
      '2024-01-01',
      {
        keys: [
          { keyName: 'key2', value: '2' },
          { keyName: 'key1', value: '1' },
        ],
      },
      { key1: '1', key2: '2' },
    ],
  ],
  {
    status: { primaryEndpoints: Object.fromEntries(endpoints.map((name) => [name, `https://${name}`])) },
    values: Object.fromEntries(endpoints.map((name) => [`${name}Endpoint`, `https://${name}`])),
  },
);
