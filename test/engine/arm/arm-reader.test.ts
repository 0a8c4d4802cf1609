import fc from 'fast-check';
import { answer, ENDPOINT, ID, MARK } from './fixtures';
import { isAbsent, PROPERTIES, readExistence, readPage, readResource } from '../../../engine/arm/arm-reader';
import { ArmError, type ArmResponse } from '../../../engine/arm/types';

const get = { method: 'GET', url: `${ID}?api-version=1` } as const;
const found = { id: ID, name: 'acc', type: 'Microsoft.Storage/storageAccounts', properties: { provisioningState: 'Succeeded' } };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const text = (status: number, body: string, type?: string): ArmResponse => ({
  status,
  headers: type ? { 'content-type': type } : {},
  body: parsed(body),
  text: body,
});
const error = (code: unknown, message: unknown = 'The thing was not found.') => ({ error: { code, message } });

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const read = (given: ArmResponse, url: string = get.url) => readResource({ ...get, url }, given, { needs: [PROPERTIES] });

describe('a resource', () => {
  test.each<[string, unknown]>([
    ['as it is', found],
    ['in another case', { ...found, id: ID.toUpperCase() }],
    ['with a slash at the end', { ...found, id: `${ID}/` }],
    ['by name and type', { name: 'ACC', type: found.type.toUpperCase(), properties: {} }],
    ['by name alone', { name: 'acc', properties: {} }],
  ])('%s', (_, body) => expect(read(answer(200, body, JSON_TYPE))).toBe(body));

  test.each<[string, string, string]>([
    [
      'a custom role, which lies in the subscription',
      '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Authorization/roleDefinitions/r',
      '/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/r',
    ],
    [
      'an action group',
      '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Insights/actionGroups/a',
      '/subscriptions/S2/resourceGroups/rg/providers/microsoft.insights/actionGroups/a',
    ],
  ])('recorded: %s', (_, asked, id) => expect(read(answer(200, { id, properties: {} }), asked)).toBeDefined());

  test.each([['sub', true], ['net/sub', true], ['SUB', true], ['net', false], ['other/sub', false]])('of two levels without an id, by the name %s', (name, isIt) => {
    const asked = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/net/subnets/sub';
    const reading = () => read(answer(200, { name, properties: {} }), asked);
    if (isIt) expect(reading()).toBeDefined();
    else expect(reading).toThrow(ArmError);
  });

  test.each<[string, ArmResponse]>([
    ['a page', text(200, '<html>log in</html>', 'text/html')],
    ['a page without a type', text(200, '<html>')],
    ['a resource as a page', text(200, JSON.stringify(found), 'text/html')],
    ['nothing', answer(200)],
    ['half a resource', text(200, JSON.stringify(found).slice(0, 60), 'application/json')],
    ['a list', answer(200, [found])],
    ['a list of resources', answer(200, { value: [found] })],
    ['null', answer(200, null)],
    ['another resource', answer(200, { ...found, id: ID.replace(/acc$/, 'other') })],
    ['the same name in another group', answer(200, { ...found, id: ID.replace('/rg/', '/rg2/') })],
    ['the same name in another subscription', answer(200, { ...found, id: ID.replace('/s/', '/s2/') })],
    ['its parent', answer(200, { ...found, id: ID.split('/').slice(0, 5).join('/') })],
    ['another name', answer(200, { name: 'other', properties: {} })],
    ['another type', answer(200, { name: 'acc', type: 'Microsoft.X/y', properties: {} })],
    ['no id and no name', answer(200, { properties: {} })],
    ['no properties', answer(200, { id: ID })],
    ['a text for properties', answer(200, { id: ID, properties: 'x' })],
    ['an error with 200', answer(200, error('ResourceNotFound'))],
    ['a redirect', answer(302, undefined, { location: 'https://evil.example' })],
    ['no content', answer(204)],
    ['accepted', answer(202, found)],
  ])('is not %s', (_, given) => expect(() => read(given)).toThrow(ArmError));

  test('what came instead is reported with status, type and a few characters, and without the signature of the URL', () => {
    const asked = { method: 'GET', url: `${ID}?api-version=1&sig=SECRET` } as const;
    const thrown = () => readResource(asked, text(200, `<html>${'x'.repeat(100_000)}`, 'text/html; charset=utf-8'));
    expect(thrown).toThrow(/HTTP 200 \(text\/html; charset=utf-8\): <html>x+….*proxy/s);
    expect(thrown).not.toThrow(/SECRET/);
    expect(thrown).not.toThrow(/x{1000}/);
  });
});

