import { textMember } from './json';
import { isRecord, memberIgnoringCase } from '../../src/util/records';
import { oneLine, TEXT_LIMITS } from '../text-limits';

/** The error of a resource in Azure. */
export interface ResourceError {
  readonly code?: string;
  readonly message?: string;
}

/**
 * Members of `properties`, and of `status` in it, with the error of a resource: an object with `code` and `message`, a text, or a list of
 * them. The names are those of all types in https://github.com/Azure/bicep-types-az that have one.
 */
const ERRORS = [
  'provisioningError', 'error', 'errors', 'provisioningErrors', 'deploymentErrors', 'deploymentError', 'errorInfo', 'errorDetails',
  'lastOperationError', 'resourceOperationError', 'errorInformation', 'errorMessage', 'provisioningStatusMessage', 'failureReason',
  'failedReason', 'detailedStatusMessage', 'statusMessage', 'statusDetails', 'stateReason',
];
/** Members of these names explain any state; only with a failure do they tell of an error. */
const ONLY_WITH_FAILURE: ReadonlySet<string> = new Set([
  'statusDetails', 'statusMessage', 'detailedStatusMessage', 'provisioningStatusMessage', 'stateReason',
]);
/** Of a list of errors. */
const MAX_ERRORS = 3;

/** The text of an error for messages. */
export function describeResourceError({ code, message }: ResourceError): string {
  return [code, message].filter((text) => text !== undefined).join(': ');
}

/**
 * The error that a resource shows, where it shows one.
 * @param hasFailed whether the resource has failed: only then some members tell of an error
 */
export function resourceErrorIn(body: unknown, hasFailed: boolean): ResourceError | undefined {
  const properties = memberIgnoringCase(body, 'properties');
  for (const place of [properties, memberIgnoringCase(properties, 'status')]) {
    if (!isRecord(place)) continue;
    for (const name of ERRORS) {
      if (!hasFailed && ONLY_WITH_FAILURE.has(name)) continue;
      const error = errorFrom(memberIgnoringCase(place, name));
      if (error) return error;
    }
  }
  return undefined;
}

function errorFrom(value: unknown): ResourceError | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : { message: oneLine(value, TEXT_LIMITS.message) };
  if (Array.isArray(value)) {
    const errors = value.slice(0, MAX_ERRORS).map(errorFrom).filter((one) => one !== undefined);
    if (errors.length < 2) return errors[0];
    return { ...(errors[0]!.code === undefined ? {} : { code: errors[0]!.code }), message: errors.map(describeResourceError).join('; ') };
  }
  if (!isRecord(value)) return undefined;
  const inner = memberIgnoringCase(value, 'error');
  if (isRecord(inner)) return errorFrom(inner);
  const [code, message] = [textMember(value, 'code'), textMember(value, 'message')];
  if (code === undefined && message === undefined) return undefined;
  return {
    ...(code === undefined ? {} : { code: oneLine(code, TEXT_LIMITS.reason) }),
    ...(message === undefined ? {} : { message: oneLine(message, TEXT_LIMITS.message) }),
  };
}
