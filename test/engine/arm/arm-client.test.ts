import type { HttpClient, PipelineRequest } from '@azure/core-rest-pipeline';
import { createHttpHeaders } from '@azure/core-rest-pipeline';
import { answer, ENDPOINT, ID, put } from './fixtures';
import { createArmClient, type ArmClientOptions, type ArmRequestObservation } from '../../../engine/arm/arm-client';
import { armTypeOfUrl, armUrl } from '../../../engine/arm/arm-url';
import { registrationNeeded } from '../../../engine/arm/provider-registration';
import type { ArmResponse } from '../../../engine/arm/types';
import { OwnershipLostError } from '../../../engine/not-leading-error';
import { timersLeftBy } from '../../setup/timers-left';

interface Canned {
  readonly status: number;
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

function client(respond: (request: PipelineRequest, count: number) => Canned | Promise<Canned>, options: Partial<ArmClientOptions> = {}) {
  const requests: PipelineRequest[] = [];
  const tokens: unknown[] = [];
  /** Of each header of an answer that was read. */
  const readLengths: number[] = [];
  const httpClient: HttpClient = {
    sendRequest: async (request) => {
      requests.push({ ...request, headers: createHttpHeaders(request.headers.toJSON()) });
      const { status, text = '', headers = {} } = await respond(request, requests.length);
      const answered = createHttpHeaders(headers);
      const read = answered.get.bind(answered);
      answered.get = (name) => {
        const value = read(name);
        readLengths.push(value?.length ?? 0);
        return value;
      };
      return { request, status, headers: answered, bodyAsText: text };
    },
  };
  const credential: ArmClientOptions['credential'] = {
    getToken: async (scopes, more) => {
      tokens.push({ scopes, tenantId: more?.tenantId, claims: more?.claims });
      return {
        token: `token${more?.tenantId ? `-${more.tenantId}` : ''}${more?.claims ? '-fresh' : ''}`,
        expiresOnTimestamp: Date.now() + 3_600_000,
      };
    },
  };
  const arm = createArmClient({
    credential,
    subscriptionId: 's',
    endpoint: `${ENDPOINT}/`,
    audience: 'https://management.core.windows.net/',
    httpClient,
    ...options,
  });
  return { arm, requests, tokens, readLengths };
}

const ok = () => ({ status: 200, text: '{"a":1}', headers: { 'X-Ms-Request-Id': 'r' } });

describe('a request', () => {
  test('carries token, agent and body; the answer is parsed, header names in lower case', async () => {
    const { arm, requests, tokens } = client(ok, { userAgentSuffix: 'suffix', version: '1.2.3' });
    await expect(arm.send({ ...put, body: { x: 1 } })).resolves.toEqual({
      status: 200,
      headers: { 'x-ms-request-id': 'r' },
      body: { a: 1 },
      text: '{"a":1}',
    });
    const { url, method, headers, body } = requests[0]!;
    expect([method, url, body]).toEqual(['PUT', `${ENDPOINT}${ID}?api-version=2025-06-01`, '{"x":1}']);
    expect(headers.get('authorization')).toBe('Bearer token');
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('user-agent')).toMatch(/cdk8s-aso-controller\/1\.2\.3 .* suffix$/);
    expect(tokens).toMatchObject([{ scopes: ['https://management.core.windows.net//.default'] }]);
  });

  test('one token for many requests', async () => {
    const { arm, tokens } = client(ok);
    await arm.send(put);
    await arm.send(put);
    expect(tokens).toHaveLength(1);
  });

  test('additional tenants', async () => {
    const { arm, requests } = client(ok, { additionalTenants: ['t1', 't2', ''] });
    await arm.send(put);
    expect(requests[0]!.headers.get('x-ms-authorization-auxiliary')).toBe('Bearer token-t1, Bearer token-t2');
    expect(requests[0]!.headers.get('authorization')).toBe('Bearer token');
  });

  test('a CAE challenge is answered with a fresh token', async () => {
    const claims = Buffer.from('{"access_token":{}}').toString('base64');
    const { arm, requests } = client((_, count) =>
      count === 1 ? { status: 401, headers: { 'www-authenticate': `Bearer error="insufficient_claims", claims="${claims}"` } } : ok(),
    );
    expect((await arm.send(put)).status).toBe(200);
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer token', 'Bearer token-fresh']);
  });

  test('a challenge longer than any of Azure\'s is not looked at', async () => {
    const claims = Buffer.from('{"access_token":{}}').toString('base64');
    const challenge = `Bearer error="insufficient_claims", claims="${claims}"`.padEnd(4_096, ',');
    for (const [header, count] of [[challenge, 2], [`${challenge},`, 1]] as const) {
      const { arm, requests } = client(() => ({ status: 401, headers: { 'www-authenticate': header } }));
      expect((await arm.send(put)).status).toBe(401);
      expect(requests).toHaveLength(count);
    }
  });

  test.each([
    ['a', 'a'.repeat(16_000)], ['Bearer a', `Bearer ${'a'.repeat(16_000)}`], ['a="', `Bearer a="${'a="'.repeat(5_000)}`],
  ])('16 KiB of %s in the place of a challenge reach no pattern', async (_, header) => {
    const { arm, readLengths } = client(() => ({ status: 401, headers: { 'www-authenticate': header } }));
    expect((await arm.send(put)).headers).toEqual({});
    // The limit reads the header once, and takes it away before the policy with the patterns reads it.
    expect(readLengths.filter((length) => length > 4_096)).toHaveLength(1);
  });

  test.each([429, 500, 503, 408])('%i is not repeated', async (status) => {
    const { arm, requests } = client(() => ({ status, headers: { 'retry-after': '1' } }));
    expect((await arm.send(put)).status).toBe(status);
    expect(requests).toHaveLength(1);
  });

  test.each(['', '<html>', '{"half":', '\uFEFF{"a":1}'])('a body of %j never throws', async (text) => {
    const { arm } = client(() => ({ status: 200, text }));
    const { body } = await arm.send(put) as ArmResponse;
    expect(body).toEqual(text.includes('"a"') ? { a: 1 } : undefined);
  });

  test('is observed', async () => {
    const seen: ArmRequestObservation[] = [];
    const { arm } = client((_, count) => (count === 1 ? ok() : Promise.reject(new Error('reset'))), {
      onRequest: (observation) => seen.push(observation),
    });
    await arm.send(put);
    await arm.send({ method: 'GET', url: '/subscriptions' }).catch(() => undefined);
    expect(seen).toMatchObject([
      { method: 'PUT', resource: 'Microsoft.Storage/storageAccounts', status: 200 },
      { method: 'GET', resource: 'unknown' },
    ]);
    expect(seen[1]!.status).toBeUndefined();
  });
});

