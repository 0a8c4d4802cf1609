import { migrateStoredVersionsHourly, type HourlyMigration } from '../../../controller/crds/stored-versions';

const TYPE = { group: 'resources.azure.com', version: 'v1', plural: 'resourcegroups', kind: 'ResourceGroup', namespaced: true };

/** Runs the migration over so many sleeps; the cluster answers each read of a CRD with `get`. */
async function ran(get: () => Promise<undefined>, sleeps: number, stop = new AbortController(), isOurs = () => true) {
  const slept: number[] = [];
  const warn = jest.fn();
  const read = jest.fn(get);
  const types = jest.fn(() => [TYPE]);
  await migrateStoredVersionsHourly({
    client: { get: read } as unknown as HourlyMigration['client'],
    types,
    isOurs,
    version: 'v1',
    logger: { warn } as unknown as HourlyMigration['logger'],
    clock: {
      sleep: async (milliseconds: number) => {
        slept.push(milliseconds);
        if (slept.length < sleeps) return;
        stop.abort();
        throw new Error('aborted');
      },
    } as unknown as HourlyMigration['clock'],
  }, stop.signal);
  return { slept, warn, read, types };
}

test('the versions are looked at once at the start and once an hour, with the kinds that are served then', async () => {
  const { slept, read, types, warn } = await ran(async () => undefined, 3);
  expect(slept).toEqual([3_600_000, 3_600_000, 3_600_000]);
  expect(read).toHaveBeenCalledTimes(3);
  expect(types).toHaveBeenCalledTimes(3);
  expect(warn).not.toHaveBeenCalled();
});

test('the work of another replica is not done, and looked at again each minute', async () => {
  let asked = 0;
  const { slept, read } = await ran(async () => undefined, 3, new AbortController(), () => (asked += 1) > 2);
  expect(slept).toEqual([60_000, 60_000, 3_600_000]);
  expect(read).toHaveBeenCalledTimes(1);
});

test('a failure is a warning, and the next look comes an hour later', async () => {
  const error = new Error('unavailable');
  const { read, warn } = await ran(() => Promise.reject(error), 2);
  expect(read).toHaveBeenCalledTimes(2);
  expect(warn).toHaveBeenCalledWith({ err: error }, 'stored versions of CRDs could not be looked at; tried again in an hour');
});

test('a request that the end of the process has aborted is no failure', async () => {
  const stop = new AbortController();
  const { warn } = await ran(async () => {
    stop.abort();
    throw new Error('aborted');
  }, 1, stop);
  expect(warn).not.toHaveBeenCalled();
});
