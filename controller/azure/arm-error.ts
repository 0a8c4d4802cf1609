import { redactedUrl } from './arm-url';
import { isObject, member, textMember } from './json';
import { retryAfterSeconds } from './retry-after';
import { oneLine, TEXT_LIMITS, truncate } from '../text-limits';
import type { ArmRequest, ArmResponse } from './types';
import { ArmError } from './types';

export const UNKNOWN_CODE = 'UnknownError';
const UNKNOWN_MESSAGE = 'There was an unknown deployment error';
const LONGEST_DETAILS = 1000;
const LONGEST_DUMP = 500;
/** Inner errors repeat each other: how deep and how many are worth a reader's time. */
const DEEPEST = 4;
/** On one level, and of all levels together. */
const MOST_DETAILS = 20;

/** Answers that are none of Azure's come from what lies in between. */
const CURE = 'This is no answer of Azure Resource Manager: check the proxy and firewall on the way to it, and AZURE_RESOURCE_MANAGER_ENDPOINT.';

/** Whether there is a body that is no JSON: a log-in page, an error page. Whatever the status is, it is not Azure's. */
export function isUnreadable({ body, text }: ArmResponse): boolean {
  return body === undefined && text.trim() !== '';
}

/** The error of an answer that should have been a resource, or an operation, and is something else. */
export function unreadable(response: ArmResponse, request: Pick<ArmRequest, 'method' | 'url'>): ArmError {
  const { status, headers } = response;
  const extra = { requestId: headers['x-ms-request-id'], unstructured: true };
  return new ArmError(UNKNOWN_CODE, `${describeAnswer(response, request)}. ${CURE}`, status, undefined, undefined, undefined, extra);
}

function describeAnswer({ status, text }: ArmResponse, request?: Pick<ArmRequest, 'method' | 'url'>): string {
  const what = request ? `${request.method} ${redactedUrl(request.url)}: ` : '';
  const dump = oneLine(text, LONGEST_DUMP);
  return `${what}HTTP ${status}${dump ? `: ${dump}` : ' with an empty body'}`;
}

/** The error that an answer with a failing status tells of (conditions.md 4.2). The request, when given, is named where the answer says nothing itself. */
export function armErrorFrom(response: ArmResponse, request?: Pick<ArmRequest, 'method' | 'url'>, now?: number): ArmError {
  const wait = retryAfterSeconds(response.headers, now);
  const requestId = response.headers['x-ms-request-id'];
  if (!isObject(response.body)) {
    const isRedirect = response.status >= 300 && response.status < 400;
    const message = describeAnswer(response, request);
    return new ArmError(UNKNOWN_CODE, isRedirect ? `${message}. ${CURE}` : message, response.status, undefined, undefined, wait, { requestId, unstructured: true });
  }
  return errorOfBody(response.body, response.status, wait, requestId);
}

/** The error object of a body: its member `error`, or the body itself. Also for the body of a poll that tells of a failed operation. */
export function errorOfBody(body: unknown, status?: number, wait?: number, requestId?: string, otherwise: string = UNKNOWN_MESSAGE): ArmError {
  const inner = member(body, 'error');
  const error = isObject(inner) ? inner : body;
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
  const children = [...(Array.isArray(details) ? details.slice(0, MOST_DETAILS) : []), member(error, 'innererror')].filter(isObject);
  return children.flatMap((child) => {
    const [code, message, target] = ['code', 'message', 'target'].map((name) => shortened(textMember(child, name), LONGEST_DETAILS));
    const text = [code, message].filter(Boolean).join(': ');
    return [...(text ? [target ? `${text} (${target})` : text] : []), ...innerLines(child, depth - 1)];
  });
}