describe('no answer', () => {
  test('is an ArmError without the query', async () => {
    const { arm } = client(() => Promise.reject(new Error('socket hang up')));
    await expect(arm.send({ method: 'GET', url: `${ENDPOINT}/op?s=SIGNATURE` })).rejects.toMatchObject({
      name: 'ArmError',
      code: 'UnknownError',
      status: undefined,
      message: `GET ${ENDPOINT}/op: socket hang up`,
    });
  });

  test.each(['has come', 'has not'])('no timer is kept when it %s', async (what) => {
    const { arm } = client(() => (what === 'has come' ? ok() : Promise.reject(new Error('refused'))));
    expect(await timersLeftBy(() => arm.send(put))).toBe(0);
  });

  test('a token that cannot be had', async () => {
    const { arm } = client(ok, { credential: { getToken: () => Promise.reject(new Error('AADSTS700016')) } });
    await expect(arm.send(put)).rejects.toMatchObject({ name: 'ArmError', message: expect.stringContaining('AADSTS700016') });
  });

  test('within the time', async () => {
    const { arm } = client(() => new Promise(() => undefined), { timeoutSeconds: 0.05 });
    await expect(arm.send(put)).rejects.toMatchObject({ name: 'ArmError', message: expect.stringContaining('no answer within 0.05 s') });
  });

  test('an abort is no ArmError', async () => {
    const controller = new AbortController();
    const { arm } = client(() => new Promise(() => undefined));
    const sent = arm.send(put, controller.signal);
    controller.abort(new Error('shutting down'));
    await expect(sent).rejects.toThrow('shutting down');
    await expect(arm.send(put, controller.signal)).rejects.toThrow('shutting down');
  });
});

describe('where a request goes', () => {
  test.each([
    ['/subscriptions/s', 'https://management.azure.com/subscriptions/s?api-version=1'],
    ['/a?x=%2F', 'https://management.azure.com/a?x=%2F&api-version=1'],
    ['/a?Api-Version=2', 'https://management.azure.com/a?Api-Version=2'],
    ['/a b', 'https://management.azure.com/a%20b?api-version=1'],
    ['https://management.azure.com/op?t=1', 'https://management.azure.com/op?t=1&api-version=1'],
    ['https://westeurope.management.azure.com/op', 'https://westeurope.management.azure.com/op?api-version=1'],
  ])('%s', (url, want) => expect(armUrl(ENDPOINT, url, '1')).toBe(want));

  test.each([
    'https://evil.example/op',
    'http://management.azure.com/op',
    'http://westeurope.management.azure.com/op',
    'https://management.azure.com.evil.example/op',
    'https://evilmanagement.azure.com/op',
    'https://management.azure.com:8443/op',
    'https://user@management.azure.com/op',
    '//evil.example/op',
    '/\\evil.example/op',
    'file:///etc/passwd',
    'https://',
  ])('%s is refused before a token is sent', async (url) => {
    const { arm, requests, tokens } = client(ok);
    await expect(arm.send({ method: 'GET', url })).rejects.toMatchObject({ name: 'ArmError', code: 'OperationUrlRefused' });
    expect([requests, tokens]).toEqual([[], []]);
  });

  test('an endpoint with a path keeps it', () =>
    expect(armUrl('https://proxy.example/arm/', '/subscriptions/s')).toBe('https://proxy.example/arm/subscriptions/s'));

  test.each([
    [`${ID}?api-version=1`, 'Microsoft.Storage/storageAccounts'],
    [`${ENDPOINT}${ID}/listKeys`, 'Microsoft.Storage/storageAccounts'],
    ['/subscriptions/s/resourceGroups/g', 'Microsoft.Resources/resourceGroups'],
    ['/nothing', 'unknown'],
  ])('the ARM type of %s is %s', (url, want) => expect(armTypeOfUrl(url)).toBe(want));
});

