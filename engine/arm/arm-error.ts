import { redactedUrl } from './arm-url';
import { textMember } from './json';
import { retryAfterSeconds } from './retry-after';
import { oneLine, TEXT_LIMITS, truncate } from '../text-limits';
import type { ArmRequest, ArmResponse, RawAnswer } from './types';
import { ArmError } from './types';
import { isRecord, memberIgnoringCase } from '../../src/util/records';
import { textBefore } from '../../src/util/text-before';

export const UNKNOWN_CODE = 'UnknownError';
const UNKNOWN_MESSAGE = 'There was an unknown deployment error';
const LONGEST_DETAILS = 1000;
const LONGEST_DUMP = 500;
/** Inner errors repeat each other: the maximum depth that is reported. */
const DEEPEST = 4;
/** Maximum number of details on one level, and of all levels together. */
const MOST_DETAILS = 20;

/** The members of a request that an error message uses. */
type Asked = Pick<ArmRequest, 'method' | 'url' | 'purpose'>;

/** The fix for answers that a server between the controller and Azure gave. */
const CURE =
  'This is no answer of Azure Resource Manager: check the proxy and firewall on the way to it, and AZURE_RESOURCE_MANAGER_ENDPOINT.';

/** The content of an answer. Only this package, which judges answers, may open one. */
export function opened(answer: RawAnswer): ArmResponse {
  const response = answer as ArmResponse;
  const type = textBefore(response.headers['content-type'] ?? '', ';').trim();
  // A page may be valid JSON by accident, so a body with another content type is not Azure's. All recorded Azure bodies have a JSON content
  // type.
  return type && !/^(application|text)\/([\w.-]+\+)?json$/i.test(type) && response.text?.trim()
    ? { ...response, body: undefined }
    : response;
}

/** Whether there is a body that is not JSON, e.g. a log-in page or an error page. Such an answer is not Azure's, whatever its status. */
export function isUnreadable(answer: RawAnswer): boolean {
  const { body, text } = opened(answer);
  return body === undefined && text.trim() !== '';
}

/** Whether there is no body at all. */
export function isEmpty(answer: RawAnswer): boolean {
  const { body, text } = opened(answer);
  return body === undefined && text.trim() === '';
}

/** Ids that Azure Resource Manager adds to each of its answers. Proxies and gateways that answer themselves add none. */
const REQUEST_IDS = ['x-ms-request-id', 'x-ms-correlation-request-id', 'x-ms-routing-request-id'];

/** Whether an answer has an id of Azure Resource Manager, for answers whose body does not identify the sender. */
export function isSigned({ headers }: RawAnswer): boolean {
  return requestIdIn(headers) !== undefined;
}

function requestIdIn(headers: RawAnswer['headers']): string | undefined {
  return REQUEST_IDS.map((name) => headers[name]).find((id) => id !== undefined && id !== '');
}

/**
 * Whether a body is an error of Azure: an object `error` with a code, or its members at top level. A numeric code equal to the status is
 * another program's.
 */
export function isArmErrorBody(body: unknown): boolean {
  const inner = memberIgnoringCase(body, 'error');
  const error = isRecord(inner) ? inner : body;
  const code = textMember(error, 'code');
  return code !== undefined && !/^[1-5]\d\d$/.test(code) && textMember(error, 'message') !== undefined;
}

/** The error for an answer that is neither a resource nor an operation although one was expected. */
export function unreadable(answer: RawAnswer, request: Asked): ArmError {
  return noAnswerOfAzure(answer, `${describeAnswer(answer, request)}. ${CURE}`);
}

/** The error for an answer that is JSON but not the requested object; `what` describes the answer without its values. */
export function foreign(answer: RawAnswer, request: Asked, what: string): ArmError {
  return noAnswerOfAzure(
    answer,
    `${request.method} ${redactedUrl(request.url)}: HTTP ${answer.status}, but the answer is not what was asked for: ${what}. ${CURE}`,
  );
}

function noAnswerOfAzure({ status, headers }: RawAnswer, message: string): ArmError {
  return new ArmError(UNKNOWN_CODE, message, status, undefined, undefined, undefined, {
    requestId: requestIdIn(headers),
    unstructured: true,
  });
}

