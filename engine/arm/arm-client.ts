import type { TokenCredential } from '@azure/core-auth';
import type { HttpClient, Pipeline, PipelinePolicy, PipelineResponse } from '@azure/core-rest-pipeline';
import {
  auxiliaryAuthenticationHeaderPolicy,
  bearerTokenAuthenticationPolicy,
  createEmptyPipeline,
  createHttpHeaders,
  createPipelineRequest,
  proxyPolicy,
} from '@azure/core-rest-pipeline';
import { UNKNOWN_CODE } from './arm-error';
import { armTypeOfUrl, armUrl, ForeignUrlError, redactedUrl, UnsafePathError } from './arm-url';
import { challengeLimit } from './challenge-limit';
import { parseAnswer } from './json';
import { FOREIGN_URL_CODE } from './poll-operation';
import { withProviderRegistration } from './provider-registration';
import type { ArmClient, ArmRequest, ArmResponse } from './types';
import { ArmError } from './types';
import { withoutTrailingSlashes } from '../../src/azure/trailing-slashes';
import { asText } from '../../src/util/words';
import { credentialErrorIn } from '../credentials/types';
import { boundedHttpClient, type HttpLimits } from '../http/bounded-client';
import { startDeadline } from '../http/deadline';
import { LargeBodies } from '../http/large-bodies';
import { NotLeadingError } from '../not-leading-error';
import { oneLine } from '../text-limits';

/** ARM itself gives up on a synchronous request sooner; a connection that hangs must not hold a worker for ever. */
const DEFAULT_TIMEOUT_SECONDS = 180;
/**
 * The largest of 4,400 recorded answers has 1.8 MB, and subnets of large clusters have been seen with more than 3 MiB
 * (https://github.com/Azure/azure-service-operator/issues/4428). Resource Graph, which has the largest pages, limits them to 16 MB.
 * @see https://learn.microsoft.com/azure/governance/resource-graph/concepts/work-with-data
 */
export const ARM_LIMITS: HttpLimits = {
  from: 'Azure',
  maxBodyBytes: 17 * 1024 * 1024,
  timeoutMs: DEFAULT_TIMEOUT_SECONDS * 1000,
  large: new LargeBodies(4),
};
/** Of clouds that a tenant has named, and may have made. Such a cloud has no Resource Graph. */
export const FOREIGN_LIMITS: HttpLimits = { ...ARM_LIMITS, from: 'a cloud', maxBodyBytes: 4 * 1024 * 1024, large: new LargeBodies(4, 1) };
const LONGEST_MESSAGE = 1000;
/** Code of an ArmError for an id of ours that cannot be sent: nothing of it has left this program. */
export const UNSAFE_ID_CODE = 'UnsafeResourceId';

/** One request, for metrics. `status` is absent where there was no answer. */
export interface ArmRequestObservation {
  readonly method: ArmRequest['method'];
  /** ARM type of the URL, e.g. `Microsoft.Storage/storageAccounts`, or `unknown`. */
  readonly resource: string;
  /** The URL without host and query; of an operation, which may be signed, without anything else either. */
  readonly path: string;
  /** Azure's name for the request (`x-ms-request-id`). Absent if there was no answer. */
  readonly requestId?: string;
  readonly status?: number;
  readonly seconds: number;
  /** Of the credential. */
  readonly subscriptionId?: string;
  /**
   * The remaining requests that Azure reports, by the end of the header's name: `subscription-writes` → 1199. Absent if it reports none.
   */
  readonly remaining?: Readonly<Record<string, number>>;
}