describe('a resource that does not exist', () => {
  test.each([
    'ResourceNotFound',
    'ResourceGroupNotFound',
    'NotFound',
    'ParentResourceNotFound',
    'RoleAssignmentNotFound',
    'RoleDefinitionDoesNotExist',
    'DeletedVaultNotFound',
    'EntityNotFound',
    'Request_ResourceNotFound',
    'SomethingOfTheService',
  ])('%s', (code) => expect(read(answer(404, error(code), JSON_TYPE))).toBeUndefined());

  test('an error without the member around it', () => {
    expect(read(answer(404, { code: 'NotFound', message: 'Could not find the agentpool', details: [] }))).toBeUndefined();
  });

  test.each<[string, ArmResponse]>([
    ['the page of a proxy', text(404, '<html>not found</html>', 'text/html')],
    ['the error of Azure as a page', text(404, JSON.stringify(error('ResourceNotFound')), 'text/html')],
    ['nothing', answer(404)],
    ['half an error', text(404, '{"error":{"code":"ResourceNotFound","mess', 'application/json')],
    ['of a gateway', answer(404, { message: 'no Route matched with those values' })],
    ['of a gateway with a status', answer(404, { statusCode: 404, message: 'Resource not found' })],
    ['of a framework', answer(404, { status: 404, error: 'Not Found', path: '/subscriptions' })],
    ['a number for a code', answer(404, error(404, 'Not Found'))],
    ['a bare code of a route', answer(404, { code: 'no_route', message: 'not found' })],
    ['no message', answer(404, error('ResourceNotFound', ''))],
    ['a list', answer(404, [error('ResourceNotFound')])],
    ['of the subscription', answer(404, error('SubscriptionNotFound'))],
    ['of the subscription, invalid', answer(404, error('InvalidSubscriptionId'))],
    ['of the type', answer(404, error('InvalidResourceType'))],
    ['of the provider', answer(404, error('InvalidResourceNamespace'))],
    ['of the operation', answer(404, error('OperationNotFound'))],
    [
      'another resource',
      answer(
        404,
        error('ResourceNotFound', "The Resource 'Microsoft.Storage/storageAccounts/other' under resource group 'rg' was not found."),
      ),
    ],
    ['another group', answer(404, error('ResourceGroupNotFound', "Resource group 'other' could not be found."))],
    ['410', answer(410, error('Gone'))],
    ['403', answer(403, error('AuthorizationFailed', 'no'))],
  ])('%s says nothing', (_, given) => {
    expect(isAbsent(get, given)).toBe(false);
    expect(() => read(given)).toThrow(ArmError);
  });

  test('the sentences of Azure name it, or what it lies in', () => {
    const child = { method: 'GET', url: `${ID}/blobServices/default` } as const;
    for (const name of [
      'Microsoft.Storage/storageAccounts/acc',
      'Microsoft.Storage/storageAccounts/blobServices/acc/default',
      'microsoft.storage/storageAccounts/acc/blobServices/default',
    ]) {
      expect(
        isAbsent(
          child,
          answer(404, error('ResourceNotFound', `The Resource '${name}' under resource group 'RG' was not found. For more details`)),
        ),
      ).toBe(true);
    }
    expect(isAbsent(child, answer(404, error('ResourceGroupNotFound', "Resource group 'rg' could not be found.")))).toBe(true);
  });
});

