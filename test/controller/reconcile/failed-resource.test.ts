import { settled } from './fake-clock';
import { ACCOUNTS, group, GROUP_ID, GROUPS, inSeparateEnvironments, object, TestEnvironment } from './harness';
import { ADOPT, RECONCILE_POLICY } from '../../../src/azure/annotations';
import { capitalized } from '../../../src/util/words';

/*
 * A resource that Azure calls failed is never Ready, however the last request ended; and it is not sent again without end.
 * Reports of people whose resources failed after a request that had succeeded: https://github.com/microsoft/azure-container-apps/issues/1778,
 * https://github.com/hashicorp/terraform-provider-azurerm/issues/12760
 */

const HOUR = 3_600_000;
const ACCOUNT_ID = `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/shop`;
const account = (annotations?: Record<string, string>) => object(ACCOUNTS, 'shop', {
  owner: { name: 'rg' }, azureName: 'shop', location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' },
}, annotations);

let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));
const fail = (properties: Record<string, unknown> = { provisioningState: 'Failed' }) =>
  environment.azure.states.set(ACCOUNT_ID.toLowerCase(), properties);
const heal = () => environment.azure.states.delete(ACCOUNT_ID.toLowerCase());
const puts = () => environment.azure.count('PUT', '/shop');
const ready = () => environment.ready(ACCOUNTS, 'shop');

/** The account is created in a group, or found in Azure. */
async function started(annotations?: Record<string, string>, isThere = false): Promise<void> {
  const { azure, cluster } = environment;
  if (isThere) {
    azure.resources.set(ACCOUNT_ID.toLowerCase(), {
      body: { id: ACCOUNT_ID, location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, properties: {} }, polls: 0,
    });
  }
  await cluster.create(GROUPS, group());
  await cluster.create(ACCOUNTS, account(annotations));
  await environment.start();
  await environment.clock.advance(1_000);
}

/** Hours pass; the states of the Ready condition on the way. */
async function hours(count: number): Promise<Set<string>> {
  const states = new Set<string>();
  for (let hour = 0; hour < count; hour += 1) {
    await environment.clock.advance(HOUR);
    states.add(ready()!.status);
  }
  return states;
}

const WORDS = ['Failed', 'Canceled', 'CreateFailed', 'Disabled', 'failed'];

test.each(WORDS)('%s in the answer to the PUT', async (word) => {
  fail({ provisioningState: word });
  await started();
  expect(ready()).toMatchObject({ status: 'False', severity: 'Warning', reason: capitalized(word) });
  expect(ready()!.message).toContain(`Azure reports the state ${word}`);
  expect(await hours(24)).toEqual(new Set(['False']));
  expect(puts()).toBeLessThanOrEqual(32);
});

test.each(WORDS)('%s after a PUT that was answered with Succeeded', async (word) => {
  environment.azure.answersWithoutId = true;
  environment.azure.after = ({ method, url }) => void (method === 'PUT' && url === ACCOUNT_ID && fail({ provisioningState: word }));
  environment.azure.before = ({ method, url }) => void (method === 'PUT' && url === ACCOUNT_ID && heal());
  await started();
  expect(ready()).toMatchObject({ status: 'False', severity: 'Warning', reason: capitalized(word) });
  expect(ready()!.message).toContain(`Azure reports the state ${word}`);
  expect(await hours(24)).toEqual(new Set(['False']));
  expect(puts()).toBeLessThanOrEqual(8);
});

