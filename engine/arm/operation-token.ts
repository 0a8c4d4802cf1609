import { absoluteUrl } from './arm-url';
import { pollingUrl } from './operation';
import { outcomeOf } from './operation-status';
import type { OperationState } from './types';
import { ArmError } from './types';
import { isRecord } from '../../src/util/records';

/*
 * The format is azcore's, so that this controller and ASO can follow each other's operations (docs/spec/arm.md#resume-token).
 * https://github.com/Azure/azure-sdk-for-go/blob/main/sdk/azcore/internal/pollers
 */

/**
 * Names of the operations' results in azcore: each is the `type` of a token, and azcore resumes no token of another type.
 */
export const RESULT_TYPES = {
  put: 'GenericResource',
  delete: 'GenericDeleteResponse',
  syncBackupInstance: 'BackupInstancesClientSyncBackupInstanceResponse',
} as const;

export type ResultType = (typeof RESULT_TYPES)[keyof typeof RESULT_TYPES];

/** The operation whose token is read. Tokens of some styles have neither the method nor the URL of the request. */
export interface TokenOf {
  readonly type: ResultType;
  readonly method: OperationState['method'];
  /**
   * The URL of the request. For PUT and DELETE it is the resource's, which is read when the operation's URL cannot be. Default: that of the
   * token.
   */
  readonly originalUrl?: string | undefined;
}

const LONGEST = 64 * 1024;
const LONGEST_STATE = 100;
const IN_PROGRESS = 'InProgress';
/**
 * Mark of a deletion that is watched by the resource itself. azcore has no such style: with its own mark, `body`, ASO would take a resource
 * that is still there for deleted. ASO refuses this one, and sends the DELETE again.
 */
const WATCHED_DELETION = 'resource';

/**
 * The text for the annotation `poller-resume-token`. It must not be logged: the URLs are signed.
 * @param endpoint of Azure Resource Manager; ASO reads absolute URLs only
 */
export function encodeToken(state: OperationState, type: ResultType, endpoint: string): string {
  return JSON.stringify({ type, token: tokenOf(state, endpoint) });
}

function tokenOf({ style, method, originalUrl, pollUrl, locationUrl, state: word }: OperationState, endpoint: string): object {
  const hasEnded = outcomeOf(word) !== 'running';
  // A token whose state is an end makes azcore read an answer that it does not have.
  const state = hasEnded ? IN_PROGRESS : word;
  const answered = (url: string) => absoluteUrl(endpoint, url, { isFromAnswer: true });
  const byLocation = { type: 'loc', pollURL: answered(pollUrl), state };
  // The operation of a POST has ended; its result is at the Location.
  if (hasEnded && pollUrl === locationUrl) return byLocation;
  const request = {
    locURL: locationUrl === undefined ? '' : answered(locationUrl), origURL: absoluteUrl(endpoint, originalUrl), method, finalState: '',
  };
  switch (style) {
    case 'azure-asyncoperation':
      return { asyncURL: answered(pollUrl), ...request, state };
    case 'operation-location':
      return { oplocURL: answered(pollUrl), ...request, resultPath: '', state };
    case 'location':
      return byLocation;
    case 'body':
      return { type: method === 'DELETE' ? WATCHED_DELETION : 'body', pollURL: absoluteUrl(endpoint, pollUrl), state };
  }
}

/**
 * The operation that the annotation describes. Unknown members are ignored, as by azcore.
 *
 * @throws ArmError when the text is not such a token (edited by hand, of another operation, or of azcore's simulated Azure)
 */
export function decodeToken(text: string, { type, method, originalUrl }: TokenOf): OperationState {
  const value = parse(text);
  if (!isRecord(value) || !isRecord(value.token)) throw unreadable('it is no token');
  if (value.type !== type) throw unreadable('it is of another operation');
  const { token } = value;
  if ('fakeURL' in token) throw unreadable('it is of a simulated Azure');
  const state = stateOf(token.state);
  const requested = (url: unknown) => ({ method, originalUrl: originalUrl ?? urlOf(url), state });
  // In azcore's order.
  if ('asyncURL' in token) {
    return { style: 'azure-asyncoperation', pollUrl: urlOf(token.asyncURL), ...locationOf(token.locURL), ...requested(token.origURL) };
  }
  if (token.type === 'body' || token.type === WATCHED_DELETION) {
    return { style: 'body', pollUrl: originalUrl ?? urlOf(token.pollURL), ...requested(token.pollURL) };
  }
  if (token.type === 'loc') return { style: 'location', pollUrl: urlOf(token.pollURL), ...requested(token.pollURL) };
  if ('oplocURL' in token) {
    return { style: 'operation-location', pollUrl: urlOf(token.oplocURL), ...locationOf(token.locURL), ...requested(token.origURL) };
  }
  throw unreadable('its style is unknown');
}

function stateOf(word: unknown): string {
  if (typeof word !== 'string' || word.length > LONGEST_STATE) throw unreadable('it has no state');
  return outcomeOf(word) === 'running' && word !== '' ? word : IN_PROGRESS;
}

function urlOf(value: unknown): string {
  const url = typeof value === 'string' ? pollingUrl(value) : undefined;
  if (url === undefined) throw unreadable('it has no URL to poll');
  return url;
}

/** Optional, and only read for the result of a POST. */
function locationOf(value: unknown): Pick<OperationState, 'locationUrl'> {
  const url = typeof value === 'string' ? pollingUrl(value) : undefined;
  return url === undefined ? {} : { locationUrl: url };
}

function parse(text: string): unknown {
  if (text.length > LONGEST) throw unreadable(`it is longer than ${LONGEST} characters`);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreadable(why: string): ArmError {
  const message = `the resume token of the long-running operation cannot be used: ${why}`;
  return new ArmError('UnknownError', message, undefined, undefined, undefined, undefined, { unstructured: true });
}