export interface ArmClientOptions {
  readonly credential: TokenCredential;
  readonly subscriptionId: string;
  /** `https://management.azure.com` */
  readonly endpoint: string;
  /** `https://management.core.windows.net/`; the token scope is this and `/.default`. */
  readonly audience: string;
  /** Whether the cloud is neither one of Azure's nor the controller's own: its answers have narrower limits. Default: false. */
  readonly isForeign?: boolean;
  /** One more token a tenant goes into `x-ms-authorization-auxiliary`. */
  readonly additionalTenants?: readonly string[];
  readonly userAgentSuffix?: string | undefined;
  /** Version of the program, for the user agent. */
  readonly version?: string;
  /** Of one request as a whole, its token included. Default 180. */
  readonly timeoutSeconds?: number;
  /** Called once a request, after its end. */
  readonly onRequest?: (observation: ArmRequestObservation) => void;
  /** Run outside the authentication: they see no token. */
  readonly additionalPolicies?: readonly PipelinePolicy[];
  /** Asked before each request, when it is ready to be sent; false: it is not. Default: all are sent. */
  readonly mayStillSend?: () => boolean;
  /** For tests and simulations. Default: Node's HTTPS with keep-alive. */
  readonly httpClient?: HttpClient | undefined;
  /** Whether a missing resource provider is registered (docs/spec/errors.md#provider-registration). Default true. */
  readonly registerProviders?: boolean;
}

/**
 * A client of one credential in one cloud. It sends each request once: retries, throttling and long-running operations are decided by the
 * caller, who knows the object. (Token requests are retried by the identity library; a CAE challenge is answered by the pipeline.)
 */
export function createArmClient(options: ArmClientOptions): ArmClient {
  const pipeline = createArmPipeline(options);
  const httpClient = boundedHttpClient(options.isForeign ? FOREIGN_LIMITS : ARM_LIMITS, options.httpClient);
  const endpoint = withoutTrailingSlashes(options.endpoint);
  const client: ArmClient = {
    subscriptionId: options.subscriptionId,
    endpoint,
    send: (request, signal) =>
      observed(options, request, () => send(pipeline, httpClient, endpoint, options.timeoutSeconds, request, signal)),
  };
  return options.registerProviders === false ? client : withProviderRegistration(client);
}

function createArmPipeline(options: ArmClientOptions): Pipeline {
  const pipeline = createEmptyPipeline();
  const scopes = `${options.audience}/.default`;
  for (const policy of options.additionalPolicies ?? []) pipeline.addPolicy(policy);
  pipeline.addPolicy(userAgent(options));
  pipeline.addPolicy(proxyPolicy());
  // No redirect policy: a redirect would carry the token wherever the answer points. ARM does not redirect.
  const tenants = (options.additionalTenants ?? []).filter((tenant) => tenant !== '');
  if (tenants.length > 0) {
    pipeline.addPolicy(
      auxiliaryAuthenticationHeaderPolicy({ credentials: tenants.map((tenant) => ofTenant(options.credential, tenant)), scopes }),
    );
  }
  pipeline.addPolicy(bearerTokenAuthenticationPolicy({ credential: options.credential, scopes }));
  pipeline.addPolicy(challengeLimit);
  const { mayStillSend } = options;
  // The last one: whether this process still leads is asked after the token has come, however long that took.
  if (mayStillSend) {
    pipeline.addPolicy({
      name: 'leaderOnly',
      sendRequest: (request, next) => (mayStillSend() ? next(request) : Promise.reject(new Error('this process does not lead any more'))),
    });
  }
  return pipeline;
}

function ofTenant(credential: TokenCredential, tenantId: string): TokenCredential {
  return { getToken: (scopes, options) => credential.getToken(scopes, { ...options, tenantId }) };
}

function userAgent({ version, userAgentSuffix }: ArmClientOptions): PipelinePolicy {
  const own = `cdk8s-aso-controller/${version ?? 'dev'} (Node.js ${process.version}; ${process.platform})`;
  const value = [own, userAgentSuffix?.trim()].filter(Boolean).join(' ');
  return {
    name: 'userAgentPolicy',
    sendRequest(request, next) {
      request.headers.set('user-agent', value);
      return next(request);
    },
  };
}

