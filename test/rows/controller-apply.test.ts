import {
  account,
  ADMINISTRATORS,
  AGENT_POOLS,
  ALIASES,
  annotate,
  answering,
  configMap,
  createdGroup,
  deleted,
  edit,
  ENDPOINTS,
  failing,
  inReadyGroup,
  operation,
  OTHER_SUBSCRIPTION,
  POLICY,
  PRODUCT_APIS,
  readyGroup,
  refusedGroup,
  waits,
} from './arrange';
import { inEnvironment, table } from './table';
import { annotation } from '../../engine/objects/annotations';
import { FINALIZER, LAST_VERSION_LABEL, LATEST_GENERATION, POLLER_ID, POLLER_TOKEN, RESOURCE_ID } from '../../src/azure/annotations';
import { SUBSCRIPTION } from '../controller/reconcile/fake-azure';
import { settled } from '../controller/reconcile/fake-clock';
import {
  ACCOUNTS, CONFIG_MAPS, group, GROUP_ID, GROUPS, IDENTITIES, identity, IDENTITY_ID, object, ROLES, type TestEnvironment,
} from '../controller/reconcile/harness';

const ready = (environment: TestEnvironment) => environment.ready(GROUPS, 'rg');
const stored = (environment: TestEnvironment) => environment.stored(GROUPS, 'rg')!;
const noted = (environment: TestEnvironment, key: string) => annotation(stored(environment), key);
const running = (environment: TestEnvironment) =>
  answering(environment, 'PUT', { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x' } });
/** Longer than a private endpoint's PUT usually takes, which is when its first poll is sent. */
const USUAL_ENDPOINT_TIME = 45_000;
const exporting = identity('id', { operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value: 'self.spec.location' }] } });

table('docs/spec/reconcile.md#create-or-update', (row) => {
  row('claim', 'and the finalizer, before anything else; its failure ends the reconcile', inEnvironment(async (environment) => {
    await environment.cluster.create(IDENTITIES, identity());
    await environment.start();
    expect(environment.stored(IDENTITIES, 'id')!.metadata.finalizers).toBeUndefined();
    expect(environment.azure.requests).toEqual([]);
  }));
  row('version label', 'set', inEnvironment(async (environment) => {
    await readyGroup(environment);
    expect(stored(environment).metadata.labels).toMatchObject({ [LAST_VERSION_LABEL]: 'test' });
  }));
  row('skip', 'the refresh-only path', inEnvironment(async (environment) => {
    await createdGroup(environment, { [POLICY]: 'skip' });
    expect(environment.azure.requests).toEqual([`GET ${GROUP_ID}`]);
  }));
  row('Reconciling', 'by the normal rule: a Warning of the same generation stays', inEnvironment(async (environment) => {
    const giveBack = answering(environment, 'PUT', { status: 409, body: failing('Conflict') });
    await createdGroup(environment);
    giveBack();
    running(environment);
    await environment.clock.advance(1_000);
    expect(ready(environment)).toMatchObject({ reason: 'Conflict' });
  }));
  row('action', 'in the same reconcile', inEnvironment(async (environment) => {
    await readyGroup(environment);
    expect(environment.reconciles.map(({ actions }) => actions)).toEqual([['resolve', 'persist', 'put', 'complete']]);
  }));
});

