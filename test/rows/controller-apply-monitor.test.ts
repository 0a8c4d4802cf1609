import { annotate, createdGroup, edit, failing, operation, running, waits } from './arrange';
import { inEnvironment, table } from './table';
import { annotation } from '../../engine/objects/annotations';
import { POLLER_ID, POLLER_TOKEN } from '../../src/azure/annotations';
import { GROUPS, type TestEnvironment } from '../controller/reconcile/harness';

const ready = (environment: TestEnvironment) => environment.ready(GROUPS, 'rg');
const stored = (environment: TestEnvironment) => environment.stored(GROUPS, 'rg')!;
const noted = (environment: TestEnvironment, key: string) => annotation(stored(environment), key);

table('docs/spec/reconcile.md#monitor', (row) => {
  row(
    'wrong token',
    'Warning Failed',
    inEnvironment(async (environment) => {
      running(environment);
      await createdGroup(environment);
      await annotate(environment, { [POLLER_ID]: 'GenericClient.DeleteByID' });
      await environment.clock.advance(1_000);
      expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'Failed' });
    }),
  );
  row(
    'poll fails',
    '(better: the token stays, and no new PUT follows)',
    inEnvironment(async (environment) => {
      environment.azure.polls = 1;
      await createdGroup(environment);
      operation(environment, { status: 500, body: failing('Broken') }, { body: { status: 'Succeeded' } });
      await environment.clock.advance(10_000);
      expect(ready(environment)).toMatchObject({ status: 'True' });
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
  row(
    'operation failed',
    'its code and message; the token is cleared and the next reconcile sends again',
    inEnvironment(async (environment) => {
      environment.azure.polls = 1;
      await createdGroup(environment);
      operation(environment, { body: { status: 'Failed', error: { code: 'AllocationFailed', message: 'full' } } });
      await environment.clock.advance(1_000);
      expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'AllocationFailed', message: 'full' });
      expect(noted(environment, POLLER_TOKEN)).toBeUndefined();
      await environment.clock.advance(1_000);
      expect(environment.azure.count('PUT')).toBe(2);
    }),
  );
  row(
    'running',
    'requeue after Retry-After, else by the limiter',
    inEnvironment(async (environment) => {
      running(environment);
      await createdGroup(environment);
      operation(
        environment,
        { body: { status: 'Running' }, headers: { 'retry-after': '21' } },
        { body: { status: 'Running' }, headers: { 'retry-after': '0' } },
      );
      await environment.clock.advance(22_000);
      expect(waits(environment)).toEqual([1_000, 21_000, 1_000]);
    }),
  );
  row(
    'succeeded',
    'GET of the resource, then success handling',
    inEnvironment(async (environment) => {
      environment.azure.polls = 1;
      await createdGroup(environment);
      await environment.clock.advance(1_000);
      expect(environment.reconciles.at(-1)!.actions).toEqual(['poll', 'read', 'complete']);
    }),
  );
  for (const [end, status] of [
    ['a success', 'Succeeded'],
    ['(better: a failure)', 'Failed'],
  ]) {
    row(
      'generation check',
      `a newer spec is sent next, after ${end}`,
      inEnvironment(async (environment) => {
        environment.azure.polls = 1;
        await createdGroup(environment);
        await edit(environment, { location: 'uksouth' });
        const before = environment.azure.intercept;
        const fatal = { code: 'LocationRequired', message: 'fatal' };
        environment.azure.intercept = (request) =>
          request.url.includes('/operations/') && environment.azure.count('PUT') === 1
            ? { body: { status, error: fatal } }
            : before(request);
        environment.azure.polls = 0;
        await environment.clock.advance(10_000);
        expect(environment.azure.bodies).toMatchObject([{ location: 'westeurope' }, { location: 'uksouth' }]);
        expect(ready(environment)).toMatchObject({ status: 'True', observedGeneration: 2 });
      }),
    );
  }
});
