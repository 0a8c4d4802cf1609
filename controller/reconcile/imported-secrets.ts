import type { Failure } from './core/failure';
import type { Existing, OperationStepOn, Outcome } from './core/observed';
import type { OperationState } from '../../engine/arm/types';
import { findOrUnknown, UnknownStateError } from '../../engine/kubernetes/cache-state';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { redact, redactError } from '../../engine/redact';
import type { ObjectLookup } from '../../engine/resolve/types';
import { TEXT_LIMITS, truncate } from '../../engine/text-limits';
import type { KindVersion } from '../../src/catalog';
import { referencesOf } from '../../src/catalog/spec-references';
import { ownValue } from '../../src/util/elements';
import { decodeSecretValue } from '../../src/util/secret-data';

/** In characters; longer than an API version (`2020-01-01-preview`) or a time. */
const SHORTEST_SIGNATURE = 24;

/** The current values of all Secrets that the spec imports: those that were sent to Azure, or will be. */
export function importedSecrets(
  { spec, metadata: { namespace = 'default' } }: KubernetesObject,
  version: KindVersion,
  lookup: ObjectLookup,
): string[] {
  const encoded = referencesOf(spec, version).flatMap((reference) => {
    if (reference.to !== 'secret' && reference.to !== 'secretMap') return [];
    const data = lastKnown(() => lookup.find('', 'Secret', namespace, reference.name))?.data ?? {};
    return reference.to === 'secretMap' ? Object.values(data) : ownValue(data, reference.key) ?? [];
  });
  return encoded.map(decodeSecretValue);
}

/** For redaction an old value is better than none. */
function lastKnown(find: () => KubernetesObject | undefined): KubernetesObject | undefined {
  const found = findOrUnknown(find);
  return found instanceof UnknownStateError ? found.unknown.last : found;
}

/** The parts of an operation's URLs that grant access to it: long values of their queries. */
export function signedParts({ pollUrl, locationUrl = '', originalUrl }: OperationState): string[] {
  return [pollUrl, locationUrl, originalUrl]
    .flatMap((url) => [...new URLSearchParams(url.split('?')[1] ?? '').values()])
    .filter(({ length }) => length >= SHORTEST_SIGNATURE);
}

/**
 * Redacts the secrets from the outcome's texts of third parties (Azure, a database, the API server); `secrets` is only called if needed.
 */
export function outcomeWithoutSecrets(outcome: Outcome, secrets: () => readonly string[]): Outcome {
  if (outcome.of === 'failure') return { ...outcome, failure: redactFailure(outcome.failure, secrets()) };
  if ('failed' in outcome) return { ...outcome, failed: redactFailure(outcome.failed, secrets()) };
  const seen = 'existing' in outcome && outcome.existing ? { existing: redactExisting(outcome.existing, secrets) } : {};
  if ('step' in outcome) return { ...outcome, ...seen, step: redactStep(outcome.step, secrets) } as Outcome;
  if (outcome.of === 'read') return { ...outcome, ...seen };
  if (outcome.of === 'preCheck' && outcome.verdict.kind === 'block') {
    return { ...outcome, verdict: { ...outcome.verdict, message: text(outcome.verdict.message, secrets()) } };
  }
  return outcome;
}

function redactFailure(failure: Failure, secrets: readonly string[]): Failure {
  const { answer } = failure;
  const details = failure.details === undefined ? {} : { details: text(failure.details, secrets) };
  // A server in Azure's place may send back in a header what it was sent in the body.
  const id = answer && { answer: { ...answer, code: text(answer.code, secrets), requestId: text(answer.requestId, secrets) } };
  return { ...failure, message: text(failure.message, secrets), ...details, ...id };
}

/** Only the texts that a condition may have: the status shows what Azure shows. */
function redactExisting(existing: Existing, secrets: () => readonly string[]): Existing {
  const { state } = existing;
  const { word, error, warnings } = state;
  if (!error && warnings.length === 0 && (word === undefined || state.outcome !== 'failed')) return existing;
  const hidden = secrets();
  const shown = Object.entries(error ?? {}).map(([name, value]) => [name, text(value, hidden)]);
  return {
    ...existing,
    state: {
      ...state,
      ...(word === undefined ? {} : { word: text(word, hidden) }),
      ...(error ? { error: Object.fromEntries(shown) as typeof error } : {}),
      warnings: warnings.map((warning) => text(warning, hidden)),
    },
  };
}

function redactStep(step: OperationStepOn, secrets: () => readonly string[]): OperationStepOn {
  return step.kind === 'running' && step.transient ? { ...step, transient: redactError(step.transient, secrets()) } : step;
}

function text(message: string, secrets: readonly string[]): string {
  return redact(truncate(message, TEXT_LIMITS.message), secrets);
}
