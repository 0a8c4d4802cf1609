import { isRecord } from '../../../src/util/records';

/** A step of a place: into a member, then into each element, or into the text. */
export interface PlaceStep {
  readonly member: string;
  readonly each: 'list' | 'map' | 'either' | undefined;
  readonly isText: boolean;
}

const ENDS: readonly (readonly [end: string, each: NonNullable<PlaceStep['each']>])[] = [['[]', 'list'], ['{}', 'map'], ['*', 'either']];

/** The steps of a place such as `spec.resources[]` or `data{}|`. */
export function placeSteps(place: string): PlaceStep[] {
  return place.split('.').map((part) => {
    const isTextStep = part.endsWith('|');
    const whole = isTextStep ? part.slice(0, -1) : part;
    const [end = '', each] = ENDS.find(([one]) => whole.endsWith(one)) ?? [];
    return { member: whole.slice(0, whole.length - end.length), each, isText: isTextStep };
  });
}

/** The elements that a step goes into, with their keys. Values of another shape have none. */
export function* elementsOf(value: unknown, each: PlaceStep['each']): Generator<readonly [key: string | number | undefined, element: unknown]> {
  if (each === undefined) yield [undefined, value];
  else if (each !== 'map' && Array.isArray(value)) for (const [index, element] of value.entries()) yield [index, element];
  else if (each !== 'list' && isRecord(value)) for (const [key, element] of Object.entries(value)) yield [key, element];
}

/** A member of an object; undefined where there is none. */
export function memberOf(value: unknown, member: string): unknown {
  if (member === '') return value;
  return isRecord(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}
