import type { Environment } from '@marcbachmann/cel-js';
import { Optional } from '@marcbachmann/cel-js';
import { spendConverting, spendDeep, spendText } from './budget';
import { formatted, formatValue } from './format';
import type { ResourceIdType, ResourceIdValue } from './resource-id';
import { parseResourceId } from './resource-id';
import { indexIn } from './text-search';

class StringsNamespace {}
class AsoNamespace {}

/** A parsed id; the `parent` of the root reads as an empty id, like unset members. */
class ResourceId {
  public constructor(private readonly value: Partial<ResourceIdValue> = {}) {}

  public get parent(): ResourceId {
    return new ResourceId(this.value.parent);
  }
  public get subscriptionId(): string {
    return this.value.subscriptionId ?? '';
  }
  public get resourceGroupName(): string {
    return this.value.resourceGroupName ?? '';
  }
  public get provider(): string {
    return this.value.provider ?? '';
  }
  public get location(): string {
    return this.value.location ?? '';
  }
  public get name(): string {
    return this.value.name ?? '';
  }
  public get resourceType(): ResourceType {
    return new ResourceType(this.value.resourceType);
  }
}

class ResourceType {
  public constructor(private readonly value?: ResourceIdType) {}

  public get namespace(): string {
    return this.value?.namespace ?? '';
  }
  public get type(): string {
    return this.value?.type ?? '';
  }
}

/**
 * Registers the functions that ASO's dialect has beyond the engine's: version 3 of the strings extension, `aso.parseResourceId`, optional
 * helpers.
 */
export function registerFunctions(environment: Environment): void {
  const add = (signature: string, handler: (...args: never[]) => unknown) =>
    environment.registerFunction(signature, handler, { async: false });

  add('string.charAt(int): string', (text: string, index: bigint) => {
    const points = [...text];
    if (index < 0n || index > BigInt(points.length)) throw new Error(`index out of range: ${index}`);
    return points[Number(index)] ?? '';
  });
  add('string.replace(string, string): string', (text: string, from: string, to: string) => replaced(text, from, to, -1));
  add('string.replace(string, string, int): string', (text: string, from: string, to: string, count: bigint) =>
    replaced(text, from, to, Number(count)),
  );
  add('string.reverse(): string', (text: string) => [...text].reverse().join(''));
  add('string.format(list): string', (template: string, args: unknown[]) => {
    // A shared member of lists and maps is printed each time that it occurs.
    spendDeep(args);
    return formatted(template, args);
  });

  add('string(google.protobuf.Timestamp): string', (time: Date) => formatValue(time));
  add('string(google.protobuf.Duration): string', (duration: { valueOf(): number }) => `${duration.valueOf() / 1000}s`);
  add('int(google.protobuf.Timestamp): int', (time: Date) => BigInt(Math.floor(time.getTime() / 1000)));

  environment.registerType('StringsNamespace', StringsNamespace);
  environment.registerConstant('strings', 'StringsNamespace', new StringsNamespace());
  add('StringsNamespace.quote(string): string', (_: unknown, text: string) => quoted(text));

  environment.registerType('aso.ResourceType', { ctor: ResourceType, fields: { namespace: 'string', type: 'string' } });
  environment.registerType('aso.ResourceID', {
    ctor: ResourceId,
    fields: {
      parent: 'aso.ResourceID',
      subscriptionId: 'string',
      resourceGroupName: 'string',
      provider: 'string',
      location: 'string',
      name: 'string',
      resourceType: 'aso.ResourceType',
    },
  });
  environment.registerType('AsoNamespace', AsoNamespace);
  environment.registerConstant('aso', 'AsoNamespace', new AsoNamespace());
  add('AsoNamespace.parseResourceId(string): aso.ResourceID', (_: unknown, id: string) => {
    // A level of the id takes at least four of its characters.
    spendConverting(id.length);
    try {
      return new ResourceId(parseResourceId(id));
    } catch (error) {
      throw new Error(`aso.parseResourceId: ${(error as Error).message}`);
    }
  });

  add('OptionalNamespace.ofNonZeroValue(A): optional<A>', (_: unknown, value: unknown) =>
    isZero(value) ? Optional.none() : Optional.of(value),
  );
}

function replaced(text: string, from: string, to: string, count: number): string {
  const occurrences = occurrencesOf(text, from);
  const times = count < 0 ? occurrences : Math.min(count, occurrences);
  spendText(text.length + times * Math.max(to.length - from.length, 0));
  let rest = times;
  if (from === '') return text.replaceAll('', () => (rest-- > 0 ? to : ''));
  const parts: string[] = [];
  let begin = 0;
  for (let at = indexIn(text, from, 0); at >= 0 && rest > 0; at = indexIn(text, from, begin), rest -= 1) {
    parts.push(text.slice(begin, at), to);
    begin = at + from.length;
  }
  return parts.join('') + text.slice(begin);
}

function occurrencesOf(text: string, wanted: string): number {
  if (wanted === '') return text.length + 1;
  let count = 0;
  for (let at = indexIn(text, wanted, 0); at >= 0; at = indexIn(text, wanted, at + wanted.length)) count += 1;
  return count;
}

const ESCAPES: Record<string, string> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

function quoted(text: string): string {
  return `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, (character) => ESCAPES[character] ?? character)}"`;
}

function isZero(value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === 0n || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Map) return value.size === 0;
  return typeof value === 'object' && value?.constructor === Object && Object.keys(value).length === 0;
}
