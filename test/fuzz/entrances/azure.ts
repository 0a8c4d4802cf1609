import { maxHeaderSize } from 'node:http';
import type { HttpClient } from '@azure/core-rest-pipeline';
import { createHttpHeaders } from '@azure/core-rest-pipeline';
import { Groups } from '../../../controller/directory/graph';
import { changesOf, statusOf } from '../../../controller/directory/group-body';
import { createArmClient } from '../../../engine/arm/arm-client';
import { isAbsent, PROPERTIES, readExistence, readObject, readPage, readResource, writtenResource } from '../../../engine/arm/arm-reader';
import { pollOperation } from '../../../engine/arm/poll-operation';
import { ArmError, type ArmClient, type OperationState } from '../../../engine/arm/types';
import { compare } from '../../../engine/compare';
import { KindError } from '../../../engine/kinds';
import type { Random } from '../../simulation/random';
import type { Entrance } from '../entrance';
import { mutate, mutateBytes, mutatedJson } from '../mutate';

const SUBSCRIPTION = '00000000-0000-0000-0000-000000000000';
const ID = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/x`;
const UUID = '11111111-2222-3333-4444-555555555555';
const RESOURCE = {
  id: ID,
  name: 'x',
  type: 'Microsoft.Network/virtualNetworks',
  location: 'uksouth',
  properties: { provisioningState: 'Succeeded', subnets: [] },
};
const ERROR = {
  error: {
    code: 'ResourceNotFound',
    message: "The Resource 'Microsoft.Network/virtualNetworks/x' under resource group 'rg' was not found.",
    details: [{ code: 'a', message: 'b' }],
    innererror: { code: 'c' },
  },
};
const LIST = { value: [RESOURCE, RESOURCE], nextLink: `https://management.azure.com${ID}?$skiptoken=1` };
const STATUS = { status: 'InProgress', error: { code: 'Conflict', message: 'no' }, properties: { provisioningState: 'Updating' } };
const GROUP = {
  'id': UUID,
  'displayName': 'g',
  'mailNickname': 'g',
  'groupTypes': [],
  '@odata.nextLink': 'https://graph.microsoft.com/v1.0/groups?x',
};
const GROUPS = { 'value': [GROUP], '@odata.nextLink': 'https://graph.microsoft.com/v1.0/groups?$filter=x' };
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'location': `https://management.azure.com${ID}?x`,
  'azure-asyncoperation': 'https://management.azure.com/subscriptions/x',
  'operation-location': '/subscriptions/x',
  'retry-after': '5',
  'x-ms-request-id': '1',
  'x-ms-ratelimit-remaining-subscription-writes': '1199',
  'content-encoding': 'identity',
  'www-authenticate':
    'Bearer authorization_uri="https://login.microsoftonline.com/", error="insufficient_claims", claims="eyJhY2Nlc3NfdG9rZW4iOnt9fQ=="',
};
const STATUSES = [200, 200, 200, 201, 202, 204, 302, 400, 401, 403, 404, 404, 409, 410, 429, 500, 503];

/** An answer as it comes out of a socket; `bytes` in base64. */
interface Answer {
  readonly status: number;
  readonly headers: unknown;
  readonly bytes: string;
}

function answerOf(body: unknown, random: Random): Answer {
  const bytes = Buffer.from(mutatedJson(body, ERROR, random));
  const headers = random.chance(0.3)
    ? mutate(HEADERS, ERROR, random)
    : random.chance(0.5)
      ? HEADERS
      : { 'content-type': 'application/json' };
  return { status: random.pick(STATUSES), headers, bytes: (random.chance(0.2) ? mutateBytes(bytes, random) : bytes).toString('base64') };
}

/** As many headers as Node reads before it gives an answer up. */
function headersOf(answer: Answer): Record<string, string> {
  const read: Record<string, string> = {};
  let bytes = 0;
  for (const [name, value] of Object.entries(Object(answer.headers))) {
    if (name === '' || typeof value !== 'string') continue;
    bytes += name.length + Math.min(value.length, maxHeaderSize) + ': \r\n'.length;
    if (bytes > maxHeaderSize) break;
    read[name] = value;
  }
  return read;
}

