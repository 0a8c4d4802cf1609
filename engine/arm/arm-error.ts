import { redactedUrl } from './arm-url';
import { member, textMember } from './json';
import { retryAfterSeconds } from './retry-after';
import { oneLine, TEXT_LIMITS, truncate } from '../text-limits';
import type { ArmRequest, ArmResponse, RawAnswer } from './types';
import { ArmError } from './types';
import { isRecord } from '../../src/util/records';

export const UNKNOWN_CODE = 'UnknownError';
const UNKNOWN_MESSAGE = 'There was an unknown deployment error';
const LONGEST_DETAILS = 1000;
const LONGEST_DUMP = 500;
/** Inner errors repeat each other: how deep and how many are worth a reader's time. */
const DEEPEST = 4;
/** On one level, and of all levels together. */
const MOST_DETAILS = 20;

/** As much of a request as an error names. */
type Asked = Pick<ArmRequest, 'method' | 'url' | 'purpose'>;

/** Answers that are none of Azure's come from what lies in between. */
const CURE = 'This is no answer of Azure Resource Manager: check the proxy and firewall on the way to it, and AZURE_RESOURCE_MANAGER_ENDPOINT.';

/** What is in an answer. Only what judges answers opens them: this package. */
export function opened(answer: RawAnswer): ArmResponse {
  const response = answer as ArmResponse;
  const type = response.headers['content-type']?.split(';', 1)[0].trim();
  // A page may be JSON by accident; what calls itself something else is none of Azure's. Recorded bodies without exception call themselves JSON.
  return type && !/^(application|text)\/([\w.-]+\+)?json$/i.test(type) && response.text?.trim() ? { ...response, body: undefined } : response;
}

/** Whether there is a body that is no JSON: a log-in page, an error page. Whatever the status is, it is not Azure's. */
export function isUnreadable(answer: RawAnswer): boolean {
  const { body, text } = opened(answer);
  return body === undefined && text.trim() !== '';
}

/** Whether there is no body at all. */
export function isEmpty(answer: RawAnswer): boolean {
  const { body, text } = opened(answer);
  return body === undefined && text.trim() === '';
}

/** Ids that Azure Resource Manager gives each of its answers. What lies in between and answers by itself gives none. */
const REQUEST_IDS = ['x-ms-request-id', 'x-ms-correlation-request-id', 'x-ms-routing-request-id'];

/** Whether an answer without a body that would tell has the marks of Azure Resource Manager. */
export function isSigned({ headers }: RawAnswer): boolean {
  return REQUEST_IDS.some((name) => headers[name] !== undefined && headers[name] !== '');
}

/** Whether a body is an error of Azure: an object `error` with a code, or the same members by themselves. A number that repeats the status is other programs' style. */
export function isArmErrorBody(body: unknown): boolean {
  const inner = member(body, 'error');
  const error = isRecord(inner) ? inner : body;
  const code = textMember(error, 'code');
  return code !== undefined && !/^[1-5]\d\d$/.test(code) && textMember(error, 'message') !== undefined;
}

/** The error of an answer that should have been a resource, or an operation, and is something else. */
export function unreadable(answer: RawAnswer, request: Asked): ArmError {
  return noAnswerOfAzure(answer, `${describeAnswer(answer, request)}. ${CURE}`);
}

/** The error of an answer that is JSON, but not what was asked for; `what` says what it is instead, without its values. */
export function foreign(answer: RawAnswer, request: Asked, what: string): ArmError {
  return noAnswerOfAzure(answer, `${request.method} ${redactedUrl(request.url)}: HTTP ${answer.status}, but the answer is not what was asked for: ${what}. ${CURE}`);
}

function noAnswerOfAzure({ status, headers }: RawAnswer, message: string): ArmError {
  return new ArmError(UNKNOWN_CODE, message, status, undefined, undefined, undefined, { requestId: headers['x-ms-request-id'], unstructured: true });
}

function describeAnswer(answer: RawAnswer, request?: Asked): string {
  const { status, headers } = answer;
  const { text } = opened(answer);
  const what = request ? `${request.method} ${redactedUrl(request.url)}: ` : '';
  const type = headers['content-type'] && text ? ` (${oneLine(headers['content-type'], 60)})` : '';
  return `${what}HTTP ${status}${type}${text.trim() ? `: ${shownText(text, request)}` : ' with an empty body'}`;
}

/** Keys come as JSON; no part of them is shown, whatever is wrong with the answer. */
function shownText(text: string, request?: Asked): string {
  const mayHoldKeys = request?.purpose === 'export' || (request?.method === 'POST' && !text.trim().startsWith('<'));
  return mayHoldKeys ? `${text.length} characters, which may hold keys and are not shown` : oneLine(text.slice(0, 4 * LONGEST_DUMP), LONGEST_DUMP);
}

/**
 * The error that an answer with a failing status tells of (docs/spec/errors.md#arm-errors). The request, when given, is named where the
 * answer says nothing itself.
 */
export function armErrorFrom(answer: RawAnswer | ArmResponse, request?: Asked, now?: number): ArmError {
  const response = opened(answer);
  const wait = retryAfterSeconds(response.headers, now);
  const requestId = response.headers['x-ms-request-id'];
  if (!isRecord(response.body)) {
    const isRedirect = response.status >= 300 && response.status < 400;
    const message = describeAnswer(response, request);
    return new ArmError(UNKNOWN_CODE, isRedirect ? `${message}. ${CURE}` : message, response.status, undefined, undefined, wait, { requestId, unstructured: true });
  }
  return errorOfBody(response.body, response.status, wait, requestId);
}

/** The error object of a body: its member `error`, or the body itself. Also for the body of a poll that tells of a failed operation. */
export function errorOfBody(body: unknown, status?: number, wait?: number, requestId?: string, otherwise: string = UNKNOWN_MESSAGE): ArmError {
  const inner = member(body, 'error');
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

/** Message, target and inner details in one line, for logs, events and whoever wants more than the condition shows. */
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
  const details = member(error, 'details');
  const children = [...(Array.isArray(details) ? details.slice(0, MOST_DETAILS) : []), member(error, 'innererror')].filter(isRecord);
  return children.flatMap((child) => {
    const [code, message, target] = ['code', 'message', 'target'].map((name) => shortened(textMember(child, name), LONGEST_DETAILS));
    const text = [code, message].filter(Boolean).join(': ');
    return [...(text ? [target ? `${text} (${target})` : text] : []), ...innerLines(child, depth - 1)];
  });
}
