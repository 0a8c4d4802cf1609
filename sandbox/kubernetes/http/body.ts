import { parse } from 'yaml';
import { ApiError } from '../api-error';
import { PROTOBUF, decodeProtobuf } from './protobuf';
import { textBefore } from '../../../src/util/text-before';

const KNOWN = ['application/json', 'application/yaml', PROTOBUF];

export const mediaType = (contentType: string | undefined): string =>
  textBefore(contentType ?? 'application/json', ';').trim().toLowerCase();

/** @throws ApiError 400 for text that is neither JSON nor YAML, 415 for other types. */
export function parseBody(type: string, bytes: Buffer): unknown {
  if (type === PROTOBUF) return decodeProtobuf(bytes);
  const body = bytes.toString('utf8');
  const yaml = type.endsWith('yaml');
  if (!yaml && !type.endsWith('json')) throw ApiError.unsupportedMediaType(KNOWN);
  try {
    return yaml ? (parse(body) as unknown) : (JSON.parse(body) as unknown);
  } catch (error) {
    throw ApiError.badRequest(`the object provided is unrecognized (must be of type ${yaml ? 'YAML' : 'JSON'}): ${error instanceof Error ? error.message.split('\n')[0] : ''}`);
  }
}
