import { Azure, GROUP } from './client';

let azure: Azure;
beforeEach(async () => {
  azure = await Azure.start();
});
afterEach(() => azure.close());

test('without a token, with a foreign one, with an expired one: 401', async () => {
  const none = await azure.raw('GET', `${GROUP}?api-version=2021-04-01`);
  expect([none.status, none.body.error.code]).toEqual([401, 'AuthenticationFailed']);
  expect(none.headers['www-authenticate']).toContain('Bearer authorization_uri=');
  const forged = await azure.raw('GET', `${GROUP}?api-version=2021-04-01`, undefined, { authorization: 'Bearer abc.def' });
  expect(forged.status).toBe(401);
  azure.clock.advance(3600);
  expect((await azure.get(GROUP)).status).toBe(401);
  await azure.login();
  expect((await azure.get(GROUP)).status).toBe(404);
});

test('a token for another audience is refused', async () => {
  const { body } = await azure.tokenRequest({ scope: 'https://graph.microsoft.com/.default' });
  const reply = await azure.raw('GET', `${GROUP}?api-version=2021-04-01`, undefined, { authorization: `Bearer ${body.access_token}` });
  expect([reply.status, reply.body.error.message]).toEqual([401, expect.stringContaining('wrong audience')]);
});

test.each([
  ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client', 'AADSTS7000215'],
  ['no secret', { client_secret: undefined }, 401, 'invalid_client', 'AADSTS7000218'],
  ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type', 'AADSTS70003'],
  ['no scope', { scope: undefined }, 400, 'invalid_request', 'AADSTS900144'],
  ['an assertion of no type', { client_secret: undefined, client_assertion: 'x' }, 401, 'invalid_client', 'AADSTS50027'],
])('%s gets no token', async (_what, changes, status, error, code) => {
  const reply = await azure.tokenRequest(changes);
  expect([reply.status, reply.body.error, reply.body.error_description.split(':')[0]]).toEqual([status, error, code]);
});

test('a client assertion gets a token', async () => {
  const reply = await azure.tokenRequest({
    client_secret: undefined,
    client_assertion: 'x.y.z',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  });
  expect(reply.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
});

test('discovery leads back to the simulator', async () => {
  const { endpoint } = azure.simulator;
  const configuration = await azure.raw('GET', '/common/v2.0/.well-known/openid-configuration');
  expect(configuration.body.token_endpoint).toBe(`${endpoint}/common/oauth2/v2.0/token`);
  const instance = await azure.raw('GET', '/common/discovery/instance?api-version=1.1');
  expect(instance.body.metadata[0].aliases).toEqual([new URL(endpoint).host]);
});

test('requests are counted by method, polls apart, tokens not at all', async () => {
  await azure.group();
  const put = await azure.put(`${GROUP}/providers/Microsoft.DBforPostgreSQL/flexibleServers/s1`, { location: 'uksouth' });
  await azure.get(put.headers['azure-asyncoperation']!.replace(azure.simulator.endpoint, ''));
  expect(azure.simulator.requests()).toEqual({ total: 3, byMethod: { GET: 1, PUT: 2 }, polls: 1 });
  const { body } = await azure.raw('GET', '/__requests');
  expect(body.requests.map((entry: any) => [entry.method, entry.status, entry.created])).toEqual([
    ['PUT', 201, true],
    ['PUT', 202, true],
    ['GET', 200, undefined],
  ]);
});

describe('faults', () => {
  test('an HTTP status with Retry-After, as often as asked and without effect', async () => {
    azure.simulator.faults.add({ method: 'PUT', path: '/RESOURCEGROUPS/', status: 429, retryAfter: 7, times: 2 });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const reply = await azure.put(GROUP, { location: 'uksouth' });
      expect([reply.status, reply.headers['retry-after'], reply.body.error.code]).toEqual([429, '7', 'TooManyRequests']);
    }
    expect(azure.simulator.resources()).toEqual([]);
    expect((await azure.put(GROUP, { location: 'uksouth' })).status).toBe(201);
  });

  test('a dropped connection has no effect, a lost answer has', async () => {
    azure.simulator.faults.add({ drop: true });
    await expect(azure.put(GROUP, { location: 'uksouth' })).rejects.toThrow();
    expect(azure.simulator.resources()).toHaveLength(0);
    azure.simulator.faults.add({ loseAnswer: true });
    await expect(azure.put(GROUP, { location: 'uksouth' })).rejects.toThrow();
    expect(azure.simulator.resources()).toHaveLength(1);
  });

  test('an answer as it is, without effect; a garbled one and one that is cut off, with it', async () => {
    azure.simulator.faults.add({ status: 302, text: '"as it is"', headers: { location: 'https://portal.test/' } });
    const redirect = await azure.put(GROUP, { location: 'uksouth' });
    expect([redirect.status, redirect.body, redirect.headers.location]).toEqual([302, 'as it is', 'https://portal.test/']);
    expect(azure.simulator.resources()).toHaveLength(0);
    azure.simulator.faults.add({ method: 'GET', status: 404, text: '"a page"', byProxy: true });
    const page = await azure.get(GROUP);
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html']);
    expect(Object.keys(page.headers).filter((name) => name.startsWith('x-ms-'))).toEqual([]);
    azure.simulator.faults.add({ garble: '[1]' });
    expect(await azure.put(GROUP, { location: 'uksouth' })).toMatchObject({ status: 201, body: [1] });
    expect(azure.simulator.resources()).toHaveLength(1);
    azure.simulator.faults.add({ cut: true });
    await expect(azure.put(`${GROUP}2`, { location: 'uksouth' })).rejects.toThrow('aborted');
    expect(azure.simulator.resources()).toHaveLength(2);
  });

  test('a hanging request is ended by the client or by close', async () => {
    azure.simulator.faults.add({ hang: true });
    let isPending = true;
    const pending = azure.get(GROUP).catch((error: Error) => error).finally(() => (isPending = false));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await azure.get(GROUP)).status).toBe(404);
    expect(isPending).toBe(true);
    await azure.close();
    expect(await pending).toMatchObject({ code: 'ECONNRESET' });
    azure = await Azure.start();
  });

  test('an operation that fails, by the endpoint, after a request that goes well', async () => {
    await azure.group();
    const added = await azure.raw(
      'POST',
      '/__faults',
      JSON.stringify({ method: 'PUT', path: 'Redis', after: 1, failOperation: true, code: 'QuotaExceeded', message: 'no more' }),
    );
    expect(added.status).toBe(201);
    const servers = `${GROUP}/providers/Microsoft.Cache/Redis`;
    await azure.put(`${servers}/first`, { location: 'uksouth' });
    const put = await azure.put(`${servers}/second`, { location: 'uksouth' });
    azure.clock.advance(740);
    const poll = await azure.get(put.headers['azure-asyncoperation']!.replace(azure.simulator.endpoint, ''));
    expect(poll.body).toMatchObject({ status: 'Failed', error: { code: 'QuotaExceeded', message: 'no more' } });
    expect((await azure.get(`${servers}/second`)).body.properties.provisioningState).toBe('Failed');
    expect((await azure.get(`${servers}/first`)).body.properties.provisioningState).toBe('Succeeded');
    // The same body again is a new attempt, not "nothing to do".
    const again = await azure.put(`${servers}/second`, { location: 'uksouth' });
    expect(again.body.properties.provisioningState).not.toBe('Failed');
    expect((await azure.raw('GET', '/__faults')).body.value).toEqual([]);
  });

  test.each([
    ['{', 'valid JSON'],
    ['{"times":1}', 'exactly one of'],
    ['{"drop":true,"hang":true}', 'exactly one of'],
    ['{"status":42}', 'HTTP status'],
    ['{"status":500,"times":-1}', 'whole number'],
    ['{"status":302,"headers":{"location":1}}', 'headers are texts'],
    ['{"garble":1}', 'garble is a text'],
    ['{"drop":true,"byProxy":true}', 'byProxy is true, and goes with status and text'],
  ])('%s is no fault', async (text, why) => {
    const reply = await azure.raw('POST', '/__faults', text);
    expect([reply.status, reply.body.error.message]).toEqual([400, expect.stringContaining(why)]);
  });
});

