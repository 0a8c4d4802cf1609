import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AzureError } from './errors';
import { isRecord } from '../../../src/util/records';
import type { Json } from '../model/store';

/** A type of https://github.com/Azure/bicep-types-az; a reference is the place of another one in its file. */
interface BicepType {
  readonly $type: string;
  readonly name?: string;
  readonly body?: Reference;
  readonly properties?: Readonly<Record<string, BicepProperty>>;
  readonly baseProperties?: Readonly<Record<string, BicepProperty>>;
  readonly additionalProperties?: Reference;
  readonly discriminator?: string;
  /** Of a union a list, of a discriminated object by the discriminator's values. */
  readonly elements?: readonly Reference[] | Readonly<Record<string, Reference>>;
  readonly itemType?: Reference;
  readonly value?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minValue?: number;
  readonly maxValue?: number;
}

interface BicepProperty {
  readonly type: Reference;
  readonly flags?: number;
}

interface Reference {
  readonly $ref: string;
}

const REQUIRED = 1;
const READ_ONLY = 2;
const DEPLOY_TIME_CONSTANT = 8;

const MOST_DETAILS = 10;

/** A mistake that the types find in a value. */
interface Refusal {
  readonly path: string;
  readonly message: string;
}

/**
 * Microsoft's types of request bodies, read when a type is first used. A version that is not there is held against the newest one, of which
 * nothing is required: older versions have fewer members.
 */
export class AzureTypes {
  private readonly files = new Map<string, readonly BicepType[]>();
  private readonly places: Map<string, Place>;

  /**
   * @param directory with `generated/newest.json` or `generated/index.json`, or these themselves
   * @throws Error where neither is there
   */
  public constructor(private readonly directory: string) {
    this.places = placesIn(directory);
  }

  /**
   * Refuses a body that the types refuse. Read-only members are not looked at.
   *
   * @throws AzureError
   */
  public check(type: string, apiVersion: string, body: Json): void {
    const place = this.places.get(`${type}@${apiVersion}`.toLowerCase()) ?? this.places.get(type.toLowerCase());
    if (!place) return;
    const types = this.file(place.file);
    const found = types.find(({ $type, name }) => $type === 'ResourceType' && name?.toLowerCase() === `${type}@${place.version}`.toLowerCase());
    if (!found?.body) return;
    const refusals = new Check(types, place.version.toLowerCase() === apiVersion.toLowerCase()).of(found.body, body, '');
    const [first] = refusals;
    if (!first) return;
    const details = refusals.slice(0, MOST_DETAILS).map(({ path, message }) => ({ code: 'InvalidRequestContent', target: path, message }));
    throw new AzureError(400, 'InvalidRequestContent',
      `The request content was invalid and could not be deserialized: '${first.path}: ${first.message}'.`, details);
  }

  private file(path: string): readonly BicepType[] {
    const known = this.files.get(path) ?? JSON.parse(readFileSync(join(this.directory, path), 'utf8')) as BicepType[];
    this.files.set(path, known);
    return known;
  }
}

/** Where a version of a type is. */
interface Place {
  readonly file: string;
  readonly version: string;
}

