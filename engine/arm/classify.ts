import type { AnswerId, ArmError, Classification, RetryClass } from './types';
import { TEXT_LIMITS, truncate } from '../text-limits';

type Severity = Classification['severity'];

const SLOW = `AnotherOperationInProgress AuthorizationFailed AllocationFailed Conflict FailedIdentityOperation InvalidResourceReference
  InvalidSubscriptionRegistrationState LinkedAuthorizationFailed MissingRegistrationForLocation MissingSubscriptionRegistration
  NoRegisteredProviderFound NotFound ParentResourceNotFound PrincipalNotFound ResourceGroupNotFound ResourceNotFound ResourceQuotaExceeded
  RequestDisallowedByPolicy SubscriptionNotRegistered`;

const VERY_SLOW = `BadRequestFormat BadRequest InvalidResourceGroupLocation InvalidParameter InvalidParameterValue MethodNotAllowed
  ReservedResourceName RegionIsOfferRestricted ScopeLocked SkuNotAvailable SubscriptionNotFound`;

const FATAL = `PublicIpForGatewayIsRequired InvalidResourceType InvalidRequestContent InvalidTemplate InvalidValuesForRequestParameters
  InvalidGatewaySkuProvidedForGatewayVpnType InvalidGatewaySize K8sVersionNotSupported LocationRequired MissingRequiredParameter
  PasswordTooLong PrivateIPAddressInReservedRange PrivateIPAddressNotInSubnet PropertyChangeNotAllowed UnsafeResourceId`;

const table = new Map<string, { severity: Severity; retry: RetryClass }>([
  ...entries(SLOW, 'Warning', 'slow'),
  ...entries(VERY_SLOW, 'Warning', 'verySlow'),
  ...entries(FATAL, 'Error', 'slow'),
]);

/** A kind's change to the classification of an error (docs/spec/extensions.md#error-adjustments). Returns the classification to use. */
export type ClassificationAdjustment = (classification: Classification, error: ArmError) => Classification;

/**
 * Whether and when to retry (docs/spec/errors.md#classification). Every error has a class. A DELETE also uses the `retry` of a fatal error,
 * because its severity is forced to Warning.
 */
export function classify(error: ArmError, adjust: ClassificationAdjustment = (classification) => classification): Classification {
  const { severity, retry } = table.get(error.code) ?? { severity: 'Warning' as const, retry: otherwise(error) };
  const wait = error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds };
  const details = error.details ? { details: error.details } : {};
  const answer = answerIdOf(error);
  return adjust({ code: error.code, message: error.message, severity, retry, ...wait, ...details, ...(answer ? { answer } : {}) }, error);
}

/** The identity of the answer that an error is about; undefined where there is no answer, or none with a request id. */
export function answerIdOf({ code, status, extra: { requestId } }: ArmError): AnswerId | undefined {
  return requestId ? { code, ...(status === undefined ? {} : { status }), requestId: truncate(requestId, TEXT_LIMITS.reason) } : undefined;
}

/** The classification for a DELETE: severity is forced to Warning, so a fatal code is retried. */
export function classifyDelete(error: ArmError, adjust?: ClassificationAdjustment): Classification {
  return { ...classify(error, adjust), severity: 'Warning' };
}

/** 429, and the codes with which Azure throttles under other statuses. */
export function isThrottled(error: ArmError): boolean {
  return (
    error.status === 429
    || /^(TooManyRequests|SubscriptionRequestsThrottled|OperationNotAllowedDueToThrottling|RequestThrottled|Throttled)$/i.test(error.code)
  );
}

function otherwise(error: ArmError): RetryClass {
  return error.status === 400 && !error.extra.unstructured ? 'verySlow' : 'slow';
}

function entries(codes: string, severity: Severity, retry: RetryClass): [string, { severity: Severity; retry: RetryClass }][] {
  return codes.split(/\s+/).map((code) => [code, { severity, retry }]);
}
