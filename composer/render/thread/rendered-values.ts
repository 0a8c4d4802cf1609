import { failed } from './composition-error';
import type { WrittenObjectId } from '../../../src/object-id';
import type { ComposedValue, Composition } from '../../../src/platform-api';
import { isRecord, isText } from '../../../src/util/records';
import type { RenderedValue } from '../types';

const MOST_VALUES = 64;
const LONGEST_VALUE = 4096;
const NAME = /^[A-Za-z][\w-]{0,62}$/;

/**
 * The values of the claim's status.
 * @param mayReadConfigMaps whether the composer has the right to read the ConfigMaps of outputs
 */
export function renderedOutputs(
  { outputs = {} }: Composition,
  idOf: (object: unknown) => WrittenObjectId | undefined,
  mayReadConfigMaps: boolean,
): Record<string, RenderedValue> {
  return mapOf('outputs', outputs, (value, title) => {
    if (isText(value)) return { value: shortText(value, title) };
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return { value };
    const source = isRecord(value) ? (value as unknown as ComposedValue)._source : undefined;
    if (!source) throw failed(`${title} is neither a text, a number, a boolean nor a ComposedValue`);
    if ('configMap' in source) {
      if (!mayReadConfigMaps) {
        throw failed(`${title} is a key of a ConfigMap, `
        + 'which the composer may not read: give the definition configMapOutputs: true');
      }
      const { namespace, name, key } = source.configMap;
      return { configMap: { namespace: shortText(namespace, title), name: shortText(name, title), key: shortText(key, title) } };
    }
    const object = idOf(source.object);
    if (!object) throw failed(`${title} names an object that compose did not build: give the ApiObject itself`);
    return { object, cel: shortText(source.cel, title) };
  });
}

export function renderedLinks({ links = {} }: Composition): Record<string, string> {
  return mapOf('links', links, (value, title) => {
    const link = shortText(value, title);
    if (!link.startsWith('https://') || !URL.canParse(link)) throw failed(`${title} is no address that begins with https://`);
    return link;
  });
}

function mapOf<T>(member: string, values: unknown, convert: (value: unknown, title: string) => T): Record<string, T> {
  if (!isRecord(values)) throw failed(`${member} is no object with names and values`);
  const entries = Object.entries(values);
  if (entries.length > MOST_VALUES) throw failed(`${member} has ${entries.length} values; ${MOST_VALUES} is the limit`);
  return Object.fromEntries(entries.map(([name, value]) => {
    if (!NAME.test(name)) {
      throw failed(`${member}: '${name.slice(0, 100)}' is no name; `
      + 'write letters, digits, \'-\' and \'_\', a letter first, 63 at most');
    }
    return [name, convert(value, `${member}.${name}`)];
  }));
}

function shortText(value: unknown, title: string): string {
  if (!isText(value)) throw failed(`${title} is no text`);
  if (value.length > LONGEST_VALUE) throw failed(`${title} has ${value.length} characters; ${LONGEST_VALUE} is the limit`);
  return value;
}