/** The controller's own client; a socket is all that it does not have. */
function clientOf(answer: Answer): ArmClient {
  const headers = headersOf(answer);
  const bytes = Buffer.from(answer.bytes, 'base64');
  const httpClient: HttpClient = {
    sendRequest: async (request) => {
      const body = (async function* () {
        yield bytes;
      })();
      return {
        request,
        status: answer.status,
        headers: createHttpHeaders(headers),
        readableStreamBody: body as unknown as NodeJS.ReadableStream,
      };
    },
  };
  const credential = { getToken: async () => ({ token: 't', expiresOnTimestamp: 4e12 }) };
  return createArmClient({
    credential,
    subscriptionId: SUBSCRIPTION,
    endpoint: 'https://management.azure.com',
    audience: 'https://management.azure.com',
    httpClient,
    registerProviders: false,
  });
}

const isAzuresAnswer = (error: Error) => error instanceof ArmError || error instanceof KindError;

/** Each is asked, whatever the one before it said; answers whether all of them refused. */
async function all(...acts: readonly (() => unknown)[]): Promise<void> {
  const refusals: Error[] = [];
  for (const act of acts) {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Error) || !isAzuresAnswer(error)) throw error;
      refusals.push(error);
    }
  }
  if (refusals.length === acts.length) throw refusals[0];
}

export const azureEntrances: readonly Entrance[] = [
  {
    name: 'azure-reader',
    make: (random) => answerOf(random.pick([RESOURCE, ERROR, LIST, STATUS]), random),
    enter: async (input) => {
      const asked = { method: 'GET', url: ID } as const;
      const answer = await clientOf(input as Answer).send({ ...asked, apiVersion: '2024-01-01' });
      await all(
        () => readResource(asked, answer, { needs: [PROPERTIES, { path: 'properties/subnets', is: 'list' }], now: 0 }),
        () => readObject(asked, answer),
        () => readExistence({ ...asked, method: 'HEAD' }, answer),
        () => readPage(asked, answer),
        () => [isAbsent(asked, answer), writtenResource(asked, answer)],
        // The resource as it is read is compared with the request: here it is the same.
        () => compare(readObject(asked, answer), readObject(asked, answer), {}),
      );
    },
    expected: isAzuresAnswer,
  },
  {
    name: 'operation-poll',
    make: (random) => {
      const url = random.chance(0.8)
        ? `https://management.azure.com${ID}/operations/1`
        : random.pick(['', 'https://evil.invalid/', '//x', 'x', `${ID}/../y`, '/subscriptions/%2e%2e']);
      const state: OperationState = {
        style: random.pick(['azure-asyncoperation', 'operation-location', 'location', 'body']),
        method: random.pick(['PUT', 'DELETE', 'POST']),
        originalUrl: ID,
        pollUrl: url,
        state: 'Creating',
        ...(random.chance(0.5) ? { locationUrl: url } : {}),
      };
      return { state, answer: answerOf(random.pick([STATUS, STATUS, RESOURCE, ERROR]), random) };
    },
    enter: (input) => {
      const { state, answer } = input as { state: OperationState; answer: Answer };
      return pollOperation(clientOf(answer), state, undefined, { now: 10_000, since: 0 });
    },
  },
  {
    name: 'graph-answer',
    make: (random) => answerOf(random.pick([GROUP, GROUPS, ERROR]), random),
    enter: async (input) => {
      const groups = new Groups(clientOf(input as Answer), new AbortController().signal);
      await all(
        async () => changesOf({ displayName: 'g' }, statusOf(await groups.get(UUID) ?? {})),
        () => groups.named('g'),
        () => groups.create({ displayName: 'g' }),
        () => groups.update(UUID, {}),
        () => groups.delete(UUID),
      );
    },
    expected: isAzuresAnswer,
  },
];
