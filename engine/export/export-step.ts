import type { ExportFailureKind } from './types';
import { ExportError } from './types';

/** The steps of an export in their order, with the reported failure of each one (docs/spec/exports.md#export-steps). */
export type ExportStep = 'compile' | 'secrets' | 'configMaps' | 'configMapExpressions' | 'secretExpressions' | 'merge';

const PREFIXES: Readonly<Record<ExportStep, string>> = {
  compile: '',
  secrets: 'extension failed to produce resources for export: ',
  configMaps: '',
  configMapExpressions: 'failed to parse configmap expressions for export: ',
  secretExpressions: 'failed to parse secret expressions for export: ',
  merge: '',
};
const RETRIED: ReadonlySet<ExportStep> = new Set<ExportStep>(['compile', 'secrets', 'configMaps']);

/** All failures of one step as one error. */
export function stepError(step: ExportStep, failure: ExportFailureKind, messages: readonly string[], cause?: unknown): ExportError {
  const message = PREFIXES[step] + messages.join('; ');
  const error = RETRIED.has(step)
    ? new ExportError(failure, message, 'Failed', 'Warning')
    : new ExportError(failure, message, 'FailedWritingAdditionalKubernetesObjects', 'Error');
  if (cause !== undefined) error.cause = cause;
  return error;
}