table('docs/spec/reconcile.md#claim', (row) => {
  const ownerText = 'Owner "rg, Group/Kind: resources.azure.com/ResourceGroup"';
  row(
    'owner check',
    'a missing owner',
    inEnvironment(async (environment) => {
      await environment.cluster.create(IDENTITIES, identity());
      await environment.start();
      const message = `${ownerText} cannot be found. Progress is blocked until the owner is created.`;
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Warning', reason: 'WaitingForOwner', message });
      expect(waits(environment)).toEqual([1_000]);
    }),
  );
  row(
    'owner check',
    'one that is not Ready (better: the text says so)',
    inEnvironment(async (environment) => {
      running(environment);
      await environment.cluster.create(GROUPS, group());
      await environment.cluster.create(IDENTITIES, identity());
      await environment.start();
      const message = `${ownerText} is not ready. Progress is blocked until the owner is ready.`;
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Warning', reason: 'WaitingForOwner', message });
    }),
  );
  row(
    'owner check',
    'none for an owner by ARM id',
    inEnvironment(async (environment) => {
      await environment.cluster.create(IDENTITIES, identity('id', { owner: { armId: GROUP_ID } }));
      await environment.start();
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'ownerReference',
    'stored, also where a later step of the claim fails',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.credential = undefined;
      await environment.cluster.create(IDENTITIES, identity());
      await settled();
      const { ownerReferences, finalizers } = environment.stored(IDENTITIES, 'id')!.metadata;
      expect([ownerReferences!.length, finalizers]).toEqual([1, undefined]);
    }),
  );
  row(
    'credential',
    'Warning, Slow; with it an event',
    inEnvironment(async (environment) => {
      environment.credential = undefined;
      await createdGroup(environment);
      expect(environment.reconciles.at(-1)!.result).toMatchObject({ failure: { severity: 'Warning', retry: 'slow' } });
      environment.credential = { subscriptionId: SUBSCRIPTION };
      await environment.clock.advance(1_000);
      expect(environment.events[0]).toEqual({
        type: 'Normal',
        reason: 'CredentialFrom',
        message: 'Using credential from "aso/aso-controller-settings"',
      });
    }),
  );
  row(
    'name from ConfigMap',
    'nothing is claimed without it',
    inEnvironment(async (environment) => {
      const azureNameFromConfig = { name: 'names', key: 'name' };
      environment.types.push(ADMINISTRATORS);
      const owner = { armId: `${GROUP_ID}/providers/Microsoft.DBforPostgreSQL/flexibleServers/db` };
      await environment.cluster.create(ADMINISTRATORS, object(ADMINISTRATORS, 'admin', { owner, azureNameFromConfig }));
      await environment.start();
      expect(environment.ready(ADMINISTRATORS, 'admin')).toMatchObject({ severity: 'Error', reason: 'Failed' });
      expect(environment.stored(ADMINISTRATORS, 'admin')!.metadata.finalizers).toBeUndefined();
      // A ConfigMap that comes is no trigger in ASO; here it is.
      await environment.cluster.create(CONFIG_MAPS, configMap('names', { name: 'n' }));
      await settled();
      expect(environment.ready(ADMINISTRATORS, 'admin')).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'conversion',
    'what cannot be resolved leaves neither finalizer nor id, and the object can be deleted without a call',
    inEnvironment(async (environment) => {
      const rules = {
        defaultAction: 'Deny',
        virtualNetworkRules: [{ reference: { group: IDENTITIES.group, kind: IDENTITIES.kind, name: 'no' } }],
      };
      await inReadyGroup(environment, ACCOUNTS, account({ networkAcls: rules }));
      const { finalizers, annotations } = environment.stored(ACCOUNTS, 'sa')!.metadata;
      expect([finalizers, annotations![RESOURCE_ID]]).toEqual([undefined, undefined]);
      const before = environment.azure.requests.length;
      await deleted(environment, ACCOUNTS, 'sa');
      expect(environment.stored(ACCOUNTS, 'sa')).toBeUndefined();
      expect(environment.azure.requests).toHaveLength(before);
    }),
  );
  row(
    'resource-id',
    'and the owner labels',
    inEnvironment(async (environment) => {
      await inReadyGroup(environment, IDENTITIES, identity());
      const { annotations, labels } = environment.stored(IDENTITIES, 'id')!.metadata;
      expect(annotations).toMatchObject({ [RESOURCE_ID]: IDENTITY_ID });
      expect(Object.keys(labels!)).toEqual(
        expect.arrayContaining(['serviceoperator.azure.com/owner-name', 'serviceoperator.azure.com/owner-uid']),
      );
    }),
  );
  row(
    'finalizer',
    'in the same write',
    inEnvironment(async (environment) => {
      const writes: unknown[] = [];
      environment.cluster.after = (what, now) =>
        what === 'patch ResourceGroup' && writes.push([now.metadata.finalizers, annotation(now, RESOURCE_ID)]);
      await readyGroup(environment);
      expect(writes[0]).toEqual([[FINALIZER], GROUP_ID]);
    }),
  );
});

table('docs/spec/reconcile.md#choice-of-action', (row) => {
  row(
    'Deleting',
    'without a deletionTimestamp: an error',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await environment.kill();
      await environment.cluster.replaceStatus(GROUPS, {
        ...stored(environment),
        status: { conditions: [{ ...ready(environment)!, reason: 'Deleting' }] },
      });
      await environment.start();
      expect(ready(environment)).toMatchObject({
        severity: 'Warning',
        reason: 'Failed',
        message: 'resource is currently deleting; it can not be applied',
      });
      expect(environment.events.at(-1)!.reason).toBe('DetermineCreateOrUpdateActionError');
    }),
  );
  row(
    'token',
    'monitor',
    inEnvironment(async (environment) => {
      running(environment);
      await createdGroup(environment);
      await environment.clock.advance(1_000);
      expect(environment.reconciles.at(-1)!.actions).toEqual(['poll']);
    }),
  );
  row(
    'otherwise',
    'begin',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await edit(environment, { tags: {} });
      expect(environment.reconciles.at(-1)!.actions).toEqual(['resolve', 'put', 'complete']);
    }),
  );
  row(
    'event',
    'CreateOrUpdateActionError',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 409, failing('Conflict'));
      expect(environment.events.at(-1)).toMatchObject({ type: 'Warning', reason: 'CreateOrUpdateActionError' });
    }),
  );
});

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

