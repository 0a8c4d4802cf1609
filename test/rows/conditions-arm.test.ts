import { createHttpHeaders, type HttpClient, type PipelineRequest } from '@azure/core-rest-pipeline';
import {
  answering, createdGroup, deleted, failing, HOUR, PRODUCT_APIS, readyGroup,
} from './arrange';
import { inEnvironment, table } from './table';
import { createArmClient, type ArmClientOptions } from '../../engine/arm/arm-client';
import { builtInRoleId } from '../../engine/kinds/behaviour/authorization/role-assignment';
import { SUBSCRIPTION } from '../controller/reconcile/fake-azure';
import { GROUP_ID, GROUPS, object, type TestEnvironment } from '../controller/reconcile/harness';
import { secret as credentialSecret, setUp, IDS } from '../engine/credentials/resolver';

const ready = (environment: TestEnvironment) => environment.ready(GROUPS, 'rg');
const OPERATION = 'https://arm.test/operations/x';

/** Answers of one request through the real pipeline. */
function sent(options: Partial<ArmClientOptions> = {}, answer: { status: number; text?: string } = { status: 200, text: '{}' }) {
  const requests: PipelineRequest[] = [];
  const scopes: unknown[] = [];
  const httpClient: HttpClient = {
    sendRequest: async (request) => {
      requests.push({ ...request, headers: createHttpHeaders(request.headers.toJSON()) });
      return { request, status: answer.status, headers: createHttpHeaders(), bodyAsText: answer.text ?? '' };
    },
  };
  const credential: ArmClientOptions['credential'] = {
    getToken: async (scope, more) => {
      scopes.push(scope);
      return { token: `token${more?.tenantId ? `-${more.tenantId}` : ''}`, expiresOnTimestamp: Date.now() + HOUR };
    },
  };
  const audience = 'https://management.core.windows.net/';
  const client = createArmClient({
    credential,
    subscriptionId: 's',
    endpoint: 'https://management.azure.com',
    audience,
    httpClient,
    ...options,
  });
  return { client, requests, scopes };
}
const put = { method: 'PUT', url: GROUP_ID, apiVersion: '2020-06-01', body: {} } as const;

table('docs/spec/arm.md#pipeline', (row) => {
  for (const status of [408, 429, 500, 502, 503, 504]) {
    row('retries', `none after ${status}`, async () => {
      const { client, requests } = sent({}, { status });
      expect((await client.send(put)).status).toBe(status);
      expect(requests).toHaveLength(1);
    });
  }
  row('timeout', '(better: 180 s for a request as a whole; a hanging connection does not hold a worker)', async () => {
    const { client } = sent({ timeoutSeconds: 0.01, httpClient: { sendRequest: () => new Promise(() => undefined) } });
    await expect(client.send(put)).rejects.toMatchObject({
      code: 'UnknownError',
      message: expect.stringContaining('no answer within 0.01 s'),
    });
  });
  row('connections', 'one pool for all credentials; requests leave by the pipeline\'s own client', async () => {
    const { client, requests } = sent();
    await client.send(put);
    expect(requests[0]?.url).toBe(`https://management.azure.com${GROUP_ID}?api-version=2020-06-01`);
  });
  row('redirects', '(better: not followed, for the token would go along)', async () => {
    const { client, requests } = sent({}, { status: 307 });
    expect((await client.send(put)).status).toBe(307);
    expect(requests).toHaveLength(1);
  });
  row('policy order', 'provider registration is outside of everything; policies of others see no token', async () => {
    const seen: unknown[] = [];
    const additionalPolicies: ArmClientOptions['additionalPolicies'] = [{
      name: 'spy',
      sendRequest: (request, next) => {
        seen.push(request.headers.get('authorization'));
        return next(request);
      },
    }];
    const { client, requests } = sent({ additionalPolicies });
    await client.send(put);
    expect(seen).toEqual([undefined]);
    expect(requests[0]!.headers.get('authorization')).toBe('Bearer token');
  });
  row('User-Agent', 'program, version, runtime, suffix (its own name instead of the Azure SDK\'s)', async () => {
    const { client, requests } = sent({ version: '1.2.3', userAgentSuffix: 'mine' });
    await client.send(put);
    expect(requests[0]!.headers.get('user-agent')).toBe(`cdk8s-aso-controller/1.2.3 (Node.js ${process.version}; ${process.platform}) mine`);
  });
  row('authentication', 'a bearer token of <audience>/.default, with the double slash', async () => {
    const { client, scopes } = sent();
    await client.send(put);
    expect(scopes).toEqual([['https://management.core.windows.net//.default']]);
  });
  row('additional tenants', 'a token each', async () => {
    const { client, requests } = sent({ additionalTenants: ['t1', 't2'] });
    await client.send(put);
    expect(requests[0]!.headers.get('x-ms-authorization-auxiliary')).toBe('Bearer token-t1, Bearer token-t2');
  });
  row('request ids', 'none is sent', async () => {
    const { client, requests } = sent();
    await client.send(put);
    expect(Object.keys(requests[0]!.headers.toJSON()).filter((name) => name.startsWith('x-ms'))).toEqual([]);
  });
  row('clients', 'one a credential Secret, made anew when its data differs', () => {
    const secrets = { 'ns/aso-credential': credentialSecret({ ...IDS, AZURE_CLIENT_SECRET: 'one' }) };
    const { resolve } = setUp(secrets);
    const [first, second] = [resolve().client, resolve().client];
    expect(first).toBe(second);
    secrets['ns/aso-credential'] = credentialSecret({ ...IDS, AZURE_CLIENT_SECRET: 'two' });
    expect(resolve().client).not.toBe(first);
  });
});

