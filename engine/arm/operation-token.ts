import type { OperationState } from './types';
import { ArmError } from './types';
import { isRecord } from '../../src/util/records';

const FORMAT = 'cdk8s-aso/operation/1';
const STYLES: readonly string[] = ['azure-asyncoperation', 'operation-location', 'location', 'body'];
const METHODS: readonly string[] = ['PUT', 'PATCH', 'POST', 'DELETE'];
const LONGEST = 64 * 1024;

/** The text for the annotation `poller-resume-token`. It must not be logged: the URLs are signed. */
export function encodeToken(state: OperationState): string {
  const { style, method, originalUrl, pollUrl, locationUrl, state: word } = state;
  return JSON.stringify({
    format: FORMAT,
    style,
    method,
    originalUrl,
    pollUrl,
    ...(locationUrl === undefined ? {} : { locationUrl }),
    state: word,
  });
}

/**
 * The operation that the annotation describes. Members that a later version adds are ignored.
 *
 * @throws ArmError when the text is not such a token (edited by hand, or another operator's): the token is then dropped and the PUT sent
 * again.
 */
export function decodeToken(text: string): OperationState {
  const value = parse(text);
  if (!isRecord(value)) throw unreadable('it is no JSON object');
  if (value.format !== FORMAT) throw unreadable('it was written by another program');
  const { style, method, originalUrl, pollUrl, locationUrl, state } = value;
  if (typeof style !== 'string' || !STYLES.includes(style)) throw unreadable('the style is unknown');
  if (typeof method !== 'string' || !METHODS.includes(method)) throw unreadable('the method is unknown');
  if (!isUrl(originalUrl) || !isUrl(pollUrl) || (locationUrl !== undefined && !isUrl(locationUrl))) throw unreadable('a URL is missing');
  if (typeof state !== 'string') throw unreadable('the state is missing');
  const found = { style: style as OperationState['style'], method, originalUrl, pollUrl, state };
  return locationUrl === undefined ? found : { ...found, locationUrl };
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
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
  return new ArmError(
    'UnknownError',
    `the resume token of the long-running operation cannot be used: ${why}. The request is sent again.`,
    undefined,
    undefined,
    undefined,
    undefined,
    {
      unstructured: true,
    },
  );
}
