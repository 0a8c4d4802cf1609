import { ApiError } from '../api-error';
import { timestamp } from '../objects';
import type { FieldType, Message } from './protobuf-messages';
import { MESSAGES } from './protobuf-messages';
import { ownValue } from '../../../src/util/elements';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const MAGIC = Buffer.from('k8s\0', 'latin1');

/**
 * An object that a client sent as a Kubernetes protocol buffer. Only requests: answers are JSON, which every client
 * accepts as well.
 *
 * @throws ApiError 415 for a kind whose message is not known here, 400 for bytes that are none.
 */
export function decodeProtobuf(body: Buffer): unknown {
  if (!body.subarray(0, 4).equals(MAGIC)) {
    throw ApiError.badRequest('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  const envelope = new Map(fieldsOf(body.subarray(4)).map(({ number, value }) => [number, value]));
  const type = new Map(fieldsOf(bytesOf(envelope.get(1))).map(({ number, value }) => [number, bytesOf(value).toString('utf8')]));
  const kind = type.get(2) ?? '';
  const message = ownValue(MESSAGES, kind);
  if (!message) {
    throw new ApiError(
      415,
      'UnsupportedMediaType',
      `${kind} as a protocol buffer is not understood by this sandbox; send it as JSON or YAML, for example with kubectl apply -f`,
    );
  }
  return { apiVersion: type.get(1) ?? '', kind, ...readMessage(message, bytesOf(envelope.get(2))) };
}

interface RawField {
  readonly number: number;
  readonly value: number | Buffer;
}

const malformed = () => ApiError.badRequest('the protocol buffer in the body of the request is malformed');

function bytesOf(value: number | Buffer | undefined): Buffer {
  if (value === undefined) return Buffer.alloc(0);
  if (typeof value === 'number') throw malformed();
  return value;
}

function fieldsOf(bytes: Buffer): RawField[] {
  const fields: RawField[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = varint(bytes, at);
    const number = Math.floor(tag.value / 8);
    switch (tag.value % 8) {
      case 0: {
        const { value, next } = varint(bytes, tag.next);
        fields.push({ number, value });
        at = next;
        break;
      }
      case 2: {
        const { value: length, next } = varint(bytes, tag.next);
        if (next + length > bytes.length) throw malformed();
        fields.push({ number, value: bytes.subarray(next, next + length) });
        at = next + length;
        break;
      }
      case 1: at = tag.next + 8; break;
      case 5: at = tag.next + 4; break;
      default: throw malformed();
    }
  }
  return fields;
}

function varint(bytes: Buffer, start: number): { value: number; next: number } {
  let value = 0;
  for (let at = start, factor = 1; at < bytes.length; at++, factor *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte % 128) * factor;
    if (byte < 128) return { value, next: at + 1 };
  }
  throw malformed();
}

/** Empty strings and empty messages are what an absent field is in protocol buffers of Go structs: left out. */
function readMessage(message: Message, bytes: Buffer): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const { number, value } of fieldsOf(bytes)) {
    const field = Object.hasOwn(message, number) ? message[number] : undefined;
    if (!field) continue;
    const read = readValue(field.type, value);
    if (read === undefined) continue;
    if (field.repeated) {
      result[field.name] = [...((result[field.name] as unknown[] | undefined) ?? []), read];
    } else if (typeof field.type === 'object' && 'map' in field.type) {
      result[field.name] = { ...(result[field.name] as object | undefined), ...(read as object) };
    } else if (read !== '') {
      result[field.name] = read;
    }
  }
  return result;
}

function readValue(type: FieldType, value: number | Buffer): unknown {
  if (type === 'integer') return value;
  if (type === 'boolean') return value === 1;
  const bytes = bytesOf(value);
  if (type === 'string') return bytes.toString('utf8');
  if (type === 'bytes') return bytes.toString('base64');
  if (type === 'time') {
    const seconds = fieldsOf(bytes).find(({ number }) => number === 1)?.value;
    return typeof seconds === 'number' && seconds > 0 && seconds < 1e11 ? timestamp(seconds * 1000) : undefined;
  }
  if ('map' in type) {
    const entry = new Map(fieldsOf(bytes).map(({ number, value: part }) => [number, part]));
    return { [bytesOf(entry.get(1)).toString('utf8')]: bytesOf(entry.get(2)).toString(type.map === 'bytes' ? 'base64' : 'utf8') };
  }
  const message = readMessage(MESSAGES[type.message] ?? {}, bytes);
  return Object.keys(message).length > 0 ? message : undefined;
}