describe('provider registration', () => {
  const missing = { error: { code: 'missingsubscriptionregistration', message: 'm', details: [{ target: 'Microsoft.Cdn' }] } };

  test('is asked for, and the request is not repeated', async () => {
    const { arm, requests } = client(({ method }) =>
      method === 'PUT' ? { status: 409, text: JSON.stringify(missing) } : { status: 200, text: '{}' },
    );
    await expect(arm.send(put)).rejects.toMatchObject({
      code: 'UnknownError',
      message: 'registering Resource Provider Microsoft.Cdn with subscription. Try again later',
    });
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `PUT ${ENDPOINT}${ID}?api-version=2025-06-01`,
      `POST ${ENDPOINT}/subscriptions/s/providers/Microsoft.Cdn/register?api-version=2019-05-01`,
    ]);
  });

  test('is asked for in the subscription of the request, which may be another one than that of the credential', async () => {
    const { arm, requests } = client(({ method }) =>
      method === 'PUT' ? { status: 409, text: JSON.stringify(missing) } : { status: 200, text: '{}' },
    );
    await expect(arm.send({ ...put, url: ID.replace('/subscriptions/s/', '/subscriptions/other/') })).rejects.toThrow('Microsoft.Cdn');
    expect(requests.at(-1)!.url).toBe(`${ENDPOINT}/subscriptions/other/providers/Microsoft.Cdn/register?api-version=2019-05-01`);
  });

  test('its own refusal is reported', async () => {
    const { arm } = client(({ method }) =>
      method === 'PUT'
        ? { status: 409, text: JSON.stringify(missing) }
        : { status: 403, text: '{"error":{"code":"AuthorizationFailed","message":"no"}}' },
    );
    await expect(arm.send(put)).rejects.toMatchObject({ code: 'AuthorizationFailed', status: 403 });
  });

  test.each<[string, ReturnType<typeof answer>]>([
    ['another status', answer(400, missing)],
    ['another code', answer(409, { error: { code: 'Conflict', details: [{ target: 'Microsoft.Cdn' }] } })],
    ['no error member', answer(409, { code: 'MissingSubscriptionRegistration' })],
    ['no body', answer(409)],
  ])('%s passes through', (_, response) => expect(registrationNeeded(response)).toBeUndefined());

  test('without a usable provider it is an error', () => {
    expect(() => registrationNeeded(answer(409, { error: { ...missing.error, details: [] } }))).toThrow('unexpected empty Details');
    expect(() => registrationNeeded(answer(409, { error: { ...missing.error, details: [{ target: '../../x' }] } }))).toThrow(
      'unexpected empty Details',
    );
  });
});

describe('just before a request is sent, when the token has come', () => {
  /** It may have stood still for that. */
  const losing = (lose: () => void): ArmClientOptions['credential'] => ({
    getToken: async () => {
      lose();
      return { token: 'token', expiresOnTimestamp: Date.now() + 3_600_000 };
    },
  });

  test('the process has to lead still', async () => {
    let leads = true;
    const { arm, requests } = client(ok, { credential: losing(() => (leads = false)), mayStillSend: () => leads });
    await expect(arm.send(put)).rejects.toThrow('does not lead any more');
    expect(requests).toEqual([]);
  });

  test('an error of the check of the request ends it as it is', async () => {
    let owns = true;
    const { arm, requests } = client(ok, { credential: losing(() => (owns = false)) });
    const beforeSending = () => {
      if (!owns) throw new OwnershipLostError('ResourceGroup shop/g');
    };
    await expect(arm.send({ ...put, beforeSending })).rejects.toThrow(OwnershipLostError);
    expect(requests).toEqual([]);
  });

  test('a registration is checked like the request that needs it', async () => {
    let owns = true;
    const { arm, requests } = client(() => {
      owns = false;
      const error = { code: 'MissingSubscriptionRegistration', details: [{ target: 'Microsoft.Cdn' }] };
      return { status: 409, text: JSON.stringify({ error }) };
    });
    const beforeSending = () => {
      if (!owns) throw new OwnershipLostError('ResourceGroup shop/g');
    };
    await expect(arm.send({ ...put, beforeSending })).rejects.toThrow(OwnershipLostError);
    expect(requests.map(({ method }) => method)).toEqual(['PUT']);
  });
});
