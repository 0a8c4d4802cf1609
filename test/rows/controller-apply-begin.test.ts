import {
  AGENT_POOLS, annotate, answering, createdGroup, edit, failing, inReadyGroup, readyGroup, refusedGroup, running, waits,
} from './arrange';
import { inEnvironment, table } from './table';
import { annotation } from '../../engine/objects/annotations';
import { LATEST_GENERATION, POLLER_ID, POLLER_TOKEN, RESOURCE_ID } from '../../src/azure/annotations';
import { SUBSCRIPTION } from '../controller/reconcile/fake-azure';
import { group, GROUP_ID, GROUPS, IDENTITIES, identity, object, ROLES, type TestEnvironment } from '../controller/reconcile/harness';

const ready = (environment: TestEnvironment) => environment.ready(GROUPS, 'rg');
const stored = (environment: TestEnvironment) => environment.stored(GROUPS, 'rg')!;
const noted = (environment: TestEnvironment, key: string) => annotation(stored(environment), key);

table('docs/spec/reconcile.md#begin', (row) => {
  row(
    'name',
    'Error Failed without one',
    inEnvironment(async (environment) => {
      await inReadyGroup(
        environment,
        ROLES,
        object(ROLES, 'role', { principalId: SUBSCRIPTION, roleDefinitionReference: { wellKnownName: 'Reader' } }),
      );
      expect(environment.ready(ROLES, 'role')).toMatchObject({ severity: 'Error', reason: 'Failed' });
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
  row(
    'name',
    '(better: one that a URL cannot hold is an Error, and no request is sent)',
    inEnvironment(async (environment) => {
      await inReadyGroup(environment, IDENTITIES, identity('id', { azureName: 'a/../b' }));
      const message = expect.stringContaining('the Azure name "a/../b" of UserAssignedIdentity/id') as string;
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Error', reason: 'Failed', message });
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
  row(
    'generation',
    'noted when Azure has the PUT',
    inEnvironment(async (environment) => {
      running(environment);
      await createdGroup(environment);
      expect(noted(environment, LATEST_GENERATION)).toBe('1');
    }),
  );
  row(
    'pre-checks',
    'block: Warning ReconciliationBlocked, Slow; 404 is none',
    inEnvironment(async (environment) => {
      environment.types.push(AGENT_POOLS);
      const cluster = `${GROUP_ID}/providers/Microsoft.ContainerService/managedClusters/c`;
      await environment.cluster.create(AGENT_POOLS, object(AGENT_POOLS, 'pool', { owner: { armId: cluster } }));
      await environment.start();
      expect(environment.ready(AGENT_POOLS, 'pool')).toMatchObject({ status: 'True' });
      answering(environment, 'GET', { body: { properties: { provisioningState: 'Upgrading' } } }, cluster);
      await edit(environment, { count: 3 }, AGENT_POOLS, 'pool');
      expect(environment.ready(AGENT_POOLS, 'pool')).toMatchObject({ severity: 'Warning', reason: 'ReconciliationBlocked' });
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
  row(
    'pre-checks',
    'an error: Warning Failed, Slow',
    inEnvironment(async (environment) => {
      environment.types.push(AGENT_POOLS);
      const cluster = `${GROUP_ID}/providers/Microsoft.ContainerService/managedClusters/c`;
      answering(environment, 'GET', { status: 500, body: failing('Broken') }, cluster);
      await environment.cluster.create(AGENT_POOLS, object(AGENT_POOLS, 'pool', { owner: { armId: cluster } }));
      await environment.start();
      expect(environment.ready(AGENT_POOLS, 'pool')).toMatchObject({
        severity: 'Warning',
        reason: 'Failed',
        message: 'Broken: said by Azure',
      });
      expect(waits(environment)).toEqual([1_000]);
    }),
  );
  row(
    'subscription',
    'SubscriptionMismatch; an id that is none: Error Failed',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await annotate(environment, { [RESOURCE_ID]: 'nonsense' });
      await edit(environment, { tags: {} });
      expect(ready(environment)).toMatchObject({
        severity: 'Error',
        reason: 'Failed',
        message: expect.stringContaining('"nonsense", which is no ARM id'),
      });
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
  row(
    'conversion',
    'again, with all that it refers to',
    inEnvironment(async (environment) => {
      await inReadyGroup(environment, IDENTITIES, identity());
      await environment.cluster.patch(GROUPS, 'rg', 'default', { metadata: { finalizers: [] } }, 'application/merge-patch+json');
      environment.cluster.objects.delete('resources.azure.com/ResourceGroup/default/rg');
      await edit(environment, { tags: {} }, IDENTITIES, 'id');
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Warning', reason: 'ReferenceNotFound' });
    }),
  );
  row(
    'conversion',
    '(better: a spec that means another id is an error; no second resource)',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await edit(environment, { azureName: 'another' });
      expect(ready(environment)).toMatchObject({ severity: 'Error', reason: 'Failed', message: expect.stringContaining(GROUP_ID) });
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
  row(
    'Reconciling',
    'replaces an older "not found"',
    inEnvironment(async (environment) => {
      await environment.cluster.create(IDENTITIES, identity());
      await environment.start();
      environment.azure.polls = 1;
      await environment.cluster.create(GROUPS, group());
      await environment.clock.advance(0);
      // The event of the group may come while the identity has its reconcile, and start another one, which polls.
      environment.azure.polls = 2;
      await environment.clock.advance(1_000);
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Info', reason: 'Reconciling' });
    }),
  );
  row(
    'PUT',
    'a refusal is classified, the token cleared',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 409, failing('Conflict'));
      expect(ready(environment)).toMatchObject({ reason: 'Conflict' });
      expect(noted(environment, POLLER_TOKEN)).toBeUndefined();
    }),
  );
  row(
    'event',
    'BeginCreateOrUpdate',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(environment.events.at(-1)).toMatchObject({
        reason: 'BeginCreateOrUpdate',
        message: `Successfully sent resource to Azure with ID "${GROUP_ID}"`,
      });
    }),
  );
  row(
    'finished',
    'success handling in the same reconcile',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(environment.reconciles).toHaveLength(1);
    }),
  );
  row(
    'finished',
    '(better: a provisioningState Failed is a failure)',
    inEnvironment(async (environment) => {
      answering(environment, 'PUT', { status: 201, body: { properties: { provisioningState: 'Failed' } } });
      await createdGroup(environment);
      expect(ready(environment)).toMatchObject({ status: 'False', severity: 'Warning' });
    }),
  );
  row(
    'token',
    'stored with its id; requeue after 1 s',
    inEnvironment(async (environment) => {
      running(environment);
      await createdGroup(environment);
      expect([noted(environment, POLLER_ID), waits(environment)]).toEqual(['GenericClient.CreateOrUpdateByID', [1_000]]);
    }),
  );
});
