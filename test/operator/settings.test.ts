import { Duration } from 'cdk8s';
import { install, one } from './app';
import { KNOWN_SETTINGS } from '../../controller/process/known-settings';
import { readSettings } from '../../controller/settings';
import { DriftDetection, SyncPeriod, WorkloadIdentityMode, type ControllerSettings } from '../../src/operator';
import { SETTING_NAMES } from '../../src/operator/settings-data';

const HOUR = 3_600_000;
const readBack = (settings: ControllerSettings) => readSettings(one(install({ settings }).synth(), 'Secret').stringData);

/** Known to the controller, and not taken from the Secret of settings; each with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  POD_NAMESPACE: 'from the pod itself',
  AZURE_FEDERATED_TOKEN_FILE: 'the webhook of workload identity sets it',
  AZURE_ADDITIONALLY_ALLOWED_TENANTS: 'another name of AZURE_ADDITIONAL_TENANTS',
  AZURE_GRAPH_ENDPOINT: 'for clouds that are none of Azure\'s: `environment` takes it',
};

test('the pods take every setting that the controller knows', () => {
  expect([...SETTING_NAMES, ...Object.keys(ELSEWHERE)].sort()).toEqual([...KNOWN_SETTINGS].sort());
});

test('the controller reads what was written', () => {
  expect(readBack({
    syncPeriod: SyncPeriod.every(Duration.minutes(15)),
    driftDetection: DriftDetection.BATCH,
    fullReadPeriod: Duration.hours(6),
    requestBudget: false,
    databaseUsers: false,
    protectCredentials: false,
    maxConcurrentReconciles: 8,
    rateLimit: { perSecond: 0.5, bucketSize: 7 },
    targetNamespaces: ['a', 'b'],
    workloadIdentityMode: WorkloadIdentityMode.STRICT,
    userAgentSuffix: 'mine',
  })).toMatchObject({
    syncPeriod: HOUR / 4,
    driftDetection: 'batch',
    fullReadPeriod: 6 * HOUR,
    requestBudget: false,
    databaseUsers: false,
    protectCredentials: false,
    maxConcurrentReconciles: 8,
    rateLimit: { qps: 0.5, bucketSize: 7 },
    targetNamespaces: ['a', 'b'],
    workloadIdentityMode: 'strict',
    userAgentSuffix: 'mine',
  });
  expect(readBack({ driftDetection: DriftDetection.INDIVIDUAL, requestBudget: true })).toMatchObject({
    driftDetection: 'individual',
    requestBudget: true,
  });
});

test("the defaults that are documented are the controller's", () => {
  expect(readBack({})).toMatchObject({
    syncPeriod: HOUR,
    driftDetection: 'batch',
    fullReadPeriod: 24 * HOUR,
    requestBudget: true,
    databaseUsers: true,
    protectCredentials: true,
  });
});
