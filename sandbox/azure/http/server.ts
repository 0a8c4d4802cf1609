import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerAdministration } from './administration';
import type { Fault } from './faults';
import type { IdentityPlatform, TokenRefusal } from './identity-platform';
import { answerArm } from '../arm/answer-arm';
import { parseArmPath } from '../arm/arm-path';
import { refusedForLackOfRole } from '../arm/authorization';
import { operationOf } from '../arm/reads';
import { throttled } from '../contrary/troubles';
import { answerGraph, isGraph } from '../graph/groups';
import type { Answer } from '../model/answer';
import { scaled, type Simulation } from '../model/simulation';
import { answerResourceGraph } from '../resource-graph/query';
import { isResourceGraph } from '../resource-graph/request';

const BODY_LIMIT = 4 * 1024 * 1024;
const PUBLIC_AUDIENCES = ['https://management.core.windows.net', 'https://management.azure.com'];

/** Handles one HTTP request from the first byte to the last. */
export async function serve(
  simulation: Simulation,
  identity: IdentityPlatform,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? 'GET';
  const url = new URL(request.url ?? '/', simulation.baseUrl);
  const text = await bodyOf(request);
  if (text === undefined) {
    return send(response, method, {
      status: 413,
      body: { error: { code: 'RequestEntityTooLarge', message: 'The request is larger than 4 MiB.' } },
    });
  }
  const other =
    answerAdministration(simulation, method, url.pathname, text) ?? identity.answer(method, url.pathname, text, simulation.baseUrl);
  if (other) return send(response, method, other);
  return serveArm(simulation, identity, request, response, url, text);
}

async function serveArm(
  simulation: Simulation, identity: IdentityPlatform, request: IncomingMessage, response: ServerResponse, url: URL, text: string,
): Promise<void> {
  const method = request.method ?? 'GET';
  const entry = simulation.log.begin({
    at: new Date(simulation.clock.now()).toISOString(),
    method,
    path: url.pathname,
    apiVersion: url.searchParams.get('api-version') ?? '',
    ...(method === 'GET' && operationOf({ path: parseArmPath(url.pathname) }) && { poll: true }),
  });
  const number = simulation.log.counts().total;
  const claims = identity.check(request.headers.authorization, [simulation.baseUrl, ...PUBLIC_AUDIENCES]);
  if ('code' in claims) {
    entry.status = 401;
    return send(response, method, unauthenticated(simulation, claims));
  }
  entry.client = claims.client;
  const fault = simulation.faults.take(method, url.pathname);
  if (fault?.drop) {
    entry.status = 0;
    return void request.socket.destroy();
  }
  if (fault?.hang) return undefined;
  if (fault?.byProxy) {
    entry.status = fault.status;
    return sendAsProxy(response, method, fault);
  }
  const { answer, limitHeaders } = answerOf(simulation, { method, url, text, client: claims.client, isPoll: entry.poll, fault });
  entry.status = answer.status;
  if (answer.created) entry.created = true;
  await simulation.clock.sleep(scaled(simulation, answer.seconds ?? 0));
  answer.finish?.();
  if (fault?.loseAnswer) {
    entry.status = 0;
    return void request.socket.destroy();
  }
  return send(response, method, { ...answer, headers: headersOf(simulation, number, limitHeaders, answer) }, fault);
}

function unauthenticated({ baseUrl, tenantId }: Simulation, { code, message }: TokenRefusal): Answer {
  const uri = `${baseUrl}/${tenantId}`;
  return {
    status: 401,
    headers: { 'WWW-Authenticate': `Bearer authorization_uri="${uri}", error="invalid_token", error_description="${message}"` },
    body: { error: { code, message } },
  };
}

/** A request whose token is in order. */
interface AuthenticatedCall {
  readonly method: string;
  readonly url: URL;
  readonly text: string;
  readonly client: string;
  readonly isPoll: boolean | undefined;
  readonly fault: Fault | undefined;
}

type Counted = ReturnType<Simulation['limits']['count']>;

/** The answer of the service that the path belongs to, unless a limit or a missing role refuses the request. */
function answerOf(
  simulation: Simulation, { method, url, text, client, isPoll, fault }: AuthenticatedCall,
): { readonly answer: Answer; readonly limitHeaders: Counted['headers'] | undefined } {
  const path = url.pathname;
  const counted = isGraph(path) ? undefined : counts(simulation, client, method, path, isPoll);
  const limitHeaders = counted?.headers;
  if (counted?.refused) return { answer: counted.refused, limitHeaders };
  const tooMany = isGraph(path) ? undefined : throttled(simulation, method, path);
  if (tooMany) return { answer: tooMany, limitHeaders };
  const refusal = (id: string) => refusedForLackOfRole(simulation, client, method, id);
  if (isResourceGraph(method, path) && fault?.status === undefined) {
    return { answer: answerResourceGraph(simulation, url, text, (id) => refusal(id) === undefined), limitHeaders };
  }
  const refused = isPoll || isGraph(path) ? undefined : refusal(path);
  return { answer: refused ?? (isGraph(path) ? answerGraph : answerArm)(simulation, method, url, text, fault), limitHeaders };
}

function headersOf(
  { values, clock }: Simulation, number: number, limitHeaders: Counted['headers'] | undefined, answer: Answer,
): Record<string, string> {
  const id = values.uuid('request', number);
  return {
    'x-ms-request-id': id,
    'x-ms-correlation-request-id': id,
    'x-ms-routing-request-id': `SANDBOX:${new Date(clock.now()).toISOString()}:${id}`,
    ...limitHeaders,
    'Cache-Control': 'no-cache',
    ...answer.headers,
  };
}

/** Azure Resource Manager counts first; a request that it refuses never reaches the provider. Only Azure Resource Manager counts polls. */
function counts(
  simulation: Simulation,
  client: string,
  method: string,
  path: string,
  isPoll = false,
): Counted {
  const first = simulation.limits.count(client, method, path);
  if (first.refused || isPoll) return first;
  const then = simulation.providerLimits.count(client, method, path);
  return { ...then, headers: { ...first.headers, ...then.headers } };
}

function send(response: ServerResponse, method: string, answer: Answer, fault: Fault = {}): void {
  if (response.destroyed) return;
  const given = fault.garble ?? fault.text;
  const hasBody = (answer.body !== undefined || given !== undefined) && method !== 'HEAD' && answer.status !== 204;
  const text = hasBody ? Buffer.from(given ?? JSON.stringify(answer.body)) : undefined;
  response.writeHead(answer.status, {
    ...(text && { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': text.length }),
    ...answer.headers,
  });
  if (!fault.cut) return void response.end(text);
  response.write(text?.subarray(0, text.length / 2) ?? '', () => response.destroy());
}

/** Azure has not seen the request, so nothing of the answer is Azure's. */
function sendAsProxy(response: ServerResponse, method: string, { status = 502, text = '', headers = {} }: Fault): void {
  const body = method === 'HEAD' || status === 204 ? Buffer.alloc(0) : Buffer.from(text);
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  response.writeHead(status, {
    ...(body.length > 0 && !isTyped && { 'Content-Type': 'text/html' }),
    'Content-Length': body.length,
    ...headers,
  });
  response.end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_LIMIT) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
