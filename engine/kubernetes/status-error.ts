import type { HttpAnswer, HttpRequest } from './connection';
import { KubernetesError } from './types';

const REASONS: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** The error for a failed request: from the `Status` in its body, or from the HTTP status if the body is not one (a proxy's page). */
export function errorOfAnswer(request: HttpRequest, answer: Pick<HttpAnswer, 'status' | 'text'>): KubernetesError {
  const status = parsedStatus(answer.text);
  const reason = status?.reason || REASONS[answer.status] || 'Unknown';
  const message = status?.message || `${request.method} ${request.path} was answered with HTTP ${answer.status}`;
  return new KubernetesError(answer.status, reason, message);
}

/** The error in an ERROR event of a watch. */
export function errorOfStatus(status: unknown): KubernetesError {
  const { code, reason, message } = (status ?? {}) as Record<string, unknown>;
  const known = typeof code === 'number' ? code : 500;
  return new KubernetesError(
    known,
    textOf(reason) || REASONS[known] || 'Unknown',
    textOf(message) || `the watch ended with error ${known}`,
  );
}

function parsedStatus(text: string): { reason?: string | undefined; message?: string | undefined } | undefined {
  try {
    const parsed = JSON.parse(text) as Record<string, unknown> | null;
    return parsed?.kind === 'Status' ? { reason: textOf(parsed.reason), message: textOf(parsed.message) } : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
