import { redactedUrl } from './arm-url';
import { isObject, member, textMember } from './json';
import { retryAfterSeconds } from './retry-after';
import type { ArmRequest, ArmResponse } from './types';
import { ArmError } from './types';

export const UNKNOWN_CODE = 'UnknownError';
const UNKNOWN_MESSAGE = 'There was an unknown deployment error';
const LONGEST_DETAILS = 1000;
const LONGEST_DUMP = 500;
/** Inner errors repeat each other: how deep and how many are worth a reader's time. */
const DEEPEST = 4;

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
    textMember(error, 'code') ?? UNKNOWN_CODE,
    textMember(error, 'message') ?? otherwise,
    status,
    textMember(error, 'target'),
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

/** Any text on one line and no longer than so many characters. */
export function oneLine(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

function detailsOf(error: unknown): string | undefined {
  const own = textMember(error, 'message');
  const lines = [...new Set(innerLines(error, DEEPEST))].filter((line) => line !== own);
  return lines.length > 0 ? oneLine(lines.join('; '), LONGEST_DETAILS) : undefined;
}

function innerLines(error: unknown, depth: number): string[] {
  if (depth === 0) return [];
  const details = member(error, 'details');
  const children = [...(Array.isArray(details) ? details : []), member(error, 'innererror')].filter(isObject);
  return children.flatMap((child) => {
    const code = textMember(child, 'code');
    const message = textMember(child, 'message');
    const target = textMember(child, 'target');
    const text = [code, message].filter(Boolean).join(': ');
    return [...(text ? [target ? `${text} (${target})` : text] : []), ...innerLines(child, depth - 1)];
  });
}
