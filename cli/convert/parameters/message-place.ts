import { propertyNameOf } from '../../../src/catalog/property-names';
import type { FieldPath } from '../../../src/catalog/validate-spec';

/** A path of a manifest as messages about the props write it. */
export function messagePlace([top, ...path]: FieldPath): string {
  const inProps = top === 'spec' ? path : [top!, ...path];
  return inProps.reduce<string>((text, step, index) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    const name = top === 'spec' ? propertyNameOf(step, index === 0) : step;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

/** Whether a message is about a place, or about one below it. */
export function isMessageAt(message: string, place: string): boolean {
  return place !== '' && message.startsWith(place) && /^[.:[\s]/.test(message.slice(place.length));
}
