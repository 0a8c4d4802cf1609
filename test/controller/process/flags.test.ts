import { HELP, readFlags, type Flags } from '../../../controller/process/flags';
import { unknownSettings } from '../../../controller/process/known-settings';
import { FlagError } from '../../../runtime/flag-error';
import { specRows } from '../../docs/spec-tables';

const flags = (...args: string[]) => readFlags(args) as Flags;

/** Rows of docs/spec/settings.md#flags: flag, its default, an argument and what it becomes. */
const ROWS: readonly [flag: string, member: keyof Flags, byDefault: unknown, args: string[], value: unknown][] = [
  ['--metrics-addr', 'metricsAddr', '0', ['--metrics-addr', ':8443'], ':8443'],
  ['--secure-metrics', 'secureMetrics', true, ['--secure-metrics=false'], false],
  ['--profiling-metrics', 'profilingMetrics', false, ['--profiling-metrics'], true],
  ['--metrics-cert-dir', 'metricsCertDir', undefined, ['--metrics-cert-dir=/certs'], '/certs'],
  ['--health-addr', 'healthAddr', '', ['-health-addr', ':8081'], ':8081'],
  ['--webhook-port', 'webhookPort', undefined, ['--webhook-port=9443'], 9443],
  ['--webhook-cert-dir', 'webhookCertDir', undefined, ['--webhook-cert-dir', '/c'], '/c'],
  ['--enable-leader-election', 'enableLeaderElection', false, ['--enable-leader-election'], true],
  ['--crd-management', 'crdManagement', undefined, ['--crd-management=auto'], 'auto'],
  ['--crd-pattern', 'crdPattern', '', ['--crd-pattern', 'a.azure.com/*;b'], 'a.azure.com/*;b'],
  ['--crd-labels', 'crdLabels', '', ['--crd-labels=a=b'], 'a=b'],
  ['-v, --verbose', 'verbosity', 2, ['-v=3'], 3],
  ['--json-logging', 'json', false, ['--json-logging=true'], true],
];

test('--ui is off by default', () => {
  expect([flags().ui, flags('--ui', '--metrics-addr=:8443').ui]).toEqual([false, true]);
});

test('docs/spec/settings.md#flags: each row has a test', () => {
  expect(ROWS.map(([name]) => name)).toEqual(specRows('docs/spec/settings.md#flags').map(({ name }) => name));
});

test.each(ROWS)('docs/spec/settings.md#flags: %s', (name, member, byDefault, args, value) => {
  expect(flags()[member]).toBe(byDefault);
  expect(flags(...args)[member]).toBe(value);
  for (const each of name.split(', ')) expect(HELP).toContain(each);
});

test.each([
  [['--sync'], '--sync'],
  [['--crd-management=maybe'], '--crd-management maybe: write auto or none'],
  [['--secure-metrics=perhaps'], '--secure-metrics=perhaps: write true or false'],
  [['--profiling-metrics', '--secure-metrics=false'], '--profiling-metrics needs --secure-metrics'],
  [['--ui', '--metrics-addr=:8443', '--secure-metrics=false'], '--ui needs --secure-metrics'],
  [['--ui'], '--ui needs --metrics-addr'],
  [['--shards=auto'], '--shards needs --enable-leader-election'],
  [['--shards=0', '--enable-leader-election'], '--shards 0: write auto, or a number from 1 to 100'],
  [['--shards=101', '--enable-leader-election'], '--shards 101'],
  [['--shards=all', '--enable-leader-election'], '--shards all'],
  [['--webhook-port=70000'], '--webhook-port 70000'],
  [['-v', 'loud'], '-v loud'],
  [['--metrics-addr'], '--metrics-addr'],
  [['stray'], 'stray'],
])('unknown or unusable flags end the process: %j', (args, text) => {
  expect(() => readFlags(args)).toThrow(FlagError);
  expect(() => readFlags(args)).toThrow(text);
});

test('replicas share the namespaces only where they are told to', () => {
  expect(flags().shards).toBe(1);
  expect(flags('--shards=1').shards).toBe(1);
  expect(flags('--enable-leader-election', '--shards=auto').shards).toBe('auto');
  expect(flags('--enable-leader-election', '--shards', '3').shards).toBe(3);
});

test('the forms of Go and of Node mean the same', () => {
  expect(flags('-v', '3')).toEqual(flags('--verbose=3'));
  expect(flags('-enable-leader-election')).toEqual(flags('--enable-leader-election=1'));
  expect(flags('--enable-leader-election', '--json-logging')).toMatchObject({ enableLeaderElection: true, json: true });
  expect(readFlags(['--help'])).toBe('help');
  expect(readFlags(['--version'])).toBe('version');
});

test.each([
  ['AZURE_SYNCPERIOD', 'AZURE_SYNC_PERIOD'],
  ['AZURE_SYNC_PEROID', 'AZURE_SYNC_PERIOD'],
  ['AZURE_SUBSCRIPTION', 'AZURE_SUBSCRIPTION_ID'],
  ['MAX_CONCURRENT_RECONCILE', 'MAX_CONCURRENT_RECONCILES'],
  ['azure_client_id', 'AZURE_CLIENT_ID'],
  ['POD_NAMESPACES', 'POD_NAMESPACE'],
])('%s is no setting: %s may be meant', (name, nearest) => expect(unknownSettings({ [name]: 'x' })).toEqual([{ name, nearest }]));

test('what is no typing mistake of a setting is not reported', () => {
  const environment = {
    PATH: '/bin',
    AZURE_SYNC_PERIOD: '1h',
    AZURE_CONFIG_DIR: '/x',
    ENTRA_APP_ID: 'x',
    AZURE_SYNCPERIOD: '',
    KUBERNETES_SERVICE_HOST: 'x',
    KUBECONFIG: 'x',
  };
  expect(unknownSettings(environment)).toEqual([]);
  expect(unknownSettings({ AZURE_SOMETHING_ELSE_ENTIRELY: 'x' })).toEqual([{ name: 'AZURE_SOMETHING_ELSE_ENTIRELY' }]);
});

afterAll(() => void process.stderr.write(`flags: ${ROWS.length} rows\n`));