/** By `type` (the newest version) and `type@version`, in lower case. */
function placesIn(directory: string): Map<string, Place> {
  for (const folder of ['generated', '']) {
    const index = join(directory, folder, 'index.json');
    if (existsSync(index)) return indexed(JSON.parse(readFileSync(index, 'utf8')) as Index, folder);
    const newest = join(directory, folder, 'newest.json');
    if (!existsSync(newest)) continue;
    const entries = Object.entries(JSON.parse(readFileSync(newest, 'utf8')) as Record<string, Place>);
    const relative = (file: string) => (folder === '' ? file.replace(/^generated\//, '') : file);
    return new Map(entries.map(([type, { file, version }]) => [type.toLowerCase(), { file: relative(file), version }]));
  }
  throw new Error(`${directory} has no types: give a copy of https://github.com/Azure/bicep-types-az, or of its folder 'generated'`);
}

interface Index {
  readonly resources: Readonly<Record<string, Reference>>;
}

function indexed({ resources }: Index, folder: string): Map<string, Place> {
  const places = new Map<string, Place>();
  // The newest version is the last one of the type.
  for (const [name, { $ref }] of Object.entries(resources).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [type = '', version = ''] = name.split('@');
    const place = { file: join(folder, $ref.split('#')[0]!), version };
    places.set(name.toLowerCase(), place).set(type.toLowerCase(), place);
  }
  return places;
}

/** The check of one body. */
class Check {
  public constructor(private readonly types: readonly BicepType[], private readonly isExactVersion: boolean) {}

  public of(reference: Reference, value: unknown, path: string): Refusal[] {
    const type = this.types[Number(/#\/(\d+)$/.exec(reference.$ref)?.[1])];
    // Services take null for what is not there.
    if (!type || value === null || value === undefined) return [];
    switch (type.$type) {
      case 'StringType': return typeof value === 'string' ? lengths(type, value.length, 'characters', path).concat(pattern(type, value, path)) : wrong('a text', path);
      case 'StringLiteralType': return this.union([type], value, path);
      case 'IntegerType': return Number.isInteger(value) ? bounds(type, value as number, path) : wrong('a whole number', path);
      case 'BooleanType': return typeof value === 'boolean' ? [] : wrong('true or false', path);
      case 'UnionType': return this.union(this.elementsOf(type), value, path);
      case 'ArrayType':
        if (!Array.isArray(value)) return wrong('a list', path);
        return lengths(type, value.length, 'items', path)
          .concat(value.flatMap((item, index) => (type.itemType ? this.of(type.itemType, item, `${path}[${index}]`) : [])));
      case 'ObjectType':
        return isRecord(value) ? this.members(type.properties ?? {}, type.additionalProperties, value, path) : wrong('an object', path);
      case 'DiscriminatedObjectType': return isRecord(value) ? this.discriminated(type, value, path) : wrong('an object', path);
      default: return [];
    }
  }

  private elementsOf({ elements }: BicepType): BicepType[] {
    return (Array.isArray(elements) ? (elements as Reference[]) : [])
      .flatMap(({ $ref }) => this.types[Number(/#\/(\d+)$/.exec($ref)?.[1])] ?? []);
  }

  /** Services take the words of an enumeration in any case. */
  private union(elements: readonly BicepType[], value: unknown, path: string): Refusal[] {
    const words = elements.flatMap(({ $type, value: word }) => ($type === 'StringLiteralType' && word !== undefined ? [word] : []));
    if (words.length < elements.length) {
      return typeof value === 'string' || !elements.every(({ $type }) => $type.startsWith('String')) ? [] : wrong('a text', path);
    }
    const isOne = typeof value === 'string' && words.some((word) => word.toLowerCase() === value.toLowerCase());
    return isOne || words.length === 0 ? [] : wrong(`one of ${words.join(', ')}`, path);
  }

  private members(
    properties: Readonly<Record<string, BicepProperty>>, additional: Reference | undefined, value: Json, path: string,
  ): Refusal[] {
    const of = new Map(Object.entries(properties).map(([name, property]) => [name.toLowerCase(), property]));
    const names = new Set(Object.entries(value).filter(([, inner]) => inner !== null).map(([name]) => name.toLowerCase()));
    const missing = Object.entries(properties)
      .filter(([name, { flags = 0 }]) => this.isExactVersion && isNeeded(flags) && !names.has(name.toLowerCase()))
      .map(([name]) => ({ path: joined(path, name), message: 'the member is required' }));
    return missing.concat(Object.entries(value).flatMap(([name, inner]) => {
      const property = of.get(name.toLowerCase());
      const type = property?.type ?? additional;
      return !type || !isTaken(property?.flags) ? [] : this.of(type, inner, joined(path, name));
    }));
  }

  private discriminated({ baseProperties = {}, discriminator = '', elements = {} }: BicepType, value: Json, path: string): Refusal[] {
    const word = value[discriminator];
    const element = Object.entries(elements as Record<string, Reference>)
      .find(([name]) => typeof word === 'string' && name.toLowerCase() === word.toLowerCase())?.[1];
    return this.members(baseProperties, undefined, value, path).concat(element ? this.of(element, value, path) : []);
  }
}

const hasFlag = (flags: number, flag: number): boolean => Math.floor(flags / flag) % 2 === 1;

/** Whether the service looks at what a body has there. */
const isTaken = (flags = 0): boolean => !hasFlag(flags, READ_ONLY) && !hasFlag(flags, DEPLOY_TIME_CONSTANT);
const isNeeded = (flags: number): boolean => hasFlag(flags, REQUIRED) && isTaken(flags);

function wrong(wanted: string, path: string): Refusal[] {
  return [{ path, message: `the value is not ${wanted}` }];
}

function lengths({ minLength, maxLength }: BicepType, length: number, unit: string, path: string): Refusal[] {
  if (minLength !== undefined && length < minLength) return [{ path, message: `there are ${length} ${unit}; at least ${minLength} are needed` }];
  if (maxLength !== undefined && length > maxLength) return [{ path, message: `there are ${length} ${unit}; at most ${maxLength} are allowed` }];
  return [];
}

function bounds({ minValue, maxValue }: BicepType, value: number, path: string): Refusal[] {
  if (minValue !== undefined && value < minValue) return [{ path, message: `${value} is less than ${minValue}` }];
  return maxValue !== undefined && value > maxValue ? [{ path, message: `${value} is more than ${maxValue}` }] : [];
}

function pattern({ pattern: text }: BicepType, value: string, path: string): Refusal[] {
  if (text === undefined) return [];
  try {
    return new RegExp(text).test(value) ? [] : [{ path, message: `the value does not match ${text}` }];
  } catch {
    // A pattern of another dialect says nothing here.
    return [];
  }
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
