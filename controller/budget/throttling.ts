import type { Operation, RequestScope } from './operation';
import { opened } from '../../engine/arm/arm-error';
import { member, textMember } from '../../engine/arm/json';
import { retryAfterSeconds } from '../../engine/arm/retry-after';
import type { RawAnswer } from '../../engine/arm/types';

/** Whose limit a refused request has met. */
export type ThrottledBy =
  /** Azure Resource Manager's for this principal: nothing of its kind goes through. */
  | 'principal'
  /** Azure Resource Manager's for all principals of the scope together. */
  | 'scope'
  /** One of a resource provider, or of Azure Resource Manager for that provider: only its type is affected. */
  | 'provider';

export interface Throttling {
  readonly by: ThrottledBy;
  /** Azure's code. */
  readonly code: string;
  /** Until when to wait; absent where Azure does not say. */
  readonly milliseconds?: number;
}

const THROTTLED = /throttl|^TooManyRequests$|^ServerBusy$/i;
/** Some providers answer 429 for a resource that is busy, which says nothing about any other one. */
const BUSY = /AnotherOperation|RetryableError|InProgress/i;
const REFUSED_BY_ARM = /^(Subscription|Tenant)RequestsThrottled$/i;
const AGAIN_AFTER = /try again after '?(\d+)'? seconds/i;

/**
 * What a refusal tells about limits; undefined where it is about something else.
 *
 * Azure Resource Manager throttles by itself (code `SubscriptionRequestsThrottled`, and a header of what remains that has come to 0) before
 * it hands a request to the resource provider, which has limits of its own. A message that names an operation is about that operation.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 * @see https://learn.microsoft.com/troubleshoot/azure/virtual-machines/troubleshooting-throttling-errors
 * @see https://github.com/MicrosoftDocs/azure-docs/issues/105248 for a message that names an operation
 */
export function throttlingOf(response: RawAnswer, scope: RequestScope, operation: Operation, now?: number): Throttling | undefined {
  const { status, headers, body } = opened(response);
  if (status !== 429 && status !== 503) return undefined;
  const error = member(body, 'error') ?? body;
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

/** What Azure says is left. */
export interface Remaining {
  /** Of the principal in the scope. */
  readonly principal?: number;
  /** Of all principals of the scope together. */
  readonly scope?: number;
}

/**
 * `x-ms-ratelimit-remaining-subscription-writes` and `…-subscription-global-writes`, or the same with `tenant`. What is no whole number
 * counts as absent. Numbers above the bucket's size (11999, of the limits by the hour that Azure had until 2024) say nothing, and do no harm:
 * tokens are only ever taken away.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling#remaining-requests
 */
export function remainingOf(headers: RawAnswer['headers'], { level }: RequestScope, operation: Operation): Remaining {
  const principal = wholeNumber(headers[`x-ms-ratelimit-remaining-${level}-${operation}`]);
  const scope = wholeNumber(headers[`x-ms-ratelimit-remaining-${level}-global-${operation}`]);
  return { ...(principal === undefined ? {} : { principal }), ...(scope === undefined ? {} : { scope }) };
}

/** Of a query of Resource Graph: how many more there may be, and in how many milliseconds the count begins anew. */
export interface QueryQuota {
  readonly remaining: number;
  readonly resetsAfter: number;
}

/** @see https://learn.microsoft.com/azure/governance/resource-graph/concepts/guidance-for-throttled-requests#understand-throttling-headers */
export function queryQuotaOf(headers: RawAnswer['headers']): QueryQuota | undefined {
  const remaining = wholeNumber(headers['x-ms-user-quota-remaining']);
  const time = /^(\d{1,3}):(\d{2}):(\d{2})(\.\d+)?$/.exec(headers['x-ms-user-quota-resets-after']?.trim() ?? '');
  if (remaining === undefined || !time) return undefined;
  const seconds = Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3]) + Number(time[4] ?? 0);
  return { remaining, resetsAfter: Math.min(seconds, LONGEST_QUOTA_SECONDS) * 1000 };
}

/** A nonsense header does not stop the queries for hours. */
const LONGEST_QUOTA_SECONDS = 300;

function wholeNumber(text: string | undefined): number | undefined {
  const trimmed = text?.trim();
  return trimmed && /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : undefined;
}

function secondsIn(message: string): number | undefined {
  const found = AGAIN_AFTER.exec(message)?.[1];
  return found ? Math.min(Number(found), 3600) || undefined : undefined;
}
