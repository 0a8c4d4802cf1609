import fc from 'fast-check';
import { readSettings, SettingsError } from '../../../controller/settings';
import { parseDuration } from '../../../engine/duration';

test('defaults, on a desk', () => {
  expect(readSettings({})).toEqual({
    podNamespace: 'azureserviceoperator-system',
    targetNamespaces: [],
    operatorMode: 'watchers-and-webhooks',
    syncPeriod: 3_600_000,
    defaultReconcilePolicy: 'manage',
    protectCredentials: true,
    driftDetection: 'batch',
    fullReadPeriod: 86_400_000,
    requestBudget: true,
    databaseUsers: true,
    workloadIdentityMode: 'relaxed',
  });
});

test('everything set', () => {
  expect(readSettings({
    POD_NAMESPACE: 'aso',
    AZURE_TARGET_NAMESPACES: ' a, b ,,a',
    AZURE_OPERATOR_MODE: 'Watchers',
    AZURE_SYNC_PERIOD: '1h30m',
    AZURE_USER_AGENT_SUFFIX: 'x',
    MAX_CONCURRENT_RECONCILES: '9',
    RATE_LIMIT_MODE: 'bucket',
    RATE_LIMIT_QPS: '2.5',
    RATE_LIMIT_BUCKET_SIZE: '7',
    DEFAULT_RECONCILE_POLICY: 'skip',
    PROTECT_CREDENTIALS: 'False',
    AZURE_WORKLOAD_IDENTITY_AUTH_MODE: 'Strict',
    ARM_REQUEST_BUDGET: 'Disabled',
    DRIFT_DETECTION: 'Individual',
    FULL_READ_PERIOD: '12h',
  })).toEqual({
    podNamespace: 'aso',
    targetNamespaces: ['a', 'b'],
    operatorMode: 'watchers',
    syncPeriod: 5_400_000,
    userAgentSuffix: 'x',
    maxConcurrentReconciles: 9,
    rateLimit: { qps: 2.5, bucketSize: 7 },
    defaultReconcilePolicy: 'skip',
    protectCredentials: false,
    driftDetection: 'individual',
    fullReadPeriod: 43_200_000,
    requestBudget: false,
    databaseUsers: true,
    workloadIdentityMode: 'strict',
  });
  expect(readSettings({ AZURE_SYNC_PERIOD: 'never' })).not.toHaveProperty('syncPeriod');
  expect(readSettings({ MAX_CONCURRENT_RECONCILES: '', AZURE_SYNC_PERIOD: ' ' })).toEqual(readSettings({}));
});

test.each([
  [{ KUBERNETES_SERVICE_HOST: '10.0.0.1' }, 'missing value for POD_NAMESPACE'],
  [
    { AZURE_TARGET_NAMESPACES: 'a', AZURE_OPERATOR_MODE: 'webhooks' },
    'AZURE_TARGET_NAMESPACES must include watchers to specify target namespaces',
  ],
  [{ MAX_CONCURRENT_RECONCILES: '0' }, 'MAX_CONCURRENT_RECONCILES must be at least 1'],
  [{ MAX_CONCURRENT_RECONCILES: '4.5' }, 'MAX_CONCURRENT_RECONCILES is "4.5"'],
  [{ DEFAULT_RECONCILE_POLICY: 'Manage' }, 'DEFAULT_RECONCILE_POLICY must be set to any of (detach-on-delete, manage, skip)'],
  [{ AZURE_OPERATOR_MODE: 'both' }, 'AZURE_OPERATOR_MODE is "both"'],
  [{ AZURE_SYNC_PERIOD: '15' }, 'AZURE_SYNC_PERIOD is "15": set it to a duration such as 15m or 1h30m, or to never'],
  [{ AZURE_SYNC_PERIOD: '-1h' }, 'AZURE_SYNC_PERIOD is "-1h"'],
  [{ RATE_LIMIT_MODE: 'x' }, 'invalid rate limit mode "x"'],
  [{ PROTECT_CREDENTIALS: 'perhaps' }, 'PROTECT_CREDENTIALS is "perhaps": set it to true or false'],
  [{ RATE_LIMIT_QPS: 'many' }, 'RATE_LIMIT_QPS is "many"'],
  [{ DRIFT_DETECTION: 'none' }, 'DRIFT_DETECTION is "none": set it to batch or individual'],
  [{ FULL_READ_PERIOD: 'never' }, 'FULL_READ_PERIOD is "never": set it to a duration such as 12h'],
  [{ RATE_LIMIT_BUCKET_SIZE: '1.5' }, 'RATE_LIMIT_BUCKET_SIZE is "1.5"'],
])('%j', (environment, text) => {
  expect(() => readSettings(environment as Record<string, string>)).toThrow(SettingsError);
  expect(() => readSettings(environment as Record<string, string>)).toThrow(text);
});

test.each([
  ['15m', 900_000],
  ['1h30m', 5_400_000],
  ['1.5s', 1_500],
  ['100ms', 100],
  ['0', 0],
  ['-2s', -2_000],
  ['.5h', 1_800_000],
])('%s', (text, milliseconds) => {
  expect(parseDuration(text)).toBeCloseTo(milliseconds);
});

test('durations of hours, minutes and seconds add up; other texts are none', () => {
  fc.assert(
    fc.property(fc.nat(99), fc.nat(99), fc.nat(99), (h, m, s) =>
      expect(parseDuration(`${h}h${m}m${s}s`)).toBe((h * 3600 + m * 60 + s) * 1000),
    ),
  );
  for (const text of ['', '1', 'h', '1x', '1h ', '1h 1m', '--1h']) expect(parseDuration(text)).toBeUndefined();
});