test('an operation that fails each time is not begun without end', async () => {
  fail();
  environment.azure.polls = 2;
  environment.azure.intercept = ({ url }) => (url.includes('/operations') && url.endsWith('/shop')
    ? { status: 200, body: { status: 'Failed', error: { code: 'AllocationFailed', message: 'full' } } } : undefined);
  await started();
  await hours(1);
  expect(ready()).toMatchObject({ status: 'False', reason: 'AllocationFailed' });
  expect(ready()!.message).toMatch(/^full \(operations that failed one after the other: \d+; the next one begins not before /);
  await hours(23);
  expect(puts()).toBeLessThanOrEqual(32);
});

/** Azure takes every PUT, and the resource stays as it is. */
async function startedAndBroken(properties?: Record<string, unknown>): Promise<void> {
  await started();
  environment.azure.intercept = ({ method, url }) => (method === 'PUT' && url === ACCOUNT_ID
    ? { status: 200, body: {}, headers: { 'x-ms-request-id': 'r' } } : undefined);
  fail(properties);
}

test('a failed resource is sent again a few times, and rarely after that', async () => {
  await startedAndBroken({ provisioningState: 'Failed', provisioningError: { code: 'QuotaExceeded', message: 'no cores left' } });
  const before = puts();
  await hours(3);
  expect(ready()).toMatchObject({ status: 'False', severity: 'Error', reason: 'QuotaExceeded' });
  expect(ready()!.message).toMatch(/Azure reports the state Failed: QuotaExceeded: no cores left .* was sent again \d times, and is not before /);
  await hours(70);
  expect(puts() - before).toBeGreaterThanOrEqual(4);
  expect(puts() - before).toBeLessThanOrEqual(11);
  heal();
  await hours(2);
  expect(ready()).toMatchObject({ status: 'True' });
});

test('a PUT repairs it at once', async () => {
  await started();
  fail();
  environment.azure.before = ({ method }) => void (method === 'PUT' && heal());
  await hours(2);
  expect(ready()).toMatchObject({ status: 'True', reason: 'Succeeded' });
  expect(ready()!.message ?? '').toBe('');
  expect(puts()).toBe(2);
});

test('somebody else repairs it', async () => {
  await startedAndBroken();
  await hours(30);
  heal();
  const before = puts();
  expect(await hours(2)).toContain('True');
  expect(puts()).toBe(before);
});

test('a new spec is sent at once, and starts anew', async () => {
  await startedAndBroken();
  await hours(10);
  const before = puts();
  await environment.cluster.edit(ACCOUNTS, 'default', 'shop', { ...account().spec, tags: { a: 'b' } });
  await settled();
  expect(puts()).toBe(before + 1);
  await hours(1);
  expect(puts()).toBeGreaterThan(before + 1);
});

test.each(['skip', 'adopted', 'restarted'])('%s', async (way) => {
  fail();
  await started(way === 'skip' ? { [RECONCILE_POLICY]: 'skip' } : way === 'adopted' ? { [ADOPT]: 'IfPresent' } : undefined, true);
  for (let restart = 0; way === 'restarted' && restart < 20; restart += 1) {
    await environment.kill();
    await environment.start();
    await environment.clock.advance(1_000);
  }
  expect(ready()).toMatchObject({ status: 'False' });
  expect(await hours(24)).toEqual(new Set(['False']));
  if (way === 'skip') expect(puts()).toBe(0);
  expect(puts()).toBeLessThanOrEqual(32);
  const reads = environment.azure.count('GET', '/shop');
  await hours(24);
  expect(environment.azure.count('GET', '/shop') - reads).toBeLessThanOrEqual(30);
});

test('what Azure has disabled is not sent again', async () => {
  await started();
  const before = puts();
  fail({ provisioningState: 'Disabled' });
  expect(await hours(48)).toContain('False');
  expect(puts()).toBe(before);
  expect(ready()!.message).toContain('Azure has taken it out of service');
});

test('a warning of Azure is told, and the object stays Ready', async () => {
  await started();
  fail({ statusOfPrimary: 'unavailable' });
  await hours(2);
  expect(ready()).toMatchObject({ status: 'True', message: expect.stringContaining('its primary region is unavailable') });
  expect(environment.events.filter(({ reason }) => reason === 'AzureWarning')).toHaveLength(1);
  heal();
  await hours(2);
  expect(ready()!.message ?? '').toBe('');
});

test('a resource that says two things at once says so', async () => {
  await started();
  fail({ provisioningState: 'Succeeded', error: { code: 'Broken', message: 'it is broken' } });
  await hours(2);
  expect(ready()).toMatchObject({ status: 'True', message: expect.stringContaining('an error at once: Broken: it is broken') });
});
