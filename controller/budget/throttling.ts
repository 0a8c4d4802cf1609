import type { Operation, RequestScope } from './operation';
import { opened } from '../../engine/arm/arm-error';
import { textMember } from '../../engine/arm/json';
import { retryAfterSeconds } from '../../engine/arm/retry-after';
import type { RawAnswer } from '../../engine/arm/types';
import { memberIgnoringCase } from '../../src/util/records';

/** The owner of the limit that refused a request. */
export type ThrottledBy =
  /** Azure Resource Manager's limit for this principal: all requests of this operation are refused. */
  | 'principal'
  /** Azure Resource Manager's limit for all principals of the scope together. */
  | 'scope'
  /** A limit of a resource provider, or of Azure Resource Manager for that provider: only its type is affected. */
  | 'provider';

export interface Throttling {
  readonly by: ThrottledBy;
  /** Azure's error code. */
  readonly code: string;
  /** Milliseconds to wait; absent where Azure names no time. */
  readonly milliseconds?: number;
}

const THROTTLED = /throttl|^TooManyRequests$|^ServerBusy$/i;
/** Some providers answer 429 for one busy resource, which says nothing about other resources. */
const BUSY = /AnotherOperation|RetryableError|InProgress/i;
const REFUSED_BY_ARM = /^(Subscription|Tenant)RequestsThrottled$/i;
const AGAIN_AFTER = /try again after '?(\d+)'? seconds/i;

/**
 * The limit that an answer reports as exceeded; undefined if the answer is not about a limit.
 *
 * Azure Resource Manager throttles requests (code `SubscriptionRequestsThrottled`, and a remaining-requests header of 0) before it
 * forwards them to the resource provider, which has limits of its own. A message that names an operation is about that operation only.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 * @see https://learn.microsoft.com/troubleshoot/azure/virtual-machines/troubleshooting-throttling-errors
 * @see https://github.com/MicrosoftDocs/azure-docs/issues/105248 for a message that names an operation
 */
export function throttlingOf(response: RawAnswer, scope: RequestScope, operation: Operation, now?: number): Throttling | undefined {
  const { status, headers, body } = opened(response);
  if (status !== 429 && status !== 503) return undefined;
  const error = memberIgnoringCase(body, 'error') ?? body;
  const code = textMember(error, 'code') ?? '';
  const message = textMember(error, 'message') ?? '';
  const left = remainingOf(headers, scope, operation);
  if (BUSY.test(code)) return undefined;
  if (status === 503 && !THROTTLED.test(code) && left.principal !== 0 && left.scope !== 0) return undefined;
  const asked = retryAfterSeconds(headers, now) ?? secondsIn(message);
  const common = { code: code || String(status), ...(asked ? { milliseconds: asked * 1000 } : {}) };
  if (left.scope === 0) return { by: 'scope', ...common };
  const isArms = left.principal === 0 || (REFUSED_BY_ARM.test(code) && !/\boperation\s+'/i.test(message));
  return { by: isArms ? 'principal' : 'provider', ...common };
}

/** The remaining requests that Azure reports. */
export interface Remaining {
  /** For the principal in the scope. */
  readonly principal?: number;
  /** For all principals of the scope together. */
  readonly scope?: number;
}

/**
 * Reads `x-ms-ratelimit-remaining-subscription-writes` and `…-subscription-global-writes`, or the same with `tenant`. A value that is not
 * a whole number counts as absent. Numbers above the bucket's size (11999, from the hourly limits that Azure had until 2024) do no harm,
 * because they only ever take tokens away.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling#remaining-requests
 */
export function remainingOf(headers: RawAnswer['headers'], { level }: RequestScope, operation: Operation): Remaining {
  const principal = wholeNumber(headers[`x-ms-ratelimit-remaining-${level}-${operation}`]);
  const scope = wholeNumber(headers[`x-ms-ratelimit-remaining-${level}-global-${operation}`]);
  return { ...(principal === undefined ? {} : { principal }), ...(scope === undefined ? {} : { scope }) };
}

/** The quota of Resource Graph: the remaining queries, and the milliseconds until the quota resets. */
export interface QueryQuota {
  readonly remaining: number;
  readonly resetsAfter: number;
}

/**
 * @see https://learn.microsoft.com/azure/governance/resource-graph/concepts/guidance-for-throttled-requests#understand-throttling-headers
 */
export function queryQuotaOf(headers: RawAnswer['headers']): QueryQuota | undefined {
  const remaining = wholeNumber(headers['x-ms-user-quota-remaining']);
  const time = /^(\d{1,3}):(\d{2}):(\d{2})(\.\d+)?$/.exec(headers['x-ms-user-quota-resets-after']?.trim() ?? '');
  if (remaining === undefined || !time) return undefined;
  const seconds = Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3]) + Number(time[4] ?? 0);
  return { remaining, resetsAfter: Math.min(seconds, LONGEST_QUOTA_SECONDS) * 1000 };
}

/** Upper bound, so that an invalid header does not stop the queries for hours. */
const LONGEST_QUOTA_SECONDS = 300;

function wholeNumber(text: string | undefined): number | undefined {
  const trimmed = text?.trim();
  return trimmed && /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : undefined;
}

function secondsIn(message: string): number | undefined {
  const found = AGAIN_AFTER.exec(message)?.[1];
  return found ? Math.min(Number(found), 3600) || undefined : undefined;
}