describe('tenants and applications', () => {
  const OTHER = '77777777-8888-9999-0000-111111111111';
  const NOWHERE = '99999999-8888-7777-6666-555555555555';
  const tokenOf = async (one: Azure, tenant: string, changes: Record<string, string> = {}) => {
    const { env } = one.simulator;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: env.AZURE_CLIENT_ID,
      client_secret: env.AZURE_CLIENT_SECRET,
      scope: `${env.AZURE_RESOURCE_MANAGER_AUDIENCE}/.default`,
      ...changes,
    });
    return one.raw('POST', `/${tenant}/oauth2/v2.0/token`, form.toString(), { 'content-type': 'application/x-www-form-urlencoded' });
  };
  const codeOf = ({ body }: Awaited<ReturnType<typeof tokenOf>>) => body.error_codes?.[0];

  test('the application of the environment is of its tenant, and its secret of no other application', async () => {
    expect(codeOf(await tokenOf(azure, NOWHERE))).toBe(700016);
    expect(codeOf(await tokenOf(azure, azure.simulator.env.AZURE_TENANT_ID, { client_id: NOWHERE }))).toBe(700016);
    // It stands for one that was made elsewhere.
    expect((await tokenOf(azure, NOWHERE, { client_id: NOWHERE, client_secret: 'own' })).status).toBe(200);
  });

  test('strict: what is not known gets no token, and a token of another tenant no answer of Azure', async () => {
    const strict = await Azure.start({ strictIdentities: true, otherTenants: [OTHER] });
    try {
      expect(codeOf(await tokenOf(strict, NOWHERE, { client_id: NOWHERE, client_secret: 'own' }))).toBe(90002);
      expect(codeOf(await strict.raw('GET', `/${NOWHERE}/v2.0/.well-known/openid-configuration`))).toBe(90002);
      expect(codeOf(await tokenOf(strict, strict.simulator.env.AZURE_TENANT_ID, { client_id: NOWHERE, client_secret: 'own' }))).toBe(700016);
      expect(codeOf(await tokenOf(strict, 'no_name'))).toBe(900023);
      const { body } = await tokenOf(strict, OTHER);
      const reply = await strict.raw('GET', `${GROUP}?api-version=2021-04-01`, undefined, { authorization: `Bearer ${body.access_token}` });
      expect([reply.status, reply.body.error.code]).toEqual([401, 'InvalidAuthenticationTokenTenant']);
    } finally {
      await strict.close();
    }
  });
});