table('docs/spec/reconcile.md#refresh-only', (row) => {
  row(
    'refresh only',
    'claimed, read, Ready; no PUT, no generation, no poll',
    inEnvironment(async (environment) => {
      environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'here' }, polls: 0 });
      await createdGroup(environment, { [POLICY]: 'skip' });
      expect(environment.azure.requests).toEqual([`GET ${GROUP_ID}`]);
      expect(stored(environment)).toMatchObject({
        metadata: { finalizers: [FINALIZER] },
        status: { location: 'here', conditions: [{ status: 'True' }] },
      });
      expect([noted(environment, RESOURCE_ID), noted(environment, LATEST_GENERATION)]).toEqual([GROUP_ID, undefined]);
    }),
  );
  row(
    'refresh only',
    'a token is not polled, and cleared on success',
    inEnvironment(async (environment) => {
      environment.azure.polls = 5;
      await createdGroup(environment);
      expect(noted(environment, POLLER_TOKEN)).toBeDefined();
      await annotate(environment, { [POLICY]: 'skip' });
      expect(environment.azure.requests.at(-1)).toBe(`GET ${GROUP_ID}`);
      expect(noted(environment, POLLER_TOKEN)).toBeUndefined();
    }),
  );
});

table('docs/spec/reconcile.md#success', (row) => {
  row(
    'GET',
    'none where the answer to the PUT has shown the resource',
    inEnvironment(async (environment) => {
      answering(environment, 'GET', { body: { location: 'elsewhere' } }, GROUP_ID);
      await readyGroup(environment);
      expect(environment.azure.requests).toEqual([`PUT ${GROUP_ID}`]);
      expect(stored(environment).status).toMatchObject({ location: 'westeurope' });
    }),
  );
  row(
    'GET',
    'else the resource is read, in the same reconcile',
    inEnvironment(async (environment) => {
      environment.azure.answersWithoutId = true;
      await readyGroup(environment);
      expect(environment.reconciles.map(({ actions }) => actions)).toEqual([['resolve', 'persist', 'put', 'read', 'complete']]);
      expect(environment.azure.requests).toEqual([`PUT ${GROUP_ID}`, `GET ${GROUP_ID}`]);
    }),
  );
  row(
    'subscription',
    'checked under skip too',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.credential = { subscriptionId: OTHER_SUBSCRIPTION };
      await annotate(environment, { [POLICY]: 'skip' });
      expect(ready(environment)).toMatchObject({ severity: 'Error', reason: 'SubscriptionMismatch' });
    }),
  );
  row(
    'GET',
    'skip and 404: AzureResourceNotFound',
    inEnvironment(async (environment) => {
      await createdGroup(environment, { [POLICY]: 'skip' });
      expect(ready(environment)).toMatchObject({
        severity: 'Warning',
        reason: 'AzureResourceNotFound',
        message: expect.stringContaining(GROUP_ID),
      });
    }),
  );
  row(
    'GET',
    'manage and 404: Failed, token cleared',
    inEnvironment(async (environment) => {
      environment.azure.polls = 1;
      await createdGroup(environment);
      operation(environment, { body: { status: 'Succeeded' } });
      environment.azure.resources.clear();
      await environment.clock.advance(1_000);
      expect(ready(environment)).toMatchObject({
        severity: 'Warning',
        reason: 'Failed',
        message: expect.stringMatching(/^error updating status: /),
      });
      expect(noted(environment, POLLER_TOKEN)).toBeUndefined();
    }),
  );
  row(
    'GET',
    'manage and 404 (better: looked for again before anything is sent again)',
    inEnvironment(async (environment) => {
      environment.azure.answersWithoutId = true;
      const giveBack = answering(environment, 'GET', { status: 404, body: failing('ResourceNotFound') }, GROUP_ID);
      await createdGroup(environment);
      expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'Failed' });
      giveBack();
      await environment.clock.advance(1_000);
      expect(ready(environment)).toMatchObject({ status: 'True' });
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
  row(
    'GET',
    'manage and 404: what is really gone is sent again',
    inEnvironment(async (environment) => {
      environment.azure.answersWithoutId = true;
      let lost = true;
      environment.azure.after = ({ method }) => {
        if (method === 'PUT' && lost) environment.azure.resources.clear();
        lost &&= method !== 'PUT';
      };
      await createdGroup(environment);
      await environment.clock.advance(1_000);
      expect([ready(environment)!.status, environment.azure.count('PUT')]).toEqual(['True', 2]);
    }),
  );
  const endpoint = async (environment: TestEnvironment) => {
    environment.types.push(ENDPOINTS);
    await readyGroup(environment);
    answering(environment, 'GET', { body: { properties: { manualPrivateLinkServiceConnections: [{ id: 'c' }] } } }, 'privateEndpoints');
    answering(
      environment,
      'PUT',
      { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x' } },
      'privateEndpoints',
    );
    operation(environment, { body: { status: 'Succeeded' } });
    await environment.cluster.create(ENDPOINTS, object(ENDPOINTS, 'pe', { location: 'x', owner: { name: 'rg' } }));
    await environment.clock.advance(USUAL_ENDPOINT_TIME);
    return environment.stored(ENDPOINTS, 'pe')!;
  };
  row(
    'post-check',
    'PostReconciliationFailure; the token is kept, so no PUT is repeated',
    inEnvironment(async (environment) => {
      const pe = await endpoint(environment);
      expect(environment.ready(ENDPOINTS, 'pe')).toMatchObject({ severity: 'Warning', reason: 'PostReconciliationFailure' });
      expect(annotation(pe, POLLER_TOKEN)).toBeDefined();
      await environment.clock.advance(10_000);
      expect(environment.azure.count('PUT', '/pe')).toBe(1);
    }),
  );
  row(
    'exports',
    'a foreign target: Error FailedWritingAdditionalKubernetesObjects',
    inEnvironment(async (environment) => {
      await environment.cluster.create(CONFIG_MAPS, configMap('out', {}));
      await inReadyGroup(environment, IDENTITIES, exporting);
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Error', reason: 'FailedWritingAdditionalKubernetesObjects' });
    }),
  );
  row(
    'exports',
    'written',
    inEnvironment(async (environment) => {
      await inReadyGroup(environment, IDENTITIES, exporting);
      expect(environment.stored(CONFIG_MAPS, 'out')).toMatchObject({ data: { k: 'westeurope' } });
    }),
  );
  row(
    'hook',
    'an error is Warning Failed',
    inEnvironment(async (environment) => {
      environment.types.push(ALIASES);
      await environment.cluster.create(ALIASES, object(ALIASES, 'sub', { properties: { displayName: 'x' } }));
      await environment.start();
      expect(environment.ready(ALIASES, 'sub')).toMatchObject({
        severity: 'Warning',
        reason: 'Failed',
        message: expect.stringContaining('subscriptionId'),
      });
    }),
  );
  row(
    'poller',
    'annotations cleared',
    inEnvironment(async (environment) => {
      environment.azure.polls = 1;
      await createdGroup(environment);
      await environment.clock.advance(1_000);
      expect([noted(environment, POLLER_TOKEN), noted(environment, POLLER_ID)]).toEqual([undefined, undefined]);
    }),
  );
  row(
    'HEAD',
    'kinds without GET; an empty status (better: 404 is absent)',
    inEnvironment(async (environment) => {
      environment.types.push(PRODUCT_APIS);
      const product = `${GROUP_ID}/providers/Microsoft.ApiManagement/service/apim/products/p`;
      let status = 404;
      environment.azure.intercept = ({ method }) => (method === 'HEAD' ? { status } : undefined);
      const api = object(PRODUCT_APIS, 'api', { owner: { armId: product } }, { [POLICY]: 'skip' });
      await environment.cluster.create(PRODUCT_APIS, api);
      await environment.start();
      expect(environment.ready(PRODUCT_APIS, 'api')).toMatchObject({ reason: 'AzureResourceNotFound' });
      status = 204;
      await environment.clock.advance(1_000);
      expect(environment.stored(PRODUCT_APIS, 'api')!.status).toEqual({ conditions: [expect.objectContaining({ status: 'True' })] });
    }),
  );
});