table('docs/spec/arm.md#calls', (row) => {
  for (const status of [200, 201, 202]) {
    row('create or update', `${status} is a success`, inEnvironment(async (environment) => {
      environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID }, polls: 0 });
      answering(environment, 'PUT', { status, body: {} });
      await createdGroup(environment);
      await environment.clock.advance(1_000);
      expect(ready(environment)).toMatchObject({ status: 'True' });
    }));
  }
  row('create or update', 'Accept and Content-Type', async () => {
    const { client, requests } = sent();
    await client.send(put);
    expect(requests[0]!.headers.toJSON()).toMatchObject({ 'accept': 'application/json', 'content-type': 'application/json' });
  });
  row('create or update', '204 is none with a body to come: the status is read', inEnvironment(async (environment) => {
    answering(environment, 'PUT', { status: 204, headers: { 'x-ms-request-id': 'r' } });
    await createdGroup(environment);
    expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'Failed' });
  }));
  row('read', 'GET, 200', inEnvironment(async (environment) => {
    await readyGroup(environment);
    await environment.clock.advance(HOUR);
    expect(environment.azure.requests.at(-1)).toBe(`GET ${GROUP_ID}`);
  }));
  const head = (status: number, headers: Record<string, string> = { 'x-ms-request-id': 'r' }) => async (environment: TestEnvironment) => {
    environment.types.push(PRODUCT_APIS);
    answering(environment, 'HEAD', { status, headers });
    answering(environment, 'PUT', { status: 201, body: {} });
    const product = `${GROUP_ID}/providers/Microsoft.ApiManagement/service/apim/products/p`;
    await environment.cluster.create(PRODUCT_APIS, object(PRODUCT_APIS, 'api', { owner: { armId: product } }));
    await environment.start();
    return environment.ready(PRODUCT_APIS, 'api');
  };
  row(
    'existence',
    'HEAD, 204',
    inEnvironment(async (environment) => expect(await head(204)(environment)).toMatchObject({ status: 'True' })),
  );
  row(
    'existence',
    '(better: 404 is absent, not "exists")',
    inEnvironment(async (environment) => expect(await head(404)(environment)).toMatchObject({ severity: 'Warning', reason: 'Failed' })),
  );
  row(
    'existence',
    '(better: 200 exists too)',
    inEnvironment(async (environment) => expect(await head(200)(environment)).toMatchObject({ status: 'True' })),
  );
  for (const status of [200, 204, 404]) {
    row('existence', `(better: ${status} without an id of Azure proves nothing, and deletes nothing)`, inEnvironment(async (environment) => {
      await head(204)(environment);
      answering(environment, 'HEAD', { status });
      answering(environment, 'DELETE', { status: 200 });
      await environment.cluster.delete(PRODUCT_APIS, 'api', 'default');
      await environment.clock.advance(0);
      expect(environment.azure.count('DELETE')).toBe(1);
      expect(environment.stored(PRODUCT_APIS, 'api')).toBeDefined();
    }));
  }
  for (const status of [200, 204]) {
    row(
      'delete',
      `${status} is done`,
      inEnvironment(async (environment) => {
        await readyGroup(environment);
        answering(environment, 'DELETE', { status, headers: { 'x-ms-request-id': 'r' } });
        environment.azure.after = ({ method }) => void (method === 'DELETE' && environment.azure.resources.clear());
        await deleted(environment);
        expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
      }),
    );
    row(
      'delete',
      `(better: ${status} without a mark of Azure is done when the resource is gone)`,
      inEnvironment(async (environment) => {
        await readyGroup(environment);
        answering(environment, 'DELETE', { status });
        await deleted(environment);
        expect(ready(environment)).toMatchObject({ reason: 'Deleting' });
        environment.azure.resources.clear();
        await environment.clock.advance(60_000);
        expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
      }),
    );
  }
  row(
    'delete',
    '202 goes on',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      answering(environment, 'DELETE', { status: 202, headers: { location: OPERATION } });
      await deleted(environment);
      expect(ready(environment)).toMatchObject({ reason: 'Deleting' });
    }),
  );
  row(
    'list',
    'GET, follows nextLink',
    inEnvironment(async (environment) => {
      const role = (roleName: string) => ({
        name: roleName === 'new1' ? SUBSCRIPTION : SUBSCRIPTION.replaceAll('1', '2'),
        properties: { type: 'BuiltInRole', roleName },
      });
      answering(environment, 'GET', {
        body: { value: [role('new1')], nextLink: 'https://arm.test/providers/Microsoft.Authorization/roleDefinitions?page2' },
      });
      answering(environment, 'GET', { body: { value: [role('new2')] } }, 'page2');
      const client = { subscriptionId: 's', endpoint: 'https://rows.test', send: environment.azure.send.bind(environment.azure) };
      expect(await builtInRoleId('new2', 's', client)).toMatch(/\/2{8}-[2-]+$/);
      expect(environment.azure.count('GET')).toBe(2);
    }),
  );
  row(
    '404 test',
    'by the status, whatever the code of Azure is (better: not without an error of Azure)',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      // Until the resource was read once, a 404 may come from a replica of Azure that does not know it yet.
      await environment.clock.advance(HOUR);
      answering(environment, 'GET', { status: 404, body: failing('Whatever') }, GROUP_ID);
      await deleted(environment);
      expect(environment.azure.count('DELETE')).toBe(0);
      expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
    }),
  );
  for (const [what, answer] of [
    ['a page', { body: undefined, text: '<html>not found</html>' }],
    ['nothing', {}],
    ['JSON of a gateway', { body: { message: 'no Route matched' } }],
    ['no such subscription', { body: failing('SubscriptionNotFound') }],
  ] as const) {
    row('404 test', `(better: ${what} is no such answer)`, inEnvironment(async (environment) => {
      await readyGroup(environment);
      for (const method of ['GET', 'DELETE'] as const) answering(environment, method, { status: 404, ...answer }, GROUP_ID);
      await deleted(environment);
      await environment.clock.advance(60_000);
      expect(environment.stored(GROUPS, 'rg')).toBeDefined();
      expect(ready(environment)).toMatchObject({ status: 'False', severity: 'Warning' });
    }));
  }
});

