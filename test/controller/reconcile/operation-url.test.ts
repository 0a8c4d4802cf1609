import { settled } from './fake-clock';
import { group, GROUP_ID, GROUPS, inSeparateEnvironments, TestEnvironment } from './harness';
import type { ArmRequest } from '../../../engine/arm/types';

const MINUTE = 60_000;
let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

const OPERATION = { 'azure-asyncoperation': `https://arm.test/operations${GROUP_ID}` };
const NOT_FOUND = { status: 404, body: { error: { code: 'NotFound', message: 'not found' } } };
const isOperation = ({ url }: ArmRequest) => url.includes('/operations/');
const groupIn = (provisioningState: string) => ({ body: { id: GROUP_ID, location: 'westeurope', properties: { provisioningState } } });

/** Azure takes a PUT or a DELETE, and knows its operation, and a new resource, only after some time. */
function lagging(minutes: number, resource: (isKnown: boolean) => ReturnType<typeof groupIn> | typeof NOT_FOUND): { writes: () => number } {
  let writes = 0;
  let begun = Infinity;
  environment.azure.intercept = (request) => {
    if (request.method === 'PUT' || request.method === 'DELETE') {
      writes += 1;
      begun = environment.clock.now();
      return { status: 202, headers: OPERATION };
    }
    const isKnown = environment.clock.now() - begun >= minutes * MINUTE;
    if (isOperation(request)) return isKnown ? { body: { status: 'Succeeded' } } : NOT_FOUND;
    return resource(isKnown);
  };
  return { writes: () => writes };
}

test.each([0.1, 1, 4])('an operation whose URL says 404 for %d minutes is waited for: no second PUT, no failure', async (minutes) => {
  const azure = lagging(minutes, (isKnown) => (isKnown ? groupIn('Succeeded') : NOT_FOUND));
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  await environment.clock.advance(minutes * MINUTE - 1_000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Info', reason: 'Reconciling' });
  await environment.clock.advance(20_000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(azure.writes()).toBe(1);
});

test('a restart while the URL says 404 sends nothing either', async () => {
  const azure = lagging(2, (isKnown) => (isKnown ? groupIn('Succeeded') : NOT_FOUND));
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  await environment.clock.advance(10_000);
  await environment.kill();
  await environment.start();
  await environment.clock.advance(3 * MINUTE);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(azure.writes()).toBe(1);
});

test('one that says 404 for longer is gone: the resource is looked at, and decides', async () => {
  const azure = lagging(60, () => groupIn('Succeeded'));
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  await environment.clock.advance(6 * MINUTE);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(azure.writes()).toBe(1);
});

test('where the resource is not there either after that, it is sent again', async () => {
  const azure = lagging(60, () => NOT_FOUND);
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  await environment.clock.advance(4 * MINUTE);
  expect(azure.writes()).toBe(1);
  await environment.clock.advance(3 * MINUTE);
  expect(azure.writes()).toBe(2);
});

test('a DELETE whose operation is not known yet, of a resource that looks as before, is not sent again', async () => {
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  const azure = lagging(3, (isKnown) => (isKnown ? NOT_FOUND : groupIn('Succeeded')));
  await environment.cluster.delete(GROUPS, 'rg', 'default');
  await settled();
  await environment.clock.advance(2 * MINUTE);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ severity: 'Info', reason: 'Deleting' });
  expect(azure.writes()).toBe(1);
  await environment.clock.advance(2 * MINUTE);
  expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
  expect(azure.writes()).toBe(1);
});

test('a DELETE that Azure has lost is sent again after that', async () => {
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  const azure = lagging(600, () => groupIn('Succeeded'));
  await environment.cluster.delete(GROUPS, 'rg', 'default');
  await environment.clock.advance(12 * MINUTE);
  expect(azure.writes()).toBeGreaterThanOrEqual(2);
  expect(azure.writes()).toBeLessThanOrEqual(4);
});