function describeAnswer(answer: RawAnswer, request?: Asked): string {
  const { status, headers } = answer;
  const { text } = opened(answer);
  const what = request ? `${request.method} ${redactedUrl(request.url)}: ` : '';
  const type = headers['content-type'] && text ? ` (${oneLine(headers['content-type'], 60)})` : '';
  return `${what}HTTP ${status}${type}${text.trim() ? `: ${quotableText(text, request)}` : ' with an empty body'}`;
}

/** Formats a body for a message. Keys are returned as JSON, so a body that may hold keys is never quoted. */
function quotableText(text: string, request?: Asked): string {
  const mayHoldKeys = request?.purpose === 'export' || (request?.method === 'POST' && !text.trim().startsWith('<'));
  return mayHoldKeys
    ? `${text.length} characters, which may hold keys and are not shown`
    : oneLine(text.slice(0, 4 * LONGEST_DUMP), LONGEST_DUMP);
}

/**
 * The error that an answer with a failing status reports (docs/spec/errors.md#arm-errors). The message names the request, when given, if
 * the answer has no message.
 */
export function armErrorFrom(answer: RawAnswer | ArmResponse, request?: Asked, now?: number): ArmError {
  const response = opened(answer);
  const wait = retryAfterSeconds(response.headers, now);
  const requestId = requestIdIn(response.headers);
  if (!isRecord(response.body)) {
    const isRedirect = response.status >= 300 && response.status < 400;
    const message = describeAnswer(response, request);
    return new ArmError(UNKNOWN_CODE, isRedirect ? `${message}. ${CURE}` : message, response.status, undefined, undefined, wait, {
      requestId,
      unstructured: true,
    });
  }
  return errorOfBody(response.body, response.status, wait, requestId);
}

/** The error object of a body: its member `error`, or the body itself. Also for a poll answer that reports a failed operation. */
export function errorOfBody(
  body: unknown,
  status?: number,
  wait?: number,
  requestId?: string,
  otherwise: string = UNKNOWN_MESSAGE,
): ArmError {
  const inner = memberIgnoringCase(body, 'error');
  const error = isRecord(inner) ? inner : body;
  return new ArmError(
    shortened(textMember(error, 'code'), TEXT_LIMITS.reason) ?? UNKNOWN_CODE,
    shortened(textMember(error, 'message'), TEXT_LIMITS.message) ?? otherwise,
    status,
    shortened(textMember(error, 'target'), LONGEST_DETAILS),
    detailsOf(error),
    wait,
    { requestId },
  );
}

/** Message, target and inner details in one line, for logs and events, which show more than the condition. */
export function describeArmError(error: ArmError): string {
  const target = error.target ? ` (target: ${oneLine(error.target, 200)})` : '';
  const details = error.details ? ` [${error.details}]` : '';
  return `${error.code}: ${oneLine(error.message, LONGEST_DETAILS)}${target}${details}`;
}

function shortened(text: string | undefined, limit: number): string | undefined {
  return text === undefined ? undefined : truncate(text, limit);
}

function detailsOf(error: unknown): string | undefined {
  const own = textMember(error, 'message');
  const lines = [...new Set(innerLines(error, DEEPEST))].filter((line) => line !== own);
  return lines.length > 0 ? oneLine(lines.slice(0, MOST_DETAILS).join('; '), LONGEST_DETAILS) : undefined;
}

function innerLines(error: unknown, depth: number): string[] {
  if (depth === 0) return [];
  const details = memberIgnoringCase(error, 'details');
  const children = [...(Array.isArray(details) ? details.slice(0, MOST_DETAILS) : []), memberIgnoringCase(error, 'innererror')].filter(isRecord);
  return children.flatMap((child) => {
    const [code, message, target] = ['code', 'message', 'target'].map((name) => shortened(textMember(child, name), LONGEST_DETAILS));
    const text = [code, message].filter(Boolean).join(': ');
    return [...(text ? [target ? `${text} (${target})` : text] : []), ...innerLines(child, depth - 1)];
  });
}