async function observed(options: ArmClientOptions, request: ArmRequest, act: () => Promise<ArmResponse>): Promise<ArmResponse> {
  const began = performance.now();
  const { subscriptionId } = options;
  const report = (response?: ArmResponse) => {
    const answered = response === undefined ? {} : { status: response.status, ...remainingOf(response), ...requestIdOf(response) };
    const seconds = (performance.now() - began) / 1000;
    const { method, url } = request;
    options.onRequest?.({ method, resource: armTypeOfUrl(url), path: pathOf(url), subscriptionId, ...answered, seconds });
  };
  try {
    const response = await act();
    report(response);
    return response;
  } catch (error) {
    report();
    throw error;
  }
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/i, '').replace(/[?#].*$/s, '');
}

/** A proxy may put anything there. */
function requestIdOf({ headers }: ArmResponse): Pick<ArmRequestObservation, 'requestId'> {
  const id = headers['x-ms-request-id'];
  return id !== undefined && /^[\w.:-]{1,100}$/.test(id) ? { requestId: id } : {};
}

const REMAINING = 'x-ms-ratelimit-remaining-';

function remainingOf({ headers }: ArmResponse): Pick<ArmRequestObservation, 'remaining'> {
  const found = Object.entries(headers).filter(([name, value]) => name.startsWith(REMAINING) && /^\d+$/.test(value));
  if (found.length === 0) return {};
  return { remaining: Object.fromEntries(found.map(([name, value]) => [name.slice(REMAINING.length), Number(value)])) };
}

async function send(
  pipeline: Pipeline,
  httpClient: HttpClient,
  endpoint: string,
  timeoutSeconds = DEFAULT_TIMEOUT_SECONDS,
  request: ArmRequest,
  signal?: AbortSignal,
): Promise<ArmResponse> {
  const url = urlOf(endpoint, request);
  const deadline = startDeadline(timeoutSeconds * 1000, 'answer', signal);
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const contentType: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = createHttpHeaders({ accept: 'application/json', ...contentType, ...request.headers });
  try {
    signal?.throwIfAborted();
    const prepared = createPipelineRequest({
      url, method: request.method, headers, ...(body === undefined ? {} : { body }), abortSignal: deadline.signal,
    });
    const sent = pipeline.sendRequest(fenced(httpClient, request), prepared);
    return responseOf(await Promise.race([sent, deadline.expired]));
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw noAnswer(request, error);
  } finally {
    deadline.clear();
  }
}

/** Asks at the last moment: the token and the proxy have come by then, however long that took. */
function fenced(httpClient: HttpClient, { beforeSending }: ArmRequest): HttpClient {
  if (!beforeSending) return httpClient;
  return {
    sendRequest: async (request) => {
      await beforeSending();
      return httpClient.sendRequest(request);
    },
  };
}

function urlOf(endpoint: string, request: ArmRequest): string {
  try {
    return armUrl(endpoint, request.url, request.apiVersion, request);
  } catch (error) {
    if (!(error instanceof ForeignUrlError) && !(error instanceof UnsafePathError)) throw error;
    const isOwn = error instanceof UnsafePathError && /^\/(?![/\\])/.test(request.url) && !request.isFromAnswer;
    throw new ArmError(isOwn ? UNSAFE_ID_CODE : FOREIGN_URL_CODE, error.message, undefined, undefined, undefined, undefined, {
      unstructured: true,
    });
  }
}

function responseOf({ status, headers, bodyAsText }: PipelineResponse): ArmResponse {
  const text = bodyAsText ?? '';
  const names = Object.entries(headers.toJSON()).map(([name, value]) => [name.toLowerCase(), value]);
  return { status, headers: Object.fromEntries(names) as Record<string, string>, body: parseAnswer(text), text };
}

function noAnswer(request: ArmRequest, error: unknown): ArmError | NotLeadingError {
  if (error instanceof ArmError || error instanceof NotLeadingError) return error;
  const refused = credentialErrorIn(error);
  if (refused) {
    const failed = new ArmError(refused.problem, refused.message, undefined, undefined, undefined, undefined, { unstructured: true });
    failed.cause = refused;
    return failed;
  }
  const cause = error instanceof Error ? error.message || codeOf(error) : String(error);
  const text = oneLine(cause || 'no answer', LONGEST_MESSAGE);
  const message = `${request.method} ${redactedUrl(request.url)}: ${text}`;
  const failed = new ArmError(UNKNOWN_CODE, message, undefined, undefined, undefined, undefined, { unstructured: true });
  failed.cause = error;
  return failed;
}

/** Where all addresses of a host refuse, Node's error has a code and no message. */
function codeOf(error: Error): string {
  return 'code' in error ? asText(error.code) : error.name;
}