describe('a HEAD', () => {
  const head = { method: 'HEAD', url: ID } as const;
  test.each([[200, true], [204, true], [404, false]])('%i: %s', (status, exists) => {
    expect(readExistence(head, answer(status, undefined, MARK))).toBe(exists);
    expect(readExistence(head, answer(status, undefined, { ...MARK, ...JSON_TYPE }))).toBe(exists);
    expect(() => readExistence(head, answer(status, undefined, { ...MARK, 'content-type': 'text/html' }))).toThrow(ArmError);
  });
  test.each([200, 204, 404])('%i without an id of Azure proves nothing: a proxy may have given it', (status) => {
    for (const headers of [{}, JSON_TYPE, { 'x-ms-request-id': '' }]) {
      const exists = () => readExistence(head, answer(status, undefined, headers));
      expect(exists).toThrow(expect.objectContaining({ extra: { unstructured: true } }));
    }
  });
  test.each([429, 503])('%i of a proxy says how long to wait', (status) => {
    expect(() => readExistence(head, answer(status, undefined, { 'retry-after': '7' }))).toThrow(expect.objectContaining({ retryAfterSeconds: 7 }));
  });
  test.each([202, 301, 403, 500])('%i is neither', (status) => expect(() => readExistence(head, answer(status))).toThrow(ArmError));
});

describe('a list', () => {
  const asked = { method: 'GET', url: '/subscriptions/s/things' } as const;
  test('its elements, and where the next page is', () => {
    expect(readPage(asked, answer(200, { value: [found], nextLink: `${ENDPOINT}/subscriptions/S/things?$skiptoken=x` }))).toMatchObject({
      items: [found],
      next: `${ENDPOINT}/subscriptions/S/things?$skiptoken=x`,
    });
    expect(readPage(asked, answer(200, { value: [], nextLink: null }))).not.toHaveProperty('next');
  });

  test.each<[string, unknown]>([
    ['no list', {}],
    ['an object', { value: {} }],
    ['texts', { value: ['a'] }],
    ['a hole', { value: [found, null] }],
    ['a number for a link', { value: [], nextLink: 5 }],
    ['a page of something else', { value: [], nextLink: `${ENDPOINT}/subscriptions/s/others` }],
    ['a page that climbs', { value: [], nextLink: `${ENDPOINT}/subscriptions/s/things/../others` }],
  ])('is not %s', (_, body) => expect(() => readPage(asked, answer(200, body))).toThrow(ArmError));
});

test('what is garbled is never a resource, and never says that there is none', () => {
  const whole = [JSON.stringify(found), JSON.stringify(error('ResourceNotFound')), JSON.stringify({ code: 'NotFound', message: 'no' })];
  const garbled = fc.oneof(
    fc.tuple(fc.constantFrom(...whole), fc.nat()).map(([json, at]) => json.slice(0, at % json.length)),
    fc
      .tuple(fc.constantFrom(...whole), fc.string({ minLength: 1 }))
      .map(([json, more]) => `${more}${json}`)
      .filter((given) => !['{'].includes(given.trim()[0]!)),
    fc.json({ maxDepth: 3 }),
    fc.string(),
    fc.constantFrom(
      '',
      '<html>',
      'null',
      '{}',
      '[]',
      '0',
      '"ResourceNotFound"',
      '{"error":null}',
      '{"error":"ResourceNotFound"}',
      '{"error":{}}',
      '{"value":[]}',
    ),
  );
  fc.assert(
    fc.property(
      garbled,
      fc.constantFrom(200, 201, 202, 204, 301, 404, 410, 500, 503),
      fc.constantFrom(undefined, 'text/html', 'application/json', 'text/plain'),
      (given, status, type) => {
        const response = text(status, given, type);
        expect(isAbsent(get, response)).toBe(false);
        expect(() => read(response)).toThrow(ArmError);
      },
    ),
    { numRuns: 1_000 },
  );
});
