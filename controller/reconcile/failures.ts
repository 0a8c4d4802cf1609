import { fatal, fromClassification, mayPropagate, unclassified, warning, type Failure } from './core/failure';
import { answerIdOf, classify, type ClassificationAdjustment } from '../../engine/arm/classify';
import { ArmError } from '../../engine/arm/types';
import { ConversionError } from '../../engine/convert/conversion-error';
import { CredentialError } from '../../engine/credentials/types';
import { ExportError } from '../../engine/export/types';
import { KindError } from '../../engine/kinds/types';
import { ResolutionError } from '../../engine/resolve/types';

/**
 * The condition and the retry for an error (docs/spec/errors.md#before-azure-is-asked). Kubernetes' own errors are not handled here: the
 * queue retries them.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof ResolutionError) {
    return error.severity === 'Error'
      ? fatal(error.reason, error.message)
      : warning(error.reason, error.message, error.reason === 'Failed' ? 'slow' : 'fast');
  }
  if (error instanceof KindError) {
    return error.severity === 'Error' ? fatal(error.reason, error.message) : warning(error.reason, error.message, error.retry);
  }
  if (error instanceof ExportError) {
    if (error.severity === 'Error') return fatal(error.reason, error.message);
    const { cause } = error;
    return { ...warning(error.reason, error.message), ...(cause instanceof ArmError ? { ...waitOf(cause), ...answerOf(cause) } : {}) };
  }
  if (error instanceof CredentialError) {
    return { ...warning(error.problem, error.message), ...(error.mayPropagate ? { mayPropagate: true } : {}) };
  }
  if (error instanceof ConversionError) return warning('Failed', error.message);
  if (error instanceof ArmError) {
    // A request besides the PUT (a check, keys to export): its error code is not the resource's.
    return {
      ...warning('Failed', `${error.code}: ${error.message}`),
      ...waitOf(error),
      ...(mayPropagate(error.code) ? { mayPropagate: true } : {}),
      ...answerOf(error),
    };
  }
  return unclassified(error);
}

function waitOf({ retryAfterSeconds }: ArmError): { retryAfterSeconds?: number } {
  return retryAfterSeconds ? { retryAfterSeconds } : {};
}

function answerOf(error: ArmError): Pick<Failure, 'answer'> {
  const answer = answerIdOf(error);
  return answer ? { answer } : {};
}

/** Azure's refusal of the resource itself. */
export function refusalOf(error: ArmError, adjust?: ClassificationAdjustment): Failure {
  return fromClassification(classify(error, adjust));
}
