import {
  ALIASES, annotate, answering, configMap, createdGroup, ENDPOINTS, failing, inReadyGroup, operation, OTHER_SUBSCRIPTION, POLICY,
  PRODUCT_APIS, readyGroup,
} from './arrange';
import { inEnvironment, table } from './table';
import { annotation } from '../../engine/objects/annotations';
import { FINALIZER, LATEST_GENERATION, POLLER_ID, POLLER_TOKEN, RESOURCE_ID } from '../../src/azure/annotations';
import { CONFIG_MAPS, GROUP_ID, GROUPS, IDENTITIES, identity, object, type TestEnvironment } from '../controller/reconcile/harness';

const ready = (environment: TestEnvironment) => environment.ready(GROUPS, 'rg');
const stored = (environment: TestEnvironment) => environment.stored(GROUPS, 'rg')!;
const noted = (environment: TestEnvironment, key: string) => annotation(stored(environment), key);
/** Longer than a private endpoint's PUT usually takes, which is when its first poll is sent. */
const USUAL_ENDPOINT_TIME = 45_000;
const exporting = identity('id', { operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value: 'self.spec.location' }] } });

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
      environment.azure.intercept = ({ method }) => (method === 'HEAD' ? { status, headers: { 'x-ms-request-id': 'r' } } : undefined);
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
